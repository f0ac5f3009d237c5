"""One object of Langfuse's files, and its fields under whichever of their names."""

from __future__ import annotations

import msgspec

from runwright.trace.model import JSON

Object = dict[str, JSON]
SNAKE = {
    "traceId": "trace_id",
    "parentObservationId": "parent_observation_id",
    "startTime": "start_time",
    "endTime": "end_time",
    "completionStartTime": "completion_start_time",
    "statusMessage": "status_message",
    "modelParameters": "model_parameters",
    "usageDetails": "usage_details",
    "toolDefinitions": "tool_definitions",
    "traceName": "trace_name",
}
"""Names of the scheduled exports' columns by the API's names."""


class Row(msgspec.Struct, frozen=True):
    """One object of a file and its place; a `part` is what one event tells of it."""

    fields: Object
    place: str
    part: bool = False


def field(row: Object, name: str) -> JSON:
    """A field under the API's name or the scheduled exports'; None for the empty text, which stands for nothing."""
    found = row.get(name)
    if found is None and name in SNAKE:
        found = row.get(SNAKE[name])
    return None if found == "" else found


def text_field(row: Object, name: str) -> str:
    """A field that is a text; else the empty one."""
    found = row.get(name)
    if found is None and name in SNAKE:
        found = row.get(SNAKE[name])
    return found if isinstance(found, str) else ""

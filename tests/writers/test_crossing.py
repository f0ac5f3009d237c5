"""What is written and read back is the trace, up to what the writer said it loses, and it does not lose more."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings

from runwright.trace import Trace
from runwright.writers import WRITERS
from tests.writers.crossing import crossed, places_of
from tests.writers.runs import conversations, runs

SLOW = (HealthCheck.too_slow, HealthCheck.data_too_large)
ALLOWED = {
    "vcr": {"chunks", "t", "duration", "agent", "after", "after_inferred", "ext"},
    "har": {"chunks", "agent", "after", "after_inferred", "ext"},
    "otlp": {"after", "after_inferred", "ext", "fidelity", "unknown", "reconstructed", "chunks"},
    "atif": {
        "duration", "agent", "after", "after_inferred", "ext", "fidelity", "unknown", "reconstructed", "chunks",
        "streamed", "id",
    },
}  # fmt: skip
"""Fields that every exchange of a plain conversation may lose, besides those of the request and the reply."""

DEEPER = {
    "vcr": set(),
    "har": set(),
    "otlp": {("response", "extra")},
    "atif": {("response", "extra"), ("request", "parameters"), ("response", "id"), ("request", "provider")},
}


@pytest.mark.parametrize("form", sorted(WRITERS))
@given(trace=runs())
@settings(max_examples=60, deadline=None, suppress_health_check=SLOW)
def test_everything_comes_back_but_for_what_is_told(form: str, trace: Trace) -> None:
    crossed(trace, form)


@pytest.mark.parametrize("form", sorted(WRITERS))
@given(trace=conversations())
@settings(max_examples=40, deadline=None, suppress_health_check=SLOW)
def test_a_plain_conversation_loses_nothing_that_was_said(form: str, trace: Trace) -> None:
    places = places_of(crossed(trace, form))
    for record in trace.models:
        lost = places.get(record.id, [])
        assert () not in lost
        assert {path[:2] for path in lost if path[0] in ("request", "response")} <= DEEPER[form]
        assert {path[0] for path in lost} - {"request", "response"} <= ALLOWED[form]
    for tool in trace.tools:
        assert (() in places.get(tool.id, [])) == (form != "otlp")

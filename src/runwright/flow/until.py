"""What a replay that is strict only up to an exchange can still decide."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from runwright.flow.assertions import Assertion, OutcomeIs, Reply, ToolCall
from runwright.flow.matchers import satisfies
from runwright.trace.model import JSON, ModelRecord, Record, ToolRecord, Trace, calls_of


def undecidable(assertion: Assertion, until: str, cassette: Trace) -> str | None:
    """Why the first request after `until` cannot decide the assertion; None where it can.

    An agent that diverges there is served nothing more: it says nothing last, ends as it may, and makes no call that
    a later reply would ask for.
    """
    if isinstance(assertion, Reply):
        return f"the reply comes after {until}, and an agent that diverges there is served none"
    if isinstance(assertion, OutcomeIs):
        return f"how the run ends is decided after {until}"
    if isinstance(assertion, ToolCall) and assertion.level is None:
        asked = _asked(assertion, _head(cassette.records, until))
        if asked < assertion.at_least:
            need = f"{assertion.at_least} {'is' if assertion.at_least == 1 else 'are'} needed"
            return f"up to {until} the recording asks for {assertion.tool} {_times(asked)}, and {need}"
    return None


def _times(count: int) -> str:
    return {0: "never", 1: "once"}.get(count, f"{count} times")


def _head(records: Sequence[Record], until: str) -> Sequence[Record]:
    at = next((n for n, record in enumerate(records) if record.id == until), len(records))
    return records[: at + 1]


def _asked(assertion: ToolCall, head: Sequence[Record]) -> int:
    """The calls that the assertion could count: asked for by a reply, or recorded as run without one."""
    return sum(name == assertion.tool and satisfies(assertion.where, arguments) for name, arguments in _calls(head))


def _calls(head: Sequence[Record]) -> Iterator[tuple[str, JSON]]:
    replies = [each.response.content for each in head if isinstance(each, ModelRecord) and each.response]
    asked = [call for content in replies for call in calls_of(content)]
    yield from ((call.name, call.arguments) for call in asked)
    ids = {call.id for call in asked}
    for record in head:
        if isinstance(record, ToolRecord) and record.call_id not in ids:
            yield record.name, record.arguments

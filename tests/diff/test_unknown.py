"""What a side does not know is counted, and never called changed; what it knows is."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from runwright.diff import TraceDiff, diff
from runwright.trace import (
    ModelRecord,
    ModelResponse,
    SideEffect,
    SideEffectRecord,
    TextBlock,
    ToolRecord,
    Trace,
    Usage,
)
from tests.diff.made import run, trace


def first(value: Trace, **fields: object) -> Trace:
    """The trace with other fields in the request of its first exchange, or of the exchange itself."""
    record = value.records[0]
    assert isinstance(record, ModelRecord)
    request = {name: fields.pop(name) for name in list(fields) if name in type(record.request).__struct_fields__}
    record = replace(record, request=replace(record.request, **request), **fields)
    return replace(value, records=(record, *value.records[1:]))


def compared(left: Trace, right: Trace) -> TraceDiff:
    found = diff(left, right)
    assert diff(right, left) == found.mirrored()
    return found


def told(found: TraceDiff) -> list[tuple[str, str, int]]:
    return [(each.path, each.side, each.count) for each in found.unknown]


ONE = run(0)


@pytest.mark.parametrize(
    ("unknown", "left", "right", "same"),
    [
        (("$.request.parameters.temperature",), {}, {"temperature": 1}, True),
        (("$.request.parameters.*",), {}, {"temperature": 1}, True),
        (("$.request.parameters",), {}, {"temperature": 1}, True),
        (("$.request.parameters.top_p",), {}, {"temperature": 1}, False),
        (("$.request.parameters.*",), {"temperature": 0}, {"temperature": 1}, False),
        ((), {}, {"temperature": 1}, False),
    ],
)
def test_parameters(unknown: tuple[str, ...], left: dict[str, int], right: dict[str, int], same: bool) -> None:
    found = compared(first(ONE, parameters=left, unknown=unknown), first(ONE, parameters=right))
    assert found.is_same is same
    assert told(found) == [(path, "left", 1) for path in unknown]


def test_what_neither_side_knows_is_told_as_well() -> None:
    unknown = first(ONE, unknown=("$.streamed",), streamed=None)
    assert told(compared(unknown, unknown)) == [("$.streamed", "both", 1)]
    assert compared(unknown, unknown).is_same


def test_an_unknown_answer_and_another_prompt() -> None:
    silent = first(ONE, response=None, unknown=("$.response",))
    found = compared(silent, ONE)
    assert found.is_same
    assert told(found) == [("$.response", "left", 1)]
    other = first(ONE, model="m-next")
    assert [field.path for field in compared(silent, other).changes[0].fields] == ["$.request.model"]


def test_what_was_made_up_is_not_known() -> None:
    made = ModelResponse(content=(TextBlock(text="Done after 0 turns."),), stop_reason="end_turn", usage=Usage())
    seen = replace(made, usage=Usage(input_tokens=7, output_tokens=9))
    one = first(ONE, response=made, reconstructed=("$.response.usage",))
    found = compared(one, first(ONE, response=seen))
    assert found.is_same
    assert told(found) == [("$.response.usage", "left", 2)]
    assert compared(one, one).unknown == ()
    assert not compared(first(ONE, response=made), first(ONE, response=seen)).is_same


def test_the_lanes_that_say_what_they_do_not_know() -> None:
    one = ToolRecord(id="t", name="x", outcome="ok", fidelity="partial", unknown=("$.arguments",))
    other = ToolRecord(id="t", name="x", arguments={"a": 1}, outcome="ok", fidelity="raw")
    assert compared(trace([one]), trace([other])).is_same
    assert not compared(trace([replace(one, unknown=())]), trace([other])).is_same
    assert not compared(trace([one]), trace([replace(other, outcome="error")])).is_same


def test_many_pairs_are_counted_in_one_entry_that_names_the_first() -> None:
    silent = replace(
        run(5),
        records=tuple(
            replace(record, unknown=("$.request.tools",)) if isinstance(record, ModelRecord) else record
            for record in run(5).records
        ),
    )
    found = compared(silent, run(5))
    assert told(found) == [("$.request.tools", "left", 6)]
    assert (found.unknown[0].lane, found.unknown[0].left, found.unknown[0].right) == ("model", "m1", "m1")


def test_effects_that_nobody_watched_for_are_not_missing() -> None:
    effect = SideEffectRecord(id="e", side_effect=SideEffect(kind="fs_write", target="a"))
    seen = replace(ONE, records=(*ONE.records, effect))
    blind = trace(ONE.records, observation={"fs_write": "not_observed"})
    found = compared(seen, blind)
    assert found.is_same
    assert told(found) == [("$", "right", 1)]
    watched = trace(ONE.records, observation={"fs_write": "observed"})
    assert [change.kind for change in compared(seen, watched).changes] == ["deleted"]
    assert [change.kind for change in compared(ONE, seen).changes] == ["inserted"]

"""Two sets of traces: whatever came or went is told with its fields, and what says the same is the same."""

from __future__ import annotations

import msgspec
import pytest

from runwright.drift import SetDrift, set_drift
from runwright.trace import Message, TextBlock, ToolCallBlock, ToolRecord, ToolResultBlock, ToolSpec, Trace
from tests.drift.made import REFUND, SCHEMA, bare, trace


def run(*calls: str, ids: str = "c", tools: tuple[ToolSpec, ...] = (REFUND,), prompt: str = "You refund.") -> Trace:
    """A run whose one reply asks for the calls, and whose next request answers them."""
    first = trace(prompt=prompt, tools=tools)
    (exchange,) = first.models
    blocks = tuple(ToolCallBlock(id=f"{ids}{at}", name=name, arguments={"order": "A"}) for at, name in enumerate(calls))
    response = msgspec.structs.replace(exchange.response, content=blocks, stop_reason="tool_calls")
    asked = msgspec.structs.replace(exchange, response=response)
    results = tuple(ToolResultBlock(call_id=block.id, content=(TextBlock(text="x"),)) for block in blocks)
    said = (*exchange.request.messages, Message(role="tool", content=results))
    answered = msgspec.structs.replace(
        exchange, id="m2", after=("m1",), request=msgspec.structs.replace(exchange.request, messages=said)
    )
    return msgspec.structs.replace(first, records=(asked, answered))


def named(*traces: Trace) -> list[tuple[str, Trace]]:
    return [(f"{at}.jsonl", each) for at, each in enumerate(traces)]


def states(found: SetDrift) -> tuple[list[str], list[str]]:
    return [each.state for each in found.behaviours], [each.state for each in found.specifications]


def test_a_set_against_itself() -> None:
    one = named(run("refund"), run("refund", "refund"), run("look"))
    found = set_drift(one, one)
    assert found.verdict == "SAME"
    assert states(found) == (["same", "same", "same"], ["same"])


def test_ids_and_the_order_of_parallel_calls_are_no_drift() -> None:
    found = set_drift(named(run("look", "refund")), named(run("refund", "look", ids="other")))
    assert found.verdict == "SAME"


def test_a_tool_renamed_in_half_of_the_calls_is_drift() -> None:
    before = named(run("refund", "refund", "refund", "refund"))
    after = named(run("refund", "pay", "refund", "pay"))
    found = set_drift(before, after)
    assert found.verdict == "DRIFTED"
    (new, gone) = found.behaviours
    assert (new.state, gone.state) == ("new", "gone")
    assert new.against is not None
    fields = {each.field: (each.recorded, each.live) for each in new.against.differences}
    assert fields["tools"] == ("(nothing)", "pay(order: string)")
    assert "tool_sequences" in fields


def test_a_behaviour_that_came_or_went_is_drift_whichever_side() -> None:
    few, more = named(run("refund")), named(run("refund"), run("look"))
    assert states(set_drift(few, more))[0] == ["same", "new"]
    assert states(set_drift(more, few))[0] == ["same", "gone"]
    assert {set_drift(few, more).verdict, set_drift(more, few).verdict} == {"DRIFTED"}


def test_how_often_does_not_count() -> None:
    assert set_drift(named(run("refund")), named(*[run("refund")] * 3)).verdict == "SAME"


def test_the_nearest_is_the_one_with_the_fewest_differences() -> None:
    before = named(run("look", "look", "close"), run("refund"))
    (_, new, *_) = set_drift(before, named(run("look", "look", "close"), run("refund", "refund"))).behaviours
    assert (new.state, new.nearest) == ("new", ("1.jsonl",))


def test_what_agents_were_built_from_is_compared_by_field() -> None:
    changed = msgspec.structs.replace(REFUND, parameters={**SCHEMA, "required": ["order"]})
    found = set_drift(named(run("refund")), named(run("refund", tools=(changed,))))
    assert states(found) == (["same"], ["new", "gone"])
    assert found.verdict == "DRIFTED"
    (new, _) = found.specifications
    assert new.against is not None
    assert [(each.path, each.recorded, each.current) for each in new.against.differences] == [
        ("$.tools.refund.parameters.required", ["amount", "order"], ["order"])
    ]


def test_what_means_the_same_is_one_specification() -> None:
    shuffled = msgspec.structs.replace(REFUND, parameters={**SCHEMA, "required": ["amount", "order"]})
    assert set_drift(named(run("refund")), named(run("refund", tools=(shuffled,)))).verdict == "SAME"
    spaced = named(run("refund", prompt="You refund. "))
    assert set_drift(named(run("refund")), spaced).verdict == "DRIFTED"
    assert set_drift(named(run("refund")), spaced, ignore_whitespace=True).verdict == "SAME"


@pytest.mark.parametrize(("before", "after"), [([], []), ([run("refund")], []), ([], [run("refund")])])
def test_an_empty_set_is_never_the_same(before: list[Trace], after: list[Trace]) -> None:
    found = set_drift(named(*before), named(*after))
    assert found.verdict != "SAME"


def test_traces_that_know_nothing_in_common_are_not_judged() -> None:
    tool_only = Trace(
        header=bare(None).header,
        records=(ToolRecord(id="t1", name="refund", arguments={}, outcome="ok", fidelity="raw"),),
    )
    found = set_drift(named(bare(None)), named(bare(None)))
    assert (found.verdict, states(found)) == ("UNVERIFIED", (["not_judged", "not_judged"], []))
    assert found.notes == ("specifications: no trace says what its agent is built from",)
    assert set_drift(named(tool_only), named(tool_only)).verdict == "SAME"

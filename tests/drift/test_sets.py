"""Two sets of traces: whatever came or went is told with its fields, and what says the same is the same."""

from __future__ import annotations

import msgspec
import pytest

from runwright.drift import SetDrift, set_drift
from runwright.drift.sets import NOBODY, NOT_ASKED
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


def test_each_member_names_all_its_traces() -> None:
    both = named(run("refund"), run("look"), run("refund"))
    found = set_drift(both, both[:1])
    assert [(each.state, each.baseline, each.current) for each in found.behaviours] == [
        ("same", ("0.jsonl", "2.jsonl"), ("0.jsonl",)),
        ("gone", ("1.jsonl",), ()),
    ]
    (one,) = found.specifications
    assert (one.baseline, one.current) == (("0.jsonl", "1.jsonl", "2.jsonl"), ("0.jsonl",))


def test_the_day_of_each_run_in_its_prompt_is_no_drift() -> None:
    def dated(day: str) -> Trace:
        made = run("refund", prompt=f"Today is {day}.")
        return msgspec.structs.replace(made, header=msgspec.structs.replace(made.header, started_at=f"{day}T08:00:00Z"))

    assert set_drift(named(dated("2026-10-02")), named(dated("2026-11-30"))).verdict == "SAME"
    other = run("refund", prompt="Today is 2026-11-30.")
    assert set_drift(named(dated("2026-10-02")), named(other)).verdict == "DRIFTED"


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


@pytest.mark.parametrize(
    ("before", "after", "state"), [([], [], []), ([run("refund")], [], ["gone"]), ([], [run("refund")], ["new"])]
)
def test_an_empty_set_is_never_the_same(before: list[Trace], after: list[Trace], state: list[str]) -> None:
    found = set_drift(named(*before), named(*after))
    assert found.verdict != "SAME"
    assert states(found) == (state, state)
    assert found.notes == ()


def tool_only() -> Trace:
    """A run whose behaviour is known, and nothing of what its agent is built from."""
    call = ToolRecord(id="t1", name="refund", arguments={}, outcome="ok", fidelity="raw")
    return Trace(header=bare(None).header, records=(call,))


def blind(*unknown: str) -> Trace:
    """A run of which these parts of the requests are unknown."""
    whole = run("refund")
    hidden = tuple(msgspec.structs.replace(each, unknown=unknown) for each in whole.models)
    return msgspec.structs.replace(whole, records=hidden)


def test_behaviours_that_know_nothing_in_common_are_not_judged() -> None:
    found = set_drift(named(bare(None)), named(bare(None)), behaviours_only=True)
    assert (found.verdict, states(found)) == ("UNVERIFIED", (["not_judged", "not_judged"], []))
    assert SetDrift((), ()).verdict == "UNVERIFIED"


# --- specifications that are not known ----------------------------------------------------------


def test_specifications_that_neither_side_knows_are_not_judged() -> None:
    found = set_drift(named(tool_only()), named(tool_only()))
    assert (found.verdict, states(found)) == ("UNVERIFIED", (["same"], ["not_judged", "not_judged"]))
    assert [(each.baseline, each.current) for each in found.specifications] == [((), ("0.jsonl",)), (("0.jsonl",), ())]
    assert found.notes == (NOBODY,)
    alone = set_drift(named(tool_only()), named(tool_only()), behaviours_only=True)
    assert (alone.verdict, alone.specifications, alone.notes) == ("SAME", (), (NOT_ASKED,))


UNKNOWN = ("$.request.messages", "$.request.tools", "$.request.parameters")


@pytest.mark.parametrize("swapped", [False, True])
def test_specifications_that_one_side_knows_are_not_judged(swapped: bool) -> None:
    """What a side does not know neither came nor went; it may have been there all the time."""
    sides = [named(tool_only()), named(run("refund"))]
    found = set_drift(*reversed(sides)) if swapped else set_drift(*sides)
    assert (found.verdict, states(found)[1]) == ("UNVERIFIED", ["not_judged", "not_judged"])
    assert found.notes == ()
    silent = "current set" if swapped else "baseline"
    for each in found.specifications:
        assert each.not_compared == tuple(
            f"$.{name}: the {silent} does not say" for name in ("system_prompt", "model", "parameters", "tools")
        )


@pytest.mark.parametrize("swapped", [False, True])
def test_a_trace_without_a_specification_among_others_is_not_judged(swapped: bool) -> None:
    whole, some = named(run("refund")), named(run("refund"), blind("$.request"))
    found = set_drift(some, whole) if swapped else set_drift(whole, some)
    assert sorted(states(found)[1]) == ["not_judged", "same"]
    (alone,) = (each for each in found.specifications if each.state == "not_judged")
    assert (*alone.baseline, *alone.current) == ("1.jsonl",)
    assert found.verdict == "UNVERIFIED"


def test_a_model_name_alone_is_not_enough() -> None:
    found = set_drift(named(blind(*UNKNOWN)), named(run("refund")))
    assert (found.verdict, states(found)[1]) == ("UNVERIFIED", ["not_judged", "not_judged"])


def test_what_of_a_specification_was_not_compared_is_told() -> None:
    found = set_drift(named(blind("$.request.tools")), named(run("refund")))
    (one,) = found.specifications
    assert (found.verdict, one.state) == ("SAME", "same")
    assert one.not_compared == ("$.tools: the baseline does not say",)
    (alike,) = set_drift(named(run("refund")), named(run("refund"))).specifications
    assert alike.not_compared == ()


def test_no_tools_and_unknown_tools_are_two_specifications() -> None:
    both = named(run("refund", tools=()), blind("$.request.tools"))
    found = set_drift(both, named(run("refund", tools=())))
    assert [(each.state, each.baseline) for each in found.specifications] == [
        ("same", ("0.jsonl",)),
        ("same", ("1.jsonl",)),
    ]
    assert [len(each.not_compared) for each in found.specifications] == [0, 1]


def test_what_was_not_compared_with_several_is_told_once() -> None:
    known = [run("refund"), run("refund", prompt="You pay.")]
    (one,) = set_drift(named(blind("$.request.messages")), named(*known)).specifications
    assert (one.state, one.current) == ("same", ("0.jsonl", "1.jsonl"))
    assert one.not_compared == ("$.system_prompt: the baseline does not say",)


def test_what_differs_and_what_was_not_compared_with_it() -> None:
    changed = run("refund", prompt="You pay.")
    found = set_drift(named(blind("$.request.tools")), named(changed))
    assert (found.verdict, states(found)[1]) == ("DRIFTED", ["new", "gone"])
    assert [each.not_compared for each in found.specifications] == [("$.tools: the baseline does not say",)] * 2


def test_what_cannot_be_judged_beats_what_drifted() -> None:
    found = set_drift(named(run("refund"), tool_only()), named(run("refund", "refund")))
    assert "new" in states(found)[0]
    assert found.verdict == "UNVERIFIED"


def test_of_behaviours_it_is_told_too() -> None:
    (one,) = set_drift(named(run("refund")), named(run("refund"))).behaviours
    assert "endpoints: neither side could know endpoints" in one.not_compared

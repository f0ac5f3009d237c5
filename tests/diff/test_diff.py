"""What differs is told once, where it came in; what does not differ is not told."""

from __future__ import annotations

import random

import msgspec
import pytest
from hypothesis import given, strategies as st
from msgspec.structs import replace

from runwright.diff import Change, TraceDiff, causes, diff
from runwright.trace import (
    FaultRecord,
    ModelRecord,
    PolicyRecord,
    Record,
    SideEffect,
    SideEffectRecord,
    ToolRecord,
    Trace,
    with_edges,
)
from tests.diff.made import conversation, everywhere, renamed, run, said, trace


def told(found: TraceDiff) -> list[tuple[str, str | None, str | None, list[str]]]:
    return [
        (each.kind, each.left.id if each.left else None, each.right.id if each.right else None, paths(each))
        for each in found.changes
    ]


def paths(change: Change) -> list[str]:
    return [field.path for field in change.fields]


def compared(left: Trace, right: Trace) -> TraceDiff:
    """The difference, which is the same from either side."""
    found = diff(left, right)
    assert diff(right, left) == found.mirrored()
    assert found.mirrored().mirrored() == found
    return found


# --- what is no difference ----------------------------------------------------------------------


@pytest.mark.parametrize("calls", [0, 1, 3])
def test_a_run_is_itself_whatever_its_ids_and_times(calls: int) -> None:
    one = run(5, calls)
    assert compared(one, one).is_same
    other = renamed(one)
    assert other.records[0].id != one.records[0].id
    found = compared(one, other)
    assert found.is_same
    assert (found.same, found.carried, found.unknown) == (len(one.records), 0, ())


def test_ids_that_each_turn_uses_anew_are_renamed_as_well() -> None:
    one = run(4, 2)
    assert compared(one, rewritten_ids(one)).is_same


def rewritten_ids(value: Trace) -> Trace:
    """Every turn calls its calls call_0 and call_1, as some servers do."""
    for turn in range(1, 6):
        for at in range(2):
            value = everywhere(value, f'"call_{turn}_{at}"', f'"call_{at}"')
    return value


def test_parallel_calls_in_another_order_are_the_same() -> None:
    calls = [("lookup", {"order": 1}, "shipped"), ("lookup", {"order": 2}, "lost"), ("stock", {}, "12")]
    one, other = trace(conversation(calls)), trace(conversation(calls[::-1]))
    assert compared(one, other).is_same


def test_parallel_records_in_another_order_are_the_same() -> None:
    one = run(3, 3)
    records = list(one.records)
    records[1], records[2], records[3] = records[3], records[1], records[2]
    assert compared(one, replace(one, records=tuple(records))).is_same


def test_branches_that_interleave_otherwise_are_the_same() -> None:
    first, second = conversation([("a", {}, 1)], prompt="one"), conversation([("b", {}, 2)], prompt="two", start=50)
    one = trace([each for pair in zip(first, second, strict=True) for each in pair])
    assert compared(one, trace([*first, *second])).is_same


def test_numbers_that_are_equal_are_the_same() -> None:
    one, other = trace(conversation([("pay", {"amount": 40}, 1)])), trace(conversation([("pay", {"amount": 40.0}, 1)]))
    assert compared(one, other).is_same


# --- what is one --------------------------------------------------------------------------------


def test_an_edited_prompt_is_told_where_it_came_in_and_counted_after() -> None:
    one = run(6)
    found = compared(one, renamed(everywhere(one, "order 7", "order 8")))
    assert [(c.kind, c.left.id, paths(c), c.carried) for c in found.changes if c.left] == [
        ("changed", "m1", ["$.request.messages[1].content[0].text"], 6)
    ]
    assert (found.same, found.carried) == (12, 6)


def test_an_edited_argument_is_told_where_it_was_asked_for_and_where_it_ran() -> None:
    one = run(3)
    found = compared(one, renamed(everywhere(one, '"order":10}', '"order":11}')))
    assert [(c.kind, c.left.id, paths(c), c.carried) for c in found.changes if c.left] == [
        ("changed", "m2", ["$.response.content[0].arguments.order"], 2),
        ("changed", "t2", ["$.arguments.order"], 0),
    ]


def test_a_prompt_that_is_dated_in_each_request_does_not_hide_what_is_carried_on() -> None:
    def dated(value: Trace) -> Trace:
        records: list[Record] = []
        for at, record in enumerate(value.records):
            if isinstance(record, ModelRecord):
                messages = (said("system", f"It is day {at}."), *record.request.messages[1:])
                record = replace(record, request=replace(record.request, messages=messages))
            records.append(record)
        return replace(value, records=tuple(records))

    one = dated(run(6))
    found = compared(one, renamed(everywhere(one, "order 7", "order 8")))
    assert [each[0] for each in told(found)] == ["changed"]
    assert found.changes[0].carried == 6
    assert compared(one, dated(run(6))).is_same


def test_a_cache_mark_that_moves_is_no_news() -> None:
    def marked(value: Trace) -> Trace:
        records: list[Record] = []
        for record in value.records:
            if isinstance(record, ModelRecord):
                last = record.request.messages[-1]
                blocks = (replace(last.content[0], cache={"type": "ephemeral"}), *last.content[1:])
                messages = (*record.request.messages[:-1], replace(last, content=blocks))
                record = replace(record, request=replace(record.request, messages=messages))
            records.append(record)
        return replace(value, records=tuple(records))

    one = marked(run(6))
    assert compared(one, run(6)).is_same
    found = compared(one, renamed(everywhere(one, "order 7", "order 8")))
    assert [(each[0], each[1]) for each in told(found)] == [("changed", "m1")]


def test_runs_that_are_too_unlike_are_told_as_moved(monkeypatch: pytest.MonkeyPatch) -> None:
    one = run(1, 4)
    shuffled = replace(one, records=(one.records[0], *reversed(one.records[1:5]), one.records[5]))
    assert compared(one, shuffled).is_same
    monkeypatch.setattr(causes, "STEPS", 0)
    assert compared(one, shuffled).count("moved") == 3


def test_another_model_is_told_once() -> None:
    one = run(4)
    found = compared(one, everywhere(one, '"model":"m"', '"model":"m-next"'))
    assert told(found) == [("changed", "m1", "m1", ["$.request.model"])]
    assert found.changes[0].carried == 4


def test_one_insert_and_one_edit_are_two_changes() -> None:
    one = run(40)
    records = list(one.records)
    inserted = ToolRecord(id="new", name="audit", arguments={"a": 1}, outcome="ok", fidelity="raw")
    edited = records[51]
    assert isinstance(edited, ToolRecord)
    records[51] = replace(edited, result="other")
    records.insert(20, inserted)
    found = compared(one, replace(one, records=tuple(records)))
    assert told(found) == [("inserted", None, "new", []), ("changed", edited.id, edited.id, ["$.result"])]


def test_an_edit_and_a_dropped_exchange_are_two_changes() -> None:
    one = run(6)
    other = everywhere(one, "order 7", "order 8")
    kept = tuple(record for record in other.records if record.id != "m3")
    found = compared(one, replace(other, records=kept))
    assert [(each[0], each[1]) for each in told(found)] == [("changed", "m1"), ("deleted", "m3")]


def test_a_dropped_exchange_among_others_that_said_the_same() -> None:
    """The one that is gone is found by what the others were asked last."""
    long = " ".join(f"word{at}" for at in range(40))
    whole = conversation(*[[("refund", {"amount": 40}, answer)] for answer in (long, "1", "2", "3")])
    one = trace([record for record in whole if isinstance(record, ModelRecord)])
    other = everywhere(one, "order 7", "order 8")
    kept = tuple(record for record in other.records if record.id != "m2")
    found = compared(one, replace(other, records=kept))
    assert [(each[0], each[1]) for each in told(found)] == [("changed", "m1"), ("deleted", "m2")]


def test_an_answer_that_the_agent_repeats_otherwise_is_a_difference() -> None:
    one = trace(conversation([("lookup", {}, "shipped")]))
    last = one.records[-1]
    assert isinstance(last, ModelRecord)
    messages = list(last.request.messages)
    messages[2] = said("assistant", "I never asked for that.")
    other = replace(
        one, records=(*one.records[:-1], replace(last, request=replace(last.request, messages=tuple(messages))))
    )
    found = compared(one, other)
    assert [each[:3] for each in told(found)] == [("changed", "m2", "m2")]
    assert all(path.startswith("$.request.messages[2]") for path in told(found)[0][3])
    assert told(found)[0][3]


def test_one_more_of_the_same_is_one_insertion() -> None:
    poll = [("poll", {}, "pending")]
    one, other = trace(conversation(*[poll] * 5)), trace(conversation(*[poll] * 5, poll))
    found = compared(one, other)
    assert {each[0] for each in told(found) if each[1] is None or each[2] is None} == {"inserted"}
    records = list(one.records)
    records.insert(4, replace(records[3], id="again"))
    found = compared(one, replace(one, records=tuple(records)))
    assert [each[0] for each in told(found)] == ["inserted"]


def test_true_is_not_one() -> None:
    one, other = trace(conversation([("pay", {"now": 1}, 1)])), trace(conversation([("pay", {"now": True}, 1)]))
    assert [each[1:] for each in told(compared(one, other))] == [
        ("m1", "m1", ["$.response.content[0].arguments.now"]),
        ("t1", "t1", ["$.arguments.now"]),
    ]


def test_results_that_changed_places_are_a_difference() -> None:
    """Each result is there, each call too, but the agent mixed them up."""
    calls = [("lookup", {"order": 1}, "shipped"), ("lookup", {"order": 2}, "lost")]
    one = trace(conversation(calls, [("stock", {}, "12")]))
    other = rewritten_last(one)
    found = compared(one, other)
    assert not found.is_same
    assert [each[:3] for each in told(found)] == [("changed", "m2", "m2")]
    field = found.changes[0].fields[0]
    assert field.path.endswith(".call_id")
    assert {field.before["arguments"]["order"], field.after["arguments"]["order"]} == {1, 2}  # type: ignore[index,call-overload]


def rewritten_last(value: Trace) -> Trace:
    """The results of the first turn under each other's call ids, in requests alone."""

    def swapped(record: Record) -> Record:
        if not isinstance(record, ModelRecord):
            return record
        plain = msgspec.json.encode(record.request.messages).decode()
        for old, new in (("call_1_0", "x"), ("call_1_1", "call_1_0"), ("x", "call_1_1")):
            plain = plain.replace(f'"call_id":"{old}"', f'"call_id":"{new}"')
        messages = msgspec.json.decode(
            plain, type=type(record.request).__annotations__ and tuple[type(said("a", "b")), ...]
        )  # type: ignore[misc]
        return replace(record, request=replace(record.request, messages=messages))

    return replace(value, records=tuple(swapped(record) for record in value.records))


def test_a_tool_that_ran_for_another_call_is_a_difference() -> None:
    one = run(2, 2)
    records = list(one.records)
    first, second = records[1], records[2]
    assert isinstance(first, ToolRecord)
    assert isinstance(second, ToolRecord)
    records[1], records[2] = replace(first, call_id=second.call_id), replace(second, call_id=first.call_id)
    found = compared(one, replace(one, records=tuple(records)))
    assert [each[3] for each in told(found)] == [["$.call_id"], ["$.call_id"]]


def test_what_goes_on_in_another_conversation_is_a_difference() -> None:
    """The last exchange adds the same to another thread: what is new in it is equal, all it says is not."""
    first, second = conversation(prompt="one"), conversation(prompt="two", start=50)

    def goes_on(first_exchange: Record) -> Record:
        assert isinstance(first_exchange, ModelRecord)
        request = first_exchange.request
        assert first_exchange.response
        messages = (*request.messages, said("assistant", "Done after 0 turns."), said("user", "go on"))
        return replace(
            first_exchange, id="last", after=(first_exchange.id,), request=replace(request, messages=messages)
        )

    start = [first[0], second[0]]
    found = compared(trace([*start, goes_on(first[0])]), trace([*start, goes_on(second[0])]))
    assert [each[:3] for each in told(found)] == [("changed", "last", "last")]
    assert "$.request.messages[1].content[0].text" in told(found)[0][3]


def test_a_record_elsewhere_in_the_causal_order_moved() -> None:
    one = run(3)
    records = list(one.records)
    records.insert(1, records.pop(5))
    other = replace(one, records=tuple(replace(record, after=(), after_inferred=()) for record in records))
    one = replace(one, records=tuple(replace(record, after=(), after_inferred=()) for record in one.records))
    assert [each[:3] for each in told(compared(one, other))] == [("moved", "t3", "t3")]


def test_a_record_that_changed_places_with_its_cause_moved() -> None:
    a, b, c = (ToolRecord(id=name, name=name, outcome="ok", fidelity="raw") for name in "abc")
    one = trace([a, replace(b, after=("a",)), replace(c, after=("b",))])
    other = trace([a, replace(c, after=("a",)), replace(b, after=("c",))])
    found = compared(one, other)
    assert found.count("moved") == 1
    assert not found.count("inserted") + found.count("deleted")
    parallel = trace([a, replace(c, after=("a",)), replace(b, after=("a",))])
    side_by_side = trace([a, replace(b, after=("a",)), replace(c, after=("a",))])
    assert compared(parallel, side_by_side).is_same


def test_what_came_after_something_else_is_a_difference() -> None:
    base: list[Record] = [
        ToolRecord(id=f"t{at}", name=name, outcome="ok", fidelity="raw") for at, name in enumerate("abc")
    ]
    one = trace([base[0], replace(base[1], after=("t0",)), replace(base[2], after=("t1",))])
    other = trace([base[0], replace(base[1], after=("t0",)), replace(base[2], after=("t0",))])
    found = compared(one, other)
    assert told(found) == [("changed", "t2", "t2", ["$.after"])]
    silent = trace(base)
    assert compared(one, silent).is_same
    assert [(each.path, each.side) for each in compared(one, silent).unknown] == [("$.after", "right")]


@pytest.mark.parametrize(
    ("record", "other", "path"),
    [
        (PolicyRecord(id="p", policy="x", verdict="deny", on="t1"), {"on": "t2"}, "$.on"),
        (FaultRecord(id="f", kind="truncation", detail="x", hides=("t1",)), {"hides": ("t2",)}, "$.hides"),
        (FaultRecord(id="f", kind="truncation", detail="x", hides=("tool",)), {"hides": ("http",)}, "$.hides"),
        (ToolRecord(id="t", name="x", outcome="ok", fidelity="raw", parent="t1"), {"parent": "t2"}, "$.parent"),
        (
            SideEffectRecord(id="e", side_effect=SideEffect(kind="fs_write", target="a", caused_by="t1")),
            {"side_effect": SideEffect(kind="fs_write", target="a", caused_by="t2")},
            "$.side_effect.caused_by",
        ),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_a_link_to_another_record_is_a_difference(record: Record, other: dict[str, object], path: str) -> None:
    one = run(3)
    left = replace(one, records=(*one.records, record))
    right = replace(one, records=(*one.records, replace(record, **other)))
    assert compared(left, left).is_same
    assert compared(left, renamed(left)).is_same or path == "$.hides"
    assert [each[3] for each in told(compared(left, right))] == [[path]]


def test_nothing_in_common() -> None:
    one = run(2)
    other = trace([ToolRecord(id="x", name="other", outcome="ok", fidelity="raw")])
    found = compared(one, other)
    assert found.same == 0
    assert found.count("deleted") + found.count("changed") == len(one.records)
    assert [each[0] for each in told(compared(trace([]), other))] == ["inserted"]
    assert compared(trace([]), trace([])).is_same


# --- any edits ----------------------------------------------------------------------------------


@st.composite
def edited(draw: st.DrawFn) -> tuple[Trace, Trace, int, int, int]:
    """A run, the same run edited at random places, and how much was inserted, deleted and edited."""
    one = renamed(run(draw(st.integers(3, 12)), draw(st.integers(1, 3))), 1)
    chance = random.Random(draw(st.integers(0, 10_000)))
    records: list[Record] = list(renamed(one, 2).records)
    places = chance.sample(range(len(records)), k=min(len(records), draw(st.integers(0, 6))))
    inserts: dict[int, Record] = {}
    gone: set[int] = set()
    edits = 0
    for number, place in enumerate(places):
        match chance.choice(("insert", "delete", "edit")):
            case "insert":
                inserts[place] = ToolRecord(
                    id=f"new{number}", name=f"new{number}", arguments={"n": number}, outcome="ok", fidelity="raw"
                )
            case "delete":
                gone.add(place)
            case _:
                records[place] = _edited(records[place], number)
                edits += 1
    made: list[Record] = []
    for place, record in enumerate(records):
        made += [inserts[place]] if place in inserts else []
        made += [record] if place not in gone else []
    other = replace(one, records=tuple(made))
    return one, other, len(inserts), len(gone), edits


def _edited(record: Record, number: int) -> Record:
    if isinstance(record, ToolRecord):
        return replace(record, result=f"edited {number}")
    assert isinstance(record, ModelRecord)
    assert record.response
    return replace(record, response=replace(record.response, model=f"edited-{number}"))


@given(edited())
def test_edits_are_told_and_nothing_else(made: tuple[Trace, Trace, int, int, int]) -> None:
    one, other, inserted, deleted, changed = made
    found = compared(one, other)
    assert [found.count("inserted"), found.count("deleted"), found.count("changed"), found.count("moved")] == [
        inserted, deleted, changed, 0,
    ]  # fmt: skip
    assert found.is_same is (inserted + deleted + changed == 0)


RECORDS = st.lists(st.sampled_from([("a", 1), ("a", 2), ("b", 1), ("c", None)]), max_size=10)


@given(RECORDS, RECORDS)
def test_few_kinds_of_records_are_paired_with_the_least_changes(
    left: list[tuple[str, int | None]], right: list[tuple[str, int | None]]
) -> None:
    def made(names: list[tuple[str, int | None]]) -> Trace:
        return trace(
            [
                ToolRecord(id=f"t{at}", name=name, arguments={"x": value}, outcome="ok", fidelity="raw")
                for at, (name, value) in enumerate(names)
            ]
        )

    found = compared(made(left), made(right))
    assert found.is_same is (left == right)
    lonely = found.count("inserted") - found.count("deleted")
    assert lonely == len(right) - len(left)
    assert found.same + len(found.changes) <= max(len(left), len(right)) + found.count("inserted") + found.count(
        "deleted"
    )


def test_edges_are_made_for_the_runs_of_these_tests() -> None:
    assert with_edges(run(2).records) == run(2).records
    assert all(record.after for record in run(2).records[1:])

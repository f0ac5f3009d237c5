"""What is no behaviour does not show in a fingerprint."""

from __future__ import annotations

import random
from dataclasses import replace
from uuid import UUID

import msgspec
import pytest
from hypothesis import given, strategies as st

from runwright.fingerprint import agree, as_json, fingerprint, fingerprint_digest
from runwright.trace import JSON, Trace, as_cassette, canonical, dumps_trace, loads_trace
from tests.fingerprint.runs import Ask, Rendering, Turn, renamed, rendered, reordered, shuffled

NAMES = ("lookup", "refund", "mail.send", "a b", "mcp__files__write")


def asks(inside: st.SearchStrategy[tuple[Turn, ...]]) -> st.SearchStrategy[Ask]:
    arguments: st.SearchStrategy[JSON] = st.dictionaries(
        st.sampled_from("xyz"), st.sampled_from([1, "a", None, [True]])
    )
    plain = st.builds(Ask, st.sampled_from(NAMES), arguments, inside)
    return plain.map(lambda ask: replace(ask, server="files" if ask.name.startswith("mcp__") else ""))


def runs(depth: int = 1, agent: str | None = None) -> st.SearchStrategy[tuple[Turn, ...]]:
    below = st.one_of(st.just(()), st.just(()), runs(depth - 1, "worker")) if depth else st.just(())
    turn = st.builds(
        Turn,
        st.lists(asks(below), max_size=3).map(tuple),
        model=st.sampled_from(["small", "large"]),
        agent=st.just(agent),
    )
    # each turn says something else, so that a reply is told from the others
    return st.lists(turn, max_size=4).map(
        lambda turns: tuple(replace(t, says=f"turn {n}") for n, t in enumerate(turns))
    )


RUNS = st.one_of(runs(), runs(agent="planner"))


def same(one: Trace, other: Trace) -> None:
    """The whole fingerprints are equal, and agree."""
    first, second = fingerprint(one), fingerprint(other)
    assert as_json(first) == as_json(second)
    assert fingerprint_digest(first) == fingerprint_digest(second)
    assert agree(first, second).verdict == ("SAME" if first.basis else "UNVERIFIED")


def uuid(seed: int) -> str:
    return str(UUID(int=random.Random(seed).getrandbits(128)))


@given(RUNS, st.integers(0, 1000))
def test_ids_of_calls_and_records_and_times(run: tuple[Turn, ...], seed: int) -> None:
    other = Rendering(
        call_id=lambda n: f"toolu_{uuid(seed + n)}",
        record_id=lambda letter, n: f"{letter}-{uuid(seed * 7 + n)}",
        start=1000.0 + seed,
        pace=0.25,
    )
    same(rendered(run), rendered(run, other, trace_id=uuid(seed), started_at="2031-01-01T00:00:00Z"))


@given(RUNS, st.integers(0, 1000))
def test_the_order_of_parallel_calls(run: tuple[Turn, ...], seed: int) -> None:
    same(rendered(run), rendered(reordered(run, random.Random(seed))))


@given(RUNS, st.integers(0, 1000))
def test_the_order_of_lines(run: tuple[Turn, ...], seed: int) -> None:
    trace = rendered(run)
    same(trace, msgspec.structs.replace(trace, records=shuffled(trace.records, random.Random(seed))))


@given(RUNS)
def test_call_ids_on_tool_records(run: tuple[Turn, ...]) -> None:
    same(rendered(run), rendered(run, Rendering(tool_ids=False)))


@given(RUNS)
def test_the_bytes(run: tuple[Turn, ...]) -> None:
    trace = rendered(run)
    same(trace, loads_trace(dumps_trace(trace), "t.jsonl"))


@given(runs(depth=0, agent="a"))
def test_what_the_agent_is_called(run: tuple[Turn, ...]) -> None:
    same(rendered(run), rendered(renamed(run, lambda _: uuid(3))))


@given(RUNS)
def test_names_of_several_agents_are_nowhere_in_it(run: tuple[Turn, ...]) -> None:
    known = {None: "q7_planner", "planner": "q7_planner", "worker": "q7_worker"}
    trace = rendered(renamed(run, lambda name: known[name]))
    same(trace, rendered(renamed(run, lambda name: uuid(len(known[name])))))
    assert b"q7_" not in canonical(as_json(fingerprint(trace)))


@given(runs(depth=0))
def test_which_lanes_saw_the_calls(run: tuple[Turn, ...]) -> None:
    """A call in a reply, its tool record and its MCP record are one call; with all lanes away but the replies, too."""
    whole = fingerprint(rendered(run))
    for how in (
        Rendering(tools=False),
        Rendering(mcp=False),
        Rendering(tools=False, mcp=False),
        Rendering(tools=False, mcp=False, timed=False),
        Rendering(tool_ids=False, mcp=False),
    ):
        less = fingerprint(rendered(run, how))
        assert fingerprint_digest(less) == fingerprint_digest(whole)
        found = agree(whole, less)
        assert found.verdict == "SAME" or not run
        assert not run or {"tools", "tool_sequences", "models", "graph_hash"} <= {*found.compared}


@given(RUNS)
def test_times_that_a_cassette_leaves_out(run: tuple[Turn, ...]) -> None:
    trace = rendered(run)
    one, other = fingerprint(trace), fingerprint(as_cassette(trace))
    assert fingerprint_digest(one) == fingerprint_digest(other)


@given(RUNS, st.sampled_from([3, 4, 5, 9]))
def test_many_is_many(run: tuple[Turn, ...], count: int) -> None:
    """Three equal steps in a row, or equal parallel calls, are as many as nine."""
    steps = (Turn((Ask("poll"),)), Turn((Ask("wait"), Ask("wait"), Ask("look"))))
    same(rendered((*run, *steps * 3)), rendered((*run, *steps * count)))
    same(rendered((*run, Turn((Ask("poll"),) * 3))), rendered((*run, Turn((Ask("poll"),) * count))))


def test_nested_runs_under_parallel_calls_of_one_name() -> None:
    """The two insides have the same agent and follow each other in time, yet neither comes first."""
    insides = [(Turn((Ask(name),), agent="w"), Turn(says=name, agent="w")) for name in ("left", "right")]
    one, other = (
        rendered((Turn((Ask("sub", {}, a), Ask("sub", {}, b))), Turn(says="end"))) for a, b in (insides, insides[::-1])
    )
    same(one, other)


@pytest.mark.parametrize("how", [Rendering(), Rendering(tools=False, mcp=False), Rendering(tool_ids=False)])
def test_a_call_id_given_out_in_every_reply(how: Rendering) -> None:
    run = (Turn((Ask("a"),), "1"), Turn((Ask("b"),), "2"), Turn((Ask("a"),), "3"), Turn(says="end"))
    same(rendered(run, how), rendered(run, replace(how, call_id=lambda _: "call_0")))


def test_when_the_tool_of_a_reply_ran() -> None:
    """A tool that began after an exchange which its reply overlaps: replies alone could not tell, so none does."""
    first, ran = rendered((Turn((Ask("a"),), "1"),)).records
    beside = rendered((Turn(says="2"),), Rendering(record_id=lambda _, n: f"b{n}")).records[0]
    late = msgspec.structs.replace(ran, after=(first.id,), after_inferred=(beside.id,))
    header = rendered(()).header
    one, other = (Trace(header=header, records=records) for records in ((beside, first, late), (beside, first)))
    assert fingerprint(one).graph_hash == fingerprint(other).graph_hash


def test_parallel_threads_end_with_the_one_that_ended_last() -> None:
    """Of two agents that nothing orders, times say which was the last, wherever their lines stand."""
    good, bad = (
        rendered((Turn(says="fine", agent=name, error=error),), Rendering(start=start)).records[0]
        for name, error, start in (("a", None, 9.0), ("b", 500, 1.0))
    )
    good, bad = msgspec.structs.replace(good, id="m1"), msgspec.structs.replace(bad, id="m2")
    header = rendered(()).header
    for records in ((good, bad), (bad, good)):
        assert fingerprint(Trace(header=header, records=records)).outcome_class == "success"
        untimed = tuple(msgspec.structs.replace(each, t=None) for each in records)
        found = fingerprint(Trace(header=header, records=untimed))
        assert (found.outcome_class, "outcome" in found.basis) == ("unknown", False)

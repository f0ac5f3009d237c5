"""Which exchange answers, in which order, and what a miss says when none may."""

from __future__ import annotations

import itertools
import random

import pytest

from runwright.errors import IncompleteTrace, TraceError, UsageError
from runwright.match import Miss, Served
from runwright.match.order import predecessors
from runwright.trace.model import MessageRecord, ModelError, ModelRecord, ToolRecord, Trace
from tests.match.build import A, B, ask, asks, cassette, changed, exchange, matcher, said


def ids(*answers: Served | Miss) -> list[str | None]:
    return [each.record.id if isinstance(each, Served) else None for each in answers]


def missed(answer: Served | Miss) -> Miss:
    assert isinstance(answer, Miss)
    return answer


def test_identical_requests_are_served_in_recorded_order_and_then_no_more() -> None:
    matches = matcher(*(exchange(f"m{n}", ask("again")) for n in (1, 2, 3)))
    answers = [matches.serve(ask("again"), False) for _ in range(4)]
    assert ids(*answers) == ["m1", "m2", "m3", None]
    miss = missed(answers[3])
    assert (miss.kind, miss.differences, miss.nearest) == ("exhausted", (), "m3")
    assert "3 times (m1, m2, m3)" in miss.reason


def test_thirty_requests_that_differ_only_in_the_system_prompt_replayed_in_reverse() -> None:
    requests = [asks(said("system", f"document {n}"), said("user", "summarise")) for n in range(30)]
    matches = matcher(*(exchange(f"m{n}", each) for n, each in enumerate(requests)))
    assert ids(*(matches.serve(each, False) for each in reversed(requests))) == [f"m{n}" for n in reversed(range(30))]
    assert matches.left_over() == ()


def test_an_equal_exchange_further_on_beats_one_that_is_equal_but_for_volatile_values() -> None:
    matches = matcher(exchange("m1", ask(f"open {A}")), exchange("m2", ask(f"open {B}")))
    assert ids(matches.serve(ask(f"open {B}"), False), matches.serve(ask(f"open {A}"), False)) == ["m2", "m1"]


def test_a_near_match_at_the_cursor_is_passed_over() -> None:
    matches = matcher(exchange("m1", ask("one word")), exchange("m2", ask("one other word")))
    assert ids(matches.serve(ask("one other word"), False)) == ["m2"]


@pytest.mark.parametrize("order", itertools.permutations("abc"))
def test_parallel_branches_come_in_any_order(order: tuple[str, ...]) -> None:
    first = [exchange(f"m{name}", ask(name), after=("m0",)) for name in "abc"]
    second = [exchange(f"n{name}", ask(f"{name} again"), after=(f"m{name}",)) for name in "abc"]
    matches = matcher(exchange("m0", ask("go")), *first, *second)
    wanted = ["go", *order, *(f"{name} again" for name in reversed(order))]
    answers = [matches.serve(ask(each), False) for each in wanted]
    assert None not in ids(*answers)
    assert matches.left_over() == ()


def test_sequential_calls_keep_their_order() -> None:
    matches = matcher(exchange("m1", ask("one")), exchange("m2", ask("two"), after=("m1",)))
    miss = missed(matches.serve(ask("two"), False))
    assert (miss.kind, miss.nearest, miss.differences) == ("out_of_order", "m2", ())
    assert "m1" in miss.reason


def test_an_inferred_edge_does_not_bind() -> None:
    matches = matcher(exchange("m1", ask("one")), exchange("m2", ask("two"), after_inferred=("m1",)))
    assert ids(matches.serve(ask("two"), False), matches.serve(ask("one"), False)) == ["m2", "m1"]


def test_edges_are_followed_through_lanes_that_are_not_served() -> None:
    matches = matcher(
        exchange("m1", ask("one")),
        ToolRecord(id="t1", name="look", outcome="ok", fidelity="raw", after=("m1",)),
        ToolRecord(id="t2", name="look", outcome="ok", fidelity="raw", after=("t1",)),
        exchange("m2", ask("two"), after=("t2",)),
    )
    assert missed(matches.serve(ask("two"), False)).kind == "out_of_order"


def test_predecessors_name_model_exchanges_only() -> None:
    records = (
        MessageRecord(id="u1", role="user"),
        exchange("m1", ask("one"), after=("u1",)),
        ToolRecord(id="t1", name="look", outcome="ok", fidelity="raw", after=("m1", "u1")),
        exchange("m2", ask("two"), after=("t1", "m1")),
    )
    assert predecessors(records) == {"m1": (), "m2": ("m1",)}


def test_an_extra_call_is_a_miss_and_a_missing_one_is_left_over() -> None:
    matches = matcher(exchange("m1", ask("one")), exchange("m2", ask("two")))
    assert ids(matches.serve(ask("one"), False)) == ["m1"]
    assert matches.left_over() == ("m2",)
    miss = missed(matches.serve(ask("three"), False))
    assert (miss.kind, miss.nearest) == ("differs", "m2")
    assert [(each.recorded, each.live) for each in miss.differences] == [("two", "three")]


def test_after_a_miss_nothing_is_served() -> None:
    matches = matcher(exchange("m1", ask("one")))
    first = missed(matches.serve(ask("other"), False))
    second = missed(matches.serve(ask("one"), False))
    assert (second.kind, second.nearest) == ("stopped", None)
    assert matches.missed == first
    assert (matches.served, matches.left_over()) == ((), ("m1",))


def test_a_failed_candidate_binds_nothing() -> None:
    matches = matcher(
        exchange("m1", asks(said("system", f"s {A}"), said("user", f"{A}"))),
        exchange("m2", asks(said("system", f"s {A}"), said("user", f"{B}"))),
    )
    fresh, other = "11111111-2222-4333-8444-555555555555", "66666666-7777-4888-8999-aaaaaaaaaaaa"
    answer = matches.serve(asks(said("system", f"s {fresh}"), said("user", other)), False)
    assert ids(answer) == ["m2"]
    assert ids(matches.serve(asks(said("system", f"s {fresh}"), said("user", fresh)), False)) == ["m1"]


def test_lanes_that_are_not_served_are_listed_apart() -> None:
    matches = matcher(
        exchange("m1", ask("one")), ToolRecord(id="t1", name="look", outcome="ok", fidelity="raw", after=("m1",))
    )
    assert matches.left_over() == ("m1",)
    assert matches.not_replayed() == ("t1",)


def test_a_recorded_failure_is_served_as_one() -> None:
    failed = ModelRecord(
        id="m1", request=ask("one"), error=ModelError(message="overloaded", status=529), streamed=False, fidelity="raw"
    )
    answer = matcher(failed).serve(ask("one"), False)
    assert isinstance(answer, Served)
    assert answer.record.error == failed.error


# --- until --------------------------------------------------------------------------------------

STORY = (exchange("m1", ask("one")), exchange("m2", ask("two"), after=("m1",)), exchange("m3", ask("three")))


def test_a_miss_after_until_is_later() -> None:
    matches = matcher(*STORY, until="m2")
    assert ids(matches.serve(ask("one"), False), matches.serve(ask("two"), False)) == ["m1", "m2"]
    assert missed(matches.serve(ask("other"), False)).later
    assert missed(matches.serve(ask("three"), False)).later


def test_a_miss_before_until_is_not() -> None:
    matches = matcher(*STORY, until="m2")
    assert ids(matches.serve(ask("one"), False)) == ["m1"]
    assert not missed(matches.serve(ask("other"), False)).later


def test_until_itself_is_not_enough_where_something_before_it_is_left_over() -> None:
    matches = matcher(exchange("m1", ask("one")), exchange("m2", ask("two")), until="m2")
    assert ids(matches.serve(ask("two"), False)) == ["m2"]
    assert not missed(matches.serve(ask("other"), False)).later


def test_without_until_no_miss_is_later() -> None:
    matches = matcher(exchange("m1", ask("one")))
    assert ids(matches.serve(ask("one"), False)) == ["m1"]
    assert not missed(matches.serve(ask("other"), False)).later


def test_what_follows_until_is_still_served_where_it_agrees() -> None:
    matches = matcher(*STORY, until="m1")
    assert ids(*(matches.serve(ask(each), False) for each in ("one", "two", "three"))) == ["m1", "m2", "m3"]


def test_until_may_name_a_record_of_another_lane() -> None:
    denied = ToolRecord(id="t1", name="look", outcome="denied", fidelity="raw", after=("m1",))
    matches = matcher(STORY[0], denied, *STORY[1:], until="t1")
    assert ids(matches.serve(ask("one"), False)) == ["m1"]
    assert missed(matches.serve(ask("other"), False)).later


@pytest.mark.parametrize("until", ["m9", "u1"])
def test_until_that_names_nothing_strict_is_refused(until: str) -> None:
    with pytest.raises(UsageError) as caught:
        matcher(MessageRecord(id="u1", role="user"), *STORY, until=until)
    assert repr(until) in str(caught.value)
    assert caught.value.hint == "one of: m1, m2, m3"


# --- what cannot be served ----------------------------------------------------------------------


@pytest.mark.parametrize(
    "bad",
    [
        ModelRecord(id="m7", request=ask("one"), streamed=False, fidelity="raw"),
        exchange("m7", ask("one"), fidelity="none"),
        exchange("m7", ask("one"), fidelity="partial", unknown=("$.response.content[0].text",)),
        exchange("m7", ask("one"), fidelity="partial", unknown=("$.response",)),
    ],
    ids=["no answer", "nothing captured", "answer cut", "answer unknown"],
)
def test_an_exchange_without_a_whole_answer_is_refused(bad: ModelRecord) -> None:
    with pytest.raises(TraceError) as caught:
        matcher(exchange("m1", ask("one")), bad)
    assert "m7" in str(caught.value)
    assert "m1" not in str(caught.value)


def test_a_partial_request_with_a_whole_answer_is_served() -> None:
    recorded = exchange("m1", ask("cut"), fidelity="partial", unknown=("$.request.messages[0].content[0].text",))
    assert ids(matcher(recorded).serve(ask("cut off here"), False)) == ["m1"]


def test_an_incomplete_trace_never_replays() -> None:
    whole = cassette(exchange("m1", ask("one")))
    with pytest.raises(IncompleteTrace):
        matcher(trace=Trace(header=whole.header, records=whole.records, complete=False))


def test_an_empty_cassette_answers_nothing() -> None:
    assert missed(matcher().serve(ask("one"), False)).kind == "nothing_recorded"


def test_any_order_of_independent_requests_gives_each_its_own_answer() -> None:
    requests = [ask(f"{n % 7} and {n}", parameters={"seed": n % 3}) for n in range(60)]
    matches = matcher(*(exchange(f"m{n}", each) for n, each in enumerate(requests)))
    order = random.Random(7).sample(range(60), 60)
    assert ids(*(matches.serve(changed(requests[n]), False) for n in order)) == [f"m{n}" for n in order]

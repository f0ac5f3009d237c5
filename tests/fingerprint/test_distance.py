"""The distance is what it is said to be: in [0, 1], symmetric, 0 where runs agree, a metric within one basis."""

from __future__ import annotations

import os
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st
from msgspec.structs import replace

from runwright.fingerprint import Distance, Fingerprint, agree, distance, fingerprint, fingerprint_digest
from runwright.fingerprint.distance import WEIGHTS
from runwright.fingerprint.follows import calls, follows
from runwright.trace import Header, Trace
from tests.fingerprint.prints import BASIS, any_basis, prints
from tests.fingerprint.runs import Ask, Rendering, Turn, rendered
from tests.fingerprint.test_different import CHANGES, RUN

ANY = prints(any_basis())
TINY = 1e-9


@given(ANY, ANY)
def test_of_any_two(one: Fingerprint, other: Fingerprint) -> None:
    found, back = distance(one, other), distance(other, one)
    assert 0 <= found.value <= 1
    assert found == back
    agreed = agree(one, other)
    assert {part.field for part in found.parts} == {*agreed.compared}
    assert {*found.not_compared} == {*WEIGHTS} - {*agreed.compared}
    if found.parts:
        assert {part.field for part in found.parts if part.distance} == {each.field for each in agreed.differences}
        assert (found.value == 0) == (not agreed.differences)
        assert sum(part.weight for part in found.parts) == pytest.approx(1)
        assert sum(part.weight * part.distance for part in found.parts) == pytest.approx(found.value)
        assert all(0 <= part.distance <= 1 and part.weight > 0 for part in found.parts)


@given(ANY)
def test_of_one_to_itself(one: Fingerprint) -> None:
    assert distance(one, one).value == 0


@given(prints(), prints())
def test_within_one_basis_it_is_0_for_equal_digests_alone(one: Fingerprint, other: Fingerprint) -> None:
    assert (distance(one, other).value == 0) == (fingerprint_digest(one) == fingerprint_digest(other))


@given(any_basis().flatmap(lambda basis: st.tuples(*[prints(st.just((*basis, "agents")))] * 3)))
@settings(max_examples=1000 if os.environ.get("RUNWRIGHT_FUZZ") else 40)
def test_within_one_basis_no_way_round_is_shorter(three: tuple[Fingerprint, ...]) -> None:
    """Any basis with `agents`: without it a trace has one sequence at most, and several are not compared."""
    a, b, c = three
    assert distance(a, c).value <= distance(a, b).value + distance(b, c).value + TINY


def test_across_bases_a_way_round_may_be_shorter() -> None:
    """What the middle does not know cannot tell it from either end."""
    one, other = (fingerprint(rendered(each)) for each in (RUN, (*RUN[:2], Turn(error=500))))
    between = replace(one, basis=tuple(fact for fact in one.basis if fact != "outcome"))
    assert distance(one, other).value > distance(one, between).value + distance(between, other).value == 0


def test_where_nothing_is_known_on_both_sides() -> None:
    empty = fingerprint(Trace(header=Header(kind="run", trace_id="t")))
    assert distance(empty, empty) == Distance(0.0, (), tuple(WEIGHTS))
    one = fingerprint(rendered(RUN))
    assert distance(replace(one, basis=()), one) == Distance(0.0, (), tuple(WEIGHTS))
    assert distance(empty, one).value == 1


def test_another_version_is_not_compared() -> None:
    one = fingerprint(rendered(RUN))
    assert distance(one, replace(one, version=2)) == Distance(1.0, (), tuple(WEIGHTS))


@pytest.mark.parametrize(("other", "fields"), [each[1:] for each in CHANGES], ids=[each[0] for each in CHANGES])
def test_a_change_shows_in_its_parts_alone(other: tuple[Turn, ...], fields: set[str]) -> None:
    found = distance(fingerprint(rendered(RUN)), fingerprint(rendered(other)))
    assert {part.field for part in found.parts if part.distance > 0} == fields
    assert 0 < found.value < 1


ORDERED: list[tuple[str, Any, Any]] = [
    ("one call more, one other run", (*RUN[:2], Turn((Ask("mail"),)), *RUN[2:]), (Turn((Ask("other"),)),)),
    ("a type, a tool", RUN[:2], (RUN[0], Turn((Ask("wire", {"iban": "x"}),), "refunding", "large"))),
    ("twice in a row, thrice more calls", (*RUN[:2], *RUN[1:]), (*RUN[:2], *(Turn((Ask(n),), n) for n in "abc"))),
]


@pytest.mark.parametrize(("near", "far"), [each[1:] for each in ORDERED], ids=[each[0] for each in ORDERED])
def test_what_changes_more_is_farther(near: tuple[Turn, ...], far: tuple[Turn, ...]) -> None:
    start, one, two = (fingerprint(rendered(each)) for each in (RUN, near, far))
    assert distance(start, one).value < distance(start, two).value


def test_order_that_pairs_do_not_tell_is_a_difference_still() -> None:
    """Both go from a to b, to c and back equally often; without a graph the sequences alone tell them apart."""
    runs = [tuple(Turn((Ask(name),), str(at)) for at, name in enumerate(names)) for names in ("abaca", "acaba")]
    one, other = (fingerprint(rendered(each)) for each in runs)
    assert follows(one.tool_sequences) == follows(other.tool_sequences)
    blind = replace(other, basis=tuple(fact for fact in other.basis if fact != "models"))
    parts = {part.field: part.distance for part in distance(one, blind).parts}
    assert "graph_hash" not in parts
    assert parts["tool_sequences"] > 0


EVERY = ("agents", "arguments", "concurrency", "endpoints", "exchanges", "fs_write", "http_request", "models", "order",
         "outcome", "tools")  # fmt: skip
START = Fingerprint(
    tools=("a()", "b()"), tool_sequences=(("a x1",),), endpoints=("GET a x2", "POST b x1"), models=("m",),
    side_effect_kinds=("fs_write x2",), graph_hash="blake3:one", outcome_class="success", basis=EVERY,
)  # fmt: skip
TOTAL = 7.4
"""Of all weights."""

SHARES: list[tuple[str, Any, float, float]] = [
    ("tools", ("a()", "c()"), 0.1, 2 / 3),
    ("tools", ("a()", "b()", "c()"), 0.1, 1 / 3),
    ("models", ("m", "n"), 0.1, 1 / 2),
    ("graph_hash", "blake3:two", 0.1, 1),
    ("outcome_class", "refused", 0.1, 1),
    ("tool_sequences", (("a x1", "b x1"),), 4, 3 / 4),  # ^a and a$ against ^a, ab and b$: one of four
    ("tool_sequences", (("a x2",),), 4, 1 / 3),  # one of aa more
    ("tool_sequences", (("a xmany",),), 4, 1 / 2),  # two of aa more
    ("endpoints", ("GET a x2",), 2, 1 / 3),
    ("endpoints", ("GET a x1", "POST b x1"), 2, 1 / 3),
    ("endpoints", ("GET a xmany", "POST b x1"), 2, 1 / 4),
    ("endpoints", ("GET a xmany",), 2, 1 / 2),  # two of four
    ("endpoints", ("GET c x2", "POST b x1"), 2, 4 / 5),
    ("side_effect_kinds", ("fs_write x1",), 1, 1 / 2),
    ("side_effect_kinds", ("fs_write x1", "http_request x1"), 1, 2 / 3),
]
"""A field that changes, its weight, and how far apart its sides are by the finer measure."""


@pytest.mark.parametrize(("field", "value", "weight", "apart"), SHARES)
def test_how_far_and_how_much_it_counts(field: str, value: Any, weight: float, apart: float) -> None:
    other = replace(START, **{field: value})
    found = distance(START, other)
    parts = {part.field: part for part in found.parts}
    assert parts.keys() == WEIGHTS.keys()
    changed = parts.pop(field)  # type: ignore[call-overload]
    assert (changed.weight, changed.distance) == pytest.approx((weight / TOTAL, 0.05 + 0.95 * apart))
    assert {part.distance for part in parts.values()} == {0}
    assert found.value == pytest.approx(changed.weight * changed.distance)


def test_fewer_parts_share_the_whole() -> None:
    basis = tuple(fact for fact in EVERY if fact not in ("fs_write", "http_request", "endpoints"))
    found = distance(replace(START, basis=basis), replace(START, models=("n",)))
    assert {part.field: part.weight for part in found.parts} == pytest.approx(
        {"tools": 0.1 / 4.4, "tool_sequences": 4 / 4.4, "models": 0.1 / 4.4, "graph_hash": 0.1 / 4.4,
         "outcome_class": 0.1 / 4.4}
    )  # fmt: skip
    assert found.value == pytest.approx(0.1 / 4.4)
    assert found.not_compared == ("endpoints", "side_effect_kinds")


@pytest.mark.parametrize(
    ("one", "other", "apart"),
    [
        (("GET a", "GET a", "POST b"), ("GET a x2", "POST b x1"), 0),
        (("GET a",), ("GET a x2",), 1 / 2),
        (("GET a x8",), ("GET a x9",), 1),
    ],
)
def test_names_without_their_times_are_there_once(one: tuple[str, ...], other: tuple[str, ...], apart: float) -> None:
    """Only a file made by hand has such."""
    sides = (replace(START, endpoints=each) for each in (one, other))
    (part,) = (part for part in distance(*sides).parts if part.field == "endpoints")
    assert part.distance == pytest.approx(0.05 + 0.95 * apart)


def test_runs_as_far_apart_as_can_be() -> None:
    every = {"endpoints", "fs_write", *BASIS}
    one = fingerprint(rendered((Turn((Ask("a"),), "x"),)))
    one = replace(one, basis=tuple(sorted(every)), endpoints=("GET a x1",), side_effect_kinds=("fs_write x1",))
    other = fingerprint(rendered((Turn((Ask("b"),), "x", model="large"), Turn(error=500, model="large"))))
    other = replace(other, basis=one.basis, endpoints=("GET b x1",), side_effect_kinds=("fs_delete x1",))
    found = distance(one, other)
    assert found.value == pytest.approx(1)
    assert len(found.parts) == len(WEIGHTS)


@pytest.mark.parametrize("how", [Rendering(tools=False), Rendering(timed=False), Rendering(tool_ids=False)])
def test_other_lanes_are_no_distance(how: Rendering) -> None:
    assert distance(fingerprint(rendered(RUN)), fingerprint(rendered(RUN, how))).value == 0


# --- what follows what ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("steps", "pairs", "called"),
    [
        ([], {"^$": 1}, {}),
        (["a x1"], {"^a": 1, "a$": 1}, {"a": 1}),
        (["a x2", "b x1"], {"^a": 1, "aa": 1, "ab": 1, "b$": 1}, {"a": 2, "b": 1}),
        (["a xmany"], {"^a": 1, "aa": 2, "a$": 1}, {"a": 3}),
        (["(a x1, b x1) x2"], {"^a": 1, "ab": 2, "ba": 1, "b$": 1}, {"a": 2, "b": 2}),
        (["((a x1, b x1) x2, c x1) x2"], {"^a": 1, "ab": 4, "ba": 2, "bc": 2, "ca": 1, "c$": 1},
         {"a": 4, "b": 4, "c": 2}),
        (["[a x1, b x1] x1", "c x1"], {"^a": 1, "^b": 1, "ac": 1, "bc": 1, "c$": 1}, {"a": 1, "b": 1, "c": 1}),
        (["a x1", "[b x2] x1"], {"^a": 1, "ab": 2, "b$": 2}, {"a": 1, "b": 2}),
        (["[a x1, b x1] x2"], {"^a": 1, "^b": 1, "aa": 1, "ab": 1, "ba": 1, "bb": 1, "a$": 1, "b$": 1},
         {"a": 2, "b": 2}),
    ],
)  # fmt: skip
def test_what_follows_what(steps: list[str], pairs: dict[str, int], called: dict[str, int]) -> None:
    shown = {(one or "^") + (two or "$"): count for (one, two), count in follows([steps]).items()}
    assert shown == pairs
    assert calls([steps]) == called


@pytest.mark.parametrize(
    "text", ["", "a", "(a x1", "a x1) x2", "() x1", "[a] x1", "a x4", 'x1', '"a x1', "a b x1", ") x1", "[a x1)"]
)  # fmt: skip
def test_a_text_that_is_no_sequence_is_one_call(text: str) -> None:
    found = follows([[text]])
    assert found.total() in (1, 2)
    assert calls([[text]]).total() <= 1


def test_names_that_look_like_marks() -> None:
    run = tuple(Turn((Ask(name),), name) for name in ("x1", "a, b x2", "(", '"'))
    found = calls(fingerprint(rendered(run)).tool_sequences)
    assert found == {"x1": 1, '"a, b x2"': 1, '"("': 1, '"\\""': 1}


def test_a_sequence_that_is_written_too_deep_or_too_broad_is_read_in_time() -> None:
    """Only a file made by hand has such sequences."""
    depth = 2_000
    deep = "(" * depth + "a x1" + ") xmany" * depth
    assert calls([[deep]])["a"] == 3**depth
    broad = f"[{', '.join(f'n{n} x1' for n in range(20_000))}] x2"
    assert len(follows([[broad]])) < 100_000

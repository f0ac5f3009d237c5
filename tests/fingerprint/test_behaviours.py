"""Runs are grouped by what they did, whatever order they come in, and named by what sets each group apart."""

from __future__ import annotations

import os
import random
import time
from itertools import combinations
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st
from msgspec.structs import replace

from runwright.fingerprint import (
    Behaviour,
    Fingerprint,
    Seen,
    behaviours,
    distance,
    fingerprint,
    fingerprint_digest,
    groups,
    is_judged,
    same_behaviour,
    told_apart,
)
from runwright.trace import Header, Trace, digest
from tests.fingerprint.prints import any_basis, prints
from tests.fingerprint.runs import Rendering, Turn, rendered
from tests.fingerprint.test_different import CHANGES, RUN

RUNS = {name: run for name, run, _ in [("as it was", RUN, None), *CHANGES]}


def seen(prints_of: list[Fingerprint]) -> list[Seen]:
    return [Seen(f"run {at}", each) for at, each in enumerate(prints_of)]


def names(found: tuple[Behaviour, ...]) -> set[frozenset[str]]:
    return {frozenset(run.name for run in each.runs) for each in found}


def test_the_same_run_however_it_was_seen_and_each_other_run() -> None:
    lanes = [Rendering(), Rendering(tools=False, mcp=False), Rendering(tool_ids=False), Rendering(timed=False)]
    ways = [(name, fingerprint(rendered(run, how))) for name, run in RUNS.items() for how in lanes]
    found = behaviours([Seen(name, each) for name, each in ways])
    assert sorted(len(each.runs) for each in found) == [len(lanes)] * len(RUNS)
    assert {frozenset(run.name for run in each.runs) for each in found} == {frozenset([name]) for name in RUNS}


def test_runs_that_are_the_same_over_what_both_know() -> None:
    """Exports without arguments, or without model names, have other digests."""
    whole = fingerprint(rendered(RUN))
    shapeless = without(whole, "arguments", tools=("lookup(?)", "mail(?)", "refund(?)"), graph_hash=digest("x"))
    nameless = without(whole, "models", models=(), graph_hash=digest("y"))
    assert len({fingerprint_digest(each) for each in (whole, shapeless, nameless)}) == 3
    (one,) = behaviours([Seen("c", nameless), Seen("b", shapeless), Seen("a", whole), Seen("d", shapeless)])
    assert one.exemplar.name == "a"
    assert sorted(run.name for run in one.runs) == ["a", "b", "c", "d"]
    other = replace(nameless, tools=("another()",))
    assert len(behaviours([Seen("a", whole), Seen("b", other)])) == 2


def without(of: Fingerprint, *facts: str, **fields: Any) -> Fingerprint:
    return replace(of, basis=tuple(fact for fact in of.basis if fact not in facts), **fields)


@given(st.lists(prints(any_basis()), max_size=8), st.randoms(use_true_random=False))
@settings(max_examples=60)
def test_every_run_is_in_one_behaviour_with_what_it_is_the_same_as(found: list[Fingerprint], by: random.Random) -> None:
    runs = seen(found)
    grouped = behaviours(runs)
    assert sorted(run.name for each in grouped for run in each.runs) == sorted(run.name for run in runs)
    place = {run.name: at for at, each in enumerate(grouped) for run in each.runs}
    for one, other in combinations(runs, 2):
        if fingerprint_digest(one.print) == fingerprint_digest(other.print):
            assert place[one.name] == place[other.name]
    for each in grouped:
        digest_of = fingerprint_digest(each.exemplar.print)
        for run in each.runs:
            alike = [
                other.print for other in each.runs if fingerprint_digest(other.print) == fingerprint_digest(run.print)
            ]
            led = any(same_behaviour(each.exemplar.print, other) for other in alike)
            assert fingerprint_digest(run.print) == digest_of or led
    shuffled = by.sample(runs, len(runs))
    assert names(behaviours(shuffled)) == names(grouped)
    assert [each.exemplar for each in behaviours(shuffled)] == [each.exemplar for each in grouped]


@given(st.lists(prints(), max_size=10))
@settings(max_examples=40)
def test_within_one_basis_two_runs_are_together_when_they_are_the_same(found: list[Fingerprint]) -> None:
    grouped = behaviours(seen(found))
    place = {run.name: at for at, each in enumerate(grouped) for run in each.runs}
    for one, other in combinations(seen(found), 2):
        together = place[one.name] == place[other.name]
        assert together == same_behaviour(one.print, other.print), (one, other)


def test_the_exemplar_knows_most_and_is_the_shortest() -> None:
    whole = fingerprint(rendered(RUN))
    less = without(whole, "tool_outcomes")
    runs = [Seen("a", less, 1), Seen("b", whole, 9), Seen("c", whole, 5), Seen("d", whole, 5)]
    assert behaviours(runs)[0].exemplar.name == "c"


# --- groups ---------------------------------------------------------------------------------------


@given(st.lists(prints(), max_size=8), st.sampled_from([0.1, 0.3, 0.6, 0.9]), st.randoms(use_true_random=False))
@settings(max_examples=40)
def test_behaviours_are_within_the_threshold_of_what_leads_them(
    found: list[Fingerprint], threshold: float, by: random.Random
) -> None:
    whole = groups(behaviours(seen(found)), threshold)
    assert sum(each.count for each in whole) == len(found)
    for each in whole:
        for one in each.behaviours:
            assert distance(each.exemplar.print, one.exemplar.print).value <= threshold
    for one, other in combinations(whole, 2):
        assert distance(one.exemplar.print, other.exemplar.print).value > threshold
    shuffled = groups(behaviours(by.sample(seen(found), len(found))), threshold)
    assert [each.exemplar.name for each in shuffled] == [each.exemplar.name for each in whole]


def test_a_behaviour_at_the_threshold_is_in_the_group() -> None:
    near = replace(BASE, models=("other",))
    apart = distance(BASE, near).value
    found = behaviours([Seen("a", BASE), Seen("b", BASE), Seen("c", near)])
    assert [len(each.behaviours) for each in groups(found, apart)] == [2]
    assert [len(each.behaviours) for each in groups(found, apart * 0.999)] == [1, 1]


def test_a_behaviour_joins_the_nearest_that_leads() -> None:
    near = replace(BASE, models=("other",))
    far = replace(BASE, tool_sequences=(("mail x1",),), graph_hash=digest("far"))
    runs = [Seen("a", far), Seen("b", far), Seen("c", BASE), Seen("d", BASE), Seen("e", near)]
    led = groups(behaviours(runs), 0.5)
    assert [[each.exemplar.name for each in one.behaviours] for one in led] == [["c", "e"], ["a"]]
    assert [one.count for one in led] == [3, 2]


def test_the_largest_group_comes_first_and_equal_ones_by_name() -> None:
    far = replace(BASE, tool_sequences=(("mail x1",),))
    other = replace(BASE, tool_sequences=(("look x1",),))
    runs = [Seen("b", far), Seen("a", other), Seen("d", BASE), Seen("c", BASE)]
    assert [each.exemplar.name for each in groups(behaviours(runs))] == ["c", "a", "b"]
    assert [each.exemplar.name for each in groups(behaviours(runs), 0.01)] == ["c", "a", "b"]


def test_without_a_threshold_each_behaviour_is_a_group() -> None:
    found = behaviours([Seen(name, fingerprint(rendered(run))) for name, run in RUNS.items()])
    assert [each.behaviours for each in groups(found)] == [(each,) for each in found]
    assert len(groups(found, 0.2)) < len(found)
    assert len(groups(found, 1)) == 1


@pytest.mark.parametrize(
    "basis", [("models",), ("models", "outcome", "exchanges"), ("order",)], ids=["models", "outcome", "order"]
)
def test_a_run_of_which_too_little_is_known_is_not_judged(basis: tuple[Any, ...]) -> None:
    whole = fingerprint(rendered(RUN))
    assert is_judged(whole)
    assert not is_judged(replace(whole, basis=basis))
    assert not is_judged(fingerprint(Trace(header=Header(kind="run", trace_id="t"))))


# --- time -----------------------------------------------------------------------------------------


COUNT = 10_000 if os.environ.get("RUNWRIGHT_FUZZ") else 1_000


def many(count: int, kinds: int, **same: Any) -> list[Seen]:
    """Fingerprints of so many kinds, seen with different bases."""
    one = fingerprint(rendered(RUN, observation={"fs_write": "observed"}))
    less = [without(one, *gone) for gone in ((), ("models",), ("arguments",), ("tool_outcomes",))]
    found = []
    for at in range(count):
        shapes = {"tools": (f"look(k{at % kinds}: number)",), "graph_hash": digest(at % kinds)} | same
        found.append(Seen(f"run {at}", replace(less[at % len(less)], **shapes)))
    return found


@pytest.mark.parametrize(
    ("kinds", "same"),
    [(12, {}), (COUNT, {}), (COUNT, {"graph_hash": digest("")})],
    ids=["most are equal", "none are equal, in the same order", "none are equal, but for what is hashed"],
)
def test_many_runs(kinds: int, same: dict[str, Any]) -> None:
    runs = many(COUNT, kinds, **same)
    began = time.process_time()
    found = behaviours(runs)
    spent = time.process_time() - began
    assert sum(len(each.runs) for each in found) == len(runs)
    assert spent < 30  # a square of this would take hours; no race with the clock
    began = time.process_time()
    assert len(told_apart([each.exemplar.print for each in found])) == len(found)
    assert time.process_time() - began < 60


# --- names ----------------------------------------------------------------------------------------

BASE = fingerprint(rendered(RUN))
NAMED: dict[str, tuple[str, ...]] = {
    "a tool": ("calls refund_all",),
    "a key": ("refund(total: number)",),
    "a model": ("asks huge",),
    "a call twice in a row": ("refund x2", "refund right after refund"),
    "a call twice in parallel": ("refund x2",),
    "no call": ("no refund",),
    "the outcome": ("ends in model_error",),
    "a timeout": ("ends in timeout",),
    "causal order": ("begins with refund",),
}


@pytest.mark.parametrize(("change", "told"), NAMED.items(), ids=list(NAMED))
def test_what_sets_a_run_apart_from_one_other(change: str, told: tuple[str, ...]) -> None:
    other = fingerprint(rendered(RUNS[change]))
    (_, found) = told_apart([BASE, other])
    assert len(found) == 1
    assert found[0] in told


def test_what_is_the_same_in_all_sets_nothing_apart() -> None:
    for one, found in zip(RUNS, told_apart([fingerprint(rendered(each)) for each in RUNS.values()]), strict=True):
        assert found, one
        assert "calls lookup" not in found


@given(st.lists(prints(), min_size=2, max_size=8, unique_by=fingerprint_digest))
@settings(max_examples=60)
def test_words_are_true_of_their_own_and_together_of_few_others(found: list[Fingerprint]) -> None:
    for one, words in zip(found, told_apart(found), strict=True):
        assert 1 <= len(words) <= 3
        said = "\n".join((*one.tools, *one.endpoints, *one.models, *one.side_effect_kinds))
        for word in words:
            if word.startswith("calls ") and word != "calls no tool":
                assert f"{word.removeprefix('calls ')}(" in said
            elif word.startswith("no "):
                assert f"{word.removeprefix('no ')}(" not in said
                assert f"{word.removeprefix('no ')} x" not in "\n".join((*one.endpoints, *one.side_effect_kinds))
            elif word.startswith("ends in "):
                assert word == f"ends in {one.outcome_class}"


def test_what_another_could_not_know_sets_nothing_apart() -> None:
    silent = without(BASE, "tools", "models", "order", "arguments", "endpoints", models=(), tools=(), tool_sequences=())
    told = told_apart([replace(BASE, graph_hash=digest("z")), silent])
    assert told[0] == (f"graph {digest('z')[7:15]}",)


def test_only_one() -> None:
    assert told_apart([BASE]) == (("the only one", "ends in success"),)
    assert told_apart([]) == ()


def test_runs_that_only_their_graphs_tell_apart() -> None:
    talk = (RUN[0], Turn(says="hm"), *RUN[1:])
    other = fingerprint(rendered(talk))
    assert told_apart([BASE, other])[1] == (f"graph {other.graph_hash[7:15]}",)


def test_frequencies_are_of_runs_not_of_names() -> None:
    """Two runs of one name, from one file, are two."""
    (found,) = behaviours([Seen("f", BASE), Seen("f", BASE)])
    assert len(found.runs) == 2

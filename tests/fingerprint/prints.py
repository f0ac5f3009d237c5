"""Any fingerprint that a trace could have, and those of one basis."""

from __future__ import annotations

from typing import get_args

from hypothesis import strategies as st

from runwright.fingerprint import FACTS, Fact, Fingerprint
from runwright.fingerprint.fold import counted, folded
from runwright.trace import EFFECT_KINDS, OutcomeClass, digest

NAMES = ("a", "b", "c", "a b", 'say "x1"', "x1")
STEPS = ("a", "b", "c", '"a b"', "x1", "[a x1, b x2] x1", "[c x1, x1 xmany] x1")
BASIS: tuple[Fact, ...] = tuple(fact for fact in FACTS if fact not in ("nesting", "flat"))
"""All that a run without runs in its calls may know; `agents` with it, so that several sequences are comparable."""


def some(*names: str) -> st.SearchStrategy[tuple[str, ...]]:
    return st.sets(st.sampled_from(names), max_size=3).map(lambda found: tuple(sorted(found)))


def often(*names: str) -> st.SearchStrategy[tuple[str, ...]]:
    return st.lists(st.sampled_from(names), max_size=4).map(counted)


def sequence() -> st.SearchStrategy[tuple[str, ...]]:
    return st.lists(st.sampled_from(STEPS), min_size=1, max_size=8).map(
        lambda steps: tuple(each.text for each in folded(steps))
    )


def prints(basis: st.SearchStrategy[tuple[Fact, ...]] | None = None) -> st.SearchStrategy[Fingerprint]:
    """Fingerprints of any content; all facts known unless told otherwise."""
    return st.builds(
        Fingerprint,
        tools=some("a()", "b()", "a(x: number)", '"a b"(?)'),
        tool_sequences=st.lists(sequence(), max_size=2).map(lambda found: tuple(sorted(found))),
        endpoints=often("GET https://a.example/{id}", "POST https://a.example/"),
        models=some("small", "large"),
        side_effect_kinds=often(*EFFECT_KINDS),
        graph_hash=st.sampled_from(["one", "two"]).map(digest),
        outcome_class=st.sampled_from(get_args(OutcomeClass)),
        basis=st.just(BASIS) if basis is None else basis,
    )


def any_basis() -> st.SearchStrategy[tuple[Fact, ...]]:
    return st.sets(st.sampled_from(FACTS)).map(lambda found: tuple(sorted(found)))

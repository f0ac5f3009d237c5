"""What sets each of some fingerprints apart from the others, in as few words as will do."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from runwright.fingerprint.fold import times
from runwright.fingerprint.follows import EDGE, Pair, calls, follows
from runwright.fingerprint.model import Fact, Fingerprint
from runwright.fingerprint.shape import name_of

MOST_WORDS = 3
"""Features that a fingerprint is named by."""

ABSENT = 64
"""So many of the most frequent features are considered for what a fingerprint does not have."""


class Feature(NamedTuple):
    """Something that a fingerprint says, and the fact that must be known to say whether it holds.

    `order` tells which is preferred of two that set apart as much: the plainer one. `lack` is what its absence is
    called, empty where that is not worth saying.
    """

    order: int
    text: str
    fact: Fact
    lack: str = ""


def told_apart(prints: Sequence[Fingerprint]) -> tuple[tuple[str, ...], ...]:
    """For each fingerprint up to three features that together set it apart from as many of the others as can be.

    Where words cannot, the last is the start of the graph's hash. What another could not know sets nothing apart.
    """
    held = [sorted(_features(each)) for each in prints]
    table = _Table(prints, held)
    return tuple(_named(at, table) for at in range(len(prints)))


class _Table:
    """Which fingerprints have a feature and which know a fact, as sets of bits."""

    def __init__(self, prints: Sequence[Fingerprint], held: Sequence[Sequence[Feature]]) -> None:
        self.prints = prints
        self.held = held
        self.having: dict[Feature, int] = defaultdict(int)
        self.knowing: dict[Fact, int] = defaultdict(int)
        for at, (each, features) in enumerate(zip(prints, held, strict=True)):
            for feature in features:
                self.having[feature] |= 1 << at
            for fact in each.basis:
                self.knowing[fact] |= 1 << at
        often = Counter({each: having.bit_count() for each, having in self.having.items() if each.lack})
        self.lacked = [each for each, _ in sorted(often.items(), key=lambda item: (-item[1], item[0]))[:ABSENT]]

    def words(self, at: int) -> Iterator[tuple[int, str, int]]:
        """What can be said of a fingerprint, with those of the others of which it is not true."""
        for feature in self.held[at]:
            yield feature.order, feature.text, self.knowing[feature.fact] & ~self.having[feature]
        for feature in self.lacked:
            if self.knowing[feature.fact] >> at & 1 and not self.having[feature] >> at & 1:
                yield feature.order, feature.lack, self.having[feature]


def _named(at: int, table: _Table) -> tuple[str, ...]:
    left = ((1 << len(table.prints)) - 1) & ~(1 << at)
    words = list(table.words(at))
    found: list[str] = []
    while left and len(found) < MOST_WORDS:
        _, text, without = max(words, key=lambda each: ((left & each[2]).bit_count(), -each[0]))
        if not left & without:
            break
        found.append(text)
        left &= ~without
    if left and len(found) < MOST_WORDS:
        found.append(f"graph {table.prints[at].graph_hash.partition(':')[2][:8]}")
    return tuple(found) or _plain(table.prints[at])


def _plain(only: Fingerprint) -> tuple[str, ...]:
    """A fingerprint that nothing needs to be told from."""
    return ("the only one", f"ends in {only.outcome_class}")


def _features(of: Fingerprint) -> Iterator[Feature]:
    if "outcome" in of.basis:
        yield Feature(0, f"ends in {of.outcome_class}", "outcome")
    if "tools" in of.basis:
        yield from (Feature(1, f"calls {each}", "tools", f"no {each}") for each in {name_of(each) for each in of.tools})
        yield from (Feature(2, f"{each} {times(n)}", "tools") for each, n in calls(of.tool_sequences).items())
        if not of.tools:
            yield Feature(1, "calls no tool", "tools")
    if "models" in of.basis:
        yield from (Feature(3, f"asks {each}", "models", f"never asks {each}") for each in of.models)
    for each in of.side_effect_kinds:
        kind = each.partition(" ")[0]
        yield from (Feature(4, each, fact, f"no {kind}") for fact in of.basis if fact == kind)
    if "endpoints" in of.basis:
        yield from (Feature(5, each, "endpoints", f"no {each.rpartition(' ')[0]}") for each in of.endpoints)
    if "arguments" in of.basis:
        yield from (Feature(6, each, "arguments") for each in of.tools)
    if "order" in of.basis:
        yield from (Feature(7, _followed(each), "order") for each in follows(of.tool_sequences))


def _followed(pair: Pair) -> str:
    one, two = pair
    if one == EDGE:
        return f"begins with {two}"
    return f"ends with {one}" if two == EDGE else f"{two} right after {one}"

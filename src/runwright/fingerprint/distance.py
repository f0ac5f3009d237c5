"""How far two runs are from each other, part by part."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from runwright.fingerprint.agree import Field, both_sides
from runwright.fingerprint.follows import follows
from runwright.fingerprint.model import Fingerprint, fingerprint_digest

WEIGHTS: dict[Field, float] = {
    "tools": 0.1,
    "tool_sequences": 4,
    "endpoints": 2,
    "models": 0.1,
    "side_effect_kinds": 1,
    "graph_hash": 0.1,
    "outcome_class": 0.1,
}
"""What each part counts. On runs of known tasks only the sequences help (docs/reference/fingerprint.md); what does not
help keeps so little that it tells equal runs from nearly equal ones, and no more."""

UNEQUAL = 0.05
"""The least distance of a part whose sides differ: what the finer measure does not see is still a difference."""

_TIMES = {"x1": 1, "x2": 2, "xmany": 3}


@dataclass(frozen=True)
class Part:
    """One field's share: its distance in [0, 1], and its weight among the parts of the whole, which add up to 1."""

    field: Field
    distance: float
    weight: float


@dataclass(frozen=True)
class Distance:
    """A distance in [0, 1], the parts that it is the weighted mean of, and the fields that could not be compared."""

    value: float
    parts: tuple[Part, ...]
    not_compared: tuple[Field, ...]


def distance(one: Fingerprint, other: Fingerprint) -> Distance:
    """How far two runs are apart over what both could know: 0 where every compared field is equal, 1 at most.

    Symmetric. Among fingerprints of one basis it is a metric, triangle inequality included; across bases it is not one,
    since each pair is compared over what that pair knows. Where nothing is compared it is 0 for equal digests, else 1.
    """
    alike = one.version == other.version
    found = both_sides(one, other) if alike else {}
    compared = {field: each for field, each in found.items() if not isinstance(each, str)}
    left = tuple(field for field in WEIGHTS if field not in compared)
    if not compared:
        return Distance(float(fingerprint_digest(one) != fingerprint_digest(other)), (), left)
    total = sum(WEIGHTS[field] for field in compared)
    parts = tuple(Part(field, _apart(field, *each), WEIGHTS[field] / total) for field, each in compared.items())
    return Distance(sum(part.distance * part.weight for part in parts), parts, left)


def _apart(field: Field, one: tuple[str, ...], other: tuple[str, ...]) -> float:
    """A discrete metric and a finer one, which may be 0 for sides that differ."""
    return UNEQUAL + (1 - UNEQUAL) * _jaccard(_measured(field, one), _measured(field, other)) if one != other else 0.0


class _Multiset(NamedTuple):
    counts: Mapping[Hashable, int]
    total: int


def _jaccard(one: _Multiset, other: _Multiset) -> float:
    """1 - |both| / |either|, which is a metric, of which one at least is not empty."""
    shared = sum(min(one.counts[each], other.counts[each]) for each in one.counts.keys() & other.counts.keys())
    either = one.total + other.total - shared
    return 1 - shared / either


@lru_cache(maxsize=8192)
def _measured(field: Field, side: tuple[str, ...]) -> _Multiset:
    counts: Mapping[Hashable, int]
    match field:
        case "tool_sequences":
            counts = {(one, two): often for (one, two), often in follows([each] for each in side).items()}
        case "endpoints" | "side_effect_kinds":
            counts = _counts(side)
        case _:
            counts = dict.fromkeys(side, 1)
    return _Multiset(counts, sum(counts.values()))


def _counts(side: Iterable[str]) -> Mapping[Hashable, int]:
    """Names with how often they are there, as a multiset; a name without its times is there once."""
    found: Counter[Hashable] = Counter()
    for each in side:
        name, _, often = each.rpartition(" ")
        found[name if often in _TIMES else each] += _TIMES.get(often, 1)
    return found

"""Which mutants are tried where there are too many: as many of each kind as its share, evenly spread."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator

from runwright.perturb import Kind, Mutant


def picked(source: Callable[[], Iterable[Mutant]], limit: int, seed: int) -> tuple[Iterator[Mutant], int]:
    """The mutants to try, and how many there are. `source` is gone through twice, so that none needs to be kept."""
    counts = Counter(each.kind for each in source())
    known = counts.total()
    if known <= limit:
        return iter(source()), known
    quotas = {kind: max(1, count * limit // known) for kind, count in counts.items()}
    return _spread(source(), counts, quotas, seed), known


def _spread(source: Iterable[Mutant], counts: Counter[Kind], quotas: dict[Kind, int], seed: int) -> Iterator[Mutant]:
    at: Counter[Kind] = Counter()
    for each in source:
        count, quota = counts[each.kind], quotas[each.kind]
        place = (at[each.kind] + seed) % count
        at[each.kind] += 1
        if place * quota // count != (place - 1) * quota // count:
            yield each

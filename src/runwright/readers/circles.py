"""Records that a broken export puts into one another."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from runwright.readers.reading import Reading
from runwright.trace.model import Record


def without_circles(records: Sequence[Record], reading: Reading) -> tuple[Record, ...]:
    """The records, each circle of parents cut open at its first one, which then lies in nothing; each cut is told."""
    parents = {record.id: record.parent for record in records if record.parent is not None}
    if not parents:
        return tuple(records)
    order = {record.id: at for at, record in enumerate(records)}
    cut: set[str] = set()
    clear: set[str | None] = {None}
    for record in records:
        way: dict[str, None] = {}
        at: str | None = record.id
        while at is not None and at not in clear and at not in way:
            way[at] = None
            at = parents.get(at)
        if at in way:
            ring = list(way)[list(way).index(at) :]
            cut.add(first := min(ring, key=lambda id: order.get(id, len(order))))
            reading.lose(
                "inexact", f"{len(ring)} records that lie in one another: the first is taken for the outermost", first
            )
        clear |= way.keys()
    return tuple(msgspec.structs.replace(each, parent=None) if each.id in cut else each for each in records)

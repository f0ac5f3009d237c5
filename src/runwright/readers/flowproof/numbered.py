"""Ids for records, in the order of their lanes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

import msgspec

from runwright.trace.model import ID_LETTER, Record, lane_of


def numbered(records: Iterable[Record]) -> tuple[Record, ...]:
    """The records as m1, m2, e1 ..."""
    counts: Counter[str] = Counter()
    done: list[Record] = []
    for record in records:
        letter = ID_LETTER[lane_of(record)]
        counts[letter] += 1
        done.append(msgspec.structs.replace(record, id=f"{letter}{counts[letter]}"))
    return tuple(done)

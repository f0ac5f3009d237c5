"""Keys that this reader does not know: each a loss that names it."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from runwright.readers.reading import Reading
from runwright.trace.model import JSON


def left_out(body: Mapping[str, JSON], known: Collection[str], place: str, reading: Reading) -> tuple[str, ...]:
    """The keys of a body that are not among the known ones; each is noted as a loss."""
    unknown = tuple(key for key in body if key not in known)
    for key in unknown:
        reading.lose("unsupported", f"the field {key!r}", f"{place}.{key}")
    return unknown

"""Which exchanges must have been served before another one, and before a miss is a later one."""

from __future__ import annotations

from collections.abc import Sequence

from runwright.errors import UsageError
from runwright.trace.model import ModelRecord, Record

SHOWN = 20
"""How many ids a hint lists."""


def predecessors(records: Sequence[Record]) -> dict[str, tuple[str, ...]]:
    """For each model exchange the model exchanges whose answers its request contains.

    Edges to records that this replay does not serve (tools, messages) are followed to what lies before them.
    """
    before: dict[str, tuple[str, ...]] = {}
    models = {record.id for record in records if isinstance(record, ModelRecord)}
    for record in records:  # `after` names earlier lines only, so one pass is enough
        found: dict[str, None] = {}
        for name in record.after:
            found |= {name: None} if name in models else dict.fromkeys(before.get(name, ()))
        before[record.id] = tuple(found)
    return {name: before[name] for name in models}


def strict_part(records: Sequence[Record], until: str | None) -> frozenset[str] | None:
    """The exchanges up to and including `until`, in line order; None where the whole cassette is strict."""
    if until is None:
        return None
    ids = [record.id for record in records]
    models = [record.id for record in records if isinstance(record, ModelRecord)]
    if until not in ids:
        raise UsageError(f"until {until!r} is no record of this cassette", hint=_known(models))
    end = ids.index(until)
    strict = frozenset(record.id for record in records[: end + 1] if isinstance(record, ModelRecord))
    if not strict:
        raise UsageError(
            f"until {until!r} comes before the first model exchange: nothing would be strict", hint=_known(models)
        )
    return strict


def _known(models: Sequence[str]) -> str:
    more = f" and {len(models) - SHOWN} more" if len(models) > SHOWN else ""
    return f"one of: {', '.join(models[:SHOWN])}{more}" if models else "the cassette holds no model exchange"

"""A JSON value with some of its leaves and keys replaced."""

from __future__ import annotations

from collections.abc import Mapping

from runwright.secrets.located import Parts, Place
from runwright.trace.model import JSON


def rewritten(value: JSON, edits: Mapping[Place, JSON]) -> JSON:
    """The value with each edited part or key replaced; what is not edited is shared."""
    around = {parts[:length] for parts, _ in edits for length in range(len(parts) + 1)}
    return _rewritten(value, (), edits, around)


def _rewritten(value: JSON, parts: Parts, edits: Mapping[Place, JSON], around: set[Parts]) -> JSON:
    if parts not in around:
        return value
    if (parts, False) in edits:
        return edits[parts, False]
    if isinstance(value, dict):
        return {
            str(edits.get(((*parts, key), True), key)): _rewritten(each, (*parts, key), edits, around)
            for key, each in value.items()
        }
    if isinstance(value, (list, tuple)):
        return [_rewritten(each, (*parts, at), edits, around) for at, each in enumerate(value)]
    return value

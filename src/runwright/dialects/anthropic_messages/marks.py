"""What nearly every block may carry: a cache mark, and fields that the model has no place for."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from runwright.dialects.fields import rest
from runwright.trace.model import JSON

MARK = "cache_control"


def marked(block: dict[str, JSON], cache: JSON) -> dict[str, JSON]:
    """The wire block with its cache mark, if it has one."""
    return block if cache is None else {**block, MARK: cache}


def said(block: Mapping[str, JSON], known: Collection[str]) -> dict[str, JSON]:
    """The further fields of a block, verbatim; null is absent."""
    return {name: value for name, value in rest(block, known).items() if value is not None}

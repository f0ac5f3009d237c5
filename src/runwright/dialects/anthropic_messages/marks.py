"""Cache marks, which nearly every block may carry."""

from __future__ import annotations

from runwright.trace.model import JSON

MARK = "cache_control"


def marked(block: dict[str, JSON], cache: JSON) -> dict[str, JSON]:
    """The wire block with its cache mark, if it has one."""
    return block if cache is None else {**block, MARK: cache}

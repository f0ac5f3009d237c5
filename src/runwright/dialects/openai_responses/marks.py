"""What blocks carry beside their content: the cache mark, and the fields of the item that they are part of."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from runwright.dialects.fields import refuse, rest
from runwright.trace.model import JSON, Block

BREAKPOINT = "prompt_cache_breakpoint"
ITEM = "item"
"""Name in the `extra` of an item's first block: the item's own fields. On a further block of the provider's, null."""

_UNSAID: Mapping[str, JSON] = {"annotations": [], "logprobs": []}
"""Fields whose value says what their absence says."""


def said(fields: Mapping[str, JSON], known: Collection[str], path: str) -> dict[str, JSON]:
    """The further fields of a part or item, verbatim; null is absent, and so is what goes without saying."""
    if fields.get(ITEM) is not None:
        raise refuse(f"{path}.{ITEM}", "field cannot be represented")
    further = rest(fields, (*known, ITEM))
    return {name: value for name, value in further.items() if value is not None and value != _UNSAID.get(name)}


def item_of(block: Block) -> JSON:
    """The fields of the item that begins with this block; None where it begins none of its own."""
    extra: Mapping[str, JSON] = getattr(block, "extra", {})
    return extra.get(ITEM)


def cache_of(part: Mapping[str, JSON]) -> JSON:
    """The cache mark of a part, under its name."""
    mark = part.get(BREAKPOINT)
    return None if mark is None else {BREAKPOINT: mark}


def marked(part: dict[str, JSON], cache: JSON, path: str) -> dict[str, JSON]:
    """The part with its cache mark, if it has one."""
    if cache is None:
        return part
    if not isinstance(cache, dict) or set(cache) != {BREAKPOINT} or cache[BREAKPOINT] is None:
        raise refuse(f"{path}.cache", "a cache mark of another API has no form on this one")
    return {**part, **cache}

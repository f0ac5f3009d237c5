"""The two spellings of a field's name: `functionCall` on the wire, `function_call` from some clients."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from functools import lru_cache

from runwright.dialects.fields import refuse
from runwright.trace.model import JSON


@lru_cache(maxsize=1024)
def camel(name: str) -> str:
    """The wire's own spelling."""
    head, *rest = name.split("_")
    return head + "".join(word[:1].upper() + word[1:] for word in rest)


def spelled(fields: Mapping[str, JSON], known: Collection[str], path: str) -> dict[str, JSON]:
    """The fields with the known names in the wire's own spelling; null is absent."""
    found: dict[str, JSON] = {}
    for name, value in fields.items():
        if value is None:
            continue
        key = name if "_" not in name or camel(name) not in known else camel(name)
        if key in found:
            raise refuse(f"{path}.{name}", f"field is given twice, beside {key}")
        found[key] = value
    return found

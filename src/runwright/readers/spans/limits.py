"""Attribute values that an exporter cut at its length limit: they look whole and are not."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

import msgspec
import orjson

from runwright.readers.spans.span import Span

SMALLEST = 32
USUAL = frozenset(
    {128, 255, 256, 500, 512, 1000, 1024, 2000, 2048, 4000, 4095, 4096, 5000, 8000, 8192, 10000, 12000, 12288, 16000}
) | {2**n for n in range(14, 21)}
"""Limits that people and vendors set."""

REMEDY = (
    "a value ends at the exporter's length limit: raise OTEL_SPAN_ATTRIBUTE_VALUE_LENGTH_LIMIT "
    "(or OTEL_ATTRIBUTE_VALUE_LENGTH_LIMIT, or the collector's own limit) and record again"
)


def with_limits(spans: Sequence[Span]) -> tuple[Span, ...]:
    """The spans, each with the limit that the values of its process seem to have been cut at."""
    by_process: dict[tuple[str | None, str | None], list[Span]] = defaultdict(list)
    for span in spans:
        by_process[span.scope.service, span.scope.instance].append(span)
    limits = {process: _limit(mine) for process, mine in by_process.items()}
    return tuple(
        msgspec.structs.replace(span, limit=limit)
        if (limit := limits[span.scope.service, span.scope.instance])
        else span
        for span in spans
    )


def _limit(spans: Sequence[Span]) -> int | None:
    """The greatest length, if a JSON text breaks off there, or it is a usual limit that different texts share."""
    texts = [text for span in spans for text in _texts(span)]
    longest = max(map(len, texts), default=0)
    if longest < SMALLEST:
        return None
    ends = {text for text in texts if len(text) == longest}
    if any(_breaks_off(text) for text in ends):
        return longest
    return longest if longest in USUAL and len(ends) > 1 else None


def _texts(span: Span) -> list[str]:
    holders = [span.attributes, *[event.attributes for event in span.events]]
    return [value for holder in holders for value in holder.values() if isinstance(value, str)]


def _breaks_off(text: str) -> bool:
    if text[:1] not in ("[", "{"):
        return False
    try:
        orjson.loads(text)
    except ValueError:
        return True
    return False


def is_cut(span: Span, key: str) -> bool:
    """The attribute's text ends at the limit."""
    value = span.attributes.get(key)
    return span.limit is not None and isinstance(value, str) and len(value) >= span.limit


def cut_messages(span: Span, prefix: str, root: str, *, each: bool) -> tuple[str, ...]:
    """Paths of flattened messages with a text that was cut: `each` message's content, or the root alone."""
    cut = [key for key in span.attributes if key.startswith(f"{prefix}.") and is_cut(span, key)]
    if not each:
        return (root,) if cut else ()
    numbers = dict.fromkeys(key[len(prefix) + 1 :].split(".", 1)[0] for key in cut)
    return tuple(f"{root}[{number}].content" for number in numbers)

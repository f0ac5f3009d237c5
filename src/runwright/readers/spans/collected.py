"""The spans and events of an export, before one run is chosen of them."""

from __future__ import annotations

import msgspec

from runwright.readers.spans.span import Event, Span

SpanKey = tuple[str, str]


class Collected(msgspec.Struct, frozen=True):
    """What the files hold; `broken` says that a line which held spans could not be read."""

    spans: tuple[Span, ...]
    events: dict[SpanKey, tuple[Event, ...]] = {}
    orphans: tuple[SpanKey, ...] = ()
    broken: bool = False

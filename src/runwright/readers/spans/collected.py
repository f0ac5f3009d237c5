"""The spans and events of an export, before one run is chosen of them."""

from __future__ import annotations

import msgspec

from runwright.readers.spans.span import Event, Span
from runwright.trace.model import Loss

SpanKey = tuple[str, str]


class Collected(msgspec.Struct, frozen=True):
    """What the files hold; `before` is what was lost before these spans were told apart from others."""

    spans: tuple[Span, ...]
    events: dict[SpanKey, tuple[Event, ...]] = {}
    orphans: tuple[SpanKey, ...] = ()
    before: tuple[Loss, ...] = ()

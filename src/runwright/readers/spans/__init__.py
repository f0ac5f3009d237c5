"""Runs drawn as spans: what their attributes and events show, whichever format carried them."""

from runwright.readers.spans.assemble import records_of
from runwright.readers.spans.collected import Collected
from runwright.readers.spans.span import Attributes, Event, Kind, Scope, Span

__all__ = ["Attributes", "Collected", "Event", "Kind", "Scope", "Span", "records_of"]

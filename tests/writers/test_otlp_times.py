"""Spans of a run without times end no earlier than they start, as the protocol wants it."""

from __future__ import annotations

import json

import pytest

from runwright.readers import read_foreign
from runwright.writers import write_foreign
from tests.readers.exports import fixture


@pytest.mark.parametrize(("name", "lost"), [("vcr.yaml", 2), ("wire.jsonl", 0)])
def test_no_span_ends_before_it_starts(name: str, lost: int) -> None:
    written = write_foreign(read_foreign(fixture(name, folder="order_desk")), "otlp")
    (resource,) = json.loads(written.data)["resourceSpans"]
    spans = [span for scope in resource["scopeSpans"] for span in scope["spans"]]
    assert len(spans) == 2
    assert all(0 < int(span["startTimeUnixNano"]) <= int(span["endTimeUnixNano"]) for span in spans)
    assert sum((loss.where or "").endswith("$.duration") for loss in written.losses) == lost

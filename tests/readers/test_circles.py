"""Records that lie in one another: the first lies in nothing, and it is told."""

from __future__ import annotations

import pytest

from runwright.readers.assembled import Found, Source, assembled
from runwright.readers.circles import without_circles
from runwright.readers.input import Input
from runwright.readers.reading import Reading
from runwright.trace import dumps_trace, loads_trace
from runwright.trace.model import MessageRecord
from tests.readers.exports import call, export
from tests.readers.test_otlp_content import read


def said(id: str, parent: str | None) -> MessageRecord:
    return MessageRecord(id=id, role="user", parent=parent)


@pytest.mark.parametrize(
    ("parents", "open_ones"),
    [
        ({"u1": None, "u2": "u1", "u3": "u2"}, {}),
        ({"u1": "u1"}, {"u1": None}),
        ({"u1": "u2", "u2": "u1"}, {"u1": None}),
        ({"u1": "u3", "u2": "u3", "u3": "u4", "u4": "u2"}, {"u2": None}),
        ({"u1": "u2", "u2": "u1", "u3": "u4", "u4": "u3", "u5": "u4"}, {"u1": None, "u3": None}),
        ({"u1": "elsewhere", "u2": "u1"}, {}),
    ],
)
def test_a_circle_is_cut_open_at_its_first(parents: dict[str, str | None], open_ones: dict[str, str | None]) -> None:
    reading = Reading()
    found = without_circles([said(id, parent) for id, parent in parents.items()], reading)
    assert {each.id: each.parent for each in found} == {**parents, **open_ones}
    assert sum(loss.count for loss in reading.losses()) == len(open_ones)
    assert [loss.where for loss in reading.losses()] == list(open_ones)[:1]


def test_spans_in_a_circle() -> None:
    first = call(1) | {"parentSpanId": f"{2:016x}"}
    second = call(2, at=20) | {"parentSpanId": f"{1:016x}"}
    trace = read(export(first, second))
    assert [each.parent for each in trace.models] == [None, "m1"]
    assert any("lie in one another" in loss.detail for loss in trace.header.losses)
    assert loads_trace(dumps_trace(trace)).complete


def test_records_of_other_sources_in_a_circle() -> None:
    found = [Found(record=said("", None), key="a", parent="b"), Found(record=said("", None), key="b", parent="a")]
    trace = assembled(found, Source(format="x", inputs=(Input("x", b""),)), Reading())
    assert [each.parent for each in trace.records] == [None, "u1"]
    assert loads_trace(dumps_trace(trace)).complete

"""Redacting a trace twice changes nothing more, whatever is in it and whatever refers to what."""

from __future__ import annotations

import hashlib
import json

from hypothesis import HealthCheck, given, settings, strategies as st

from runwright.secrets import redact_trace, scan_trace
from runwright.trace import dumps_trace, loads_trace
from runwright.trace.model import (
    Header,
    HttpBody,
    HttpRecord,
    HttpRequest,
    Message,
    ModelRecord,
    ModelRequest,
    ModelResponse,
    Origin,
    SideEffect,
    SideEffectRecord,
    TextBlock,
    ToolRecord,
    Trace,
)
from tests.secrets.test_redact import PIECES, VALUES


@st.composite
def traces(draw: st.DrawFn) -> Trace:
    """An exchange, a call, a request and a written file that repeat each other's words and digests of them."""
    words, more, value = draw(PIECES), draw(PIECES), draw(VALUES)
    told = f"{words} {hashlib.sha256(more.encode('utf-8', 'replace')).hexdigest()} {json.dumps(value)}"
    cut = draw(st.integers(0, len(told)))
    records = (
        ModelRecord(
            id="m1",
            request=ModelRequest(
                api="a", model="m", messages=(Message(role="user", content=(TextBlock(text=words + more),)),)
            ),
            response=ModelResponse(content=(TextBlock(text=told),)),
            streamed=True,
            chunks=tuple((0, count) for count in (cut, len(told) - cut) if count),
            fidelity="raw",
        ),
        ToolRecord(id="t1", name="x", arguments={"value": value, "note": more}, outcome="ok", fidelity="raw"),
        HttpRecord(
            id="h1",
            request=HttpRequest(method="PUT", url="https://x.example/", body=HttpBody(text=json.dumps({"a": value}))),
            fidelity="raw",
        ),
        SideEffectRecord(id="e1", side_effect=SideEffect(kind="fs_write", target="a", diff=f"+{more}\n")),
    )
    source = Origin(format="model_log", digest="blake3:" + "0" * 64)
    return Trace(header=Header(kind="run", trace_id="t", source=source), records=records)


@settings(max_examples=80, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(traces())
def test_redacting_twice_changes_nothing_more(trace: Trace) -> None:
    once, counts = redact_trace(trace)
    assert [str(finding) for finding in scan_trace(once)] == []
    assert redact_trace(once) == (once, {})
    again = loads_trace(dumps_trace(once))
    assert again.records == once.records
    assert (once is trace) == (not counts)

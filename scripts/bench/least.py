"""The least that a loop in Python over spans does: what an import can at best cost, however it is written."""

from __future__ import annotations

from typing import Any

import orjson

from runwright.trace.model import Message, ModelRecord, ModelRequest, TextBlock

_REQUEST = ModelRequest(api="", model="", messages=(Message(role="user", content=(TextBlock(text=""),)),))


def records(data: bytes) -> list[ModelRecord]:
    """A record a span of an OTLP file, with its attributes by name and the JSON texts in them parsed, each byte once.

    Nothing is checked, placed, compared or understood, and all spans have the same request.
    """
    documents = [data] if data.startswith(b"{\n") else data.splitlines()
    return [
        _record(span)
        for document in documents
        for resource in orjson.loads(document)["resourceSpans"]
        for scope in resource["scopeSpans"]
        for span in scope["spans"]
    ]


def _record(span: dict[str, Any]) -> ModelRecord:
    told = {each["key"]: _value(each["value"]) for each in span.get("attributes", ())}
    start, end = (int(span[key]) / 1e9 for key in ("startTimeUnixNano", "endTimeUnixNano"))
    return ModelRecord(
        id=span["spanId"],
        parent=span.get("parentSpanId"),
        t=start,
        duration=end - start,
        fidelity="raw",
        request=_REQUEST,
        ext=told,
    )


def _value(wire: dict[str, Any]) -> Any:
    for kind, value in wire.items():
        if kind == "stringValue" and value[:1] in ("{", "["):
            try:
                return orjson.loads(value)
            except orjson.JSONDecodeError:
                return value
        return int(value) if kind == "intValue" else value
    return None

"""Small OTLP exports, written by hand where a real one cannot be made to show the case."""

from __future__ import annotations

import errno
import json
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from runwright.readers import Input
from runwright.trace.model import Loss, Trace

FIXTURES = Path(__file__).resolve().parent.parent / "fixtures"
TRACE = "0af7651916cd43dd8448eb211c80319c"
START = 1_790_000_000_000_000_000
OFFICIAL = "opentelemetry.instrumentation.openai_v2"


def fixture(*names: str, folder: str = "otlp") -> list[Input]:
    """Committed exports, made by real instrumentations."""
    return [Input(name, (FIXTURES / folder / name).read_bytes()) for name in names]


def value_of(value: Any) -> dict[str, Any]:
    """A plain value as an AnyValue."""
    if isinstance(value, bool):
        return {"boolValue": value}
    if isinstance(value, int):
        return {"intValue": str(value)}
    if isinstance(value, float):
        return {"doubleValue": value}
    if isinstance(value, list):
        return {"arrayValue": {"values": [value_of(each) for each in value]}}
    if isinstance(value, dict):
        return {"kvlistValue": {"values": attributes(value)}}
    return {"stringValue": value} if value is not None else {}


def attributes(values: dict[str, Any]) -> list[dict[str, Any]]:
    """A mapping as a list of keys and values."""
    return [{"key": key, "value": value_of(value)} for key, value in values.items()]


def span(number: int, values: dict[str, Any], *, at: int = 0, lasts: int = 10, **more: Any) -> dict[str, Any]:
    """A span whose id is its number; times in milliseconds from the start."""
    return {
        "traceId": TRACE,
        "spanId": f"{number:016x}",
        "name": "call",
        "kind": 3,
        "startTimeUnixNano": str(START + at * 1_000_000),
        "endTimeUnixNano": str(START + (at + lasts) * 1_000_000),
        "attributes": attributes(values),
        **more,
    }


def call(number: int, said: str = "Hello.", *, at: int = 0, lasts: int = 10, **values: Any) -> dict[str, Any]:
    """A chat span with content in parts; further attributes have their dots written as `__`."""
    shown = {
        "gen_ai.operation.name": "chat",
        "gen_ai.provider.name": "openai",
        "gen_ai.request.model": "m",
        "gen_ai.input.messages": [{"role": "user", "parts": [{"type": "text", "content": "Hi"}]}],
        "gen_ai.output.messages": [{"role": "assistant", "parts": [{"type": "text", "content": said}]}],
        "gen_ai.response.id": f"chatcmpl-{number}",
        "gen_ai.usage.input_tokens": 3,
        "gen_ai.usage.output_tokens": 2,
        **{key.replace("__", "."): value for key, value in values.items()},
    }
    return span(number, {key: value for key, value in shown.items() if value is not None}, at=at, lasts=lasts)


def tool(number: int, name: str, *, at: int = 0, lasts: int = 5, **values: Any) -> dict[str, Any]:
    """An execute_tool span."""
    shown = {"gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": name}
    return span(number, shown | {key.replace("__", "."): value for key, value in values.items()}, at=at, lasts=lasts)


def export(*spans: dict[str, Any], scope: str = OFFICIAL, service: str = "desk") -> dict[str, Any]:
    """An export of the spans of one instrumentation."""
    resource = {"attributes": attributes({"service.name": service})}
    return {"resourceSpans": [{"resource": resource, "scopeSpans": [{"scope": {"name": scope}, "spans": list(spans)}]}]}


def event(number: int, name: str, body: Any = None, *, at: int = 0) -> dict[str, Any]:
    """A log record of the span with this number."""
    moment = {"traceId": TRACE, "spanId": f"{number:016x}", "observedTimeUnixNano": str(START + at)}
    return {**moment, "eventName": name, **({} if body is None else {"body": value_of(body)})}


def logs(*records: dict[str, Any], scope: str = OFFICIAL, service: str = "desk") -> dict[str, Any]:
    """An export of log records."""
    resource = {"attributes": attributes({"service.name": service})}
    return {
        "resourceLogs": [{"resource": resource, "scopeLogs": [{"scope": {"name": scope}, "logRecords": list(records)}]}]
    }


def joined(*exports: dict[str, Any]) -> dict[str, Any]:
    """One document of several exports."""
    keys = {key for each in exports for key in each}
    return {key: [item for each in exports for item in each.get(key, [])] for key in sorted(keys)}


def given(*documents: Any) -> list[Input]:
    """Each document as a file of its own."""
    return [Input(f"part{at}.json", json.dumps(each).encode()) for at, each in enumerate(documents)]


def losses(trace: Trace, kind: str) -> list[Loss]:
    """The losses of one kind."""
    return [loss for loss in trace.header.losses if loss.kind == kind]


def words(trace: Trace) -> Sequence[str]:
    """What each reply says, in order."""
    from runwright.trace.model import text_of

    return [text_of(each.response.content) if each.response else "" for each in trace.models]


def forbid(folder: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder that cannot be listed, whoever runs the tests."""
    real = os.scandir

    def scandir(path: str | Path) -> Any:
        if Path(path).name == Path(folder).name:
            raise PermissionError(errno.EACCES, "Permission denied", str(path))
        return real(path)

    Path(folder).mkdir(parents=True)
    monkeypatch.setattr(os, "scandir", scandir)

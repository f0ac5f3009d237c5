"""Traces in flowproof's two shapes, written by hand."""

from __future__ import annotations

import json
from typing import Any

from runwright.readers import Input, read_foreign
from runwright.trace.model import Trace

Json = dict[str, Any]
SYSTEM: Json = {"role": "system", "content": "You look orders up."}
USER: Json = {"role": "user", "content": "Where is my order?"}
CALL: Json = {"role": "assistant", "tool_calls": [{"id": "c1", "name": "lookup", "arguments": '{"order":7}'}]}
RESULT: Json = {"role": "tool", "tool_call_id": "c1", "content": "shipped"}
REPLY: Json = {"role": "assistant", "content": "It has shipped."}


def turn(*messages: Json, reply: Json = REPLY, tools: tuple[str, ...] = ("lookup",), **more: Any) -> Json:
    """A turn; `more` are fields beside its request and response."""
    request: Json = {"model": "m", "messages": list(messages)}
    if tools:
        request["tools"] = list(tools)
    return {"request": request, "response": {"message": reply}, **more}


def two_turns() -> list[Json]:
    """A lookup and the words."""
    return [turn(SYSTEM, USER, reply=CALL), turn(SYSTEM, USER, CALL, RESULT)]


def document(*turns: Json, **parts: Any) -> Json:
    """A document; `parts` are further keys of it."""
    cassette: Json = {"turns": list(turns) or two_turns(), **parts.pop("cassette", {})}
    return {"app": "agent", "mocks": {}, "cassette": cassette, **parts}


def read(value: Json | str | bytes, name: str = "run.trace.jsonl") -> Trace:
    """The trace of a document, or of a text as it is."""
    text = json.dumps(value, indent=2) if isinstance(value, dict) else value
    return read_foreign([Input(name, text if isinstance(text, bytes) else text.encode())], "flowproof")


def header(adapter: str = "sap-com", **more: Any) -> Json:
    """The first line of a file of steps."""
    app = {"name": adapter.split("-")[0], "adapter": adapter}
    return {"format": "flowproof-trace", "version": 1, "recorded_at": "2026-07-29T15:23:59Z", "app": app, **more}


def step(number: int, kind: str, params: Json | None = None, *, on: Json | None = None, **more: Any) -> Json:
    """A step; `on` is the payload of its selector."""
    selectors = [] if on is None else [{"tier": "native_id", "provenance": "sap-com", "payload": on}]
    action = {"type": kind, "params": params or {}}
    return {"id": f"s{number:04}", "intent": f"step {number}", "action": action, "selectors": selectors, **more}


def steps(*lines: Json | str) -> str:
    """A file of steps."""
    return "".join((each if isinstance(each, str) else json.dumps(each)) + "\n" for each in lines)

"""Traces and requests in a few words, for the tests of matching."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

import msgspec

from runwright.match import Ignore, Matcher
from runwright.trace.model import (
    JSON,
    Header,
    Message,
    ModelRecord,
    ModelRequest,
    ModelResponse,
    Record,
    TextBlock,
    ToolCallBlock,
    ToolResultBlock,
    ToolSpec,
    Trace,
)

API = "openai.chat_completions"
STARTED = "2026-11-30T10:00:00Z"
LIVE = (datetime.fromisoformat("2027-03-01T08:00:00Z"), datetime.fromisoformat("2027-03-01T08:00:30Z"))

A = "3f2b8c1e-5d7a-4b9c-8e1f-0a2b3c4d5e6f"
B = "a91d7e42-0c3b-4f58-9d6e-7f8091a2b3c4"
C = "c0ffee00-1234-4abc-9def-fedcba987654"


def text(value: str) -> TextBlock:
    return TextBlock(text=value)


def said(role: str, value: str) -> Message:
    return Message(role=role, content=(text(value),))


def called(*calls: tuple[str, str, JSON]) -> Message:
    blocks = tuple(ToolCallBlock(id=call, name=name, arguments=arguments) for call, name, arguments in calls)
    return Message(role="assistant", content=blocks)


def answered(call: str, value: str) -> Message:
    return Message(role="tool", content=(ToolResultBlock(call_id=call, content=(text(value),)),))


def asks(*messages: Message, **fields: object) -> ModelRequest:
    given = {"api": API, "model": "gpt-5", "messages": messages, **fields}
    return ModelRequest(**given)  # type: ignore[arg-type]


def ask(prompt: str, **fields: object) -> ModelRequest:
    return asks(said("user", prompt), **fields)


def reply(value: str) -> ModelResponse:
    return ModelResponse(content=(text(value),), stop_reason="end_turn")


def exchange(id: str, request: ModelRequest, response: ModelResponse | None = None, **fields: object) -> ModelRecord:
    given = {"streamed": False, "fidelity": "raw", **fields}
    return ModelRecord(id=id, request=request, response=response or reply(f"answer of {id}"), **given)  # type: ignore[arg-type]


def cassette(*records: Record, duration: float | None = 30.0, started_at: str | None = STARTED) -> Trace:
    header = Header(kind="cassette", trace_id="trace", started_at=started_at, duration=duration)
    return Trace(header=header, records=records)


class Found(NamedTuple):
    rule: str
    start: int
    end: int


RULES = {
    "openai-key": r"sk-[A-Za-z0-9]{16,}",
    "github-token": r"ghp_[A-Za-z0-9]{16,}",
    "keyword": r'(?<=password: ")[^"]+',
}


def flag(value: str) -> list[Found]:
    return [
        Found(rule, found.start(), found.end())
        for rule, pattern in RULES.items()
        for found in re.finditer(pattern, value)
    ]


def matcher(
    *records: Record,
    trace: Trace | None = None,
    until: str | None = None,
    ignores: Sequence[Ignore] = (),
    given: Sequence[str] = (),
    results: dict[str, JSON] | None = None,
) -> Matcher:
    return Matcher(
        trace or cassette(*records),
        until=until,
        ignores=ignores,
        given=given,
        results=results,
        flag=flag,
        live_window=lambda: LIVE,
    )


def tool(name: str, description: str = "looks up", parameters: JSON = None) -> ToolSpec:
    return ToolSpec(name=name, description=description, parameters=parameters or {"type": "object"})


def changed(request: ModelRequest, **fields: object) -> ModelRequest:
    return msgspec.structs.replace(request, **fields)

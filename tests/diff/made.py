"""Runs in a few words, and the same runs with other names and times."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence

import msgspec
from msgspec.structs import replace

from runwright.trace import (
    JSON,
    Header,
    Message,
    ModelRecord,
    ModelRequest,
    ModelResponse,
    Record,
    TextBlock,
    ToolCallBlock,
    ToolRecord,
    ToolResultBlock,
    ToolSpec,
    Trace,
    with_edges,
)

API = "openai.chat_completions"
SYSTEM = "You are a careful agent of a small shop that sells teapots and nothing else."
TOOLS = (ToolSpec(name="lookup", description="Looks an order up.", parameters={"type": "object"}),)

Call = tuple[str, JSON, JSON]
"""A tool's name, its arguments, its result."""


def trace(records: Sequence[Record], **header: object) -> Trace:
    return Trace(header=Header(**{"kind": "run", "trace_id": "one", **header}), records=tuple(records))  # type: ignore[arg-type]


def said(role: str, value: str) -> Message:
    return Message(role=role, content=(TextBlock(text=value),))


def conversation(*turns: Sequence[Call], prompt: str = "Where is order 7?", start: int = 1) -> list[Record]:
    """A run: in each turn the model asks for these calls at once, the tools run, and at the end it answers."""
    messages = [said("system", SYSTEM), said("user", prompt)]
    records: list[Record] = []
    number, clock = start, 0.0
    for turn, calls in enumerate([*turns, ()], start=start):
        asks = tuple(
            ToolCallBlock(id=f"call_{turn}_{at}", name=name, arguments=arguments)
            for at, (name, arguments, _) in enumerate(calls)
        )
        content = asks or (TextBlock(text=f"Done after {len(turns)} turns."),)
        request = ModelRequest(api=API, model="m", parameters={"temperature": 0}, messages=tuple(messages), tools=TOOLS)
        response = ModelResponse(content=content, stop_reason="tool_calls" if asks else "end_turn")
        records.append(
            ModelRecord(
                id=f"m{turn}", request=request, response=response, streamed=False, fidelity="raw", t=clock, duration=1.0
            )
        )
        messages.append(Message(role="assistant", content=content))
        for at, (name, arguments, result) in enumerate(calls):
            call = f"call_{turn}_{at}"
            records.append(
                ToolRecord(
                    id=f"t{number}", name=name, arguments=arguments, result=result, outcome="ok", call_id=call,
                    fidelity="raw", t=clock + 1.5, duration=1.0,
                )
            )  # fmt: skip
            block = ToolResultBlock(call_id=call, content=(TextBlock(text=str(result)),))
            messages.append(Message(role="tool", content=(block,)))
            number += 1
        clock += 5
    return list(with_edges(records))


def run(turns: int = 4, calls: int = 1) -> Trace:
    """A run whose records all say something of their own."""
    return trace(
        conversation(
            *(
                [("lookup", {"order": 10 * turn + at}, f"result {turn} {at} of {turn * 7919}") for at in range(calls)]
                for turn in range(turns)
            )
        )
    )


Json = Callable[[JSON], JSON]


def rewritten(value: Trace, change: Json) -> Trace:
    """The trace with its plain form changed."""
    plain = change(msgspec.json.decode(msgspec.json.encode(value)))
    return msgspec.convert(plain, Trace)


def renamed(value: Trace, seed: int = 1) -> Trace:
    """The same run with other ids, other call ids and other times."""
    chance = random.Random(seed)
    names: dict[str, str] = {}
    for record in value.records:
        names[record.id] = f"r{chance.getrandbits(40):x}"
        if isinstance(record, ToolRecord) and record.call_id:
            names.setdefault(record.call_id, f"toolu_{chance.getrandbits(40):x}")
        if isinstance(record, ModelRecord) and record.response:
            for block in record.response.content:
                if isinstance(block, ToolCallBlock):
                    names.setdefault(block.id, f"toolu_{chance.getrandbits(40):x}")

    def change(plain: JSON) -> JSON:
        if isinstance(plain, dict):
            return {
                key: names.get(str(each), each)
                if key in ("id", "call_id", "parent", "caused_by", "on")
                else [names.get(str(one), one) for one in each]  # type: ignore[union-attr]
                if key in ("after", "after_inferred") and isinstance(each, list)
                else change(each)
                for key, each in plain.items()
            }
        return [change(each) for each in plain] if isinstance(plain, list) else plain

    other = rewritten(value, change)
    records = tuple(
        replace(record, t=None if record.t is None else record.t * 3 + 1, duration=chance.random())
        for record in other.records
    )
    return replace(
        other,
        header=replace(other.header, trace_id="another", started_at="2031-01-01T00:00:00Z", duration=9.0),
        records=records,
    )


def everywhere(value: Trace, old: str, new: str) -> Trace:
    """The trace with a text replaced wherever it stands, so that later exchanges repeat the change."""
    return msgspec.json.decode(msgspec.json.encode(value).replace(old.encode(), new.encode()), type=Trace)

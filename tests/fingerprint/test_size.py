"""Time grows with the trace, not with its square; no shape of a trace is too deep."""

from __future__ import annotations

import random
import time
from collections.abc import Sequence

import pytest

from runwright.fingerprint import fingerprint
from runwright.trace import Header, ModelRecord, ModelRequest, ModelResponse, Record, ToolRecord, Trace
from runwright.trace.model import Message, TextBlock

COUNT = 10_000


def tool(number: int, after: Sequence[int] = (), parent: int | None = None) -> ToolRecord:
    return ToolRecord(
        id=f"t{number}", name=f"n{number % 7}", arguments={"x": 1}, outcome="ok", fidelity="raw",
        after=tuple(f"t{each}" for each in after), parent=None if parent is None else f"t{parent}",
    )  # fmt: skip


def conversation() -> list[Record]:
    messages: list[Message] = []
    records: list[Record] = []
    for number in range(COUNT // 2):
        messages.append(Message(role="assistant", content=(TextBlock(text=f"turn {number}"),)))
        records.append(
            ModelRecord(
                id=f"m{number}",
                request=ModelRequest(api="a", model="m", messages=tuple(messages)),
                response=ModelResponse(content=messages[-1].content),
                after=(f"m{number - 1}",) if number else (),
                fidelity="raw",
            )
        )
    return records


def ends() -> list[Record]:
    """Runs beside each other, each of which ends by itself."""
    request = ModelRequest(api="a", model="m")
    reply = ModelResponse(content=(TextBlock(text="done"),), stop_reason="end_turn")
    return [ModelRecord(id=f"m{n}", request=request, response=reply, fidelity="raw") for n in range(COUNT)]


SHAPES = {
    "a line": lambda: [tool(n, [n - 1] if n else []) for n in range(COUNT)],
    "no edges": lambda: [tool(n) for n in range(COUNT)],
    "all after the first": lambda: [tool(n, sorted({0, n - 1}) if n else []) for n in range(COUNT)],
    "one after all": lambda: [*(tool(n) for n in range(COUNT)), tool(COUNT, range(COUNT))],
    "any two": lambda: [tool(n, random.Random(n).sample(range(n), min(2, n))) for n in range(COUNT)],
    "one in another": lambda: [tool(n, parent=n - 1 if n else None) for n in range(COUNT)],
    "all in one": lambda: [tool(n, parent=0 if n else None) for n in range(COUNT)],
    "a conversation": conversation,
    "only ends": ends,
}


@pytest.mark.parametrize("shape", SHAPES)
def test_ten_thousand_records(shape: str) -> None:
    trace = Trace(header=Header(kind="run", trace_id="t"), records=tuple(SHAPES[shape]()))
    began = time.process_time()
    found = fingerprint(trace)
    assert found.tools or found.models
    assert time.process_time() - began < 20  # a square of this would take minutes; no race with the clock

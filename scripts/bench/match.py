"""Requests matched per second against cassettes of 100 to 100,000 exchanges, and the ratio to the smallest.

Two shapes of session: `documents` has one exchange a document, as in a batch job, replayed in reverse; `turns` has
conversations of 20 turns that grow, each with a fresh id and the time of day in its system prompt.

    python scripts/bench/match.py [--sizes 100,1000,10000,100000]
"""

from __future__ import annotations

import argparse
import random
import time
import uuid
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta

from runwright.match import Matcher, Served
from runwright.trace.model import (
    Header,
    Message,
    ModelRecord,
    ModelRequest,
    ModelResponse,
    TextBlock,
    ToolSpec,
    Trace,
)

STARTED = datetime(2026, 11, 30, 10, tzinfo=UTC)
LIVE = datetime(2027, 3, 1, 8, tzinfo=UTC)
TURNS = 20
REQUESTS = 2_000
WORDS = ("order", "refund", "customer", "parcel", "invoice", "ledger", "account", "ticket", "supplier", "contract")
TOOLS = tuple(
    ToolSpec(name=f"tool_{n}", description="looks something up", parameters={"type": "object", "properties": {}})
    for n in range(4)
)


def said(role: str, text: str) -> Message:
    return Message(role=role, content=(TextBlock(text=text),))


def prose(seed: int) -> str:
    return " ".join(random.Random(seed).choices(WORDS, k=120))


def asks(*messages: Message) -> ModelRequest:
    return ModelRequest(
        api="openai.chat_completions", model="gpt-5", messages=messages, tools=TOOLS, parameters={"temperature": 0}
    )


def documents(count: int, salt: str, start: datetime) -> Iterator[ModelRequest]:
    """One request a document, told apart by the system prompt alone; the same in both runs."""
    del salt, start
    for n in range(count):
        yield asks(said("system", f"document {n}: {prose(n)}"), said("user", "summarise the document"))


def turns(count: int, salt: str, start: datetime) -> Iterator[ModelRequest]:
    """Growing conversations; `salt` makes their ids, `start` their stamps."""
    for first in range(0, count, TURNS):
        session = uuid.uuid5(uuid.NAMESPACE_URL, f"{salt}/{first}")
        stamp = (start + timedelta(seconds=first % 60)).isoformat()
        messages = [said("system", f"session {session} opened at {stamp}")]
        for n in range(first, min(first + TURNS, count)):
            messages.append(said("user", f"case {first}, question {n}: {prose(n)}"))
            yield asks(*messages)
            messages.append(said("assistant", f"answer {n}"))


def cassette(requests: Iterator[ModelRequest]) -> Trace:
    records = tuple(
        ModelRecord(
            id=f"m{n}",
            request=request,
            response=ModelResponse(content=(TextBlock(text=f"answer {n}"),), stop_reason="end_turn"),
            streamed=False,
            fidelity="raw",
        )
        for n, request in enumerate(requests)
    )
    header = Header(kind="cassette", trace_id="bench", started_at=STARTED.isoformat(), duration=3600.0)
    return Trace(header=header, records=records)


def measure(shape: Callable[[int, str, datetime], Iterator[ModelRequest]], size: int) -> tuple[float, float]:
    """Seconds to index the cassette, and requests a second over up to 2,000 of its requests."""
    trace = cassette(shape(size, "recorded", STARTED))
    began = time.perf_counter()
    matcher = Matcher(trace, flag=lambda _: (), live_window=lambda: (LIVE, LIVE + timedelta(hours=1)))
    indexed = time.perf_counter() - began
    live = list(shape(size, "live", LIVE))
    if shape is documents:
        live.reverse()
    live = live[:REQUESTS]
    began = time.perf_counter()
    answers = [matcher.serve(request, False) for request in live]
    spent = time.perf_counter() - began
    if not all(isinstance(answer, Served) for answer in answers):
        raise SystemExit(
            f"{shape.__name__}, {size}: a request missed: {next(a for a in answers if not isinstance(a, Served))}"
        )
    return indexed, len(live) / spent


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sizes", default="100,1000,10000,100000")
    sizes = [int(each) for each in parser.parse_args().sizes.split(",")]
    print(f"{'session':<10} {'exchanges':>9} {'indexed s':>10} {'requests/s':>11} {'of smallest':>11}")
    for shape in (documents, turns):
        smallest = 0.0
        for size in sizes:
            indexed, rate = measure(shape, size)
            smallest = smallest or rate
            print(f"{shape.__name__:<10} {size:>9,} {indexed:>10.2f} {rate:>11,.0f} {rate / smallest:>11.2f}")


if __name__ == "__main__":
    main()

"""Checking a trace against parsing its lines, and the memory that checking and writing a great one take.

    python scripts/bench/trace.py [--megabytes N]

Prints ratios within this run; the limits are `orjson.loads` of the same lines, and the bare interpreter.
"""

from __future__ import annotations

import argparse
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import orjson

from runwright.trace import (
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
    TraceWriter,
    Usage,
    validate_trace,
)

WORDS = ("order", "customer", "refund", "invoice", "shipped", "broken", "teapot", "amount", "please", "delivery")
TURNS = 20
ROUNDS = 3


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--megabytes", type=int, default=100)
    size = parser.parse_args().megabytes << 20
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "trace.jsonl"
        write(path, size)
        lines = path.read_bytes().splitlines()
        bare = best(lambda: parse(lines))
        checked = best(lambda: validate_trace(path))
        print(f"a trace of {path.stat().st_size >> 20} MB")
        print(f"validate / orjson.loads of the same lines: {checked / bare:.2f}   (target <= 1.6)")
        floor = memory("import time")
        validate = f"from runwright.trace import validate_trace; assert not validate_trace({str(path)!r}).problems"
        print(f"validate, memory over the interpreter's own: {memory(validate) - floor:.0f} MB   (target <= 64)")
        print(f"of that, imports: {memory('import runwright.trace, jsonschema_rs') - floor:.0f} MB")


def parse(lines: list[bytes]) -> None:
    """The bare limit: each line parsed and let go."""
    for line in lines:
        orjson.loads(line)


def write(path: Path, size: int) -> None:
    """A trace of about that many bytes: conversations of 20 turns, each with a tool call."""
    chance = random.Random(7)
    with path.open("wb") as stream:
        writer = TraceWriter(stream, Header(kind="run", trace_id="bench"))
        for number in range(10**9):
            for record in conversation(number, chance):
                writer.write(record)
            if stream.tell() >= size:
                break
        writer.close()


def conversation(number: int, chance: random.Random) -> Iterator[Record]:
    """The records of one conversation."""
    messages = [Message(role="user", content=(TextBlock(text=text(chance, 60)),))]
    before: tuple[str, ...] = ()
    for turn in range(TURNS):
        id, call = f"m{number}-{turn}", f"call_{number}_{turn}"
        asks = ToolCallBlock(id=call, name="lookup", arguments={"query": text(chance, 12), "amount": turn})
        yield ModelRecord(
            id=id,
            after=before,
            request=ModelRequest(
                api="openai.chat_completions", model="m", parameters={"temperature": 0}, messages=tuple(messages)
            ),
            response=ModelResponse(
                content=(asks,), stop_reason="tool_calls", usage=Usage(input_tokens=turn, output_tokens=9)
            ),
            streamed=False,
            fidelity="raw",
        )
        result = text(chance, 300)
        tool = f"t{number}-{turn}"
        yield ToolRecord(
            id=tool, after=(id,), name="lookup", arguments={"amount": turn}, result=result, outcome="ok",
            call_id=call, fidelity="raw",
        )  # fmt: skip
        before = (tool,)
        messages.append(Message(role="assistant", content=(asks,)))
        messages.append(
            Message(role="tool", content=(ToolResultBlock(call_id=call, content=(TextBlock(text=result),)),))
        )


def text(chance: random.Random, words: int) -> str:
    """Some words."""
    return " ".join(chance.choices(WORDS, k=words))


def best(work: Callable[[], object]) -> float:
    """The least seconds of some rounds."""
    times = []
    for _ in range(ROUNDS):
        begun = time.perf_counter()
        work()
        times.append(time.perf_counter() - begun)
    return min(times)


def memory(code: str) -> float:
    """The peak memory of a process that runs the code, in MB."""
    told = "\nprint(next(line for line in open('/proc/self/status') if line.startswith('VmHWM')).split()[1])"
    done = subprocess.run([sys.executable, "-c", code + told], check=True, capture_output=True, text=True)
    return int(done.stdout) / 1024


if __name__ == "__main__":
    main()

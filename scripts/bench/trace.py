"""Checking a trace against parsing its lines, and the memory that checking and writing a great one take.

    python scripts/bench/trace.py [--size MB]

Prints ratios within this run, by processor time of the least of some rounds; the limits are `orjson.loads` of the same
lines, and the bare interpreter. The floor is what the parts written in C or Rust take by themselves: parsing, writing
again (which shows what parsing changed), the schema, and the seal's blake3.
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
from blake3 import blake3

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
from runwright.trace.schemas import DECIDERS

WORDS = ("order", "customer", "refund", "invoice", "shipped", "broken", "teapot", "amount", "please", "delivery")
TURNS = 20
ROUNDS = 3
SAMPLE = 50_000
"""Lines that the bare limit is taken from."""


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--size", type=int, default=100, metavar="MB")
    size = parser.parse_args().size << 20
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "trace.jsonl"
        write(path, size)
        with path.open("rb") as stream:
            lines = [line for _, line in zip(range(SAMPLE), stream, strict=False)][1:-1]  # no header, no seal
        bare = best(lambda: parse(lines)) / len(lines)
        least = best(lambda: floor(lines)) / len(lines)
        total = validate_trace(path).total
        checked = best(lambda: validate_trace(path)) / total
        size = path.stat().st_size
        print(f"a trace of {size >> 20} MB, {size / total:,.0f} bytes a line, {bare * 1e6:.1f} us to parse one")
        print(f"validate / orjson.loads of the same lines: {checked / bare:.2f}   (target <= 1.6)")
        print(f"of that, the floor: {least / bare:.2f}")
        interpreter = memory("import time")
        validate = f"from runwright.trace import validate_trace; assert not validate_trace({str(path)!r}).problems"
        print(f"validate, memory over the interpreter's own: {memory(validate) - interpreter:.0f} MB   (target <= 64)")
        print(f"of that, imports: {memory('import runwright.trace, jsonschema_rs') - interpreter:.0f} MB")


def parse(lines: list[bytes]) -> None:
    """The bare limit: each line parsed and let go."""
    for line in lines:
        orjson.loads(line)


def floor(lines: list[bytes]) -> None:
    """What no check that parses with orjson and decides with jsonschema-rs can do without."""
    sums, held = blake3(), []
    for line in lines:
        value = orjson.loads(line)
        held.append(line)
        if orjson.dumps(value, option=orjson.OPT_APPEND_NEWLINE) != line or not DECIDERS[value["lane"]](value):
            raise AssertionError(line)
        if len(held) == 64:
            sums.update(b"".join(held))
            held.clear()


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
        id, call = f"m{number * TURNS + turn}", f"call_{number}_{turn}"
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
        tool = f"t{number * TURNS + turn}"
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
        begun = time.process_time()
        work()
        times.append(time.process_time() - begun)
    return min(times)


def memory(code: str) -> float:
    """The peak memory of a process that runs the code, in MB."""
    told = "\nprint(next(line for line in open('/proc/self/status') if line.startswith('VmHWM')).split()[1])"
    done = subprocess.run([sys.executable, "-c", code + told], check=True, capture_output=True, text=True)
    return int(done.stdout) / 1024


if __name__ == "__main__":
    main()

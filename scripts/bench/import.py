"""Importing foreign files against parsing their bytes.

    python scripts/bench/import.py [--size MB] [FORMAT ...]

Prints ratios within this run, by processor time of the least of some rounds. The bare limit is `orjson.loads` of the
same bytes, line by line where a file has lines. Each file is a fixture (or the seed of a format's fuzz test), repeated
with new ids and later times until it has the size: below one another in one file where the format holds many runs, and
as files of their own where it holds one.
"""

from __future__ import annotations

import argparse
import gc
import hashlib
import json
import re
import sys
import time
from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, NamedTuple

import orjson

from runwright.readers import Input, runs_of

ROOT = Path(__file__).resolve().parent.parent.parent
FIXTURES = ROOT / "tests" / "fixtures"
TARGET = 4.0
ROUNDS = 3
ID = re.compile(
    r"\b(?:[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|[0-9a-f]{16}|[0-9a-f]{32}"
    r"|(?:call_|toolu_|msg_|resp_|chatcmpl-|run-)(?=[A-Za-z]*\d)[A-Za-z0-9-]{1,40})\b"
)
EPOCH = re.compile(r"\b(1[789]\d{8})(\d{9}|\d{6}|\d{3}|)\b")
MOMENT = re.compile(r"\b20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d")
APART = 600
"""Seconds between one copy and the next."""


class Case(NamedTuple):
    """A file to repeat; its copies stand together as `lines`, items of a `list`, one `document` a line, or `files`."""

    format: str
    name: str
    how: str
    data: bytes


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--size", type=int, default=20, metavar="MB")
    parser.add_argument("formats", nargs="*", metavar="FORMAT")
    chosen = parser.parse_args()
    print(
        f"{'format':14} {'file':38} {'MB':>5} {'files':>6} {'loads':>7} {'import':>7} {'ratio':>6}  target {TARGET:g}"
    )
    for case in cases():
        if not chosen.formats or case.format in chosen.formats:
            _row(case, chosen.size << 20)


def _row(case: Case, size: int) -> None:
    inputs = list(repeated(case, size))
    bare = best(lambda: [loaded(each.data) for each in inputs])
    taken = best(lambda: [runs_of([each], case.format) for each in inputs])
    total = sum(len(each.data) for each in inputs) / (1 << 20)
    print(
        f"{case.format:14} {case.name:38} {total:5.1f} {len(inputs):6} {bare:7.2f} {taken:7.2f} {taken / bare:6.1f}",
        flush=True,
    )


def cases() -> Iterator[Case]:
    """Every JSON format with a file."""
    for path in sorted((FIXTURES / "otlp").glob("*.traces.json")):
        yield Case("otlp", path.name, "document", path.read_bytes())
    for format, name, how in (
        ("phoenix", "api.json", "list"),
        ("langfuse", "trace.json", "list"),
        ("langsmith", "runs.jsonl", "lines"),
        ("model_log", "orders.jsonl", "lines"),
        ("flowproof", "order-status.trace.jsonl", "files"),
        ("openai_agents", "trace.jsonl", "lines"),
        ("mlflow", "trace.json", "files"),
        ("codex", "rollout.jsonl", "files"),
    ):
        path = FIXTURES / format / name
        if path.is_file():
            yield Case(format, name, how, path.read_bytes())
    for path in sorted((FIXTURES / "claude_code").glob("*.jsonl")):
        yield Case("claude_code", path.name, "files", path.read_bytes())
    yield from _seeds()


def _seeds() -> Iterator[Case]:
    """The formats whose good file is written in their tests."""
    sys.path.insert(0, str(ROOT))
    from tests.readers.test_fuzz_formats import SEEDS

    for format in ("har", "atif", "chat_list", "openhands", "swe_agent", "inspect_ai", "mcp_log"):
        if format in SEEDS:
            yield Case(format, "seed of its fuzz test", "files", SEEDS[format])


def repeated(case: Case, size: int) -> Iterator[Input]:
    """Copies of a file until they have the size; a short file is first made longer than its own overhead."""
    text = case.data.decode()
    if case.how == "files":
        count = max(1, size // len(case.data))
        for number in range(count):
            yield Input(f"{number}.json", renewed(text, number).encode())
        return
    value: Any = None if case.how == "lines" else json.loads(text)
    items = value.get("data", [value]) if isinstance(value, dict) else value
    plain = text.strip() if case.how == "lines" else ",".join(map(_compact, items))
    plain = _compact(value) if case.how == "document" else plain
    copies = [renewed(plain, number) for number in range(max(1, size // len(plain.encode())))]
    joined = f"[{','.join(copies)}]" if case.how == "list" else "\n".join(copies) + "\n"
    yield Input(case.name, joined.encode())


def _compact(value: Any) -> str:
    return orjson.dumps(value).decode()


def renewed(text: str, number: int) -> str:
    """A copy with ids of its own, in the same places, and all times later."""

    def other(found: re.Match[str]) -> str:
        old = found.group()
        new = hashlib.blake2s(f"{old} {number}".encode()).hexdigest()
        if "-" in old[8:9] and len(old) == 36:
            return f"{new[:8]}-{new[8:12]}-4{new[13:16]}-8{new[17:20]}-{new[20:32]}"
        plain = re.fullmatch(r"[0-9a-f]+", old)
        return new[: len(old)] if plain else re.split(r"[-_]", old)[0] + old[len(re.split(r"[-_]", old)[0])] + new[:16]

    def later(found: re.Match[str]) -> str:
        when = datetime.fromisoformat(found.group()) + timedelta(seconds=number * APART % 900_000_000)
        return when.isoformat()

    moved = EPOCH.sub(lambda found: f"{int(found.group(1)) + number * APART}{found.group(2)}", ID.sub(other, text))
    return MOMENT.sub(later, moved)


def loaded(data: bytes) -> None:
    """The bytes parsed, as one document or line by line."""
    try:
        orjson.loads(data)
    except orjson.JSONDecodeError:
        for line in data.split(b"\n"):
            if line.strip():
                orjson.loads(line)


def best(work: Callable[[], object]) -> float:
    """Seconds of processor time that the fastest of some rounds takes."""
    taken = []
    for _ in range(ROUNDS):
        gc.collect()
        began = time.process_time()
        work()
        taken.append(time.process_time() - began)
        if sum(taken) > 60:
            break
    return min(taken)


if __name__ == "__main__":
    main()

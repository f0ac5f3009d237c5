"""Scanning clean traces for secrets against parsing their lines; detect-secrets on them; hard input; the start.

    python scripts/bench/scan.py [--size MB] [--write]

Prints ratios within this run, by processor time of the least of some rounds. The bare limit is `orjson.loads` of the
same lines; parsing is part of the scan. Hard input is timed at a size and at four times that: a scan that takes its
length takes four times as long. `--write` puts the tables into docs/reference/secret-gate.md.
"""

from __future__ import annotations

import argparse
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import orjson
from detect_secrets.core.scan import scan_file
from detect_secrets.settings import default_settings

from runwright.secrets import scan_text
from runwright.secrets.detect import Scanner
from runwright.secrets.scan import secrets_in

PAGE = Path(__file__).resolve().parent.parent.parent / "docs" / "reference" / "secret-gate.md"
ROUNDS = 3
STOCK_BYTES = 150_000
TARGET = 8.0
READY = 200
WORDS = (
    "order", "customer", "refund", "invoice", "shipped", "broken", "teapot", "amount", "please", "delivery",
    "return", "function", "file", "path", "user", "agent", "café", "naïve", "データ", "→",
)  # fmt: skip
TELLING = ("token", "key", "password", "author", "passed")
"""Words like those that name a secret: one in forty."""

CODE = (
    "def f(x):\n    return x + 1\n",
    'for row in rows:\n\tprint(row["id"])\n',
    "SELECT id, name FROM orders WHERE id = 42;\n",
    "https://example.com/api/v1/items?page=2&limit=50\n",
    '{"order": "A-1", "n": 3, "tags": ["new", "late"]}\n',
    "sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08\n",
)
HARD: dict[str, Callable[[int], str]] = {
    "spaces after a name": lambda size: "api_key" + " " * size + "= x",
    "`eyey`": lambda size: "eyey" * (size // 4),
    "`eyJ.`": lambda size: "eyJ." * (size // 4),
    "one letter": lambda size: "a" * size,
    "`password=`": lambda size: "password=" * (size // 9),
    "`\"password\": \"`": lambda size: '"password": "' * (size // 13),
    "backslashes": lambda size: "\\" * size,
    "`-----BEGIN `": lambda size: "-----BEGIN " * (size // 11),
    "`data: {}` lines": lambda size: 'data: {"delta":"a"}\n' * (size // 20),
    "`%41`": lambda size: "%41" * (size // 3),
}  # fmt: skip


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--size", type=int, default=8, metavar="MB")
    parser.add_argument("--write", action="store_true")
    given = parser.parse_args()
    text = "\n".join((*speed(given.size << 20), "", *hard(), "", *start()))
    print(text)
    if given.write:
        page = PAGE.read_text(encoding="utf-8")
        before, _, rest = page.partition("<!-- speed -->\n")
        PAGE.write_text(
            f"{before}<!-- speed -->\n{text}\n<!-- /speed -->{rest.partition('<!-- /speed -->')[2]}", encoding="utf-8"
        )


def speed(size: int) -> Iterator[str]:
    """Clean lines of two shapes: scanned, and parsed only; detect-secrets on the first of them."""
    yield "| clean lines | to parse them | to scan them | ratio | target | stock detect-secrets |"
    yield "|---|---|---|---|---|---|"
    for name, make in (("long texts", long_texts), ("many small values", small_values)):
        lines = list(lines_of(make, size))
        total = sum(map(len, lines))
        bare = best(lambda lines=lines: [orjson.loads(line) for line in lines])
        found: list[object] = []
        whole = best(lambda lines=lines, found=found: found.extend(scan(lines)))
        if found:
            raise SystemExit(f"{name}: not clean: {found[0]}")
        stock = total / STOCK_BYTES * best(lambda lines=lines: detect_secrets(lines), 1)
        speeds = " | ".join(f"{total / spent / 1e6:,.0f} MB/s" for spent in (bare, whole))
        yield f"| {name} | {speeds} | {whole / bare:.1f}x | {TARGET:g}x | {total / stock / 1e6:.2f} MB/s |"


def scan(lines: list[bytes]) -> list[object]:
    """The findings of lines, each parsed and let go."""
    return list(secrets_in(lambda: (("", orjson.loads(line)) for line in lines), Scanner(), lambda _: False))


def detect_secrets(lines: list[bytes]) -> None:
    """Stock detect-secrets on about as many bytes as are waited for."""
    with tempfile.TemporaryDirectory() as folder, default_settings():
        path = Path(folder) / "trace.jsonl"
        path.write_bytes(b"\n".join(lines)[:STOCK_BYTES])
        list(scan_file(str(path)))


def lines_of(make: Callable[[random.Random], object], size: int) -> Iterator[bytes]:
    """Lines of one shape, about so many bytes."""
    chance, written = random.Random(7), 0
    while written < size:
        line = orjson.dumps(make(chance))
        written += len(line)
        yield line


def long_texts(chance: random.Random) -> object:
    """A record of a conversation: prose and code."""
    return {
        "lane": "model",
        "id": f"m{chance.randrange(10**6)}",
        "request": {"api": "openai.chat_completions", "messages": [said(chance) for _ in range(4)]},
        "response": {"content": said(chance), "usage": {"input_tokens": 900, "output_tokens": 9}},
    }


def said(chance: random.Random) -> object:
    return {"role": "user", "content": [{"type": "text", "text": prose(chance)}]}


def words(chance: random.Random, count: int) -> str:
    """So many words."""
    return " ".join(chance.choice(TELLING if chance.random() < 1 / 40 else WORDS) for _ in range(count))


def prose(chance: random.Random) -> str:
    """Some sentences, and sometimes code."""
    text = words(chance, chance.randrange(20, 160))
    return f"{text}.\n{chance.choice(CODE)}" if chance.random() < 0.3 else text


def small_values(chance: random.Random) -> object:
    """A record of a tool: ids, numbers, short texts, nested."""
    rows = [
        {
            "id": f"{chance.getrandbits(128):032x}",
            "call_id": f"call_{chance.getrandbits(96):024x}",
            "amount": chance.randrange(10**6) / 100,
            "open": chance.random() < 0.5,
            "tags": chance.choices(WORDS[:10], k=3),
            "note": words(chance, 6),
            "at": f"2026-11-{chance.randrange(10, 30)}T10:00:{chance.randrange(10, 60)}.000Z",
        }
        for _ in range(6)
    ]
    return {
        "lane": "tool",
        "id": f"t{chance.randrange(10**6)}",
        "name": "lookup",
        "arguments": {"n": 3},
        "result": rows,
    }


def hard() -> Iterator[str]:
    """Input made to be slow."""
    yield "| hard input | 1 MB | 4 MB | times as long |"
    yield "|---|---|---|---|"
    for name, make in HARD.items():
        short, long = (best(partial(scan_text, make(size)), 2) for size in (1_000_000, 4_000_000))
        yield f"| {name} | {short * 1000:,.0f} ms | {long * 1000:,.0f} ms | {long / short:.1f} |"


def start() -> Iterator[str]:
    """How long a process takes until its first scan is done, over what any command loads."""
    before = "import runwright.trace, yaml\n"
    code = (
        "import time\nbegun = time.process_time()\nfrom runwright.secrets import scan_text\nscan_text('a b c')\n"
        "print(time.process_time() - begun)"
    )
    times = [float(subprocess.check_output([sys.executable, "-c", before + code])) for _ in range(5)]
    yield f"The first scan of a process is done {min(times) * 1000:.0f} ms after it was asked for (target: {READY} ms)."


def best(work: Callable[[], object], rounds: int = ROUNDS) -> float:
    """The least seconds of some rounds."""
    times = []
    for _ in range(rounds):
        begun = time.process_time()
        work()
        times.append(time.process_time() - begun)
    return min(times)


if __name__ == "__main__":
    main()

"""Importing foreign files against parsing their bytes.

    python scripts/bench/import.py [--size MB] [FORMAT ...]
    python scripts/bench/import.py --memory [--size MB] [FORMAT ...]

Prints ratios within this run, by processor time of the least of some rounds. The bare limit is `orjson.loads` of the
same bytes, line by line where a file has lines. Three kinds of files are repeated until they have the size, each copy
with ids and words of its own and all times later:

* fixtures, or the seed of a format's fuzz test: spans and lines of a few hundred bytes, which show what a record costs
  whatever it holds;
* conversations of 20 turns with texts of a usual size, where each call repeats all that was said before it;
* real exports, where this machine has them (RUNWRIGHT_SAMPLES).

Beside OTLP stands the least that any loop in Python over its spans takes: one that only parses, names the attributes
and makes one empty record a span (`least.py`).

Copies stand below one another in one file where the format holds many runs, and are files of their own where it holds
one. No copy may be taken for another: the exchanges are counted.

With `--memory` instead the most memory that the import of one file of conversations, a line each or a line a call,
takes over the interpreter's own with everything imported; for a file of this size, and for one ten times as long. Each
is imported in a process of its own into a folder, behind the secret gate.
"""

from __future__ import annotations

import argparse
import base64
import hashlib
import json
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any, NamedTuple

import orjson
from against_loads import best, loaded
from conversations import WRITERS, conversation
from least import records

from runwright.errors import RunwrightError
from runwright.readers import Input, runs_of, sniff

ROOT = Path(__file__).resolve().parent.parent.parent
FIXTURES = ROOT / "tests" / "fixtures"
SAMPLES = Path(os.environ.get("RUNWRIGHT_SAMPLES") or ROOT.parent / "shared" / "samples")
TARGET = 4.0
ID = re.compile(
    r"(?<![0-9A-Za-z+/])(?:[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|[0-9a-f]{16}|[0-9a-f]{24}|[0-9a-f]{32}"
    r"|[A-Za-z0-9+/]{11}=|[A-Za-z0-9+/]{22}==|(?:tr|o)-\d{1,3}"
    r"|(?:call_|toolu_|msg_|resp_|chatcmpl-|run-)(?=[A-Za-z]*\d)[A-Za-z0-9-]{1,40})(?![0-9A-Za-z+/=])"
)
EPOCH = re.compile(r"\b(1[789]\d{8})(\d{9}|\d{6}|\d{3}|)\b")
MOMENT = re.compile(r"\b20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d")
WORD = re.compile(r"(?<=[a-z]{2} )[a-z]{5,}(?= [a-z]{2})")
APART = 600
"""Seconds between one copy and the next."""


LINES = ("langsmith", "litellm", "chat_list")
IMPORT = """
import sys
from pathlib import Path
from runwright.cli.importing import import_many
from runwright.readers import READERS

def most():
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmHWM")) / 1024

before = most()
path, format, out = sys.argv[1:]
done = import_many([Path(path)], format, Path(out), redact=False, summed_up=False)
assert done.exit == 0 and any(Path(out).iterdir())
print(most() - before)
"""
"""What a process of its own runs: an import, and how much more memory it held at once than before."""


class Case(NamedTuple):
    """What to repeat: the text of each copy by its number. Copies stand in one file, or are `files` of their own."""

    format: str
    name: str
    how: str
    copy: Callable[[int], str]


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--size", type=int, default=20, metavar="MB")
    parser.add_argument("--memory", action="store_true", help="measure memory, not time")
    parser.add_argument("formats", nargs="*", metavar="FORMAT")
    chosen = parser.parse_args()
    if chosen.memory:
        print(f"{'format':14} {'MB':>5} {'over':>8} {'MB':>5} {'over':>8} {'ratio':>6}")
        for format in chosen.formats or LINES:
            _memory(format, chosen.size)
        return
    print(
        f"{'format':14} {'file':38} {'MB':>5} {'files':>6} {'loads':>7} {'import':>7} {'ratio':>6} {'least':>6}"
        f"  target {TARGET:g}"
    )
    for case in cases():
        if not chosen.formats or case.format in chosen.formats:
            _row(case, chosen.size << 20)


def _row(case: Case, size: int) -> None:
    inputs = list(repeated(case, size))
    bare = best(lambda: [loaded(each.data) for each in inputs])
    taken = best(lambda: [runs_of([each], case.format) for each in inputs])
    least = best(lambda: [records(each.data) for each in inputs]) / bare if case.format == "otlp" else None
    total = sum(len(each.data) for each in inputs) / (1 << 20)
    print(
        f"{case.format:14} {case.name:38} {total:5.1f} {len(inputs):6} {bare:7.2f} {taken:7.2f} {taken / bare:6.1f}"
        f" {'' if least is None else f'{least:.1f}':>6}",
        flush=True,
    )


def _memory(format: str, size: int) -> None:
    small, large = (_over(format, each << 20) for each in (size, 10 * size))
    print(f"{format:14} {size:5} {small:5.0f} MB {10 * size:5} {large:5.0f} MB {large / small:6.1f}", flush=True)


def _over(format: str, size: int) -> float:
    """MB that importing a file of conversations takes over the interpreter's own."""
    with tempfile.TemporaryDirectory() as folder:
        path, written = Path(folder) / "export.jsonl", 0
        with path.open("w") as out:
            for number in count():
                written += out.write(f"{conversation(format, number)}\n")
                if written >= size:
                    break
        command = [sys.executable, "-c", IMPORT, str(path), format, f"{folder}/out"]
        told = subprocess.run(command, check=True, capture_output=True, text=True)
        return float(told.stdout)


def cases() -> Iterator[Case]:
    """Every JSON format with a file."""
    for path in sorted((FIXTURES / "otlp").glob("*.traces.json")):
        yield _again("otlp", path.name, "lines", path.read_text())
    for format, name, how in (
        ("phoenix", "api.json", "list"),
        ("langfuse", "trace.json", "list"),
        ("langsmith", "runs.jsonl", "lines"),
        ("model_log", "orders.jsonl", "lines"),
        ("flowproof", "order-status.trace.jsonl", "files"),
        ("openai_agents", "trace.jsonl", "lines"),
        ("mlflow", "trace.json", "list"),
        ("codex", "rollout.jsonl", "files"),
    ):
        path = FIXTURES / format / name
        if path.is_file():
            yield _again(format, name, how, path.read_text())
    for path in sorted((FIXTURES / "claude_code").glob("*.jsonl")):
        yield _again("claude_code", path.name, "files", path.read_text())
    yield from _seeds()
    for name in WRITERS:
        yield Case(
            name.split()[0], f"conversations {name[len(name.split()[0]) :]}", "lines", partial(conversation, name)
        )
    yield from _samples()


def _again(format: str, name: str, how: str, text: str) -> Case:
    """A file's copies, one a line or one item of a list where they stand together."""
    lines = text.splitlines()
    if how == "lines" and len(lines) > 1 and lines[1].startswith("{"):
        plain = text.strip()
    elif how == "files":
        plain = text
    else:
        value = json.loads(text)
        held = value.get("data") if isinstance(value, dict) else value
        plain = ",".join(map(_compact, held if how == "list" and isinstance(held, list) else [value]))
    return Case(format, name, how, partial(renewed, plain))


def _seeds() -> Iterator[Case]:
    """The formats whose good file is written in their tests."""
    sys.path.insert(0, str(ROOT))
    from tests.readers.test_fuzz_formats import SEEDS

    for format in ("har", "atif", "chat_list", "openhands", "swe_agent", "inspect_ai", "mcp_log"):
        if format in SEEDS:
            yield _again(format, "seed of its fuzz test", "files", SEEDS[format].decode())


def _samples() -> Iterator[Case]:
    """Real exports that are JSON and can be imported, all of a format in turn."""
    found: dict[str, list[str]] = {}
    for path in sorted(SAMPLES.rglob("*")) if SAMPLES.is_dir() else ():
        data = path.read_bytes() if path.is_file() else b""
        format = sniff(data[:65536]) if data[:1] in (b"{", b"[") else None
        try:
            if format and runs_of([Input(path.name, data)], format):
                loaded(data)
                found.setdefault(format, []).append(data.decode())
        except (RunwrightError, orjson.JSONDecodeError):  # there are files that orjson cannot read: nothing to compare
            continue
    for format, texts in sorted(found.items()):
        yield Case(format, f"{len(texts)} real files", "files", partial(_one_of, texts))


def _one_of(texts: list[str], number: int) -> str:
    return renewed(texts[number % len(texts)], number)


def repeated(case: Case, size: int) -> Iterator[Input]:
    """Copies until they have the size, in one file or in files of their own."""
    copies: list[str] = []
    total = 0
    for number in count():
        copies.append(case.copy(number))
        total += len(copies[-1].encode())
        if total >= size:
            break
    if case.how == "files":
        yield from (Input(f"{number}.json", each.encode()) for number, each in enumerate(copies))
        return
    whole = Input(case.name, joined(case, copies))
    one, all_ = (_exchanges(case, each) for each in (Input(case.name, joined(case, copies[:1])), whole))
    if all_ != one * len(copies):
        sys.exit(f"{case.format} {case.name}: {all_} exchanges in {len(copies)} copies of {one}")
    yield whole


def joined(case: Case, copies: list[str]) -> bytes:
    """The copies in one file."""
    return (f"[{','.join(copies)}]" if case.how == "list" else "\n".join(copies) + "\n").encode()


def _exchanges(case: Case, source: Input) -> int:
    return sum(len(run.trace.models) for run in runs_of([source], case.format))


def _compact(value: Any) -> str:
    return orjson.dumps(value).decode()


def renewed(text: str, number: int) -> str:
    """A copy with ids and some words of its own, in the same places, and all times later."""

    def later(found: re.Match[str]) -> str:
        when = datetime.fromisoformat(found.group()) + timedelta(seconds=number * APART % 900_000_000)
        return when.isoformat()

    text = ID.sub(lambda found: _other(found.group(), number), text)
    text = EPOCH.sub(lambda found: f"{int(found.group(1)) + number * APART}{found.group(2)}", text)
    return WORD.sub(lambda found: _word(number, len(found.group())), MOMENT.sub(later, text))


def _other(old: str, number: int) -> str:
    """Another id of the same form."""
    digest = hashlib.blake2s(f"{old} {number}".encode())
    if old.isdigit():  # perhaps a number, or the digits of one
        return old[0] + str(int.from_bytes(digest.digest(), "big"))[: len(old) - 1]
    new = digest.hexdigest()
    if len(old) == 36 and old[8] == "-":
        return f"{new[:8]}-{new[8:12]}-4{new[13:16]}-8{new[17:20]}-{new[20:32]}"
    if old.endswith("="):
        return base64.b64encode(digest.digest()[: 16 if old.endswith("==") else 8]).decode()
    head = re.match(r"[a-z]+[-_]", old)
    return head.group() + new[:16] if head else new[: len(old)]


def _word(number: int, length: int) -> str:
    """The number as letters, so many."""
    return "".join(chr(97 + number // 26**at % 26) for at in range(length))


if __name__ == "__main__":
    main()

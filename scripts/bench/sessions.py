"""Importing one long session against parsing its bytes, and how the time grows with its length.

    python scripts/bench/sessions.py [--size MB] [FORMAT ...]

Each session is a short one whose turns are said again and again under new ids, in other words and at later times.
It compacts no sooner than a megabyte after it did last, which is more than most models can be told; where its format
has no such thing, it has a megabyte, or two where its texts are long. `exp` is the exponent of the time over a quarter,
a half and the whole of the size: 1 where the time is linear. Ratios are of processor time within this run, the least of
some rounds. Real sessions stand in the table where this machine has them (RUNWRIGHT_SAMPLES).
"""

from __future__ import annotations

import argparse
import json
import math
import os
import re
import statistics
import sys
from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, NamedTuple

import orjson
from against_loads import best, loaded

from runwright.readers import Input, runs_of

ROOT = Path(__file__).resolve().parent.parent.parent
FIXTURES = ROOT / "tests" / "fixtures"
SAMPLES = Path(os.environ.get("RUNWRIGHT_SAMPLES") or ROOT.parent / "shared" / "samples")
TARGET = 4.0
WINDOW = 1 << 20
"""Bytes of a conversation before it compacts."""
UNBOUNDED = 1 << 40
NAMES = ("uuid", "id", "call_id", "tool_use_id", "tool_call_id", "source_call_id", "toolCallId", "requestId", "cause")
"""Fields whose values are ids, of a message, of a call, or of what they refer to."""
COMPACTS = ('"compacted"', '"compact_boundary"', '"isCompactSummary"', '"$set"', '"$rewindTo"')
MOMENT = re.compile(r"\b20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d")
TEXT = re.compile(r'("(?:text|content|message)": ?"(?![{\[]|data:|event:)(?:[^"\\]|\\.)+)"')
NUMBERED = re.compile(r'"(id|step_id|cause)": ?(\d+)(?=[,}])')
APART = 60
"""Seconds between one copy and the next."""


class Short(NamedTuple):
    """A short session: its lines, or the items at `path` of one document; some of the first are said once."""

    format: str
    name: str
    data: bytes
    path: tuple[str | int, ...] | None = None
    once: int = 0
    most: int = UNBOUNDED


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--size", type=int, default=20, metavar="MB")
    parser.add_argument("formats", nargs="*", metavar="FORMAT")
    chosen = parser.parse_args()
    print(
        f"{'format':12} {'session':40} {'MB':>5} {'loads':>7} {'import':>7} {'ratio':>6} {'exp':>5}  target {TARGET:g}"
    )
    for short in shorts():
        if not chosen.formats or short.format in chosen.formats:
            _row(short, min(chosen.size << 20, short.most))


def _row(short: Short, size: int) -> None:
    points = []
    for part in (4, 2, 1):
        source = Input(short.name, grown(short, size // part))
        points.append((len(source.data), best(lambda source=source: runs_of([source], short.format))))
    total, taken = points[-1]
    bare = best(lambda: loaded(source.data))
    print(
        f"{short.format:12} {short.name[-40:]:40} {total / (1 << 20):5.1f} {bare:7.3f} {taken:7.2f} {taken / bare:6.1f}"
        f" {exponent(points):5.2f}",
        flush=True,
    )


def exponent(points: Sequence[tuple[int, float]]) -> float:
    """The slope of the line through sizes and times on logarithmic scales."""
    return statistics.linear_regression([math.log(size) for size, _ in points], [math.log(t) for _, t in points]).slope


def shorts() -> Iterator[Short]:
    """The sessions, of fixtures, of tests and real ones."""
    for format, name, most in (
        ("claude_code", "5e551011-0000-4000-8000-000000000001.jsonl", UNBOUNDED),
        ("codex", "rollout.jsonl", UNBOUNDED),
        ("codex", "exec.jsonl", WINDOW),
        ("gemini_cli", "session-2026-11-30T12-00-9e319e31.jsonl", UNBOUNDED),
    ):
        yield Short(format, name, (FIXTURES / format / name).read_bytes(), once=1, most=most)
    old = FIXTURES / "gemini_cli" / "session-old.json"
    yield Short("gemini_cli", old.name, old.read_bytes(), path=("messages",), most=WINDOW)
    sys.path.insert(0, str(ROOT))
    from tests.readers.test_fuzz_formats import SEEDS

    for format, path, once in (
        ("har", ("log", "entries"), 0),
        ("atif", ("steps",), 1),
        ("chat_list", (0, "traj"), 1),
        ("openhands", (), 0),
        ("swe_agent", ("history",), 2),
        ("inspect_ai", ("samples", 0, "events"), 2),
        ("mcp_log", None, 0),
    ):
        named = f"seed, {'lines' if path is None else '.'.join(map(str, path)) or 'list'}"
        yield Short(format, named, SEEDS[format], path, once, WINDOW)
    yield from _real()


def _real() -> Iterator[Short]:
    for format, pattern, path, once in (
        ("claude_code", "claude-code/*fe5e1c67*.jsonl", None, 0),
        ("claude_code", "claude-code/*5c0375b4*.jsonl", None, 0),
        ("swe_agent", "swe-agent/SWE-agent__56c1363c__*.traj", ("history",), 2),
        ("inspect_ai", "inspect-ai/*security-guide.json", ("samples", 0, "events"), 2),
        ("openhands", "openhands/*basic_gui_mode.json", (), 0),
        ("atif", "atif/openagents__*trajectory.json", ("steps",), 1),
    ):
        for file in sorted(SAMPLES.glob(pattern)):
            name = f"real, {file.name.rpartition('__')[2]}"
            most = UNBOUNDED if path is None else 2 * WINDOW
            yield Short(format, name, file.read_bytes(), path, once, most)


def grown(short: Short, size: int) -> bytes:
    """The session, as long as this many bytes."""
    if short.path is None:
        lines = [line for line in short.data.decode().split("\n") if line.strip()]
        return "\n".join([*lines[: short.once], *_copies(lines[short.once :], size)]).encode() + b"\n"
    document = json.loads(short.data)
    holder = {"": document}
    *above, last = ("", *short.path)
    for key in above:
        holder = holder[key]
    items = [orjson.dumps(each).decode() for each in holder[last]]
    copies = f"[{','.join([*items[: short.once], *_copies(items[short.once :], size)])}]"
    if not short.path:
        return copies.encode()
    holder[last] = "the copies"
    return orjson.dumps(document).replace(b'"the copies"', copies.encode(), 1)


def _copies(body: Sequence[str], size: int) -> Iterator[str]:
    """The lines or items over and over; those of a copy that follow nothing follow the last of the copy before."""
    own = sorted(set(_ids([orjson.loads(each) for each in body])), key=len, reverse=True)
    known = re.compile("|".join(f'"{re.escape(each)}"' for each in own) or "(?!)")
    made, compacted, last = 0, 0, ""
    for number in range(size):
        compacts = made - compacted > WINDOW
        compacted = made if compacts else compacted
        for each in body:
            if not compacts and any(mark in each for mark in COMPACTS):
                continue
            text = _other(known.sub(lambda found: f'{found.group()[:-1]}~{number}"', each), number)  # noqa: B023  used at once
            text = re.sub(r'"parentUuid": ?null', f'"parentUuid":"{last}"', text) if last else text
            own_id = re.search(r'"uuid": ?"([^"]+)"', text)
            last = own_id.group(1) if own_id else last
            made += len(text.encode()) + 1
            yield text
        if made >= size:
            return


def _other(text: str, number: int) -> str:
    """The same at a later time, in other words."""

    def later(found: re.Match[str]) -> str:
        return (datetime.fromisoformat(found.group()) + timedelta(seconds=number * APART)).isoformat()

    numbered = NUMBERED.sub(lambda found: f'"{found.group(1)}":{int(found.group(2)) + number * 1000}', text)
    return MOMENT.sub(later, TEXT.sub(rf'\1 {number}"', numbered))


def _ids(value: Any) -> Iterator[str]:
    if isinstance(value, list):
        for each in value:
            yield from _ids(each)
    elif isinstance(value, dict):
        for key, each in value.items():
            if key in NAMES and isinstance(each, str) and each:
                yield each
            else:
                yield from _ids(each)


if __name__ == "__main__":
    main()

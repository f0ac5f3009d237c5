"""Checking a trace and taking its fingerprint, against parsing its lines and against its size.

    python scripts/bench/trace.py [--megabytes N] [--records N] [--memory MB] [--json]

Prints ratios within this run, by processor time of the fastest of some rounds; the limit is `orjson.loads` of the same
lines. The floor is what the parts written in C or Rust take by themselves: parsing, writing again (which shows what
parsing changed), the schema, and the seal's blake3. Beside it: jsonschema alone, as its documentation uses it, on some
of the records. Then the cost of a record in traces of a hundred records and up to `--records`, with the exponent that
fits it: 1 where cost grows as size does. With `--memory` the memory that a trace of so many megabytes takes.
"""

from __future__ import annotations

import argparse
import json
import math
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

import jsonschema
import orjson
from blake3 import blake3

if __package__ is None:
    sys.path.insert(0, str(Path(__file__).parent))

from against_loads import best  # type: ignore[import-not-found]

from corpus import write  # type: ignore[import-not-found]
from runwright.fingerprint import fingerprint_of_file
from runwright.trace import read_trace, schema, validate_trace
from runwright.trace.schemas import DECIDERS

SIZES = (100, 1_000, 10_000, 100_000, 1_000_000)
SAMPLE = 300
"""Records that jsonschema decides; it would take minutes over all."""

SHORT = 400
"""Characters of the longest text in traces that are compared by size."""

LIMIT = 64
"""Megabytes over the interpreter's own."""


def main() -> None:
    """Print the tables, or all of it as JSON."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--megabytes", type=int, default=40, metavar="N")
    parser.add_argument("--records", type=int, default=100_000, metavar="N")
    parser.add_argument("--memory", type=int, default=0, metavar="MB")
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "trace.jsonl"
        found = {
            "ratios": {kind: ratios(path, given.megabytes << 20, kind == "plain") for kind in ("mixed", "plain")},
            "sizes": sizes(path, [each for each in SIZES if each <= given.records]),
            "memory": memory(path, given.memory) if given.memory else {},
        }
    print(json.dumps(found, indent=2) if given.json else told(found))


def ratios(path: Path, size: int, plain: bool) -> dict[str, float]:
    """What each operation takes, in times what parsing takes."""
    write(path, size=size, plain=plain)
    with path.open("rb") as stream:
        lines = stream.readlines()[1:-1]
    bare = best(lambda: parse(lines))
    alone = jsonschema.Draft202012Validator(schema("trace-v1"))
    some = [orjson.loads(line) for line in lines[:SAMPLE]]
    return {
        "bytes a line": sum(map(len, lines)) / len(lines),
        "microseconds to parse one": bare / len(lines) * 1e6,
        "validate": best(lambda: validate_trace(path)) / bare,
        "the floor of it": best(lambda: floor(lines)) / bare,
        "read": best(lambda: read_trace(path)) / bare,
        "fingerprint": best(lambda: fingerprint_of_file(path)) / bare,
        "jsonschema alone": best(lambda: [alone.is_valid(each) for each in some]) / len(some) / (bare / len(lines)),
    }


def parse(lines: Sequence[bytes]) -> None:
    """The bare limit: each line parsed and let go."""
    for line in lines:
        orjson.loads(line)


def floor(lines: Sequence[bytes]) -> None:
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


def sizes(path: Path, records: Sequence[int]) -> dict[str, object]:
    """Microseconds a record, and the exponents that fit them."""
    rows = []
    for count in records:
        write(path, records=count, longest=SHORT)
        assert validate_trace(path).total == count
        times = {"validate": best(lambda: validate_trace(path)), "fingerprint": best(lambda: fingerprint_of_file(path))}
        rows.append({"records": count, **{name: taken / count * 1e6 for name, taken in times.items()}})
    fitted = {name: exponent(rows, name) for name in ("validate", "fingerprint")}
    return {"microseconds a record": rows, "exponent": fitted}


def exponent(rows: Sequence[dict[str, float]], name: str) -> float:
    """The power of the size that the whole cost grows with, by least squares; from a thousand records on."""
    points = [(math.log(row["records"]), math.log(row[name] * row["records"])) for row in rows if row["records"] > 100]
    if len(points) < 2:
        return math.nan
    mean_x, mean_y = (sum(each) / len(points) for each in zip(*points, strict=True))
    return sum((x - mean_x) * (y - mean_y) for x, y in points) / sum((x - mean_x) ** 2 for x, _ in points)


def memory(path: Path, megabytes: int) -> dict[str, float]:
    """The peak memory of each operation over the interpreter's own, in megabytes."""
    records = write(path, size=megabytes << 20)
    bare = peak("import time")
    codes = {
        "imports": "import jsonschema_rs, runwright.fingerprint, runwright.trace; runwright.trace.LANES",
        "validate": f"from runwright.trace import validate_trace; assert not validate_trace({str(path)!r}).problems",
        "fingerprint": "from pathlib import Path; from runwright.fingerprint import fingerprint_of_file; "
        f"fingerprint_of_file(Path({str(path)!r}))",
    }
    return {"megabytes": megabytes, "records": records, **{name: peak(code) - bare for name, code in codes.items()}}


def peak(code: str) -> float:
    """The peak memory of a process that runs the code, in megabytes."""
    said = "\nprint(next(line for line in open('/proc/self/status') if line.startswith('VmHWM')).split()[1])"
    done = subprocess.run([sys.executable, "-c", code + said], check=True, capture_output=True, text=True)
    return int(done.stdout) / 1024


def told(found: dict) -> str:  # type: ignore[type-arg]
    """All of it as tables."""
    targets = {"validate": "1.6", "fingerprint": "2.2"}
    lines = [f"{'times orjson.loads of the same lines':38}{'mixed':>9}{'plain':>9}   target"]
    for name in found["ratios"]["mixed"]:
        row = "".join(f"{found['ratios'][kind][name]:9.2f}" for kind in ("mixed", "plain"))
        lines.append(f"{name:38}{row}   {targets.get(name, '')}".rstrip())
    lines += ["", f"{'microseconds a record':>22}{'validate':>12}{'fingerprint':>14}"]
    for row in found["sizes"]["microseconds a record"]:
        lines.append(f"{row['records']:22,}{row['validate']:12.1f}{row['fingerprint']:14.1f}")
    fitted = found["sizes"]["exponent"]
    lines.append(f"{'fitted exponent':>22}{fitted['validate']:12.2f}{fitted['fingerprint']:14.2f}")
    if told_memory := found["memory"]:
        lines += ["", f"megabytes over the interpreter's own, {told_memory['megabytes']} MB (target <= {LIMIT})"]
        lines += [f"{name:22}{told_memory[name]:12.0f}" for name in ("imports", "validate", "fingerprint")]
    return "\n".join(lines)


if __name__ == "__main__":
    main()

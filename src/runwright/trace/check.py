"""Checking a whole file and telling every fault; sealing it anew."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import orjson
from blake3 import blake3

from runwright.errors import IncompleteTrace, TraceError
from runwright.trace.jsonl import CUT_FRAME, CUT_LINE, Fault, Line, scan
from runwright.trace.lines import Readable
from runwright.trace.model import JSON
from runwright.trace.packed import opened, packing
from runwright.trace.resolve import Requests, Unresolvable

MOST_PROBLEMS = 100
"""Problems that are told of one file."""


@dataclass(frozen=True)
class Checked:
    """What checking a file found: every problem with its place, and the records per lane."""

    name: str
    problems: tuple[str, ...]
    records: dict[str, int]

    @property
    def total(self) -> int:
        """The records of all lanes."""
        return sum(self.records.values())

    def as_json(self) -> JSON:
        """The result as plain JSON."""
        return {"name": self.name, "problems": list(self.problems), "records": dict(self.records)}


class _EnoughError(Exception):
    """More problems than anyone reads."""


def validate_trace(path: Path | str) -> Checked:
    """Check a file line by line, in constant memory, and go on after a fault where that is possible."""
    found: list[str] = []
    records: Counter[str] = Counter()

    def fault(error: TraceError) -> None:
        found.append(str(error) + (f" (hint: {error.hint})" if error.hint else ""))
        if len(found) >= MOST_PROBLEMS:
            raise _EnoughError

    try:
        with opened(Path(path)) as stream:
            for _, kind, value in _resolving(stream, str(path), fault):
                if kind == "record":
                    records[value["lane"]] += 1
    except TraceError as error:  # a fault after which no line can be trusted
        found.append(str(error))
    except _EnoughError:
        found.append(f"{path}: and perhaps more; these are the first {MOST_PROBLEMS}")
    except OSError as error:
        found.append(f"{path}: cannot be read: {error.strerror or error}")
    return Checked(str(path), tuple(found), dict(sorted(records.items())))


def seal_trace(path: Path) -> str:
    """Seal a file anew, in place and at once, after checking every line; the seal. TraceError where a line is wrong."""

    def fault(error: TraceError) -> None:
        if not isinstance(error, IncompleteTrace) or error.message in (CUT_LINE, CUT_FRAME):
            raise error

    digest, counts = blake3(), Counter[str]()
    half = path.with_name(f".{path.name}.tmp")
    try:
        with opened(path) as stream, half.open("wb") as out:
            with packing(out, path) as packed:
                for _, kind, value in _resolving(stream, str(path), fault):
                    if kind == "seal":
                        continue
                    raw = orjson.dumps(value) + b"\n"
                    digest.update(raw)
                    packed.write(raw)
                    if kind == "record":
                        counts[value["lane"]] += 1
                seal = f"blake3:{digest.hexdigest()}"
                packed.write(orjson.dumps({"seal": seal, "records": dict(sorted(counts.items()))}) + b"\n")
            out.flush()
            os.fsync(out.fileno())
        half.replace(path)
    except OSError as error:
        raise TraceError(f"cannot be sealed: {error.strerror or error}", place=str(path)) from error
    finally:
        half.unlink(missing_ok=True)
    return seal


def _resolving(stream: Readable, name: str, fault: Fault) -> Iterator[Line]:
    """The lines as `scan` gives them, with what they refer to looked up as well."""
    requests = Requests()
    for line in scan(stream, name, fault):
        number, kind, value = line
        if kind == "record":
            try:
                requests.whole(value)
            except Unresolvable as error:
                fault(TraceError(str(error), place=f"{name}:{number}: {error.path}"))
        yield line

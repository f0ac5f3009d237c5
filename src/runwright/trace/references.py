"""What the lines of a trace say about each other: ids, edges, parents and the digests of blobs."""

from __future__ import annotations

from collections import Counter

from runwright.trace.digests import digest_bytes
from runwright.trace.ids import Ids

TYPE_CHECKING = False  # the module typing takes longer to load than a small trace to read
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any


class References:
    """Checks each record against the ones before it; keeps ids only, so that a trace of any size fits."""

    def __init__(self) -> None:
        self.counts: Counter[str] = Counter()
        self._ids = Ids()
        self._blobs: set[str] = set()
        self._parents: dict[str, str] = {}
        self._awaited: dict[str, int] = {}

    def faults(self, number: int, record: dict[str, Any]) -> list[tuple[str, str]]:
        """Where and why the record on that line contradicts the ones before it, as (JSONPath, message)."""
        found = list(self._wrong(record))
        self._add(number, record)
        return found

    def fits(self, number: int, record: dict[str, Any]) -> bool:
        """Whether nothing is wrong with the record, which counts as a line before the next ones only then."""
        lane = record["lane"]
        if "parent" in record or "after_inferred" in record or lane == "blob":
            if next(self._wrong(record), None):
                return False
            self._add(number, record)
            return True
        ids, mine, after = self._ids, record["id"], record.get("after")
        if mine in self._blobs or (after and not ids.holds(after)) or not ids.add(mine):
            return False
        self.counts[lane] += 1
        return True

    def _add(self, number: int, record: dict[str, Any]) -> None:
        mine, lane = record["id"], record["lane"]
        self.counts[lane] += 1
        if lane == "blob":
            self._blobs.add(mine)
        else:
            self._ids.add(mine)
        parent = record.get("parent")
        if parent is not None:
            self._parents[mine] = parent
            if parent not in self._ids:
                self._awaited.setdefault(parent, number)

    def unresolved(self) -> Iterator[tuple[str, int, str]]:
        """Parents that no line has, and records that run inside themselves, as (JSONPath, line, message)."""
        for parent, number in self._awaited.items():
            if parent not in self._ids:
                yield "$.parent", number, f"no record is called {parent!r}"
            elif self._inside_itself(parent):
                yield "$.parent", number, f"{parent!r} runs inside itself"

    def _wrong(self, record: dict[str, Any]) -> Iterator[tuple[str, str]]:
        mine = record["id"]
        if mine in self._ids or mine in self._blobs:
            yield "$.id", f"the id {mine!r} occurs twice"
        for name in ("after", "after_inferred"):
            for at, earlier in enumerate(record.get(name, ())):
                if earlier in self._blobs:
                    yield f"$.{name}[{at}]", f"{earlier!r} is a blob, and nothing comes after a blob"
                elif earlier not in self._ids:
                    yield f"$.{name}[{at}]", f"{earlier!r} is no earlier line"
        if record.get("parent") == mine:
            yield "$.parent", "a record cannot be its own parent"
        if record["lane"] == "blob":
            yield from _wrong_blob(record)

    def _inside_itself(self, start: str) -> bool:
        seen: set[str] = set()
        each: str | None = start
        while each is not None and each not in seen:
            seen.add(each)
            each = self._parents.get(each)
        return each is not None


def _wrong_blob(record: dict[str, Any]) -> Iterator[tuple[str, str]]:
    data = record["text"].encode()
    if record["digest"] != (digest := digest_bytes(data)):
        yield "$.digest", f"the digest is {record['digest']}, the text gives {digest}"
    if record["size"] != len(data):
        yield "$.size", f"the size is {record['size']}, the text has {len(data)} bytes"

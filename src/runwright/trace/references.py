"""What the lines of a trace say about each other: ids, edges, parents and the digests of blobs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

from runwright.trace.canonical import digest_bytes


class References:
    """Checks each record against the ones before it; keeps ids only, so that a trace of any size fits."""

    def __init__(self) -> None:
        self.counts: Counter[str] = Counter()
        self._ids: set[str] = set()
        self._blobs: set[str] = set()
        self._parents: dict[str, str] = {}
        self._awaited: dict[str, int] = {}

    def faults(self, number: int, record: dict[str, Any]) -> list[tuple[str, str]]:
        """Where and why the record on that line contradicts the ones before it, as (JSONPath, message)."""
        mine, lane = record["id"], record["lane"]
        found = [] if self._fits(record) else list(self._explained(record))
        self.counts[lane] += 1
        if lane == "blob":
            self._blobs.add(mine)
            return [*found, *_wrong_blob(record)]
        self._ids.add(mine)
        if "parent" in record:
            self._parents[mine] = record["parent"]
            if record["parent"] not in self._ids:
                self._awaited.setdefault(record["parent"], number)
        return found

    def unresolved(self) -> Iterator[tuple[str, int, str]]:
        """Parents that no line has, and records that run inside themselves, as (JSONPath, line, message)."""
        for parent, number in self._awaited.items():
            if parent not in self._ids:
                yield "$.parent", number, f"no record is called {parent!r}"
            elif self._inside_itself(parent):
                yield "$.parent", number, f"{parent!r} runs inside itself"

    def _fits(self, record: dict[str, Any]) -> bool:
        """Whether nothing is wrong with the record; quick, since nearly every one is right."""
        mine = record["id"]
        return (
            mine not in self._ids
            and mine not in self._blobs
            and self._ids.issuperset(record.get("after", ()))
            and self._ids.issuperset(record.get("after_inferred", ()))
            and record.get("parent") != mine
        )

    def _explained(self, record: dict[str, Any]) -> Iterator[tuple[str, str]]:
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

"""What the lines of a trace say about each other: ids, edges, parents, and what is referred to."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any, Literal


class References:
    """Checks each line against the ones before it; keeps ids only, so that a trace of any size fits."""

    def __init__(self) -> None:
        self.counts: Counter[str] = Counter()
        self._models: set[str] = set()
        self._others: set[str] = set()
        self._blobs: set[str] = set()
        self._parents: dict[str, int] = {}
        self._number = 0

    def faults(self, kind: Literal["header", "record", "seal"], value: dict[str, Any]) -> list[tuple[str, str]]:
        """Where and why a line contradicts the ones before it, as (JSONPath, message)."""
        self._number += 1
        if kind != "record":
            return []
        found = list(self._record(value))
        self.counts[value["lane"]] += 1
        (self._models if value["lane"] == "model" else self._others).add(value["id"])
        self._parents.pop(value["id"], None)
        if value["lane"] == "blob":
            self._blobs.add(value["digest"])
        return found

    def unresolved(self) -> Iterator[tuple[str, int, str]]:
        """Parents that no line has, as (JSONPath, line, message)."""
        for parent, line in self._parents.items():
            yield "$.parent", line, f"no record is called {parent!r}"

    def _record(self, value: dict[str, Any]) -> Iterator[tuple[str, str]]:
        mine = value["id"]
        if self._known(mine):
            yield "$.id", f"the id {mine!r} occurs twice"
        for name in ("after", "after_inferred"):
            for at, earlier in enumerate(value.get(name, ())):
                if not self._known(earlier):
                    yield f"$.{name}[{at}]", f"{earlier!r} is no earlier line"
        parent = value.get("parent")
        if parent == mine:
            yield "$.parent", "a record cannot be its own parent"
        elif parent is not None and not self._known(parent):
            self._parents.setdefault(parent, self._number)
        if value["lane"] == "model":
            yield from self._request(value["request"])
        if "result_blob" in value and value["result_blob"] not in self._blobs:
            yield "$.result_blob", f"no earlier blob {value['result_blob']}"

    def _request(self, request: dict[str, Any]) -> Iterator[tuple[str, str]]:
        base = request.get("extends")
        if base is not None and base not in self._models:
            yield "$.request.extends", f"{base!r} is no earlier model exchange"
        for place, message in _messages(request):
            earlier = message.get("response_of")
            if earlier is not None and earlier not in self._models:
                yield f"{place}.response_of", f"{earlier!r} is no earlier model exchange"

    def _known(self, record: str) -> bool:
        return record in self._models or record in self._others


def _messages(request: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    for at, message in enumerate(request.get("messages", ())):
        yield f"$.request.messages[{at}]", message
    for at, splice in enumerate(request.get("splices", ())):
        put = splice.get("put")
        for item, message in enumerate(put if isinstance(put, list) else ()):
            if isinstance(message, dict):
                yield f"$.request.splices[{at}].put[{item}]", message

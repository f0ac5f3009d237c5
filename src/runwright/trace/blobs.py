"""Long texts that come again are stored once, as blobs, and named by their digest where they stood.

Only content blocks and tool results are looked at: whatever else a record holds is its own affair, also where it looks
like a block.
"""

from __future__ import annotations

from collections import OrderedDict

from runwright.trace.digests import digest_bytes

TYPE_CHECKING = False  # the module typing takes longer to load than a small trace to read
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
    from typing import Any, TypeAlias

    Plain: TypeAlias = dict[str, Any]
    Change: TypeAlias = Callable[[Plain], Plain]

LONG = 512
"""Characters from which a text that comes again is stored once."""


class Blobs:
    """Takes repeated texts out of stored records, and says which blob lines come before each."""

    def __init__(self, repeated: Collection[str], ids: Collection[str], reach: int) -> None:
        self._repeated = frozenset(repeated)
        self._ids = ids
        self._reach = reach
        self._written: OrderedDict[str, None] = OrderedDict()

    def lines(self, record: Plain) -> list[Plain]:
        """The blobs that the record is the first to need, then the record with digests in place of their texts."""
        needed: dict[str, str] = {}

        def swap(text: str) -> str | None:
            if text not in self._repeated:
                return None
            return needed.setdefault(text, digest_bytes(text.encode()))

        changed = _swapped(record, swap)
        return [*self._new(needed, record["id"]), changed]

    def _new(self, needed: Mapping[str, str], owner: str) -> Iterator[Plain]:
        count = 0
        for text, digest in needed.items():
            if digest in self._written:
                continue
            self._written[digest] = None
            if len(self._written) > self._reach:  # a reader keeps no more
                self._written.popitem(last=False)
            count += 1
            while (id := f"{owner}-b{count}") in self._ids:
                count += 1
            yield {"lane": "blob", "id": id, "digest": digest, "size": len(text.encode()), "text": text}


def repeated_texts(records: Iterable[Plain]) -> set[str]:
    """The long texts that stored records hold more than once."""
    seen: set[str] = set()
    again: set[str] = set()

    def count(text: str) -> None:
        if len(text) >= LONG:
            (again if text in seen else seen).add(text)

    for record in records:
        _swapped(record, count)
    return again


def _swapped(record: Plain, swap: Callable[[str], str | None]) -> Plain:
    """The record with the texts that `swap` gives a digest for replaced by it."""
    if record["lane"] == "model":
        return mapped(record, lambda block: _block(block, swap))
    if record["lane"] != "tool" or not isinstance(record.get("result"), str):
        return record
    digest = swap(record["result"])
    return record if digest is None else _renamed(record, "result", "result_blob", digest)


def _block(block: Plain, swap: Callable[[str], str | None]) -> Plain:
    if block["type"] == "text":
        digest = swap(block["text"])
        return block if digest is None else _renamed(block, "text", "blob", digest)
    source = block.get("source")
    if source is None or source["kind"] not in ("base64", "text"):
        return block
    digest = swap(source["data"])
    return block if digest is None else {**block, "source": _renamed(source, "data", "blob", digest)}


def restored(record: Plain, blobs: Mapping[str, str]) -> Plain:
    """The record with each digest of a blob replaced by its text; KeyError for a digest that no blob has."""
    if "result_blob" in record:
        return _renamed(record, "result_blob", "result", blobs[record["result_blob"]])
    if record["lane"] != "model":
        return record

    def back(block: Plain) -> Plain:
        if "blob" in block:
            return _renamed(block, "blob", "text", blobs[block["blob"]])
        source = block.get("source")
        if source is None or "blob" not in source:
            return block
        return {**block, "source": _renamed(source, "blob", "data", blobs[source["blob"]])}

    return mapped(record, back)


def _renamed(value: Plain, old: str, new: str, content: str) -> Plain:
    return {(new if key == old else key): (content if key == old else each) for key, each in value.items()}


def mapped(record: Plain, change: Change) -> Plain:
    """A stored model record with each of its content blocks changed; what does not change is shared."""
    request, response = record["request"], record.get("response")
    made = dict(record)
    if "messages" in request:
        made["request"] = {**request, "messages": [_message(each, change) for each in request["messages"]]}
    elif "splices" in request:
        made["request"] = {**request, "splices": [_splice(each, change) for each in request["splices"]]}
    if response and "content" in response:
        made["response"] = {**response, "content": _blocks(response["content"], change)}
    return made


def _splice(splice: Plain, change: Change) -> Plain:
    put, path = splice.get("put"), splice["path"]
    if not isinstance(put, list) or path[0] != "messages":
        return splice
    if len(path) == 2:
        return {**splice, "put": [_message(each, change) for each in put]}
    among_blocks = len(path) % 2 == 0 and all(step == "content" for step in path[2::2])
    return {**splice, "put": _blocks(put, change)} if among_blocks else splice


def _message(message: Plain, change: Change) -> Plain:
    return {**message, "content": _blocks(message["content"], change)} if "content" in message else message


def _blocks(blocks: list[Plain], change: Change) -> list[Plain]:
    return [_inner(change(block), change) for block in blocks]


def _inner(block: Plain, change: Change) -> Plain:
    if block["type"] != "tool_result" or "content" not in block:
        return block
    return {**block, "content": _blocks(block["content"], change)}

"""The stored form of records: what an earlier line says already is referred to, not written again.

A model request is `extends` (an earlier exchange) plus splices; a message that an earlier exchange answered is
`{"response_of": id}`; a long text that comes again is a blob. Resolving gives the values back, sharing what is shared.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Iterable
from typing import Any, TypeAlias

import msgspec
import orjson
from blake3 import blake3

from runwright.errors import TraceError
from runwright.trace.canonical import digest_bytes
from runwright.trace.model import (
    JSON,
    BlobRecord,
    Message,
    ModelRecord,
    ModelRequest,
    Record,
    ToolRecord,
)
from runwright.trace.splice import spliced, splices_between

Plain: TypeAlias = dict[str, Any]

BASES = 8
"""Earlier exchanges that a request is compared with."""

REMEMBERED = 20_000
"""Message objects whose plain form is kept while writing."""

LONG = 512
"""UTF-8 bytes from which a text that comes again is stored once, as a blob."""


def plain(value: msgspec.Struct) -> dict[str, JSON]:
    """A model value as plain JSON values, without its defaults."""
    made: dict[str, JSON] = _listed(msgspec.to_builtins(value))
    return made


def _listed(value: Any) -> Any:
    """Lists for tuples; a TraceError for a number that JSON has no form for."""
    if isinstance(value, dict):
        return {key: _listed(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [_listed(each) for each in value]
    if isinstance(value, float) and not math.isfinite(value):
        raise TraceError(f"{value} is no JSON number", hint="a reader keeps such a number as text under ext")
    return value


class Interner:
    """Turns records into stored form, one after the other, in line order."""

    def __init__(self, repeated: Iterable[str] = ()) -> None:
        self._bases: deque[tuple[str, Plain]] = deque(maxlen=BASES)
        self._replies: dict[bytes, str] = {}
        self._plain: dict[int, tuple[Message, Plain]] = {}
        self._repeated = frozenset(repeated)
        self._blobs: set[str] = set()

    def stored(self, record: Record) -> list[Plain]:
        """The lines that store the record: blobs that it is the first to need, then the record."""
        if isinstance(record, BlobRecord):
            self._blobs.add(record.text)
        if isinstance(record, ModelRecord):
            return self._model(record)
        value: Plain = plain(record)
        if isinstance(record, ToolRecord) and isinstance(record.result, str) and record.result in self._repeated:
            value["result_blob"] = digest_bytes(record.result.encode())
            del value["result"]
            return [*self._blob_lines([record.result], record.id), value]
        return [value]

    def _model(self, record: ModelRecord) -> list[Plain]:
        request = self._request(record.request)
        whole = self._with_references(request)
        best: Plain = whole
        for base, earlier in reversed(self._bases):
            delta = self._delta(base, earlier, request)
            if len(orjson.dumps(delta)) < len(orjson.dumps(best)):
                best = delta
        value = {**plain(msgspec.structs.replace(record, request=_EMPTY)), "request": best}
        blobs, value = self._blobbed(value, record.id)
        self._bases.append((record.id, request))
        if record.response is not None and record.response.content:
            self._replies.setdefault(_key(_reply(value_of=record)), record.id)
        return [*blobs, value]

    def _request(self, request: ModelRequest) -> Plain:
        """The request as plain values; equal message objects give the same dict, so that comparing them is quick."""
        made = plain(msgspec.structs.replace(request, messages=()))
        made["messages"] = [self._message(message) for message in request.messages]
        return {key: made[key] for key in _ORDER if key in made}

    def _message(self, message: Message) -> Plain:
        known = self._plain.get(id(message))
        if known is not None and known[0] is message:
            return known[1]
        made: Plain = plain(message)
        if len(self._plain) >= REMEMBERED:  # a stream of any length is written in constant memory
            self._plain.clear()
        self._plain[id(message)] = (message, made)
        return made

    def _delta(self, base: str, earlier: Plain, request: Plain) -> Plain:
        splices: list[Plain] = [dict(each) for each in splices_between(earlier, request)]
        for each in splices:
            if isinstance(each.get("put"), list) and each["path"][:1] == ["messages"] and len(each["path"]) == 2:
                each["put"] = [self._referred(message) for message in each["put"]]
        return {"extends": base, "splices": splices} if splices else {"extends": base}

    def _with_references(self, request: Plain) -> Plain:
        return {**request, "messages": [self._referred(message) for message in request["messages"]]}

    def _referred(self, message: Plain) -> Plain:
        known = self._replies.get(_key(message)) if message.get("role") == "assistant" else None
        return {"response_of": known} if known is not None else message

    def _blobbed(self, value: Plain, owner: str) -> tuple[list[Plain], Plain]:
        if not self._repeated:
            return [], value
        needed: list[str] = []
        made = _replace_texts(value, self._repeated, needed)
        return self._blob_lines(needed, owner), made

    def _blob_lines(self, texts: Iterable[str], owner: str) -> list[Plain]:
        lines: list[Plain] = []
        for text in dict.fromkeys(texts):
            if text in self._blobs:
                continue
            self._blobs.add(text)
            data = text.encode()
            blob = BlobRecord(id=f"{owner}-b{len(lines) + 1}", digest=digest_bytes(data), size=len(data), text=text)
            lines.append(plain(blob))
        return lines


_ORDER = ("api", "model", "provider", "parameters", "messages", "tools")
_EMPTY = ModelRequest(api="", model="")


def _reply(value_of: ModelRecord) -> Plain:
    """An exchange's answer as the message that a later request repeats."""
    response = value_of.response
    return plain(Message(role="assistant", content=response.content if response else ()))


def _key(message: Plain) -> bytes:
    return blake3(orjson.dumps(message, option=orjson.OPT_SORT_KEYS)).digest()


def _replace_texts(value: Any, repeated: frozenset[str], needed: list[str]) -> Any:
    """Stored values with each repeated text of a text block or a source replaced by its digest."""
    if isinstance(value, list):
        return [_replace_texts(each, repeated, needed) for each in value]
    if not isinstance(value, dict):
        return value
    for key in ("text", "data"):
        text = value.get(key)
        if isinstance(text, str) and text in repeated and _holds_text(value, key):
            needed.append(text)
            return {
                ("blob" if name == key else name): (digest_bytes(text.encode()) if name == key else each)
                for name, each in value.items()
            }
    return {key: _replace_texts(each, repeated, needed) for key, each in value.items()}


def _holds_text(value: Plain, key: str) -> bool:
    return value.get("type") == "text" if key == "text" else value.get("kind") in ("base64", "text") and len(value) <= 3


def repeated_texts(records: Iterable[Record]) -> set[str]:
    """The long texts that would be written more than once without blobs."""
    interner = Interner()
    seen: set[str] = set()
    again: set[str] = set()
    for record in records:
        for line in interner.stored(record):
            for text in _long_texts(line):
                (again if text in seen else seen).add(text)
    return again


def _long_texts(value: Any) -> Iterable[str]:
    if isinstance(value, list):
        for each in value:
            yield from _long_texts(each)
    elif isinstance(value, dict):
        if value.get("lane") == "tool" and isinstance(value.get("result"), str) and len(value["result"]) >= LONG:
            yield value["result"]
        for key, each in value.items():
            if isinstance(each, str):
                if key in ("text", "data") and len(each) >= LONG and _holds_text(value, key):
                    yield each
            else:
                yield from _long_texts(each)


class Resolver:
    """Turns stored lines back into records, in line order; unresolvable references raise LookupError or TypeError."""

    def __init__(self) -> None:
        self._requests: dict[str, Plain] = {}
        self._replies: dict[str, Plain] = {}
        self._blobs: dict[str, str] = {}
        self._messages: dict[int, tuple[Plain, Message]] = {}

    def record(self, line: Plain) -> Record:
        """The record that a line stores."""
        if line["lane"] == "blob":
            self._blobs[line["digest"]] = line["text"]
        elif line["lane"] == "tool" and "result_blob" in line:
            line = {("result" if key == "result_blob" else key): each for key, each in line.items()}
            line["result"] = self._blobs[line["result"]]
        if line["lane"] != "model":
            return msgspec.convert(line, Record, strict=True)  # type: ignore[no-any-return] # a union
        line = self._whole_texts(line)
        request = self._request(line["request"])
        self._requests[line["id"]] = request
        record = msgspec.convert({**line, "request": plain(_EMPTY)}, ModelRecord)
        if record.response is not None:
            self._replies[record.id] = _reply(record)
        messages = tuple(self._message(each) for each in request["messages"])
        whole = msgspec.convert({**request, "messages": []}, ModelRequest)
        return msgspec.structs.replace(record, request=msgspec.structs.replace(whole, messages=messages))

    def _whole_texts(self, line: Plain) -> Plain:
        return self._unblobbed(line) if self._blobs else line

    def _unblobbed(self, value: Any) -> Any:
        if isinstance(value, list):
            return [self._unblobbed(each) for each in value]
        if not isinstance(value, dict):
            return value
        if "blob" in value and ("type" in value or "kind" in value):
            name = "text" if value.get("type") == "text" else "data"
            return {
                (name if key == "blob" else key): (self._blobs[each] if key == "blob" else each)
                for key, each in value.items()
            }
        return {key: self._unblobbed(each) for key, each in value.items()}

    def _request(self, stored: Plain) -> Plain:
        if "extends" not in stored:
            return {**stored, "messages": [self._dereferenced(each) for each in stored.get("messages", [])]}
        made: Any = spliced(self._requests[stored["extends"]], stored.get("splices", []))
        messages = made["messages"]
        if any("response_of" in each for each in messages):
            made = {**made, "messages": [self._dereferenced(each) for each in messages]}
        return dict(made)

    def _dereferenced(self, message: Plain) -> Plain:
        return self._replies[message["response_of"]] if "response_of" in message else message

    def _message(self, value: Plain) -> Message:
        known = self._messages.get(id(value))
        if known is not None and known[0] is value:
            return known[1]
        made = msgspec.convert(value, Message)
        self._messages[id(value)] = (value, made)
        return made

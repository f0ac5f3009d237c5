"""The texts of a record that left the agent, and the forms in which a secret would show among them."""

from __future__ import annotations

import base64
import json
from collections.abc import Iterator
from urllib.parse import quote, quote_plus

from msgspec.structs import replace

from runwright.trace.intern import plain
from runwright.trace.model import (
    JSON,
    HttpRecord,
    McpRecord,
    ModelRecord,
    ModelRequest,
    Record,
    SideEffect,
    SideEffectRecord,
    ToolRecord,
)

SHORTEST = 4
"""Characters below which a value cannot be told from other text."""


def sent_texts(record: Record, before: ModelRequest | None = None) -> Iterator[str]:
    """Every text in the record that the agent sent: names, texts and numbers, however deep.

    Of a model request only what is not at the same place in the request `before` it, so that a growing conversation
    costs what it grows by.
    """
    match record:
        case ModelRecord():
            yield from _request_texts(record.request, before)
        case ToolRecord():
            yield from _leaves(record.arguments)
        case McpRecord() if record.direction == "client":
            yield from _leaves(record.params)
        case HttpRecord():
            yield from _leaves(plain(record.request))
        case SideEffectRecord(side_effect=effect):
            yield effect.target
            yield from _leaves(dict(effect.detail))
            yield from _left(effect)
        case _:
            return


def _left(effect: SideEffect) -> Iterator[str]:
    """What a side effect left in a file or a row, as far as that was kept: the content, or what is new in it."""
    content = effect.after.content if effect.after else None
    if content is not None:
        yield content
    elif effect.diff is not None:
        yield "\n".join(line[1:] for line in effect.diff.splitlines() if line.startswith("+"))


def _request_texts(request: ModelRequest, before: ModelRequest | None) -> Iterator[str]:
    known = before.messages if before else ()
    new = [each for n, each in enumerate(request.messages) if n >= len(known) or each != known[n]]
    same_tools = before is not None and before.tools == request.tools
    yield from _leaves(plain(replace(request, messages=tuple(new), tools=() if same_tools else request.tools)))


def _leaves(value: JSON) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        yield from value
        for each in value.values():
            yield from _leaves(each)
    elif isinstance(value, list):
        for each in value:
            yield from _leaves(each)
    elif value is not None and not isinstance(value, bool):
        yield str(value)


def forms_of(secret: str) -> dict[str, str]:
    """The secret as it may be written, each form with its name: as it is, in JSON, base64, hex or a URL."""
    data = secret.encode("utf-8", "surrogatepass")
    percent = quote(secret, safe="", errors="replace")
    forms = {
        secret: "as it is",
        json.dumps(secret)[1:-1]: "in JSON",
        json.dumps(secret, ensure_ascii=False)[1:-1]: "in JSON",
        percent: "in a URL",
        percent.lower(): "in a URL",
        quote_plus(secret, errors="replace"): "in a URL",
        quote(secret, errors="replace"): "in a URL",
        data.hex(): "in hexadecimal",
        data.hex().upper(): "in hexadecimal",
    }
    for written in _base64(data):
        forms.setdefault(written, "in base64")
        forms.setdefault(written.replace("+", "-").replace("/", "_"), "in base64")
    return forms


def _base64(data: bytes) -> Iterator[str]:
    """The part of the base64 text that the data alone decides, at each of the three offsets within a longer text."""
    for offset in range(3):
        written = base64.b64encode(bytes(offset) + data).decode().rstrip("=")
        start = (0, 2, 3)[offset]
        whole = (len(data) + offset) * 8 // 6
        if len(piece := written[start:whole]) >= SHORTEST + 1:
            yield piece

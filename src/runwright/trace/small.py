"""Reading a small trace without what reads great ones, which takes longer to load than a small trace to be read.

What is read so is whole and right in every way that reading it otherwise would look at; NotSure for any other.
"""

from __future__ import annotations

import json

from blake3 import blake3

from runwright.trace.holds import Holds, NotSure, trace_schema
from runwright.trace.references import References
from runwright.trace.requests import Requests, Unresolvable
from runwright.trace.words import LANES

TYPE_CHECKING = False  # the module typing takes longer to load than a small trace to read
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import NoReturn

    from runwright.trace.model import JSON
    from runwright.trace.requests import Plain

SMALL = 256 * 1024
"""Bytes of a trace that is small."""

MOST_BRACKETS = 254
DIGITS = 18
"""An integer of no more digits fits into 64 bits."""


def small_trace(data: bytes) -> Iterator[Plain]:
    """The header of a trace and its records, whole: without what refers to other lines."""
    if not data.endswith(b"\n") or data.count(b"\n") < 2:
        raise NotSure
    *lines, last, _ = data.split(b"\n")
    holds, references, requests = Holds(trace_schema()), References(), Requests()
    yield _line(lines[0], "header", holds)
    messages: dict[int, Plain] = {}
    for number, raw in enumerate(lines[1:], start=2):
        record = _line(raw, None, holds)
        if not references.fits(number, record):
            raise NotSure
        try:
            whole = requests.whole(record)
        except Unresolvable as error:
            raise NotSure from error
        if whole["lane"] == "model":
            _check(whole, holds, messages)
        yield whole
    seal = _line(last, "seal", holds)
    before = data.removesuffix(last + b"\n")
    digest = f"blake3:{blake3(before).hexdigest()}"
    if seal["seal"] != digest or seal["records"] != references.counts or any(references.unresolved()):
        raise NotSure


def _line(raw: bytes, part: str | None, holds: Holds) -> Plain:
    """The value of a line that is a header, a seal or, where no part is named, a record."""
    value = _exact(raw)
    if not isinstance(value, dict):
        raise NotSure
    lane = part or value.get("lane")
    if (part is None and lane not in LANES) or not holds(value, str(lane)):
        raise NotSure
    return value


def _exact(raw: bytes) -> JSON:
    """The value of a line of JSON that is exact: written again, it gives the same bytes."""
    if raw.count(b"[") + raw.count(b"{") > MOST_BRACKETS:
        raise NotSure
    try:
        text = raw.decode()
        value: JSON = json.loads(text, parse_int=_integer, parse_constant=_no_number)
    except ValueError as error:
        raise NotSure from error
    if json.dumps(value, ensure_ascii=False, separators=(",", ":")) != text:
        raise NotSure
    return value


def _integer(text: str) -> int:
    if len(text) > DIGITS:
        raise NotSure
    return int(text)


def _no_number(_: str) -> NoReturn:
    raise NotSure


def _check(record: Plain, holds: Holds, checked: dict[int, Plain]) -> None:
    """NotSure for an exchange that its splices made into none: no schema of a line sees what they put together.

    `checked` are the messages that were looked at; they are held, so that no other can have their number.
    """
    request, response = record["request"], record.get("response") or {}
    if "extends" in request or not holds({**request, "messages": []}, "request"):
        raise NotSure
    for message in request["messages"]:
        if checked.get(id(message)) is not message:
            checked[id(message)] = message
            if "response_of" in message or not holds(message, "chat_message") or not _whole(message.get("content")):
                raise NotSure
    if not _whole(response.get("content")):
        raise NotSure


def _whole(blocks: Iterable[Plain] | None) -> bool:
    """Whether no block refers to a blob."""
    return not blocks or all(
        "blob" not in block and "blob" not in block.get("source", ()) and _whole(block.get("content"))
        for block in blocks
    )

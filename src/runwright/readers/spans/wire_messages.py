"""Messages and replies in the form of Chat Completions, as events and older attributes carry them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from runwright.readers.blocks import from_wire, result, text, wire_call
from runwright.readers.known import CONTENT
from runwright.readers.reading import Reading
from runwright.readers.shape import Said
from runwright.readers.spans.captured import Captured
from runwright.readers.spans.shape import requested
from runwright.trace.model import JSON, Block, Message, RefusalBlock


class WireMessage(NamedTuple):
    """A message, and what of it cannot be represented."""

    message: Message
    strange: tuple[str, ...] = ()


def wire_message(item: dict[str, JSON], role: str) -> WireMessage:
    """One message; `content` that is missing beside no call is the empty text."""
    said = item.get("role")
    role = said if isinstance(said, str) and said else role
    content = item.get("content")
    if role == "tool":
        identity = item.get("tool_call_id", item.get("id"))
        block, _ = result(identity if isinstance(identity, str) else "", "" if content is None else content)
        return WireMessage(Message(role=role, content=(block,)))
    calls = item.get("tool_calls")
    found = [wire_call(each) for each in calls] if isinstance(calls, list) else []
    pieces = from_wire(content)
    blocks: list[Block] = list(pieces.blocks)
    if isinstance(item.get("refusal"), str):
        blocks.append(RefusalBlock(text=str(item["refusal"])))
    blocks += [each for each in found if each is not None]
    strange = pieces.strange + (("tool call",) if None in found else ())
    name = item.get("name")
    known = tuple(blocks) if blocks or strange else text("")
    return WireMessage(Message(role=role, content=known, name=name if isinstance(name, str) else None), strange)


def asked(items: Sequence[WireMessage], api: str, reading: Reading, where: str) -> Captured:
    """The messages of a request; those with pieces that no block can hold are unknown."""
    for item in items:
        _tell(item, reading, where)
    return requested([Said(item.message, bool(item.strange)) for item in items], api)


def answered(choices: Sequence[WireMessage], stop: str | None, reading: Reading, where: str) -> Captured:
    """The first choice of a reply; what else there was is a loss, and the reply then not whole."""
    if not choices:
        return Captured(stop=stop)
    if len(choices) > 1:
        reading.lose("not_representable", f"{len(choices) - 1} more choices of one reply", where)
    _tell(choices[0], reading, where)
    lost = len(choices) > 1 or choices[0].strange
    return Captured(content=choices[0].message.content, stop=stop, unknown=(CONTENT,) if lost else ())


def _tell(item: WireMessage, reading: Reading, where: str) -> None:
    for each in item.strange:
        reading.lose("not_representable", f"a message part of the type {each!r}", where)

"""Items of the Responses API as messages and blocks; what the wire has no such form for is read leniently."""

from __future__ import annotations

from typing import NamedTuple

from runwright.dialects.openai_responses.items import decode_item, decode_output
from runwright.errors import DialectError
from runwright.readers.blocks import call, result
from runwright.readers.chat import message_of
from runwright.readers.exact import compact
from runwright.readers.lenient import a_text
from runwright.readers.reading import Reading
from runwright.secrets.shortened import shortened
from runwright.trace.model import JSON, Block, Message, OtherBlock, ToolCallBlock, ToolResultBlock, calls_of, text_of

Item = dict[str, JSON]
CUSTOM, SHELL = "custom_tool_call", "local_shell_call"
CALLS = ("function_call", CUSTOM)
GIVEN = ("arguments", "input", "action")
"""Fields that hold what a call is given."""
OUTPUTS = ("function_call_output", "custom_tool_call_output", "local_shell_call_output")
SPOKEN = (*CALLS, SHELL, "reasoning", "web_search_call", "image_generation_call", "tool_search_call")
"""Items that the model said, beside its messages."""


def kind_of(item: Item) -> str:
    """The type of an item; one with a role and no type is a message."""
    return a_text(item.get("type")) or "message"


def is_reply(item: Item, kind: str) -> bool:
    """Whether the model said an item of this type."""
    return kind in SPOKEN or (kind == "message" and item.get("role") == "assistant")


def message_from(item: Item, reading: Reading, where: str) -> Message:
    """The message that an item is in a request."""
    try:
        return decode_item(item, "$")
    except DialectError:
        return _leniently(item, reading, where)


class SaidBy(NamedTuple):
    """What an item of a reply is: blocks of the response, a message of later requests, calls that are to be run.

    `given` says whether the item tells what its call was given.
    """

    blocks: tuple[Block, ...]
    message: Message
    calls: tuple[ToolCallBlock, ...]
    given: bool


def said_by(item: Item, reading: Reading, where: str) -> SaidBy:
    """An item that the model said."""
    try:
        blocks = decode_output(item, "$")
    except DialectError:
        blocks = _leniently(item, reading, where).content
    kind = kind_of(item)
    spoken = kind == "message"
    message = message_from(item, reading, where) if spoken else Message(role="assistant", content=blocks)
    calls = (_shell(item),) if kind == SHELL else tuple(calls_of(blocks))
    return SaidBy(blocks, message, calls, any(item.get(key) is not None for key in GIVEN))


def _leniently(item: Item, reading: Reading, where: str) -> Message:
    kind = kind_of(item)
    if kind in CALLS:
        return Message(role="assistant", content=(_call(item, kind),))
    if kind in OUTPUTS:
        return Message(role="tool", content=(_output(item),))
    if kind != "message":
        return Message(role="assistant", content=(OtherBlock(kind=kind, extra=_plain(item)),))
    chat = message_of({**item, "type": "message"})
    for each in chat.strange:
        reading.lose("not_representable", f"a message part of the type {shortened(each, 60)!r}", where)
    return chat.message


def _plain(item: Item) -> Item:
    return {key: value for key, value in item.items() if key != "type"}


def _call(item: Item, kind: str) -> ToolCallBlock:
    given, name = item.get("input") if kind == CUSTOM else item.get("arguments"), a_text(item.get("name"))
    if kind == CUSTOM:
        return ToolCallBlock(id=_identity(item), name=name, arguments=given, kind="custom")
    return call(_identity(item), name, given)


def _shell(item: Item) -> ToolCallBlock:
    """The call of the API's own shell: in the reply it stands as it came, since no function was declared for it."""
    return ToolCallBlock(id=_identity(item), name="local_shell", arguments=item.get("action"))


def _identity(item: Item) -> str:
    return a_text(item.get("call_id")) or a_text(item.get("id"))


def _output(item: Item) -> ToolResultBlock:
    """A result; older files wrote an object with `content` and `success`."""
    output = item.get("output")
    told = output.get("content", output) if isinstance(output, dict) else output
    return result(a_text(item.get("call_id")), "" if told is None else told)[0]


def text_of_output(output: JSON) -> str:
    """The text of an output, in whichever form."""
    if isinstance(output, dict):
        return text_of_output(output.get("content", output.get("output")))
    if isinstance(output, list):
        return text_of(message_of({"role": "user", "content": output}).message.content)
    return output if isinstance(output, str) else "" if output is None else compact(output)

"""Messages as other tools write them: the wire forms of every provider, LangChain's, and mixtures of these."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import msgspec

from runwright.readers.ai_sdk import ai_sdk_piece
from runwright.readers.blocks import call, from_parts, from_wire, linked, result, text, wire_call
from runwright.readers.exact import compact
from runwright.readers.lenient import a_list, a_text
from runwright.readers.reading import Reading
from runwright.readers.shape import Said
from runwright.trace.model import (
    JSON,
    Block,
    FileBlock,
    ImageBlock,
    Message,
    RefusalBlock,
    Source,
    TextBlock,
    ThinkingBlock,
    ToolCallBlock,
    ToolResultBlock,
    calls_of,
)

ROLES = {
    "human": "user",
    "humanmessage": "user",
    "ai": "assistant",
    "aimessage": "assistant",
    "aimessagechunk": "assistant",
    "model": "assistant",
    "bot": "assistant",
    "systemmessage": "system",
    "toolmessage": "tool",
    "function": "tool",
    "functionmessage": "tool",
}


ENVELOPES = {"kwargs", "data"}
"""Where LangChain keeps a message."""

SPEAKERS = ("system", "developer", "user", "assistant")
"""Roles under which a text is what was said."""

SAYS = {
    "content",
    "parts",
    "tool_calls",
    "function_call",
    "refusal",
    "reasoning_content",
    "additional_kwargs",
    "output",
}
"""Fields of which a message has one: without any, what it said was not recorded, which is not that it said nothing."""


class Chat(msgspec.Struct, frozen=True):
    """A message, and the names of what in it no block can hold."""

    message: Message
    strange: tuple[str, ...] = ()
    made: bool = False


def said(items: Sequence[JSON], reading: Reading, where: str) -> list[Said]:
    """The messages of a list; what no block can hold becomes a loss, and the message's content unknown."""
    found = []
    for item in items:
        chat = message_of(item)
        for each in chat.strange:
            reading.lose("not_representable", f"a message part of the type {each!r}", where)
        found.append(Said(chat.message, unknown=bool(chat.strange), made=chat.made))
    return found


def message_of(item: JSON, role: str = "user") -> Chat:
    """One message, whichever tool wrote it; `role` is for one that says none."""
    if isinstance(item, str):
        return Chat(Message(role=role, content=text(item)))
    if not isinstance(item, dict):
        return Chat(Message(role=role), (type(item).__name__,))
    if len(item) == 2 and item.get("role") in SPEAKERS and isinstance(item.get("content"), str):  # as most are
        return Chat(Message(role=str(item["role"]), content=(TextBlock(text=str(item["content"])),)))
    fields = _unwrapped(item)
    role = role_of(fields, role)
    if SAYS.isdisjoint(fields):
        return Chat(Message(role=role), ("no content",))
    if role == "tool" and not isinstance(fields.get("parts"), list) and not _holds_results(fields):
        return _tool_message(fields)
    blocks, strange = _content(fields)
    calls, unread = _calls(fields, {block.id for block in calls_of(blocks)})
    blocks += calls
    refusal = fields.get("refusal")
    if isinstance(refusal, str):
        blocks.append(RefusalBlock(text=refusal))
    name = fields.get("name")
    message = Message(
        role=role,
        content=tuple(blocks) if blocks or strange or unread else text(""),
        name=name if isinstance(name, str) and name else None,
    )
    return Chat(message, (*strange, *unread), made=_made(fields))


def role_of(fields: dict[str, JSON], default: str = "user") -> str:
    """The role of a message under the wire's name for it."""
    told = fields.get("role") or fields.get("type")
    word = told if isinstance(told, str) and told and told != "message" else default
    return ROLES.get(word.lower(), word.lower())


def is_message(item: JSON) -> bool:
    """Whether a value looks like one message of a chat."""
    if not isinstance(item, dict):
        return False
    if isinstance(item.get("role"), str) and "content" in item and "kwargs" not in item and "data" not in item:
        return True
    fields = _unwrapped(item)
    named = isinstance(fields.get("role"), str) or str(fields.get("type", "")).lower() in (*ROLES, "system", "tool")
    return named and bool({"content", "parts", "tool_calls", "function_call"} & fields.keys())


def _unwrapped(item: dict[str, JSON]) -> dict[str, JSON]:
    """LangChain's constructors and `data` envelopes opened."""
    if "content" in item and ENVELOPES.isdisjoint(item):
        return item
    kwargs, path, data = item.get("kwargs"), item.get("id"), item.get("data")
    if isinstance(kwargs, dict) and isinstance(path, list) and path:
        return {"type": str(path[-1]), **{key: each for key, each in kwargs.items() if key != "type"}}
    if isinstance(data, dict) and isinstance(item.get("type"), str) and "content" in data:
        return {**data, "type": item["type"]}
    inner = item.get("message")
    if isinstance(inner, dict) and "content" not in item and "role" not in item:
        return inner
    return item


def _tool_message(fields: dict[str, JSON]) -> Chat:
    identity = next((fields[key] for key in ("tool_call_id", "call_id", "id") if isinstance(fields.get(key), str)), "")
    content = fields.get("content", fields.get("output"))
    pieces = from_wire(content) if isinstance(content, list) else None
    error = True if fields.get("status") == "error" or fields.get("is_error") is True else None
    if pieces is not None and not pieces.strange:
        return Chat(Message(role="tool", content=(_answer(str(identity), pieces.blocks, error),)))
    block, made = result(str(identity), "" if content is None else content)
    return Chat(Message(role="tool", content=(_answer(str(identity), block.content, error),)), made=made)


def _answer(identity: str, blocks: tuple[Block, ...], error: bool | None) -> ToolResultBlock:
    return ToolResultBlock(call_id=identity, content=blocks, is_error=error)


def _content(fields: dict[str, JSON]) -> tuple[list[Block], list[str]]:
    content = fields.get("parts", fields.get("content"))
    blocks: list[Block] = []
    strange: list[str] = []
    reasoning = fields.get("reasoning_content")
    if isinstance(reasoning, str) and reasoning:
        blocks.append(ThinkingBlock(text=reasoning))
    for piece in content if isinstance(content, list) else [content]:
        found = _piece(piece)
        if isinstance(found, str):
            strange.append(found)
        elif found is not None:
            blocks.append(found)
    return blocks, strange


def _piece(piece: JSON) -> Block | str | None:
    """A block; a text naming what no block can hold; None for nothing."""
    if piece is None or piece == "":
        return None
    if isinstance(piece, str):
        return TextBlock(text=piece)
    if not isinstance(piece, dict):
        return TextBlock(text=compact(piece))
    kind, told = piece.get("type"), piece.get("text")
    if isinstance(told, str) and len(piece) == (2 if kind == "text" else 1):
        return TextBlock(text=told)
    for read in (_anthropic, _gemini, _openai, ai_sdk_piece):
        found = read(piece, kind if isinstance(kind, str) else "")
        if found is not None:
            return found
    parts = from_parts([piece])
    if parts.blocks:
        return parts.blocks[0]
    return str(kind) if kind else ", ".join(sorted(piece)) or "empty part"


def _anthropic(piece: dict[str, JSON], kind: str) -> Block | None:
    if kind == "tool_use":
        return call(a_text(piece.get("id")), a_text(piece.get("name")), piece.get("input"))
    if kind == "tool_result":
        held = piece.get("content")
        inner = tuple(block for each in a_list(held) if not isinstance(block := _piece(each), str | None))
        blocks = inner if isinstance(held, list) else () if held is None else text(_text(held))
        error = piece.get("is_error")
        identity = a_text(piece.get("tool_use_id"))
        return ToolResultBlock(call_id=identity, content=blocks, is_error=error if isinstance(error, bool) else None)
    if kind == "thinking" and isinstance(piece.get("thinking"), str):
        signature = piece.get("signature")
        return ThinkingBlock(
            text=a_text(piece["thinking"]), signature=signature if isinstance(signature, str) else None
        )
    if kind == "redacted_thinking":
        return ThinkingBlock(text=a_text(piece.get("data")), redacted=True)
    source = piece.get("source")
    if kind in ("image", "document") and isinstance(source, dict):
        told = _source(source)
        if told is not None:
            return ImageBlock(source=told) if kind == "image" else FileBlock(source=told)
    return None


def _source(source: dict[str, JSON]) -> Source | None:
    media = a_text(source.get("media_type")) or None
    for told, kind, field in SOURCES:
        if source.get("type") == told and isinstance(source.get(field), str):
            return Source(kind=kind, data=a_text(source[field]), media_type=media)
    return None


SOURCES: tuple[tuple[str, Literal["base64", "url", "file_id", "text"], str], ...] = (
    ("base64", "base64", "data"),
    ("url", "url", "url"),
    ("file", "file_id", "file_id"),
    ("text", "text", "data"),
)


def _gemini(piece: dict[str, JSON], _kind: str) -> Block | None:
    asked = piece.get("functionCall", piece.get("function_call"))
    if isinstance(asked, dict):
        return call(a_text(asked.get("id")), a_text(asked.get("name")), asked.get("args"))
    told = piece.get("functionResponse", piece.get("function_response"))
    if isinstance(told, dict):
        return result(a_text(told.get("id")) or a_text(told.get("name")), told.get("response"))[0]
    inline = piece.get("inlineData", piece.get("inline_data"))
    if isinstance(inline, dict) and isinstance(inline.get("data"), str):
        media = a_text(inline.get("mimeType", inline.get("mime_type"))) or None
        held = Source(kind="base64", data=a_text(inline["data"]), media_type=media)
        return ImageBlock(source=held) if (media or "").startswith("image/") else FileBlock(source=held)
    return None


def _openai(piece: dict[str, JSON], kind: str) -> Block | None:
    if kind == "image_url" and isinstance(piece.get("image_url"), str):
        return ImageBlock(source=linked(a_text(piece["image_url"])))
    if kind == "input_image" and isinstance(piece.get("image_url"), str):
        return ImageBlock(source=linked(a_text(piece["image_url"])))
    if kind in ("function_call", "tool_call") and "arguments" in piece:
        identity = a_text(piece.get("call_id")) or a_text(piece.get("id"))
        return call(identity, a_text(piece.get("name")), piece["arguments"])
    if kind == "function_call_output":
        return result(a_text(piece.get("call_id")), piece.get("output"))[0]
    if kind in ("text", "input_text", "output_text", "refusal", "image_url"):
        found = from_wire([piece])
        return found.blocks[0] if found.blocks else None
    return None


def _holds_results(fields: dict[str, JSON]) -> bool:
    """A tool message of the AI SDK, which holds the results of several calls."""
    content = fields.get("content")
    if not isinstance(content, list):
        return False
    return any(isinstance(each, dict) and each.get("type") == "tool-result" for each in content)


def _calls(fields: dict[str, JSON], known: set[str]) -> tuple[list[Block], list[str]]:
    """Tool calls beside the content: OpenAI's or LangChain's form; those that stand in the content too come once."""
    more = fields.get("additional_kwargs")
    given = fields.get("tool_calls") or (more.get("tool_calls") if isinstance(more, dict) else None)
    if not given:
        return [], []
    found: list[Block] = []
    strange = []
    for item in a_list(given):
        made = _call(item)
        if made is None:
            strange.append("tool call")
        elif made.id not in known or not made.id:
            found.append(made)
    return found, strange


def _call(item: JSON) -> ToolCallBlock | None:
    if isinstance(item, dict) and isinstance(item.get("name"), str) and "function" not in item:
        arguments = item.get("args", item.get("arguments", item.get("input")))
        return call(a_text(item.get("id")), a_text(item["name"]), arguments)
    if isinstance(item, dict) and isinstance(item.get("function"), str):  # Inspect's
        return call(a_text(item.get("id")), a_text(item["function"]), item.get("arguments"))
    return wire_call(item)


def _made(fields: dict[str, JSON]) -> bool:
    """Some content was structured where the wire has a text: how it was spelt is not known."""
    content = fields.get("content")
    return _holds_results(fields) or isinstance(content, (dict, int, float))


def _text(value: JSON) -> str:
    return value if isinstance(value, str) else compact(value)

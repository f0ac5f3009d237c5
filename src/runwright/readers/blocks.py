"""Content blocks from the pieces that instrumentations write: parts, wire content and tool calls."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from runwright.dialects.exact import exact_loads
from runwright.readers.exact import compact
from runwright.readers.lenient import a_list, a_text
from runwright.trace.model import (
    JSON,
    AudioBlock,
    Block,
    FileBlock,
    ImageBlock,
    RefusalBlock,
    Source,
    TextBlock,
    ThinkingBlock,
    ToolCallBlock,
    ToolResultBlock,
)


class Blocks(NamedTuple):
    """Blocks of one message; `absent` says that a piece stood there without its content, `strange` names others."""

    blocks: tuple[Block, ...]
    absent: bool = False
    strange: tuple[str, ...] = ()
    rewritten: bool = False


def text(value: str) -> tuple[Block, ...]:
    """One text block, also of an empty text."""
    return (TextBlock(text=value),)


def call(identity: str, name: str, arguments: JSON, kind: str = "function") -> ToolCallBlock:
    """A tool call; arguments that are a text are kept as that text where it is not their compact form."""
    if not isinstance(arguments, str):
        return ToolCallBlock(id=identity, name=name, arguments=arguments, kind=kind)
    try:
        value = exact_loads(arguments)
    except (ValueError, RecursionError):
        return ToolCallBlock(id=identity, name=name, arguments_text=arguments, kind=kind)
    exact = None if compact(value) == arguments else arguments
    return ToolCallBlock(id=identity, name=name, arguments=value, arguments_text=exact, kind=kind)


def wire_call(item: JSON) -> ToolCallBlock | None:
    """A tool call as Chat Completions writes it; arguments that are missing were an empty text."""
    function = item.get("function") if isinstance(item, dict) else None
    if not isinstance(item, dict) or not isinstance(function, dict):
        return None
    kind = item.get("type")
    arguments = function.get("arguments", "")
    name = a_text(function.get("name"))
    return call(a_text(item.get("id")), name, arguments, kind if isinstance(kind, str) else "function")


def result(call_id: str, value: JSON) -> tuple[ToolResultBlock, bool]:
    """A tool result; True where its text had to be made from a structured value."""
    if isinstance(value, str):
        return ToolResultBlock(call_id=call_id, content=text(value)), False
    texts = [each.get("text", each.get("content")) if isinstance(each, dict) else None for each in a_list(value)]
    if texts and all(isinstance(each, str) for each in texts):
        return ToolResultBlock(call_id=call_id, content=tuple(TextBlock(text=str(each)) for each in texts)), False
    return ToolResultBlock(call_id=call_id, content=text(compact(value))), True


def from_wire(content: JSON) -> Blocks:
    """Message content as Chat Completions writes it: a text, nothing, or a list of typed pieces."""
    if content is None:
        return Blocks(())
    if isinstance(content, str):
        return Blocks(text(content))
    found = [_wire_piece(each) for each in a_list(content)]
    strange = tuple(each for each in found if isinstance(each, str))
    return Blocks(tuple(each for each in found if not isinstance(each, str)), strange=strange)


def _wire_piece(piece: JSON) -> Block | str:
    if not isinstance(piece, dict):
        return TextBlock(text=piece) if isinstance(piece, str) else type(piece).__name__
    kind, told = a_text(piece.get("type")), piece.get("text")
    if kind in ("text", "input_text", "output_text") and isinstance(told, str):
        return TextBlock(text=told)
    image = piece.get("image_url")
    if kind == "image_url" and isinstance(image, dict) and isinstance(image.get("url"), str):
        detail = image.get("detail")
        return ImageBlock(source=linked(str(image["url"])), detail=detail if isinstance(detail, str) else None)
    if kind == "refusal" and isinstance(piece.get("refusal"), str):
        return RefusalBlock(text=str(piece["refusal"]))
    return kind or "untyped piece"


def from_parts(parts: JSON) -> Blocks:
    """Message content as the semantic conventions write it."""
    found: list[Block] = []
    strange: list[str] = []
    absent = rewritten = False
    for part in a_list(parts):
        block = _part(part) if isinstance(part, dict) else "a part that is no object"
        if isinstance(block, str):
            strange.append(block)
        elif block is None:
            absent = True
        else:
            found.append(block)
            rewritten |= isinstance(block, ToolResultBlock) and not isinstance(_response(part), str | list)
    return Blocks(tuple(_without_empty_text(found)), absent, tuple(strange), rewritten)


def _part(part: dict[str, JSON]) -> Block | str | None:
    """A block; None where the part's content was left out; a text naming a part that no block can hold."""
    kind = a_text(part.get("type")) or _untyped(part)
    content = part.get("content", part.get("text"))
    if kind in ("text", "reasoning", "thinking", "refusal"):
        return _told(kind, content) if isinstance(content, str) else None
    if kind.endswith(".TextReasoningContent") and isinstance(content, dict):
        return ThinkingBlock(text=a_text(content.get("text")), signature=a_text(content.get("protectedData")) or None)
    if kind == "tool_call":
        if "arguments" not in part:
            return None
        return call(a_text(part.get("id")), a_text(part.get("name")), part["arguments"])
    if kind == "tool_call_response":
        value = _response(part)
        return None if value is None else result(a_text(part.get("id")), value)[0]
    return _media(kind, part)


def _untyped(part: dict[str, JSON]) -> str:
    if isinstance(part.get("text"), str):
        return "thinking" if part.get("thought") is True else "text"
    return ", ".join(sorted(part)) or "empty part"


def _response(part: JSON) -> JSON:
    if not isinstance(part, dict):
        return None
    return next((part[key] for key in ("response", "result", "content") if part.get(key) is not None), None)


def _told(kind: str, content: str) -> Block:
    if kind == "text":
        return TextBlock(text=content)
    return RefusalBlock(text=content) if kind == "refusal" else ThinkingBlock(text=content)


def _media(kind: str, part: dict[str, JSON]) -> Block | str | None:
    media = a_text(part.get("mime_type")) or a_text(part.get("media_type")) or None
    what = a_text(part.get("modality")) or kind.split("-")[0] or (media or "").split("/")[0]
    if kind in ("blob", "binary"):
        held = part.get("content", part.get("data"))
        return _block(what, Source(kind="base64", data=held, media_type=media)) if isinstance(held, str) else None
    if kind in ("uri", "image-url", "audio-url", "document-url"):
        held = part.get("uri", part.get("url"))
        return _block(what, Source(kind="url", data=held, media_type=media)) if isinstance(held, str) else None
    if kind == "file" and isinstance(part.get("file_id"), str):
        return _block(what, Source(kind="file_id", data=str(part["file_id"]), media_type=media))
    return kind


def _block(what: str, source: Source) -> Block:
    if what == "image" or (source.media_type or "").startswith("image/"):
        return ImageBlock(source=source)
    return AudioBlock(source=source) if what == "audio" else FileBlock(source=source)


def linked(url: str) -> Source:
    """Where an image is: data URLs hold it themselves."""
    head, comma, data = url.partition(",")
    if head.startswith("data:") and head.endswith(";base64") and comma:
        return Source(kind="base64", data=data, media_type=head[5:-7] or None)
    return Source(kind="url", data=url)


def _without_empty_text(blocks: list[Block]) -> Iterator[Block]:
    """An empty text beside other blocks is how a streaming instrumentation writes that there was none."""
    for block in blocks:
        if not (isinstance(block, TextBlock) and not block.text and len(blocks) > 1):
            yield block

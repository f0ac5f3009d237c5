"""Content blocks, both ways."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from runwright.dialects.anthropic_messages.calls import decode_use, encode_use
from runwright.dialects.anthropic_messages.marks import MARK, marked, said
from runwright.dialects.anthropic_messages.sources import (
    decode_document,
    decode_image,
    decode_search_result,
    decode_upload,
    encode_file,
    encode_image,
)
from runwright.dialects.fields import object_at, only, optional_text_at, refuse, rest, text_at, unsaid, wrong_kind
from runwright.trace.model import (
    JSON,
    Block,
    FileBlock,
    ImageBlock,
    OtherBlock,
    TextBlock,
    ThinkingBlock,
    ToolCallBlock,
    ToolResultBlock,
)

CITATIONS = "citations"


def decode_content(content: JSON, path: str, *, within: bool = False) -> tuple[Block, ...]:
    """The blocks of a `content` field: a string is one text block. `within` a result calls and results are refused."""
    if isinstance(content, str):
        return (TextBlock(text=content),)
    if not isinstance(content, list):
        raise wrong_kind(path, "a string or a list of blocks", content)
    return tuple(decode_block(each, f"{path}[{index}]", within=within) for index, each in enumerate(content))


def encode_content(blocks: Iterable[Block], path: str) -> JSON:
    """The `content` field for these blocks: a string for one plain text block, else a list of blocks."""
    found = list(blocks)
    if len(found) == 1 and isinstance(found[0], TextBlock) and found[0] == TextBlock(text=found[0].text):
        return found[0].text
    return [encode_block(block, f"{path}[{index}]") for index, block in enumerate(found)]


def decode_block(value: JSON, path: str, *, within: bool = False) -> Block:
    """One block; a type that the model has no block for is kept as it came."""
    block = object_at(value, path)
    kind = text_at(block.get("type"), f"{path}.type")
    if within and kind in _TURNS:
        raise refuse(f"{path}.type", f"a block of type {kind!r} within a result")
    decode = _DECODERS.get(kind)
    if decode is None:
        return OtherBlock(kind=kind, cache=block.get(MARK), extra=rest(block, ("type", MARK)))
    return decode(block, path)


def encode_block(block: Block, path: str) -> dict[str, JSON]:
    """The wire form of one block."""
    if isinstance(block, TextBlock):
        return marked({"type": "text", "text": block.text, **block.extra}, block.cache)
    if isinstance(block, ImageBlock):
        return encode_image(block, path)
    if isinstance(block, FileBlock):
        return encode_file(block, path)
    if isinstance(block, ThinkingBlock):
        return _encode_thinking(block, path)
    if isinstance(block, ToolCallBlock):
        return encode_use(block, path)
    if isinstance(block, ToolResultBlock):
        return _encode_result(block, path)
    if isinstance(block, OtherBlock):
        return marked({"type": block.kind, **block.extra}, block.cache)
    raise refuse(path, f"a {type(block).__name__} has no form on this API")


def _decode_text(block: dict[str, JSON], path: str) -> Block:
    text = text_at(block.get("text"), f"{path}.text")
    extra = said(block, ("type", "text", MARK))
    return TextBlock(text=text, cache=block.get(MARK), extra=extra)


def _decode_thinking(block: dict[str, JSON], path: str) -> Block:
    only(block, ("type", "thinking", "signature"), path)
    signature = optional_text_at(block.get("signature"), f"{path}.signature")
    return ThinkingBlock(text=text_at(block.get("thinking"), f"{path}.thinking"), signature=signature)


def _decode_redacted(block: dict[str, JSON], path: str) -> Block:
    only(block, ("type", "data"), path)
    return ThinkingBlock(text=text_at(block.get("data"), f"{path}.data"), redacted=True)


def _encode_thinking(block: ThinkingBlock, path: str) -> dict[str, JSON]:
    unsaid(block.extra, path)
    if block.redacted and block.signature is not None:
        raise refuse(f"{path}.signature", "a signature on redacted thinking has no form on this API")
    if block.redacted:
        return {"type": "redacted_thinking", "data": block.text}
    signature: dict[str, JSON] = {} if block.signature is None else {"signature": block.signature}
    return {"type": "thinking", "thinking": block.text, **signature}


def _decode_result(block: dict[str, JSON], path: str) -> Block:
    content, is_error = block.get("content"), block.get("is_error")
    if is_error is not None and not isinstance(is_error, bool):
        raise wrong_kind(f"{path}.is_error", "a boolean", is_error)
    return ToolResultBlock(
        call_id=text_at(block.get("tool_use_id"), f"{path}.tool_use_id"),
        content=() if content is None else decode_content(content, f"{path}.content", within=True),
        is_error=is_error,
        cache=block.get(MARK),
        extra=said(block, ("type", "tool_use_id", "content", "is_error", MARK)),
    )


def _encode_result(block: ToolResultBlock, path: str) -> dict[str, JSON]:
    wire: dict[str, JSON] = {"type": "tool_result", "tool_use_id": block.call_id}
    if block.content:
        wire["content"] = encode_content(block.content, f"{path}.content")
    if block.is_error is not None:
        wire["is_error"] = block.is_error
    return marked({**wire, **block.extra}, block.cache)


_TURNS = ("tool_use", "tool_result")
_DECODERS: dict[str, Callable[[dict[str, JSON], str], Block]] = {
    "text": _decode_text,
    "image": decode_image,
    "document": decode_document,
    "search_result": decode_search_result,
    "container_upload": decode_upload,
    "thinking": _decode_thinking,
    "redacted_thinking": _decode_redacted,
    "tool_use": decode_use,
    "tool_result": _decode_result,
}

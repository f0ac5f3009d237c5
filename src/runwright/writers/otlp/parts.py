"""Content blocks as the parts of the gen_ai conventions, and what is held of them."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from runwright.dialects.exact import compact
from runwright.trace import (
    JSON,
    AudioBlock,
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
    text_of,
)

Object = dict[str, JSON]
CHAT, MESSAGES_API = "openai.chat_completions", "anthropic.messages"


class Part(msgspec.Struct, frozen=True):
    """A block as a part, and the block that is read from it."""

    written: Object
    held: Block


def parts(blocks: Sequence[Block]) -> list[Part]:
    """The parts that hold these blocks: an empty text beside others says nothing, and some blocks have no part."""
    kept = [each for each in blocks if not (isinstance(each, TextBlock) and not each.text and len(blocks) > 1)]
    found = [part for part in map(_part, kept) if part is not None]
    if len(found) > 1:
        return [each for each in found if not (isinstance(each.held, TextBlock) and not each.held.text)]
    return found


def message(said: Message) -> tuple[Object, Message]:
    """A message, and what is held of it."""
    found = parts(said.content)
    named: Object = {"name": said.name} if said.name is not None else {}
    written: Object = {"role": said.role, **named, "parts": [each.written for each in found]}
    return written, msgspec.structs.replace(said, content=tuple(each.held for each in found))


def is_reshaped(said: Message, api: str) -> bool:
    """Whether a message is not in the form of its API, which a reader gives it: results each by itself, or together."""
    results = sum(isinstance(each, ToolResultBlock) for each in said.content)
    if api == CHAT:
        return results > 0 and (len(said.content) > 1 or said.role != "tool" or said.name is not None)
    return (results > 0 and (api != MESSAGES_API or said.role == "tool")) or (said.role == "tool" and api != CHAT)


def _part(block: Block) -> Part | None:
    if isinstance(block, TextBlock):
        return Part({"type": "text", "content": block.text}, TextBlock(text=block.text))
    if isinstance(block, ThinkingBlock) and not block.redacted:
        return Part({"type": "reasoning", "content": block.text}, ThinkingBlock(text=block.text))
    if isinstance(block, RefusalBlock):
        return Part({"type": "refusal", "content": block.text}, RefusalBlock(text=block.text))
    if isinstance(block, ToolCallBlock):
        return _call(block)
    if isinstance(block, ToolResultBlock):
        return _result(block)
    if isinstance(block, ImageBlock | AudioBlock | FileBlock):
        return _media(block)
    return None


def _call(block: ToolCallBlock) -> Part:
    """Arguments are a value; a text of them that is not plainly theirs stays a text."""
    given: JSON = block.arguments if block.arguments_text is None else block.arguments_text
    if block.arguments_text is None and isinstance(given, str):
        given = compact(given).decode()
    held = ToolCallBlock(id=block.id, name=block.name, arguments=block.arguments, arguments_text=block.arguments_text)
    return Part({"type": "tool_call", "id": block.id, "name": block.name, "arguments": given}, held)


def _result(block: ToolResultBlock) -> Part:
    texts = [each.text for each in block.content if isinstance(each, TextBlock)]
    said: JSON = [{"type": "text", "text": each} for each in texts] if len(texts) > 1 else text_of(block.content)
    held = tuple(TextBlock(text=each) for each in (texts or [""]))
    written: Object = {"type": "tool_call_response", "id": block.call_id, "response": said}
    return Part(written, ToolResultBlock(call_id=block.call_id, content=held))


def _media(block: ImageBlock | AudioBlock | FileBlock) -> Part | None:
    source = block.source
    image = (source.media_type or "").startswith("image/")
    if source.kind == "text" or (image and not isinstance(block, ImageBlock)):
        return None
    where = {"base64": ("blob", "content"), "url": ("uri", "uri"), "file_id": ("file", "file_id")}[source.kind]
    kind = "image" if isinstance(block, ImageBlock) else "audio" if isinstance(block, AudioBlock) else "document"
    told: Object = {"mime_type": source.media_type} if source.media_type else {}
    held = Source(kind=source.kind, data=source.data, media_type=source.media_type or None)
    written: Object = {"type": where[0], "modality": kind, **told, where[1]: source.data}
    return Part(written, type(block)(source=held))

"""Items: what a request's input and a response's output consist of. Most are one block; messages and reasoning more."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from runwright.dialects.fields import list_at, object_at, only, optional_text_at, refuse, rest, text_at
from runwright.dialects.openai_responses.calls import (
    CALLS,
    RESULTS,
    decode_call,
    decode_result,
    encode_call,
    encode_result,
)
from runwright.dialects.openai_responses.marks import ITEM, item_of, said
from runwright.dialects.openai_responses.parts import (
    decode_content,
    encode_content,
    encode_part,
    is_part,
    text_kind,
    with_item,
)
from runwright.trace.model import (
    JSON,
    Block,
    Message,
    OtherBlock,
    ThinkingBlock,
    ToolCallBlock,
    ToolResultBlock,
)

ROLES = ("user", "assistant", "system", "developer")
MESSAGE, REASONING = "message", "reasoning"
KIND = "type"
"""Name in a thinking block's `extra`: the type of a part that is no summary, or is an empty one."""

SUMMARY, THOUGHT = "summary_text", "reasoning_text"
Item = dict[str, JSON]


def decode_item(value: JSON, path: str) -> Message:
    """One item of a request's input as a message; the role of what is no message follows from its type."""
    item = object_at(value, path)
    kind = kind_of_item(item, path)
    if kind != MESSAGE:
        return Message(role=role_of(kind), content=decode_own(item, kind, path))
    role = text_at(item.get("role"), f"{path}.role")
    if role not in ROLES:
        raise refuse(f"{path}.role", f"unknown role {role!r}")
    blocks, fields = _decode_message(item, role, path)
    if not blocks:
        return Message(role=role, content=(_kept(item),) if fields else ())
    if fields or isinstance(blocks[0], OtherBlock):
        blocks = with_item(blocks, fields, path)
    return Message(role=role, content=blocks)


def encode_item(message: Message, path: str) -> Item:
    """The item that decodes to this message."""
    if message.name is not None:
        raise refuse(f"{path}.name", "a message's name has no form on this API")
    blocks = message.content
    if all(map(is_part, blocks)) and message.role in ROLES:
        if any(item_of(block) is not None for block in blocks[1:]):
            raise refuse(f"{path}.content", "two messages in one have no form on this API")
        content = encode_content(blocks, message.role, f"{path}.content")
        return {"role": message.role, "content": content, **_fields(blocks, path)}
    item = encode_own(blocks, path)
    expected = item.get("role") if item["type"] == MESSAGE else role_of(str(item["type"]))
    if message.role != expected:
        raise refuse(f"{path}.role", f"an item of type {item['type']!r} has no role {message.role!r}")
    return item


def decode_output(value: JSON, path: str) -> tuple[Block, ...]:
    """The blocks of one item of a response's output."""
    item = object_at(value, path)
    kind = kind_of_item(item, path)
    if kind != MESSAGE:
        return decode_own(item, kind, path)
    if item.get("role") not in (None, "assistant"):
        raise refuse(f"{path}.role", f"expected 'assistant', found {item['role']!r}")
    blocks, fields = _decode_message(item, "assistant", path)
    return with_item(blocks, fields, path) if blocks else (_kept(item),)


def encode_output(blocks: Sequence[Block], path: str) -> Item:
    """The item of a response's output that decodes to these blocks."""
    if not all(map(is_part, blocks)):
        item = encode_own(blocks, path)
        return {"id": "rs_unrecorded", **item} if item["type"] == REASONING else item
    parts = [_filled(encode_part(block, "assistant", f"{path}.content")) for block in blocks]
    head: Item = {"id": "msg_unrecorded", "type": MESSAGE, "status": "completed", "role": "assistant"}
    return {**head, "content": list[JSON](parts), **_fields(blocks, path)}


def grouped(blocks: Sequence[Block]) -> Iterator[tuple[int, tuple[Block, ...]]]:
    """The blocks of each item of an output, with the index of its first block."""
    start = 0
    for index in range(1, len(blocks) + 1):
        if index == len(blocks) or _begins(blocks[index - 1], blocks[index]):
            yield start, tuple(blocks[start:index])
            start = index


def kind_of_item(item: Item, path: str) -> str:
    """The type of an item; one that has a role and no type is a message."""
    kind = optional_text_at(item.get("type"), f"{path}.type")
    if kind is None and "role" not in item:
        raise refuse(f"{path}.type", "expected a string, found null")
    return kind or MESSAGE


def role_of(kind: str) -> str:
    """The role of an item that has none on the wire: what the model said, what a tool did, what the user decided."""
    if kind.endswith("_output"):
        return "tool"
    return "user" if kind in ("mcp_approval_response", "item_reference") else "assistant"


def decode_own(item: Item, kind: str, path: str) -> tuple[Block, ...]:
    """The blocks of an item that is no message; a type that the model has no block for is kept as it came."""
    if kind == REASONING:
        return _decode_reasoning(item, path)
    if kind in CALLS:
        return (decode_call(item, path),)
    if kind in RESULTS:
        return (decode_result(item, path),)
    if ITEM in item:
        raise refuse(f"{path}.{ITEM}", "field cannot be represented")
    return (OtherBlock(kind=kind, extra=rest(item, ("type",))),)


def encode_own(blocks: Sequence[Block], path: str) -> Item:
    """The wire form of an item that is no message."""
    if blocks and all(isinstance(block, ThinkingBlock) for block in blocks):
        return _encode_reasoning([block for block in blocks if isinstance(block, ThinkingBlock)], path)
    if len(blocks) != 1:
        raise refuse(f"{path}.content", "several items in one message have no form on this API")
    [block] = blocks
    if isinstance(block, ToolCallBlock):
        return encode_call(block, path)
    if isinstance(block, ToolResultBlock):
        return encode_result(block, path)
    if isinstance(block, OtherBlock) and block.cache is None and ITEM not in block.extra:
        return {"type": block.kind, **block.extra}
    raise refuse(path, f"such a {type(block).__name__} has no form on this API")


def _decode_message(item: Item, role: str, path: str) -> tuple[tuple[Block, ...], Item]:
    """The blocks of a message, and its further fields."""
    blocks = decode_content(item.get("content"), role, f"{path}.content")
    return blocks, said(item, ("type", "role", "content"), path)


def _kept(item: Item) -> OtherBlock:
    """A message without content, as it came."""
    return OtherBlock(kind=MESSAGE, extra=rest(item, ("type",)))


def _fields(blocks: Sequence[Block], path: str) -> Item:
    """The further fields of a message."""
    fields = item_of(blocks[0]) if blocks else None
    return object_at({} if fields is None else fields, f"{path}.{ITEM}")


def _filled(part: Item) -> Item:
    """A part of an answer as clients expect it: with lists that went without saying."""
    return {"annotations": [], "logprobs": [], **part} if part["type"] == text_kind("assistant") else part


def _begins(before: Block, block: Block) -> bool:
    """Whether a block begins an item of its own after another block."""
    if isinstance(block, ThinkingBlock):
        return item_of(block) is not None or not isinstance(before, ThinkingBlock)
    return not is_part(block) or item_of(block) is not None or not is_part(before)


# --- reasoning ----------------------------------------------------------------------------------


def _decode_reasoning(item: Item, path: str) -> tuple[Block, ...]:
    """A block for each part; reasoning without one is a block without text."""
    parts = [
        *(_thought(each, SUMMARY, f"{path}.summary") for each in list_at(item.get("summary"), f"{path}.summary")),
        *(_thought(each, THOUGHT, f"{path}.content") for each in list_at(item.get("content"), f"{path}.content")),
    ]
    signature = optional_text_at(item.get("encrypted_content"), f"{path}.encrypted_content")
    fields = said(item, ("type", "summary", "content", "encrypted_content"), path)
    text, kind = parts[0] if parts else ("", {})
    first = ThinkingBlock(text=text, signature=signature, extra={**kind, ITEM: fields})
    return (first, *(ThinkingBlock(text=text, extra=kind) for text, kind in parts[1:]))


def _thought(value: JSON, expected: str, path: str) -> tuple[str, Item]:
    part = object_at(value, path)
    only(part, ("type", "text"), path)
    if part.get("type") != expected:
        raise refuse(f"{path}.type", f"expected {expected!r}, found {part.get('type')!r}")
    text = text_at(part.get("text"), f"{path}.text")
    return text, {} if text and expected == SUMMARY else {KIND: expected}


def _encode_reasoning(blocks: Sequence[ThinkingBlock], path: str) -> Item:
    parts: dict[str, list[JSON]] = {SUMMARY: [], THOUGHT: []}
    for index, block in enumerate(blocks):
        only(block.extra, (KIND, ITEM), path)
        if block.redacted or (index and (block.signature is not None or item_of(block) is not None)):
            raise refuse(path, "redacted thinking, or a signature within reasoning, has no form on this API")
        kind = str(block.extra.get(KIND, SUMMARY))
        if kind not in parts or (kind == SUMMARY and parts[THOUGHT]):
            raise refuse(path, f"a part of type {kind!r} after one of the reasoning itself has no form on this API")
        if block.text or KIND in block.extra:
            parts[kind].append({"type": kind, "text": block.text})
        elif len(blocks) > 1:
            raise refuse(path, "a thinking block without text beside others has no form on this API")
    first = blocks[0]
    fields = object_at(first.extra.get(ITEM) or {}, f"{path}.{ITEM}")
    item: Item = {"type": REASONING, "summary": parts[SUMMARY]}
    if parts[THOUGHT]:
        item["content"] = parts[THOUGHT]
    if first.signature is not None:
        item["encrypted_content"] = first.signature
    return {**item, **fields}

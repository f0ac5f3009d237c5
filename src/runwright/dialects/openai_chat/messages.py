"""Messages of a request, and the assistant message of a response."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import msgspec

from runwright.dialects.fields import kind_of, list_at, object_at, only, optional_text_at, refuse, text_at, unsaid
from runwright.dialects.openai_chat.calls import decode_calls, encode_call
from runwright.dialects.openai_chat.parts import ANNOTATIONS, MARK, cache_fields, decode_content, encode_content
from runwright.trace.model import (
    JSON,
    AudioBlock,
    Block,
    Message,
    RefusalBlock,
    Source,
    TextBlock,
    ThinkingBlock,
    ToolCallBlock,
    ToolResultBlock,
)

ROLES = ("system", "developer", "user", "assistant", "tool")
ASSISTANT_FIELDS = ("role", "content", "refusal", "tool_calls", "reasoning_content", ANNOTATIONS, "function_call")


def decode_messages(value: JSON, path: str) -> tuple[Message, ...]:
    """The messages of a request, in order."""
    return tuple(_decode_message(each, f"{path}[{index}]") for index, each in enumerate(list_at(value, path)))


def encode_messages(messages: Sequence[Message]) -> list[JSON]:
    """The wire messages: a tool message that holds several results becomes one message a result."""
    return [each for index, message in enumerate(messages) for each in _encode_message(message, f"$.messages[{index}]")]


def decode_assistant(message: dict[str, JSON], path: str) -> tuple[Block, ...]:
    """The blocks of an assistant message: reasoning, content, refusal, then tool calls."""
    if message.get("function_call") is not None:
        raise refuse(f"{path}.function_call", f"legacy function_call with {kind_of(message['function_call'])}")
    thinking = optional_text_at(message.get("reasoning_content"), f"{path}.reasoning_content")
    refusal = optional_text_at(message.get("refusal"), f"{path}.refusal")
    content = _annotated(decode_content(message.get("content"), f"{path}.content"), message.get(ANNOTATIONS), path)
    return (
        *(() if thinking is None else (ThinkingBlock(text=thinking),)),
        *content,
        *(() if refusal is None else (RefusalBlock(text=refusal),)),
        *decode_calls(message.get("tool_calls"), f"{path}.tool_calls"),
    )


def encode_assistant(blocks: Iterable[Block], path: str) -> dict[str, JSON]:
    """The assistant fields of these blocks; the wire has no order between content, refusal and calls."""
    everything = list(blocks)
    calls = [block for block in everything if isinstance(block, ToolCallBlock)]
    thinking = [block for block in everything if isinstance(block, ThinkingBlock)]
    content = [block for block in everything if not isinstance(block, ToolCallBlock | ThinkingBlock)]
    message: dict[str, JSON] = {"role": "assistant", "content": None}
    refusals = [block for block in content if isinstance(block, RefusalBlock)]
    if len(refusals) == 1 and content[-1] is refusals[0]:
        unsaid(refusals[0].extra, f"{path}.refusal")
        message["refusal"] = refusals[0].text
        content.pop()
    annotations = _annotations_of(content, path)
    if annotations:
        message[ANNOTATIONS] = annotations
    if content:
        message["content"] = encode_content(map(_unannotated, content), f"{path}.content")
    if thinking:
        message["reasoning_content"] = _reasoning(thinking, path)
    if calls:
        message["tool_calls"] = [encode_call(call, f"{path}.tool_calls[{i}]") for i, call in enumerate(calls)]
    return message


def _decode_message(value: JSON, path: str) -> Message:
    message = object_at(value, path)
    role = text_at(message.get("role"), f"{path}.role")
    name = optional_text_at(message.get("name"), f"{path}.name")
    if role == "tool":
        return Message(role=role, name=name, content=(_decode_result(message, path),))
    if role == "assistant":
        only(message, (*ASSISTANT_FIELDS, "name", "audio", MARK), path)
        blocks = _with_audio(decode_assistant(message, path), message.get("audio"), path)
    elif role in ROLES:
        only(message, ("role", "content", "name", MARK), path)
        blocks = decode_content(message.get("content"), f"{path}.content")
    else:
        raise refuse(f"{path}.role", f"unknown role {role!r}")
    return Message(role=role, name=name, content=_marked(blocks, message.get(MARK), path))


def _decode_result(message: dict[str, JSON], path: str) -> Block:
    only(message, ("role", "content", "tool_call_id", "name", MARK), path)
    call_id = text_at(message.get("tool_call_id"), f"{path}.tool_call_id")
    content = decode_content(message.get("content"), f"{path}.content")
    return ToolResultBlock(call_id=call_id, content=content, cache=message.get(MARK))


def _with_audio(blocks: tuple[Block, ...], audio: JSON, path: str) -> tuple[Block, ...]:
    """The blocks with the reference to an earlier audio reply, which stands before the calls."""
    if audio is None:
        return blocks
    reference = object_at(audio, f"{path}.audio")
    only(reference, ("id",), f"{path}.audio")
    block = AudioBlock(source=Source(kind="file_id", data=text_at(reference.get("id"), f"{path}.audio.id")))
    cut = next((i for i, each in enumerate(blocks) if isinstance(each, ToolCallBlock)), len(blocks))
    return (*blocks[:cut], block, *blocks[cut:])


def _marked(blocks: tuple[Block, ...], mark: JSON, path: str) -> tuple[Block, ...]:
    """A cache mark beside `content` stands for one on the message's last text block."""
    if mark is None:
        return blocks
    for index in range(len(blocks) - 1, -1, -1):
        block = blocks[index]
        if isinstance(block, TextBlock) and block.cache is None:
            return (*blocks[:index], msgspec.structs.replace(block, cache=mark), *blocks[index + 1 :])
    raise refuse(f"{path}.{MARK}", "cache mark on a message without an unmarked text")


def _annotated(blocks: tuple[Block, ...], annotations: JSON, path: str) -> tuple[Block, ...]:
    """Annotations of a message are kept on its last text block; null and the empty list are none."""
    found = list_at(annotations, f"{path}.{ANNOTATIONS}")
    if not found:
        return blocks
    for index in range(len(blocks) - 1, -1, -1):
        block = blocks[index]
        if isinstance(block, TextBlock):
            noted = msgspec.structs.replace(block, extra={**block.extra, ANNOTATIONS: found})
            return (*blocks[:index], noted, *blocks[index + 1 :])
    raise refuse(f"{path}.{ANNOTATIONS}", "annotations on a message without text")


def _annotations_of(blocks: Sequence[Block], path: str) -> list[JSON]:
    texts = [block for block in blocks if isinstance(block, TextBlock)]
    if any(ANNOTATIONS in block.extra for block in texts[:-1]):
        raise refuse(f"{path}.{ANNOTATIONS}", "annotations on a text block that is not the message's last")
    return list_at(texts[-1].extra.get(ANNOTATIONS), path) if texts else []


def _unannotated(block: Block) -> Block:
    if not isinstance(block, TextBlock) or ANNOTATIONS not in block.extra:
        return block
    extra = {key: value for key, value in block.extra.items() if key != ANNOTATIONS}
    return msgspec.structs.replace(block, extra=extra)


def _reasoning(thinking: Sequence[ThinkingBlock], path: str) -> str:
    if len(thinking) > 1 or thinking[0].redacted or thinking[0].signature is not None:
        raise refuse(
            f"{path}.reasoning_content", "signed, redacted or several thinking blocks have no form on this API"
        )
    unsaid(thinking[0].extra, f"{path}.reasoning_content")
    return thinking[0].text


def _encode_message(message: Message, path: str) -> list[JSON]:
    name: dict[str, JSON] = {} if message.name is None else {"name": message.name}
    if message.role == "tool":
        return [{**_encode_result(block, path), **name} for block in message.content]
    if message.role == "assistant":
        return [{**_encode_turn(message.content, path), **name}]
    if message.role not in ROLES:
        raise refuse(f"{path}.role", f"unknown role {message.role!r}")
    return [{"role": message.role, "content": encode_content(message.content, f"{path}.content"), **name}]


def _encode_turn(blocks: Sequence[Block], path: str) -> dict[str, JSON]:
    audio = [block for block in blocks if isinstance(block, AudioBlock)]
    fields = encode_assistant((block for block in blocks if not isinstance(block, AudioBlock)), path)
    if not audio:
        return fields
    if len(audio) > 1 or audio[0] != AudioBlock(source=Source(kind="file_id", data=audio[0].source.data)):
        raise refuse(f"{path}.audio", "an assistant message can only refer to one earlier audio reply")
    return {**fields, "audio": {"id": audio[0].source.data}}


def _encode_result(block: Block, path: str) -> dict[str, JSON]:
    if not isinstance(block, ToolResultBlock):
        raise refuse(path, f"a {type(block).__name__} has no form in a tool message")
    if block.is_error is not None:
        raise refuse(f"{path}.is_error", "a tool message cannot say whether its result is an error")
    unsaid(block.extra, path)
    content = encode_content(block.content, f"{path}.content")
    return {"role": "tool", "tool_call_id": block.call_id, "content": content, **cache_fields(block.cache)}

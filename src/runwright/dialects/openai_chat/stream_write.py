"""Writing a chat completion as a stream, along recorded boundaries where they fit."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from runwright.dialects.dialect import Body, Chunks
from runwright.dialects.exact import compact
from runwright.dialects.fields import object_at, refuse, rest
from runwright.dialects.openai_chat.calls import arguments_text
from runwright.dialects.openai_chat.messages import encode_assistant
from runwright.dialects.openai_chat.response import (
    CHOICE,
    LOGPROBS,
    MESSAGE,
    RESERVED,
    UNNAMED,
    encode_finish,
    encode_usage,
)
from runwright.dialects.openai_chat.stream import OBJECT
from runwright.dialects.sse import DONE, write_event
from runwright.trace.model import JSON, Block, ModelResponse, RefusalBlock, TextBlock, ThinkingBlock, ToolCallBlock

ARGUMENT_PIECE = 12
_WORD = re.compile(r"\s*\S+|\s+", re.UNICODE)


def encode_stream(response: ModelResponse, live_body: Body, chunks: Chunks | None = None) -> Iterator[bytes]:
    """The events of a reply: role, pieces, finish, usage where the live request asked for it, and the end mark.

    `chunks` that do not add up to the response's text are set aside; then text comes by the word and arguments
    twelve characters at a time. Adjacent text blocks run together, as they do on this wire.
    """
    encode_assistant(response.content, "$.choices[0].message")  # refuses at once, before the first byte
    pieces = _pieces(response.content, chunks)
    finish = encode_finish(response)
    options = live_body.get("stream_options")
    usage = isinstance(options, dict) and options.get("include_usage") is True
    head = _head(response, live_body, usage)
    return _events(response, head, pieces, finish, usage)


def _events(response: ModelResponse, head: Body, pieces: Chunks, finish: str, usage: bool) -> Iterator[bytes]:
    extra = response.extra
    yield _event(head, {"delta": _opening(response), "logprobs": extra.get(LOGPROBS)})
    for delta in _deltas(response.content, pieces):
        yield _event(head, {"delta": delta})
    yield _event(head, {"delta": {}, "finish_reason": finish, **object_at(extra.get(CHOICE, {}), "$.choice")})
    if usage:
        yield write_event(compact({**head, "choices": [], "usage": encode_usage(response.usage)}))
    yield write_event(DONE)


def _head(response: ModelResponse, live_body: Body, usage: bool) -> Body:
    return {
        "id": response.id or UNNAMED,
        "object": OBJECT,
        "created": 0,
        "model": response.model or live_body.get("model"),
        **rest(response.extra, (*RESERVED, "object")),
        **({"usage": None} if usage else {}),
    }


def _event(head: Body, choice: Body) -> bytes:
    whole: JSON = {"index": 0, "delta": {}, "logprobs": None, "finish_reason": None, **choice}
    return write_event(compact({**head, "choices": [whole]}))


def _opening(response: ModelResponse) -> Body:
    """The first delta: the role, and what of the message is not cut into pieces."""
    message = encode_assistant(response.content, "$")
    texts = [block for block in response.content if isinstance(block, TextBlock)]
    whole = object_at(response.extra.get(MESSAGE, {}), "$.message") | rest(
        message, ("role", "content", "refusal", "reasoning_content", "tool_calls")
    )
    return {"role": "assistant", "content": "" if texts else None, "refusal": None, **whole}


def _deltas(blocks: Sequence[Block], pieces: Chunks) -> Iterator[Body]:
    calls = [index for index, block in enumerate(blocks) if isinstance(block, ToolCallBlock)]
    done: dict[int, int] = {}
    for index, size in pieces:
        block, start = blocks[index], done.get(index)
        text = _text(block)[start or 0 : (start or 0) + size]
        done[index] = (start or 0) + size
        if isinstance(block, ToolCallBlock):
            yield {"tool_calls": [_call_delta(block, calls.index(index), text, first=start is None)]}
        else:
            yield {_field(block): text}


def _call_delta(call: ToolCallBlock, index: int, text: str, *, first: bool) -> JSON:
    argument = "arguments" if call.kind == "function" else "input"
    if first:
        return {"index": index, "id": call.id, "type": call.kind, call.kind: {"name": call.name, argument: text}}
    return {"index": index, call.kind: {argument: text}}


def _pieces(blocks: Sequence[Block], chunks: Chunks | None) -> Chunks:
    if chunks is not None and _fit(blocks, chunks):
        return chunks
    return tuple((index, len(piece)) for index, block in enumerate(blocks) for piece in _cut(block))


def _fit(blocks: Sequence[Block], chunks: Chunks) -> bool:
    """Whether the recorded pieces cover every block exactly and open every one that a client must see."""
    if any(not 0 <= index < len(blocks) or size < 0 for index, size in chunks):
        return False
    totals = {index: 0 for index, block in enumerate(blocks) if _text(block)}
    for index, size in chunks:
        totals[index] = totals.get(index, 0) + size
    opened = all(index in totals for index, block in enumerate(blocks) if not isinstance(block, TextBlock))
    return opened and all(total == len(_text(blocks[index])) for index, total in totals.items())


def _cut(block: Block) -> list[str]:
    text = _text(block)
    if not isinstance(block, ToolCallBlock):
        return _WORD.findall(text) or ([""] if not isinstance(block, TextBlock) else [])
    return ["", *(text[at : at + ARGUMENT_PIECE] for at in range(0, len(text), ARGUMENT_PIECE))]


def _text(block: Block) -> str:
    if isinstance(block, ToolCallBlock):
        return arguments_text(block)
    if isinstance(block, TextBlock | RefusalBlock | ThinkingBlock):
        return block.text
    raise refuse("$.choices[0].delta", f"a {type(block).__name__} has no form in a stream on this API")


def _field(block: Block) -> str:
    if isinstance(block, RefusalBlock):
        return "refusal"
    return "reasoning_content" if isinstance(block, ThinkingBlock) else "content"

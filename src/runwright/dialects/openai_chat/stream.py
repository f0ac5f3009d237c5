"""Reading a streamed chat completion: deltas are merged, their boundaries kept."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from runwright.dialects.dialect import Body, Chunks
from runwright.dialects.fields import count_at, kind_of, list_at, object_at, only, optional_text_at, refuse, rest
from runwright.dialects.openai_chat.calls import KINDS, call_of
from runwright.dialects.openai_chat.parts import ANNOTATIONS
from runwright.dialects.openai_chat.response import (
    CHOICE,
    LOGPROBS,
    MESSAGE,
    RESERVED,
    decode_finish,
    decode_usage,
)
from runwright.trace.model import JSON, Block, ModelResponse, RefusalBlock, StopReason, TextBlock, ThinkingBlock, Usage

OBJECT = "chat.completion.chunk"
Slot: TypeAlias = Literal["reasoning_content", "content", "refusal"] | int
"""Where a piece of text goes: a text field of the delta, or the index of a tool call."""

_TEXTS: tuple[Literal["reasoning_content", "content", "refusal"], ...] = ("reasoning_content", "content", "refusal")
_OWN = ("id", "object", "model", "choices", "usage", "obfuscation")


@dataclass
class _Call:
    id: str = ""
    kind: str = ""
    name: str = ""
    text: str = ""


@dataclass
class _Merged:
    """What the deltas so far add up to."""

    texts: dict[Slot, str] = field(default_factory=dict)
    calls: dict[int, _Call] = field(default_factory=dict)
    pieces: list[tuple[Slot, int]] = field(default_factory=list)
    message: Body = field(default_factory=dict)
    choice: Body = field(default_factory=dict)
    beside: Body = field(default_factory=dict)
    logprobs: Body = field(default_factory=dict)
    finish: JSON = None
    usage: Usage | None = None
    id: str | None = None
    model: str | None = None


def decode_stream(events: Sequence[Body]) -> tuple[ModelResponse, Chunks]:
    """The response and its (block index, characters) pieces; without a finish chunk there is no stop reason.

    Random padding (`obfuscation`) is dropped. A piece of no characters is kept only where it announces a tool call.
    """
    merged = _Merged()
    for index, event in enumerate(events):
        _add_event(merged, event, f"chunk {index}: $")
    reason, finish = decode_finish(merged.finish)
    return _response(merged, reason, finish), _chunks(merged)


def _response(merged: _Merged, reason: StopReason | None, finish: Body) -> ModelResponse:
    kept = {LOGPROBS: merged.logprobs, CHOICE: merged.choice, MESSAGE: rest(merged.message, (ANNOTATIONS,))}
    return ModelResponse(
        content=_content(merged),
        stop_reason=reason,
        usage=merged.usage,
        id=merged.id,
        model=merged.model,
        extra=merged.beside | finish | {name: value for name, value in kept.items() if value},
    )


def _content(merged: _Merged) -> tuple[Block, ...]:
    texts, annotations = merged.texts, merged.message.get(ANNOTATIONS)
    if annotations and "content" not in texts:
        raise refuse(f"$.choices[0].delta.{ANNOTATIONS}", "annotations on a message without text")
    extra: Body = {ANNOTATIONS: annotations} if annotations else {}
    thinking = (ThinkingBlock(text=texts["reasoning_content"]),) if "reasoning_content" in texts else ()
    text = (TextBlock(text=texts["content"], extra=extra),) if "content" in texts else ()
    refusal = (RefusalBlock(text=texts["refusal"]),) if "refusal" in texts else ()
    calls = (call_of(call.id, call.kind, call.name, call.text) for _, call in sorted(merged.calls.items()))
    return (*thinking, *text, *refusal, *calls)


def _chunks(merged: _Merged) -> Chunks:
    slots: list[Slot] = [*(slot for slot in _TEXTS if slot in merged.texts), *sorted(merged.calls)]
    place = {slot: index for index, slot in enumerate(slots)}
    return tuple((place[slot], size) for slot, size in merged.pieces)


def _add_event(merged: _Merged, event: Body, path: str) -> None:
    if event.get("error") is not None:
        raise refuse(f"{path}.error", "the stream broke off with an error event")
    merged.id = merged.id or optional_text_at(event.get("id"), f"{path}.id") or None
    merged.model = merged.model or optional_text_at(event.get("model"), f"{path}.model") or None
    if event.get("usage") is not None:
        merged.usage = decode_usage(event["usage"])
    beside = rest(event, _OWN) | ({} if event.get("object") in (None, "", OBJECT) else {"object": event["object"]})
    for name in RESERVED:
        if name in beside:
            raise refuse(f"{path}.{name}", "field beside the choices cannot be represented")
    _latest(merged.beside, beside)
    choices = list_at(event.get("choices"), f"{path}.choices")
    if len(choices) > 1:
        raise refuse(f"{path}.choices[1]", "several choices cannot be represented")
    if choices:
        _add_choice(merged, object_at(choices[0], f"{path}.choices[0]"), f"{path}.choices[0]")


def _add_choice(merged: _Merged, choice: Body, path: str) -> None:
    if choice.get("index") not in (None, 0):
        raise refuse(f"{path}.index", f"expected 0, found {choice['index']!r}")
    merged.finish = choice.get("finish_reason") or merged.finish
    if choice.get("logprobs") is not None:
        _accumulate(merged.logprobs, object_at(choice["logprobs"], f"{path}.logprobs"))
    _latest(merged.choice, rest(choice, ("index", "delta", "finish_reason", "logprobs")))
    if choice.get("delta") is not None:
        _add_delta(merged, object_at(choice["delta"], f"{path}.delta"), f"{path}.delta")


def _add_delta(merged: _Merged, delta: Body, path: str) -> None:
    if delta.get("function_call") is not None:
        raise refuse(f"{path}.function_call", f"legacy function_call with {kind_of(delta['function_call'])}")
    if delta.get("role") not in (None, "", "assistant"):
        raise refuse(f"{path}.role", f"expected 'assistant', found {delta['role']!r}")
    for slot in _TEXTS:
        text = optional_text_at(delta.get(slot), f"{path}.{slot}")
        if text is not None:
            merged.texts[slot] = merged.texts.get(slot, "") + text
            merged.pieces += [(slot, len(text))] if text else []
    for index, call in enumerate(list_at(delta.get("tool_calls"), f"{path}.tool_calls")):
        _add_call(merged, object_at(call, f"{path}.tool_calls[{index}]"), f"{path}.tool_calls[{index}]")
    further = rest(delta, ("role", "tool_calls", "function_call", *_TEXTS))
    _accumulate(merged.message, {key: value for key, value in further.items() if value is not None})


def _add_call(merged: _Merged, delta: Body, path: str) -> None:
    index = _call_index(merged, delta, path)
    new = index not in merged.calls
    call = merged.calls.setdefault(index, _Call())
    id_ = optional_text_at(delta.get("id"), f"{path}.id") or ""
    if id_ and call.id and id_ != call.id:
        raise refuse(f"{path}.id", f"tool call {index} changes its id from {call.id!r} to {id_!r}")
    call.id = call.id or id_
    call.kind = _call_kind(call, delta, path)
    only(delta, ("index", "id", "type", call.kind), path)
    body = object_at(delta.get(call.kind) or {}, f"{path}.{call.kind}")
    argument = "arguments" if call.kind == "function" else "input"
    only(body, ("name", argument), f"{path}.{call.kind}")
    name = optional_text_at(body.get("name"), f"{path}.name") or ""
    call.name += "" if name == call.name else name
    text = optional_text_at(body.get(argument), f"{path}.{argument}") or ""
    call.text += text
    if text or new:
        merged.pieces.append((index, len(text)))


def _call_index(merged: _Merged, delta: Body, path: str) -> int:
    """The call that a delta belongs to; without an index, an id opens a call and its absence continues the last."""
    if delta.get("index") is not None:
        return count_at(delta["index"], f"{path}.index")
    known = next((index for index, call in merged.calls.items() if delta.get("id") == call.id), None)
    if known is not None:
        return known
    last = max(merged.calls, default=-1)
    return last + 1 if delta.get("id") or last < 0 else last


def _call_kind(call: _Call, delta: Body, path: str) -> str:
    kind = (
        optional_text_at(delta.get("type"), f"{path}.type")
        or call.kind
        or ("custom" if "custom" in delta else "function")
    )
    if kind not in KINDS:
        raise refuse(f"{path}.type", f"unknown tool type {kind!r}")
    return kind


def _latest(into: Body, fields: Body) -> None:
    """Later values replace earlier ones, but null and empty ones never do."""
    for key, value in fields.items():
        if value or key not in into:
            into[key] = value


def _accumulate(into: Body, fields: Body) -> None:
    """Strings and lists grow, objects grow inside, anything else is replaced."""
    for key, value in fields.items():
        old = into.get(key)
        if isinstance(old, str) and isinstance(value, str):
            into[key] = old + value
        elif isinstance(old, list) and isinstance(value, list):
            into[key] = [*old, *value]
        elif isinstance(old, dict) and isinstance(value, dict):
            _accumulate(old, value)
        elif value is not None or old is None:
            into[key] = dict(value) if isinstance(value, dict) else value

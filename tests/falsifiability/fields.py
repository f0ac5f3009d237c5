"""Requests that hold every field of the model, and each of their fields changed in turn."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, TypeAlias, get_args

import msgspec

from runwright.dialects import DIALECTS, Body
from runwright.errors import DialectError
from runwright.trace.model import JSON, Block, Message, ModelRequest, Source, ToolSpec

Steps: TypeAlias = tuple[str | int, ...]

OPENAI: Body = {
    "model": "gpt-5",
    "temperature": 0.5,
    "seed": 7,
    "parallel_tool_calls": True,
    "stop": ["END"],
    "tool_choice": {"type": "function", "function": {"name": "look_up"}},
    "response_format": {"type": "json_schema", "json_schema": {"name": "order", "schema": {"type": "object"}}},
    "tools": [
        {
            "type": "function",
            "function": {
                "name": "look_up",
                "description": "Find an order.",
                "parameters": {"type": "object", "properties": {"order": {"type": "string"}}, "required": ["order"]},
                "strict": True,
            },
        },
        {"type": "custom", "custom": {"name": "query", "description": "Ask the shop's records."}},
    ],
    "messages": [
        {"role": "system", "name": "shop", "content": "You are the shop's support."},
        {
            "role": "user",
            "content": [
                {"type": "text", "text": "My lamp arrived broken."},
                {"type": "image_url", "image_url": {"url": "https://shop.example/lamp.png", "detail": "low"}},
                {"type": "image_url", "image_url": {"url": "data:image/png;base64,aGVsbG8="}},
                {"type": "input_audio", "input_audio": {"data": "c291bmQ=", "format": "wav"}},
                {"type": "file", "file": {"filename": "bill.pdf", "file_data": "data:application/pdf;base64,YmlsbA=="}},
                {"type": "file", "file": {"file_data": "YmlsbA==", "detail": "low"}},
            ],
        },
        {"role": "assistant", "content": None, "refusal": "I cannot see that."},
        {"role": "user", "content": "Then read the order."},
        {
            "role": "assistant",
            "content": "I look.",
            "reasoning_content": "The order is not known yet.",
            "tool_calls": [
                {"id": "look-1", "type": "function", "function": {"name": "look_up", "arguments": '{"order":"A-1"}'}},
                {"id": "look-2", "type": "function", "function": {"name": "look_up", "arguments": "order A-4472"}},
                {"id": "query-1", "type": "custom", "custom": {"name": "query", "input": "orders of today"}},
            ],
        },
        {"role": "tool", "tool_call_id": "look-1", "content": "shipped"},
        {"role": "tool", "tool_call_id": "look-2", "content": "not found"},
        {"role": "tool", "tool_call_id": "query-1", "content": "none"},
    ],
}  # fmt: skip

CITED: JSON = {
    "type": "char_location",
    "cited_text": "lamp",
    "document_index": 0,
    "document_title": "bill",
    "start_char_index": 0,
    "end_char_index": 4,
}

ANTHROPIC: Body = {
    "model": "claude-sonnet-4-5",
    "max_tokens": 1024,
    "temperature": 1,
    "stop_sequences": ["END"],
    "thinking": {"type": "enabled", "budget_tokens": 2048},
    "tool_choice": {"type": "auto", "disable_parallel_tool_use": True},
    "system": [{"type": "text", "text": "You are the shop's support."}],
    "tools": [
        {
            "name": "look_up",
            "description": "Find an order.",
            "input_schema": {"type": "object", "properties": {"order": {"type": "string"}}},
        },
        {"type": "web_search_20250305", "name": "web_search", "max_uses": 3},
    ],
    "messages": [
        {
            "role": "user",
            "content": [
                {"type": "text", "text": "My lamp arrived broken."},
                {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "aGVsbG8="}},
                {"type": "image", "source": {"type": "url", "url": "https://shop.example/lamp.png"}, "crop": "left"},
                {
                    "type": "document",
                    "title": "bill",
                    "source": {"type": "base64", "media_type": "application/pdf", "data": "YmlsbA=="},
                },
            ],
        },
        {
            "role": "assistant",
            "content": [
                {"type": "thinking", "thinking": "The order is not known yet.", "signature": "c2lnbmVk"},
                {"type": "redacted_thinking", "data": "c2VjcmV0"},
                {"type": "text", "text": "I look.", "citations": [CITED]},
                {"type": "tool_use", "id": "look-1", "name": "look_up", "input": {"order": "A-4471"}},
                {"type": "server_tool_use", "id": "search-1", "name": "web_search", "input": {"query": "lamp"}},
                {
                    "type": "tool_use",
                    "id": "look-2",
                    "name": "look_up",
                    "input": {"order": "A-4472"},
                    "caller": {"type": "direct"},
                },
            ],
        },
        {
            "role": "user",
            "content": [
                {"type": "tool_result", "tool_use_id": "look-1", "content": "shipped", "seen": "today"},
                {"type": "tool_result", "tool_use_id": "look-2", "content": "not found", "is_error": True},
            ],
        },
    ],
}

RESPONSES: Body = {
    "model": "gpt-5",
    "temperature": 0.5,
    "store": True,
    "previous_response_id": "resp_1",
    "include": ["reasoning.encrypted_content"],
    "reasoning": {"effort": "low", "summary": "auto"},
    "text": {"format": {"type": "text"}, "verbosity": "low"},
    "tool_choice": {"type": "function", "name": "look_up"},
    "instructions": "You are the shop's support.",
    "tools": [
        {
            "type": "function",
            "name": "look_up",
            "description": "Find an order.",
            "parameters": {"type": "object", "properties": {"order": {"type": "string"}}, "required": ["order"]},
            "strict": True,
        },
        {"type": "custom", "name": "query", "description": "Ask the shop's records.", "format": {"type": "text"}},
        {"type": "web_search", "search_context_size": "low"},
    ],
    "input": [
        {"role": "developer", "content": "Be short."},
        {
            "type": "message",
            "role": "user",
            "content": [
                {"type": "input_text", "text": "My lamp arrived broken."},
                {"type": "input_image", "image_url": "https://shop.example/lamp.png", "detail": "low", "crop": "left"},
                {"type": "input_image", "image_url": "data:image/png;base64,aGVsbG8="},
                {"type": "input_audio", "input_audio": {"data": "c291bmQ=", "format": "wav"}},
                {"type": "input_file", "filename": "bill.pdf", "file_data": "data:application/pdf;base64,YmlsbA=="},
                {"type": "input_file", "file_id": "file-1", "detail": "low"},
            ],
        },
        {
            "type": "message",
            "id": "message-1",
            "status": "completed",
            "role": "assistant",
            "content": [{"type": "refusal", "refusal": "I cannot see that.", "category": "none"}],
        },
        {"role": "user", "content": "Then read the order."},
        {
            "type": "reasoning",
            "id": "thought-1",
            "summary": [{"type": "summary_text", "text": "The order is not known yet."}],
            "encrypted_content": "c2VjcmV0",
        },
        {
            "type": "message",
            "id": "message-2",
            "phase": "commentary",
            "role": "assistant",
            "content": [
                {
                    "type": "output_text",
                    "text": "I look.",
                    "annotations": [{"type": "url_citation", "url": "https://shop.example", "start_index": 0}],
                }
            ],
        },
        {"type": "web_search_call", "id": "search-1", "status": "completed", "action": {"query": "lamp"}},
        {
            "type": "function_call",
            "id": "item-1",
            "call_id": "look-1",
            "name": "look_up",
            "arguments": '{"order":"A-1"}',
            "namespace": "shop",
        },
        {"type": "function_call", "call_id": "look-2", "name": "look_up", "arguments": "order A-4472"},
        {"type": "custom_tool_call", "call_id": "query-1", "name": "query", "input": "orders of today"},
        {"type": "function_call_output", "call_id": "look-1", "output": "shipped", "status": "completed"},
        {"type": "function_call_output", "call_id": "look-2", "output": "not found"},
        {
            "type": "custom_tool_call_output",
            "call_id": "query-1",
            "output": [{"type": "input_text", "text": "none"}],
        },
    ],
}

GEMINI: Body = {
    "model": "gemini-2.5-flash",
    "generationConfig": {"temperature": 0.5, "stopSequences": ["END"], "thinkingConfig": {"includeThoughts": True}},
    "safetySettings": [{"category": "HARM_CATEGORY_HARASSMENT", "threshold": "BLOCK_NONE"}],
    "toolConfig": {"functionCallingConfig": {"mode": "ANY", "allowedFunctionNames": ["look_up"]}},
    "cachedContent": "cachedContents/shop",
    "systemInstruction": {"parts": [{"text": "You are the shop's support."}]},
    "tools": [
        {
            "functionDeclarations": [
                {
                    "name": "look_up",
                    "description": "Find an order.",
                    "parameters": {"type": "OBJECT", "properties": {"order": {"type": "STRING"}}},
                    "behavior": "BLOCKING",
                },
                {"name": "refund", "parametersJsonSchema": {"type": "object"}},
            ]
        },
        {"googleSearch": {"excludeDomains": ["shop.example"]}},
    ],
    "contents": [
        {
            "role": "user",
            "parts": [
                {"text": "My lamp arrived broken."},
                {"inlineData": {"mimeType": "image/png", "data": "aGVsbG8="}, "mediaResolution": {"level": "LOW"}},
                {"fileData": {"mimeType": "image/png", "fileUri": "https://shop.example/lamp.png"}},
                {"inlineData": {"mimeType": "audio/wav", "data": "c291bmQ="}},
                {"inlineData": {"mimeType": "application/pdf", "data": "YmlsbA==", "displayName": "bill.pdf"}},
                {"fileData": {"mimeType": "video/mp4", "fileUri": "files/film"}, "videoMetadata": {"fps": 2}},
            ],
        },
        {
            "role": "model",
            "parts": [
                {"text": "The order is not known yet.", "thought": True, "thoughtSignature": "c2lnbmVk"},
                {"text": "I look.", "thoughtSignature": "c2lnbmVk"},
                {"functionCall": {"name": "look_up", "args": {"order": "A-4471"}}, "thoughtSignature": "c2lnbmVk"},
                {"functionCall": {"name": "look_up", "args": {"order": "A-4472"}}},
                {"functionCall": {"id": "refund-1", "name": "refund", "args": {"order": "A-4471"}}},
                {"executableCode": {"id": "run-1", "language": "PYTHON", "code": "print(1)"}},
            ],
        },
        {
            "role": "user",
            "parts": [
                {"functionResponse": {"name": "look_up", "response": {"state": "shipped"}}},
                {"functionResponse": {"name": "look_up", "response": {"error": "not found"}}},
                {"functionResponse": {"id": "refund-1", "name": "refund", "response": {}, "scheduling": "SILENT"}},
            ],
        },
    ],
}

BODIES: dict[str, Body] = {
    "openai.chat_completions": OPENAI,
    "openai.responses": RESPONSES,
    "anthropic.messages": ANTHROPIC,
    "gemini.generate_content": GEMINI,
}

PARTS = (ModelRequest, Message, Source, ToolSpec, *get_args(Block))

NOT_COMPARED = {
    "ModelRequest.api": "decides the path that is called; another one is a test of its own",
    "ModelRequest.provider": "follows from the api",
    **{
        f"{part.__name__}.cache": "says what the provider may keep: the model reads the same"
        for part in get_args(Block)
        if "cache" in part.__struct_fields__
    },
}
"""Fields of a request that matching passes over, and why nothing goes unnoticed there."""

WHOLES = {
    f"{part.__name__}.{field.name}"
    for part in PARTS
    for field in msgspec.structs.fields(part)
    if field.name in ("messages", "tools", "content", "source")
}
"""Fields that consist of others."""


@dataclass(frozen=True)
class Change:
    """One field of an API's request, and its field in the model: `TextBlock.text`."""

    api: str
    at: Steps
    field: str

    def __str__(self) -> str:
        return f"{self.api} {'.'.join(map(str, self.at))}"


def request_of(api: str) -> ModelRequest:
    """The request of an API that holds every field it can hold."""
    request, _ = DIALECTS[api].decode_request(BODIES[api])
    return request


def changes(api: str) -> Iterator[Change]:
    """One change for each leaf of the request that can have another value on the wire, the others being equal."""
    request = request_of(api)
    for at, name in _leaves(request, (), ""):
        if name not in NOT_COMPARED and changed(request, at) is not None:
            yield Change(api, at, name)


def changed(request: ModelRequest, at: Steps) -> ModelRequest | None:
    """The request with another value in this place; None where no other value has a form on the wire."""
    for other in OTHERS:
        new = _edited(request, at, other)
        if new != request and _on_the_wire(new):
            return new
    return None


def _on_the_wire(request: ModelRequest) -> bool:
    """Whether a body says exactly this request."""
    dialect = DIALECTS[request.api]
    try:
        return dialect.decode_request(dialect.encode_request(request, False))[0] == request
    except DialectError:
        return False


def blanked(request: ModelRequest, at: Steps) -> ModelRequest:
    """The request with the same value in this place whatever it was; a request that has no such place is returned."""
    try:
        return _edited(request, at, lambda value: value[:0] if isinstance(value, str) else 0)
    except (LookupError, TypeError):
        return request


def fields_of_the_model() -> set[str]:
    """Every field that a request can have, as `TextBlock.text`."""
    return {f"{part.__name__}.{field.name}" for part in PARTS for field in msgspec.structs.fields(part)}


def _leaves(value: Any, at: Steps, name: str) -> Iterator[tuple[Steps, str]]:
    if isinstance(value, msgspec.Struct):
        for field in value.__struct_fields__:
            yield from _leaves(getattr(value, field), (*at, field), f"{type(value).__name__}.{field}")
    elif isinstance(value, dict):
        for key, each in value.items():
            yield from _leaves(each, (*at, key), name)
    elif isinstance(value, (list, tuple)):
        for index, each in enumerate(value):
            yield from _leaves(each, (*at, index), name)
    elif value is not None:
        yield at, name


def _edited(value: Any, at: Steps, edit: Any) -> Any:
    if not at:
        return edit(value)
    step, *rest = at
    if isinstance(value, msgspec.Struct):
        inner = _edited(getattr(value, str(step)), tuple(rest), edit)
        return msgspec.structs.replace(value, **{str(step): inner})
    if isinstance(value, dict):
        return {**value, step: _edited(value[step], tuple(rest), edit)}
    if isinstance(value, (list, tuple)) and isinstance(step, int):
        return type(value)([*value[:step], _edited(value[step], tuple(rest), edit), *value[step + 1 :]])
    raise TypeError(f"nothing lies at {step!r}")


def _another(value: JSON) -> JSON:
    if isinstance(value, bool):
        return not value
    return value + 1 if isinstance(value, (int, float)) else f"{value}X"


WORDS = ("user", "assistant", "system", "developer", "url", "base64", "file_id", "text", "function", "custom")
OTHERS = (_another, *(lambda _, word=word: word for word in WORDS))
"""What a leaf may become: something else of its type, else one of the words that a closed set may hold."""

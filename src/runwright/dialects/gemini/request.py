"""The request body of a content to generate, with what the URL tells of it: `model` and `stream`."""

from __future__ import annotations

from collections.abc import Sequence

from runwright.dialects.dialect import Body
from runwright.dialects.fields import flag_at, object_at, only, optional_text_at, refuse, rest, text_at, wrong_kind
from runwright.dialects.gemini.names import camel, spelled
from runwright.dialects.gemini.parts import Numbering, decode_parts, encode_parts
from runwright.dialects.gemini.tools import decode_tools, encode_tools
from runwright.trace.model import JSON, Message, ModelRequest

API = "gemini.generate_content"
PROVIDER = "google"
SYSTEM, ASSISTANT = "system", "assistant"
MODEL = "model"
_ROLES = {"user": "user", MODEL: ASSISTANT, "function": "function", "tool": "tool"}
_WIRE = {role: word for word, role in _ROLES.items()}
_OWN = ("model", "systemInstruction", "contents", "tools", "stream")
_KNOWN = (*_OWN, "generationConfig")


def decode_request(body: Body) -> tuple[ModelRequest, bool]:
    """The request and whether its reply is to be streamed; every further field stays a parameter, verbatim.

    The system instruction is the first message. The role `model` is `assistant`, as the trace has it of every API.
    """
    wire = spelled(body, _KNOWN, "$")
    config = wire.get("generationConfig")
    count = config.get("candidateCount") if isinstance(config, dict) else None
    if count not in (None, 1):
        raise refuse("$.generationConfig.candidateCount", f"expected 1, found {count!r}: several cannot be represented")
    contents = wire.get("contents")
    if not isinstance(contents, list):
        raise wrong_kind("$.contents", "a list", contents)
    request = ModelRequest(
        api=API,
        provider=PROVIDER,
        model=text_at(wire.get("model"), "$.model").removeprefix("models/"),
        parameters=rest(wire, _OWN),
        messages=(*_system(wire.get("systemInstruction")), *_decode_contents(contents)),
        tools=decode_tools(wire.get("tools"), "$.tools"),
    )
    return request, flag_at(wire.get("stream"), "$.stream")


def encode_request(request: ModelRequest, streamed: bool) -> Body:
    """The body that decodes to this request."""
    own = [key for key in request.parameters if camel(key) in _OWN]
    if own:
        raise refuse(f"$.{own[0]}", "field cannot be a parameter")
    body: Body = {"model": request.model, **request.parameters}
    said: Sequence[Message] = request.messages
    if said and said[0].role == SYSTEM:
        parts = encode_parts(said[0].content, "$.systemInstruction.parts", Numbering())
        body["systemInstruction"] = {"parts": parts}
        said = said[1:]
    body["contents"] = _encode_contents(said)
    if request.tools:
        body["tools"] = encode_tools(request.tools)
    if streamed:
        body["stream"] = True
    return body


def _system(value: JSON) -> tuple[Message, ...]:
    if value is None:
        return ()
    content = object_at(value, "$.systemInstruction")
    only(content, ("role", "parts"), "$.systemInstruction")
    blocks = decode_parts(content.get("parts"), "$.systemInstruction.parts", Numbering())
    return (Message(role=SYSTEM, content=blocks),)


def _decode_contents(contents: Sequence[JSON]) -> tuple[Message, ...]:
    """The messages; calls and results without an id are numbered anew in each turn of the model."""
    said, ids = list[Message](), Numbering()
    for index, each in enumerate(contents):
        path = f"$.contents[{index}]"
        content = object_at(each, path)
        only(content, ("role", "parts"), path)
        word = optional_text_at(content.get("role"), f"{path}.role") or "user"
        if word not in _ROLES:
            raise refuse(f"{path}.role", f"unknown role {word!r}")
        if _is_new_turn(_ROLES[word], said):
            ids = Numbering()
        said.append(Message(role=_ROLES[word], content=decode_parts(content.get("parts"), f"{path}.parts", ids)))
    return tuple(said)


def _encode_contents(messages: Sequence[Message]) -> list[JSON]:
    contents, ids = list[JSON](), Numbering()
    for index, message in enumerate(messages):
        path = f"$.contents[{index}]"
        if message.role not in _WIRE:
            raise refuse(f"{path}.role", f"unknown role {message.role!r}")
        if message.name is not None:
            raise refuse(f"{path}.name", "a message's name has no form on this API")
        if _is_new_turn(message.role, messages[:index]):
            ids = Numbering()
        contents.append({"role": _WIRE[message.role], "parts": encode_parts(message.content, f"{path}.parts", ids)})
    return contents


def _is_new_turn(role: str, said: Sequence[Message]) -> bool:
    """Whether the model begins to speak: what it says in one turn may stand in several contents."""
    return role == ASSISTANT and bool(said) and said[-1].role != ASSISTANT

"""The request body of a message."""

from __future__ import annotations

from collections.abc import Sequence

from runwright.dialects.anthropic_messages.blocks import decode_content, encode_content
from runwright.dialects.anthropic_messages.calls import decode_tools, encode_tools
from runwright.dialects.dialect import Body
from runwright.dialects.fields import flag_at, object_at, only, refuse, rest, text_at, unclaimed, wrong_kind
from runwright.trace.model import JSON, Block, Message, ModelRequest

API = "anthropic.messages"
PROVIDER = "anthropic"
SYSTEM = "system"
ROLES = ("user", "assistant", SYSTEM)
_OWN = ("model", "system", "messages", "tools", "stream")


def decode_request(body: Body) -> tuple[ModelRequest, bool]:
    """The request and whether its reply is to be streamed; every further field stays a parameter, verbatim.

    The system prompt is the first message. Where there is none and the wire's own first message is a system one, an
    empty message keeps its place.
    """
    messages = body.get("messages")
    if not isinstance(messages, list):
        raise wrong_kind("$.messages", "a list", messages)
    said = tuple(_decode_message(each, f"$.messages[{index}]") for index, each in enumerate(messages))
    request = ModelRequest(
        api=API,
        provider=PROVIDER,
        model=text_at(body.get("model"), "$.model"),
        parameters=rest(body, _OWN),
        messages=(*_system(body.get("system"), said), *said),
        tools=decode_tools(body.get("tools"), "$.tools"),
    )
    return request, flag_at(body.get("stream"), "$.stream")


def encode_request(request: ModelRequest, streamed: bool) -> Body:
    """The body that decodes to this request."""
    unclaimed(request.parameters, _OWN)
    system, said = _parted(request.messages)
    body: Body = {"model": request.model, **request.parameters}
    if system:
        body["system"] = encode_content(system, "$.system")
    body["messages"] = [_encode_message(each, f"$.messages[{index}]") for index, each in enumerate(said)]
    if request.tools:
        body["tools"] = encode_tools(request.tools)
    if streamed:
        body["stream"] = True
    return body


def _system(value: JSON, said: Sequence[Message]) -> tuple[Message, ...]:
    content = () if value is None else decode_content(value, "$.system")
    needed = bool(content) or (bool(said) and said[0].role == SYSTEM)
    return (Message(role=SYSTEM, content=content),) if needed else ()


def _parted(messages: Sequence[Message]) -> tuple[tuple[Block, ...], Sequence[Message]]:
    if messages and messages[0].role == SYSTEM:
        return messages[0].content, messages[1:]
    return (), messages


def _decode_message(value: JSON, path: str) -> Message:
    message = object_at(value, path)
    role = text_at(message.get("role"), f"{path}.role")
    if role not in ROLES:
        raise refuse(f"{path}.role", f"unknown role {role!r}")
    only(message, ("role", "content"), path)
    return Message(role=role, content=decode_content(message.get("content"), f"{path}.content"))


def _encode_message(message: Message, path: str) -> JSON:
    if message.role not in ROLES:
        raise refuse(f"{path}.role", f"unknown role {message.role!r}")
    if message.name is not None:
        raise refuse(f"{path}.name", "a message's name has no form on this API")
    return {"role": message.role, "content": encode_content(message.content, f"{path}.content")}

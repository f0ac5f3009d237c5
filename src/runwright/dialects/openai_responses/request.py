"""The request body of a response."""

from __future__ import annotations

from collections.abc import Sequence

from runwright.dialects.dialect import Body
from runwright.dialects.fields import flag_at, list_at, refuse, rest, text_at, unclaimed
from runwright.dialects.openai_responses.calls import decode_tools, encode_tools
from runwright.dialects.openai_responses.items import decode_item, encode_item
from runwright.trace.model import JSON, Message, ModelRequest, TextBlock

API = "openai.responses"
PROVIDER = "openai"
SYSTEM = "system"
_OWN = ("model", "instructions", "input", "tools", "stream", "stream_options")


def decode_request(body: Body) -> tuple[ModelRequest, bool]:
    """The request and whether its reply is to be streamed; every further field stays a parameter,
    verbatim, but for `stream_options`, which say how the reply travels.

    Each item of the input is a message, and the instructions are the first one. Where there are none and the input
    begins with a system message, an empty message keeps their place. What the provider stores and the request only
    names (`previous_response_id`, `conversation`, `prompt`) is a parameter: its content is not on the wire.
    """
    said = _decode_input(body.get("input"))
    request = ModelRequest(
        api=API,
        provider=PROVIDER,
        model=text_at(body.get("model"), "$.model"),
        parameters=rest(body, _OWN),
        messages=(*_instructions(body.get("instructions"), said), *said),
        tools=decode_tools(body.get("tools"), "$.tools"),
    )
    return request, flag_at(body.get("stream"), "$.stream")


def encode_request(request: ModelRequest, streamed: bool) -> Body:
    """The body that decodes to this request."""
    unclaimed(request.parameters, _OWN)
    body: Body = {"model": request.model, **request.parameters}
    said: Sequence[Message] = request.messages
    if said and said[0].role == SYSTEM:
        if said[0].content:
            body["instructions"] = _text_of(said[0])
        said = said[1:]
    body["input"] = [encode_item(each, f"$.input[{index}]") for index, each in enumerate(said)]
    if request.tools:
        body["tools"] = encode_tools(request.tools)
    if streamed:
        body["stream"] = True
    return body


def _decode_input(value: JSON) -> tuple[Message, ...]:
    if isinstance(value, str):
        return (Message(role="user", content=(TextBlock(text=value),)),)
    return tuple(decode_item(each, f"$.input[{index}]") for index, each in enumerate(list_at(value, "$.input")))


def _instructions(value: JSON, said: Sequence[Message]) -> tuple[Message, ...]:
    if value is not None:
        return (Message(role=SYSTEM, content=(TextBlock(text=text_at(value, "$.instructions")),)),)
    return (Message(role=SYSTEM),) if said and said[0].role == SYSTEM else ()


def _text_of(message: Message) -> str:
    block = message.content[0]
    if len(message.content) != 1 or not isinstance(block, TextBlock) or block != TextBlock(text=block.text):
        raise refuse("$.instructions", "instructions other than one plain text have no form on this API")
    if message.name is not None:
        raise refuse("$.instructions", "a message's name has no form on this API")
    return block.text

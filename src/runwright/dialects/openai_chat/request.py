"""The request body of a chat completion."""

from __future__ import annotations

from runwright.dialects.dialect import Body
from runwright.dialects.fields import flag_at, kind_of, refuse, rest, text_at, unclaimed, wrong_kind
from runwright.dialects.openai_chat.calls import decode_tools, encode_tools
from runwright.dialects.openai_chat.messages import decode_messages, encode_messages
from runwright.trace.model import ModelRequest

API = "openai.chat_completions"
PROVIDER = "openai"
_OWN = ("model", "messages", "tools", "stream", "stream_options")
_LEGACY = ("functions", "function_call")


def decode_request(body: Body) -> tuple[ModelRequest, bool]:
    """The request and whether its reply is to be streamed; every further field stays a parameter, verbatim."""
    for field in _LEGACY:
        if body.get(field) is not None:
            raise refuse(f"$.{field}", f"legacy {field} with {kind_of(body[field])}", hint="use tools and tool_choice")
    n = body.get("n")
    if n is not None and n != 1:
        raise refuse("$.n", f"expected 1, found {n!r}: several choices cannot be represented")
    messages = body.get("messages")
    if not isinstance(messages, list):
        raise wrong_kind("$.messages", "a list", messages)
    request = ModelRequest(
        api=API,
        provider=PROVIDER,
        model=text_at(body.get("model"), "$.model"),
        parameters=rest(body, _OWN),
        messages=decode_messages(messages, "$.messages"),
        tools=decode_tools(body.get("tools"), "$.tools"),
    )
    return request, flag_at(body.get("stream"), "$.stream")


def encode_request(request: ModelRequest, streamed: bool) -> Body:
    """The body that decodes to this request."""
    unclaimed(request.parameters, (*_OWN, *_LEGACY))
    body: Body = {"model": request.model, "messages": encode_messages(request.messages), **request.parameters}
    if request.tools:
        body["tools"] = encode_tools(request.tools)
    if streamed:
        body["stream"] = True
    return body

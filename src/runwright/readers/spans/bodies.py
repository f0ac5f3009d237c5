"""The request that a body is, of whose messages and declarations most stood in an earlier body too."""

from __future__ import annotations

from runwright.dialects import DIALECTS
from runwright.errors import DialectError
from runwright.readers.again import once_each
from runwright.readers.known import CHAT, MESSAGES_API
from runwright.readers.lenient import an_object
from runwright.readers.spans.captured import Captured
from runwright.trace.model import JSON, Message, ModelRequest

Object = dict[str, JSON]


def request_of(body: Object, api: str) -> Captured:
    """What the body of a request to this API shows: all of it. DialectError where it is none, or RecursionError."""
    said = body.get("messages")
    if isinstance(said, list) and api in (CHAT, MESSAGES_API):
        try:
            request, streamed = _request({**body, "messages": []}, api)
            messages = (*request.messages, *(_message(each, api) for each in said))
        except DialectError:
            pass  # the whole body's error says where in it
        else:
            return _captured(request, messages, streamed)
    request, streamed = DIALECTS[api].decode_request(body)
    return _captured(request, request.messages, streamed)


def _captured(request: ModelRequest, messages: tuple[Message, ...], streamed: bool) -> Captured:
    return Captured(
        messages=messages,
        tools=request.tools,
        parameters=dict(request.parameters),
        complete=True,
        streamed=streamed,
        model=request.model,
    )


@once_each
def _request(body: JSON, api: str) -> tuple[ModelRequest, bool]:
    return DIALECTS[api].decode_request(an_object(body))


@once_each
def _message(item: JSON, api: str) -> Message:
    request, _ = DIALECTS[api].decode_request({"model": "", "messages": [item], "max_tokens": 1})
    return request.messages[-1]

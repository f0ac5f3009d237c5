"""The request that a body is, of whose messages and declarations most stood in an earlier body too."""

from __future__ import annotations

import msgspec

from runwright.dialects import DIALECTS, Dialect
from runwright.errors import DialectError
from runwright.readers.again import once_each
from runwright.readers.known import CHAT, MESSAGES_API
from runwright.readers.lenient import an_object
from runwright.trace.model import JSON, Message, ModelRequest

APART = (CHAT, MESSAGES_API)
"""APIs whose messages are each read by itself."""


def decoded_request(
    body: dict[str, JSON], dialect: Dialect, *, prompt_first: bool = False
) -> tuple[ModelRequest, bool]:
    """What `dialect` reads of a body, and whether its reply is to be streamed; messages that come again are one object.

    With `prompt_first` a system message that comes first is the prompt itself, as exporters write it, and not one that
    stands after a prompt that there is none of. DialectError where it is none of this API's, or RecursionError.
    """
    said = body.get("messages")
    if not isinstance(said, list) or dialect.api not in APART:
        return dialect.decode_request(body)
    try:
        head = 0 if prompt_first else 1  # which may stand for two
        request, streamed = _request({**body, "messages": said[:head]}, dialect.api)
        messages = [_message(each, dialect.api) for each in said[head:]]
    except DialectError:
        return dialect.decode_request(body)  # the whole body's error says where in it
    return msgspec.structs.replace(request, messages=(*request.messages, *messages)), streamed


@once_each
def _request(body: JSON, api: str) -> tuple[ModelRequest, bool]:
    return DIALECTS[api].decode_request(an_object(body))


@once_each
def _message(item: JSON, api: str) -> Message:
    request, _ = DIALECTS[api].decode_request({"model": "", "messages": [item], "max_tokens": 1})
    return request.messages[-1]

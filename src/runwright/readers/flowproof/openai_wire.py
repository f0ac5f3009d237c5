"""Stored messages put back into bodies of OpenAI's Chat Completions."""

from __future__ import annotations

from collections.abc import Sequence

from runwright.dialects import Body
from runwright.dialects.fields import refuse
from runwright.readers.flowproof.message import Message
from runwright.readers.flowproof.wire import MESSAGES, Wire
from runwright.trace.model import JSON


def openai_request(model: str, messages: Sequence[Message], tools: Sequence[str]) -> Wire:
    """The request; a message whose content was not stored has unknown content, and names are never stored."""
    declared: list[JSON] = [{"type": "function", "function": {"name": name}} for name in tools]
    body: Body = {"model": model, "messages": [_message(each) for each in messages], "tools": declared}
    hidden = [_content_path(each, at) for at, each in enumerate(messages) if each.hides_content]
    named = (f"{MESSAGES}[*].name",) if messages else ()
    return Wire(body, (*named, *hidden), partial=bool(hidden))


def openai_response(message: Message, stop: str | None) -> Body:
    """The reply. The stop reason of this protocol is never stored; where it is all the same, it is kept."""
    choice: Body = {"index": 0, "message": _message(message), "finish_reason": stop}
    return {"choices": [choice]}


def _message(message: Message) -> JSON:
    body: Body = {"role": message.role, "content": message.content}
    if message.calls:
        body["tool_calls"] = [
            {"id": call.id, "type": "function", "function": {"name": call.name, "arguments": call.arguments}}
            for call in message.calls
        ]
    if message.role == "tool":
        if message.call_id is None:
            raise refuse(f"{message.place}.tool_call_id", "a tool message that answers no call")
        body["tool_call_id"] = message.call_id
    return body


def _content_path(message: Message, at: int) -> str:
    """A result lies inside the block that names the call it answers, which is known."""
    inner = "[0].content" if message.role == "tool" else ""
    return f"{MESSAGES}[{at}].content{inner}"

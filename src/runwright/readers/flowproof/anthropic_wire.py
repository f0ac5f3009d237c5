"""Stored messages put back into bodies of Anthropic's Messages.

The recording takes them apart: the system prompt becomes a message, each tool result a message of its own before the
words it came with, and text blocks are joined. Results and the words right after them are one user turn again, as the
API wants them.
"""

from __future__ import annotations

from collections.abc import Sequence

from runwright.dialects import Body
from runwright.dialects.exact import exact_loads
from runwright.dialects.fields import object_at, refuse
from runwright.readers.flowproof.message import Call, Message
from runwright.readers.flowproof.wire import MESSAGES, Wire
from runwright.trace.model import JSON

SYSTEM = "system"


def anthropic_request(model: str, messages: Sequence[Message], tools: Sequence[str]) -> Wire:
    """The request; whether a tool result was marked as an error is never stored."""
    system = messages[0] if messages and messages[0].role == SYSTEM else None
    said = messages[1:] if system else messages
    turns = _turns(said)
    first = 1 if system else 0
    body: Body = {
        "model": model,
        "messages": [{"role": _role(turn), "content": _content(turn)} for turn in turns],
        "tools": [{"name": name} for name in tools],
    }
    hidden: list[str] = []
    if system:
        body[SYSTEM] = system.content or ""
        hidden += [f"{MESSAGES}[0].content"] if system.hides_content else []
    hidden += [path for at, turn in enumerate(turns) for path in _hidden(turn, f"{MESSAGES}[{at + first}].content")]
    unmarked = [
        f"{MESSAGES}[{at + first}].content[{block}].is_error"
        for at, turn in enumerate(turns)
        for block, message in enumerate(turn)
        if message.role == "tool"
    ]
    return Wire(body, (*hidden, *unmarked), partial=bool(hidden))


def anthropic_response(message: Message, stop: str | None) -> Body:
    """The reply, with the stop reason as it was on the wire where it was stored."""
    return {"role": message.role, "content": _blocks(message), "stop_reason": stop}


def _turns(messages: Sequence[Message]) -> list[list[Message]]:
    """The messages of each wire message: adjacent tool results, and the user's words right after them."""
    turns: list[list[Message]] = []
    for message in messages:
        after_results = bool(turns) and turns[-1][-1].role == "tool"
        if after_results and message.role in ("tool", "user"):
            turns[-1].append(message)
        else:
            turns.append([message])
    return turns


def _role(turn: Sequence[Message]) -> str:
    return "user" if turn[0].role == "tool" else turn[0].role


def _content(turn: Sequence[Message]) -> JSON:
    only = turn[0]
    if len(turn) == 1 and only.role != "tool" and not only.calls and only.content is not None:
        return only.content
    return [block for message in turn for block in _blocks(message)]


def _blocks(message: Message) -> list[JSON]:
    if message.role == "tool":
        if message.call_id is None:
            raise refuse(f"{message.place}.tool_call_id", "a tool message that answers no call")
        return [{"type": "tool_result", "tool_use_id": message.call_id, "content": message.content or []}]
    said: list[JSON] = [{"type": "text", "text": message.content}] if message.content else []
    return [*said, *map(_use, message.calls)]


def _use(call: Call) -> JSON:
    """On this wire a call's input is an object, which is stored as its JSON text."""
    place = f"{call.place}.arguments"
    try:
        given = exact_loads(call.arguments)
    except ValueError as error:
        raise refuse(place, f"no JSON: {error}") from error
    return {"type": "tool_use", "id": call.id, "name": call.name, "input": object_at(given, place)}


def _hidden(turn: Sequence[Message], content: str) -> list[str]:
    """The paths of what a wire message said that was not stored."""
    if not any(message.hides_content for message in turn):
        return []
    if turn[-1].role != "tool" and turn[-1].hides_content:
        return [content]
    return [f"{content}[{at}].content" for at, message in enumerate(turn) if message.hides_content]

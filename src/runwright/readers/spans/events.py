"""The older event style: each message of a request and each choice of its reply is a log record or a span event."""

from __future__ import annotations

import re
from collections.abc import Sequence

import msgspec

from runwright.readers.known import CONTENT, MESSAGES
from runwright.readers.reading import Reading
from runwright.readers.spans.captured import Captured
from runwright.readers.spans.classify import api_of
from runwright.readers.spans.span import Event, Span
from runwright.readers.spans.wire_messages import answered, asked, wire_message
from runwright.trace.model import JSON

MESSAGE = re.compile(r"gen_ai\.(\w+)\.message")
CHOICE = "gen_ai.choice"
PROMPT, COMPLETION = "gen_ai.content.prompt", "gen_ai.content.completion"
KEPT = frozenset({CHOICE, PROMPT, COMPLETION, "gen_ai.content.completion.chunk"})
"""Events that are read, or that say no more than the span does."""


def is_kept(event: Event) -> bool:
    """The event says something of a model call that is read here."""
    return event.name in KEPT or MESSAGE.fullmatch(event.name) is not None


def shows_content(event: Event, reading: Reading) -> bool:
    """The event carries what somebody said: with capture off, none of a process does."""
    body = _body(event, reading)
    message = body.get("message")
    return any(_says(each) for each in (body, message if isinstance(message, dict) else {}))


def _says(body: dict[str, JSON]) -> bool:
    calls = body.get("tool_calls")
    functions = [each.get("function") for each in calls if isinstance(each, dict)] if isinstance(calls, list) else []
    return bool(body.get("content")) or any(isinstance(each, dict) and each.get("arguments") for each in functions)


def _body(event: Event, reading: Reading) -> dict[str, JSON]:
    """What the event says: its body, or the attributes that span events use instead."""
    held = event.attributes.get("gen_ai.event.content") if event.body is None else event.body
    if isinstance(held, str):
        held = reading.json_or_text(held, event.name)
        return held if isinstance(held, dict) else {"content": held}
    if isinstance(held, dict):
        return held
    spoken = ("content", "role", "id", "tool_calls", "message", "finish_reason", "index")
    return {key: event.attributes[key] for key in spoken if key in event.attributes}


def from_events(span: Span, events: Sequence[Event], captured: bool, reading: Reading) -> list[Captured]:
    """What the events of one span show; `captured` says whether the process wrote content at all.

    A message without content was empty: the instrumentation leaves an empty content out. An assistant's text beside
    tool calls is left out too by some, so it stays unknown until an earlier reply tells.
    """
    ordered = sorted(events, key=lambda event: event.time)
    said = [(found.group(1), _body(event, reading)) for event in ordered if (found := MESSAGE.fullmatch(event.name))]
    chosen = [_body(event, reading) for event in ordered if event.name == CHOICE]
    stop = next((each for body in chosen if isinstance(each := body.get("finish_reason"), str)), None)
    if not captured:
        return [Captured(stop=stop)]
    where, api = f"span {span.span_id}", api_of(span)
    choices = [wire_message(_chosen(body), "assistant") for body in chosen]
    reply = answered(choices, stop, reading, where)
    if not said:
        return [reply]
    items = [wire_message(body, role) for role, body in said]
    return [_marked(asked(items, api, reading, where), _silent_turns(said)), reply]


def _chosen(body: dict[str, JSON]) -> dict[str, JSON]:
    message = body.get("message")
    if isinstance(message, str):
        return {"content": message, "tool_calls": body.get("tool_calls")}
    return message if isinstance(message, dict) else body


def _silent_turns(said: Sequence[tuple[str, dict[str, JSON]]]) -> tuple[int, ...]:
    """The assistant messages that have calls and no content."""
    return tuple(
        at
        for at, (role, body) in enumerate(said)
        if role == "assistant" and body.get("tool_calls") and "content" not in body
    )


def _marked(request: Captured, silent: Sequence[int]) -> Captured:
    paths = tuple(f"{MESSAGES}[{at}].content" for at in silent)
    return msgspec.structs.replace(request, unknown=tuple(dict.fromkeys(request.unknown + paths)))


def from_content_events(span: Span, reading: Reading) -> list[Captured]:
    """The oldest form: one span event with all prompts and one with all completions, each a JSON text."""
    where, api = f"span {span.span_id}", api_of(span)
    found: list[Captured] = []
    for event in span.events:
        prompt, completion = event.attributes.get("gen_ai.prompt"), event.attributes.get("gen_ai.completion")
        if event.name == PROMPT and isinstance(prompt, str):
            items = _items(prompt, reading, where)
            messages = [wire_message(each, "user") for each in items]
            found.append(asked(messages, api, reading, where) if items else Captured(cut=(MESSAGES,)))
        if event.name == COMPLETION and isinstance(completion, str):
            choices = [wire_message(_chosen(each), "assistant") for each in _items(completion, reading, where)]
            found.append(answered(choices, None, reading, where) if choices else Captured(cut=(CONTENT,)))
    return found


def _items(text: str, reading: Reading, where: str) -> list[dict[str, JSON]]:
    value = reading.json_or_text(text, where)
    if isinstance(value, str) and value[:1] in ("[", "{"):
        return []
    items = value if isinstance(value, list) else [value]
    return [each if isinstance(each, dict) else {"content": each} for each in items]

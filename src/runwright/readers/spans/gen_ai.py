"""The gen_ai attributes: messages in parts, as JSON texts or structured values, on the span or in its details event."""

from __future__ import annotations

import msgspec

from runwright.readers.again import once_each
from runwright.readers.blocks import Blocks, from_parts, text as text_block
from runwright.readers.exact import NotJson
from runwright.readers.known import CHAT, CONTENT, MESSAGES, RESPONSES, TOOLS
from runwright.readers.lenient import objects
from runwright.readers.reading import Reading
from runwright.readers.shape import Said, with_instructions
from runwright.readers.spans.captured import Captured
from runwright.readers.spans.classify import api_of, number
from runwright.readers.spans.declared import declared
from runwright.readers.spans.shape import requested
from runwright.readers.spans.span import Attributes, Span, once
from runwright.trace.model import JSON, Block, Message, Usage

INPUT, OUTPUT, SYSTEM, DEFINED = (
    "gen_ai.input.messages",
    "gen_ai.output.messages",
    "gen_ai.system_instructions",
    "gen_ai.tool.definitions",
)
DETAILS = "gen_ai.client.inference.operation.details"
PARAMETERS = {
    "gen_ai.request.temperature": "temperature",
    "gen_ai.request.top_p": "top_p",
    "gen_ai.request.top_k": "top_k",
    "gen_ai.request.max_tokens": "max_tokens",
    "gen_ai.request.frequency_penalty": "frequency_penalty",
    "gen_ai.request.presence_penalty": "presence_penalty",
    "llm.frequency_penalty": "frequency_penalty",
    "llm.presence_penalty": "presence_penalty",
    "gen_ai.request.seed": "seed",
    "gen_ai.openai.request.seed": "seed",
    "gen_ai.request.choice.count": "n",
    "gen_ai.openai.request.service_tier": "service_tier",
    "openai.request.service_tier": "service_tier",
}
COUNTS = (
    ("gen_ai.usage.input_tokens", "gen_ai.usage.prompt_tokens"),
    ("gen_ai.usage.output_tokens", "gen_ai.usage.completion_tokens"),
)
WHOLE_FORMATS = ("text", "json_object")
"""Response formats that are wholly said by their type."""


class CutText(ValueError):
    """The text starts as JSON and does not end as such."""


def from_gen_ai(span: Span, reading: Reading) -> list[Captured]:
    """What the span's own gen_ai attributes show, and its details event where that carries them."""
    seen = span
    for event in span.events:
        if event.name == DETAILS:
            seen = msgspec.structs.replace(seen, attributes={**event.attributes, **seen.attributes})
    return [_plain(seen), _request(seen, reading), _answer(seen, reading), _tools(seen, reading)]


def _plain(span: Span) -> Captured:
    """What needs no content to be captured."""
    attributes = span.attributes
    finish = attributes.get("gen_ai.response.finish_reasons")
    stop = next((each for each in finish if isinstance(each, str)), None) if isinstance(finish, list) else None
    streamed = [attributes.get(key) for key in ("gen_ai.request.stream", "gen_ai.is_streaming", "llm.is_streaming")]
    return Captured(
        parameters=_parameters(span),
        streamed=next((each for each in streamed if isinstance(each, bool)), None),
        model=span.text("gen_ai.request.model") or None,
        stop=stop or span.text("anthropic.message.stop_reason") or None,
        response_id=span.text("gen_ai.response.id") or None,
        response_model=span.text("gen_ai.response.model") or None,
        usage=_usage(attributes),
    )


@once
def _parameters(span: Span) -> dict[str, JSON]:
    """Parameters under the names that the wire has for them; those with several possible names are left out."""
    attributes = span.attributes
    given = [key for key in PARAMETERS if key in attributes and attributes[key] is not None]
    found = {PARAMETERS[key]: attributes[key] for key in given}
    chat = api_of(span) in (CHAT, RESPONSES)
    if chat and span.scope.name == "pydantic-ai":
        found.pop("max_tokens", None)
    if (told := span.text("gen_ai.openai.request.response_format")) in WHOLE_FORMATS:
        found["response_format"] = {"type": told}
    stops = span.attributes.get("gen_ai.request.stop_sequences")
    if isinstance(stops, list) and (len(stops) > 1 or not chat):
        found["stop" if chat else "stop_sequences"] = stops
    return found


def unplaced(span: Span) -> dict[str, JSON]:
    """Request attributes whose name on the wire is not certain: kept as they are, compared with nothing."""
    placed = _parameters(span)
    certain = {key for key, name in PARAMETERS.items() if name in placed} | {
        "gen_ai.request.model",
        "gen_ai.request.stream",
    }
    if "response_format" in placed:
        certain.add("gen_ai.openai.request.response_format")
    if "stop" in placed or "stop_sequences" in placed:
        certain.add("gen_ai.request.stop_sequences")
    mine = [key for key in span.attributes if key.startswith(("gen_ai.request.", "gen_ai.openai.request."))]
    return {key: span.attributes[key] for key in mine if key not in certain}


def _usage(attributes: Attributes) -> Usage | None:
    counts = [next((attributes[key] for key in pair if key in attributes), None) for pair in COUNTS]
    if counts == [None, None]:
        return None
    details = {
        key.removeprefix("gen_ai.usage."): value for key, value in attributes.items() if key.startswith("gen_ai.usage.")
    }
    for each in ("input_tokens", "output_tokens", "prompt_tokens", "completion_tokens", "total_tokens"):
        details.pop(each, None)
    return Usage(input_tokens=number(counts[0]), output_tokens=number(counts[1]), details=details)


def structured(value: JSON, where: str, reading: Reading) -> JSON:
    """A value that may be written as JSON text; CutText where that text breaks off."""
    if not isinstance(value, str) or value[:1] not in ("[", "{"):
        return value
    try:
        return reading.json(value, where)
    except NotJson as error:
        raise CutText from error


def _request(span: Span, reading: Reading) -> Captured:
    if span.attributes.get(INPUT) is None:
        return Captured()
    try:
        given = structured(span.attributes[INPUT], span.span_id, reading)
        said = structured(span.attributes.get(SYSTEM), span.span_id, reading)
    except CutText:
        return Captured(cut=(MESSAGES,))
    history: list[Said] = []
    for item in given if isinstance(given, list) else [_user(given)]:
        message, pieces = _message(item)
        if pieces.absent:
            return Captured()
        history.append(Said(message, _strange(pieces, span, reading), pieces.rewritten))
    system = _instructions(said)
    return Captured() if system is None else requested(with_instructions(history, system), api_of(span))


def _user(content: JSON) -> JSON:
    return {"role": "user", "content": content}


@once_each
def _message(item: JSON) -> tuple[Message, Blocks]:
    """A message with its pieces."""
    if not isinstance(item, dict):
        return Message(role="user"), Blocks((), strange=(type(item).__name__,))
    parts, role, name = item.get("parts"), item.get("role"), item.get("name")
    content = item.get("content") if not isinstance(parts, list) else parts
    pieces = Blocks(text_block(content)) if isinstance(content, str) else from_parts(content)
    said = Message(
        role=role if isinstance(role, str) else "user",
        content=pieces.blocks,
        name=name if isinstance(name, str) else None,
    )
    return said, pieces


def _strange(pieces: Blocks, span: Span, reading: Reading) -> bool:
    for each in pieces.strange:
        reading.lose("not_representable", f"a message part of the type {each!r}", f"span {span.span_id}")
    return bool(pieces.strange)


def _instructions(said: JSON) -> tuple[Block, ...] | None:
    """The instructions as blocks; None where their content was left out."""
    if said is None:
        return ()
    if isinstance(said, str):
        return text_block(said)
    pieces = from_parts(said)
    return None if pieces.absent else pieces.blocks


def _answer(span: Span, reading: Reading) -> Captured:
    if span.attributes.get(OUTPUT) is None:
        return Captured()
    try:
        given = structured(span.attributes[OUTPUT], span.span_id, reading)
    except CutText:
        return Captured(cut=(CONTENT,))
    items = given if isinstance(given, list) else [given]
    if not items:
        return Captured()
    read = [_message(item) for item in items]
    if any(pieces.absent for _, pieces in read):
        return Captured()
    lost = [_strange(pieces, span, reading) for _, pieces in read]
    choices = len(read) > 1 and api_of(span) == CHAT
    if choices:
        reading.lose("not_representable", f"{len(read) - 1} more choices of one reply", f"span {span.span_id}")
    kept = read[:1] if choices else read
    finish = items[0].get("finish_reason") if isinstance(items[0], dict) else None
    return Captured(
        content=tuple(block for message, _ in kept for block in message.content),
        stop=finish if isinstance(finish, str) else None,
        unknown=(CONTENT,) if choices or any(lost) else (),
    )


def _tools(span: Span, reading: Reading) -> Captured:
    if span.attributes.get(DEFINED) is None:
        return _listed_tools(span, reading)
    try:
        given = structured(span.attributes[DEFINED], span.span_id, reading)
    except CutText:
        return Captured(cut=(TOOLS,))
    whole = (
        span.scope.name == "pydantic-ai" or span.text("gen_ai.openai.api_base") != "" or "anthropic" in span.scope.name
    )
    return declared(given, described=whole)


def _listed_tools(span: Span, reading: Reading) -> Captured:
    """The tools of an instrumentation that lists all that it sent, under names of its own."""
    told = span.text("model_request_parameters")
    if span.scope.name != "pydantic-ai" or not told:
        return Captured()
    try:
        sent = reading.json(told, span.span_id)
    except NotJson:
        return Captured(cut=(TOOLS,))
    if not isinstance(sent, dict) or sent.get("native_tools") or sent.get("builtin_tools"):
        return Captured()
    given = [each for key in ("function_tools", "output_tools") for each in objects(sent.get(key))]
    known = ("name", "description", "parameters_json_schema")
    return declared([{key: each[key] for key in known if key in each} for each in given], described=True)

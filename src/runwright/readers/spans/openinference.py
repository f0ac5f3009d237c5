"""OpenInference attributes: flattened messages, and often the raw request and reply beside them."""

from __future__ import annotations

import msgspec

from runwright.dialects import DIALECTS
from runwright.errors import DialectError
from runwright.readers.again import once_each
from runwright.readers.blocks import call, from_wire, linked, result, text
from runwright.readers.exact import NotJson
from runwright.readers.known import CHAT, CONTENT, MESSAGES, RESPONSES
from runwright.readers.reading import Reading
from runwright.readers.spans.bodies import request_of
from runwright.readers.spans.captured import Captured
from runwright.readers.spans.classify import api_of, number
from runwright.readers.spans.declared import declared
from runwright.readers.spans.limits import cut_messages
from runwright.readers.spans.nested import flattened, objects
from runwright.readers.spans.span import Span
from runwright.readers.spans.wire_messages import WireMessage, answered, asked
from runwright.trace.model import JSON, Block, ImageBlock, Message, TextBlock, Usage

HIDDEN = "__REDACTED__"
NOT_PARAMETERS = frozenset(
    {"model", "messages", "input", "system", "instructions", "tools", "stream", "stream_options"}
)

LANGCHAIN = frozenset({"_type", "model_name"})
"""What LangChain puts among the parameters of a call and never sends."""


def from_openinference(span: Span, reading: Reading) -> list[Captured]:
    """What a span of the kind LLM shows: its raw bodies first, then its flattened messages."""
    if not span.text("openinference.span.kind"):
        return []
    where = f"span {span.span_id}"
    body = _sent(_body(span, "input.value", reading))
    invoked = _body(span, "llm.invocation_parameters", reading)
    output = _body(span, "output.value", reading)
    found = [_raw_request(span, body, reading), _raw_response(span, output)]
    if found[0].messages is None:  # else no flattened message can tell more
        found.append(_request(span, reading, where))
    found.append(_response(span, reading, where))
    found += [_tools(span, body, invoked, reading, where), _parameters(span, body, invoked)]
    return [*found, _plain(span, body, output, invoked)]


def _body(span: Span, key: str, reading: Reading) -> dict[str, JSON]:
    try:
        value = reading.json(span.text(key), f"span {span.span_id}") if span.text(key).startswith("{") else None
    except NotJson:
        return {}
    return value if isinstance(value, dict) else {}


def _sent(body: dict[str, JSON]) -> dict[str, JSON]:
    """The body of a request; nothing where its messages are printed objects of the framework, and it is none."""
    messages = body.get("messages")
    printed = isinstance(messages, list) and any(not isinstance(each, dict) for each in messages)
    return {} if printed else body


def _raw_request(span: Span, body: dict[str, JSON], reading: Reading) -> Captured:
    """The request as it was sent, where it is one of a dialect that is known here."""
    api = api_of(span)
    if api not in DIALECTS or "model" not in body or "messages" not in body:
        return Captured()
    try:
        return request_of(body, api)
    except DialectError as error:
        reading.lose("not_representable", f"the raw request: {error}", f"span {span.span_id}")
        return Captured()


def _raw_response(span: Span, body: dict[str, JSON]) -> Captured:
    """The reply as it came; a streamed one was put together by the instrumentation and may not decode."""
    dialect = DIALECTS.get(api_of(span))
    if dialect is None or body.get("object") != "chat.completion":
        return Captured()
    try:
        response = dialect.decode_response(body)
    except DialectError:
        return Captured()
    return Captured(
        content=response.content,
        stop=response.stop_reason,
        response_id=response.id,
        usage=response.usage,
        extra=response.extra,
    )


def _request(span: Span, reading: Reading, where: str) -> Captured:
    items = objects(flattened(span, "llm.input_messages"))
    messages = [_message(each.get("message"), "user") for each in items]
    if not messages or any(_is_hidden(each.message) for each in messages):
        return Captured()
    found = asked(messages, api_of(span), reading, where)
    if len(items) > 1 and not any(key.startswith(f"llm.input_messages.{len(items) - 1}.") for key in span.attributes):
        reading.lose("not_captured", "the instrumentation left out a message that has no text", where)
        found = msgspec.structs.replace(found, unknown=(MESSAGES,))
    return msgspec.structs.replace(found, cut=cut_messages(span, "llm.input_messages", MESSAGES, each=True))


def _response(span: Span, reading: Reading, where: str) -> Captured:
    items = objects(flattened(span, "llm.output_messages"))
    messages = [_message(each.get("message"), "assistant") for each in items]
    if not messages or any(_is_hidden(each.message) for each in messages):
        return Captured()
    cut = cut_messages(span, "llm.output_messages", CONTENT, each=False)
    if api_of(span) == CHAT:
        return msgspec.structs.replace(answered(messages, None, reading, where), cut=cut)
    together = tuple(block for each in messages for block in each.message.content if block != TextBlock(text=""))
    strange = any(each.strange for each in messages)
    return Captured(content=together or text(""), unknown=(CONTENT,) if strange else (), cut=cut)


def _is_hidden(message: Message) -> bool:
    return any(isinstance(block, TextBlock) and block.text == HIDDEN for block in message.content)


@once_each
def _message(item: JSON, role: str) -> WireMessage:
    """One flattened message; the same call may stand both among its contents and its calls."""
    if not isinstance(item, dict):
        return WireMessage(Message(role=role), ("message",))
    said, name, content = item.get("role"), item.get("name"), item.get("content")
    role = said if isinstance(said, str) else role
    if role == "tool":
        identity = item.get("tool_call_id")
        value = "" if content is None else content
        return WireMessage(
            Message(role=role, content=(result(identity if isinstance(identity, str) else "", value)[0],))
        )
    blocks: list[Block] = []
    strange: list[str] = []
    for piece in objects(item.get("contents")):
        block = _piece(piece)
        blocks.append(block) if not isinstance(block, str) else strange.append(block)
    if not blocks and not strange:
        blocks += from_wire(content).blocks
    blocks += [each for piece in objects(item.get("tool_calls")) if (each := _call(piece)) not in (None, *blocks)]  # type: ignore[misc]
    known = tuple(blocks) if blocks or strange else text("")
    return WireMessage(Message(role=role, content=known, name=name if isinstance(name, str) else None), tuple(strange))


def _piece(piece: dict[str, JSON]) -> Block | str:
    inner = piece.get("message_content")
    content = inner if isinstance(inner, dict) else {}
    if (made := _call(piece)) is not None or (made := _call(content)) is not None:
        return made
    if isinstance(content.get("text"), str):
        return TextBlock(text=str(content["text"]))
    image = content.get("image")
    held = image.get("image") if isinstance(image, dict) else None
    if isinstance(held, dict) and isinstance(held.get("url"), str):
        return ImageBlock(source=linked(str(held["url"])))
    return str(content.get("type") or "untyped piece")


def _call(piece: dict[str, JSON]) -> Block | None:
    held = piece.get("tool_call")
    function = held.get("function") if isinstance(held, dict) else None
    if not isinstance(held, dict) or not isinstance(function, dict):
        return None
    identity, name = held.get("id"), function.get("name")
    arguments = function.get("arguments", "{}")
    return call(identity if isinstance(identity, str) else "", name if isinstance(name, str) else "", arguments)


def _tools(span: Span, body: dict[str, JSON], invoked: dict[str, JSON], reading: Reading, where: str) -> Captured:
    """Tool schemas are written whole; a request body, and LangChain's parameters, without tools had none."""
    items = objects(flattened(span, "llm.tools"))
    tools = [each.get("tool") for each in items]
    schemas = [tool.get("json_schema") for tool in tools if isinstance(tool, dict)]
    if schemas:
        given = [reading.json_or_text(each, where) if isinstance(each, str) else each for each in schemas]
        return declared(given, described=True, whole=True)
    whole = ("messages" in body and "tools" not in body) or ("_type" in invoked and "tools" not in invoked)
    return Captured(tools=()) if whole else Captured()


def _parameters(span: Span, body: dict[str, JSON], invoked: dict[str, JSON]) -> Captured:
    """Parameters of the raw body, all of them; else those of the invocation, some of them.

    What the Responses instrumentation of the Agents SDK calls parameters is the reply's echo, not the request.
    """
    if "messages" in body:
        return Captured(parameters={key: body[key] for key in body if key not in NOT_PARAMETERS}, complete=True)
    if api_of(span) == RESPONSES or "id" in invoked:
        return Captured()
    if "_type" in invoked:
        told = {key: each for key, each in invoked.items() if key not in LANGCHAIN and each is not None}
        return Captured(parameters={key: each for key, each in told.items() if key not in NOT_PARAMETERS})
    return Captured(parameters={key: invoked[key] for key in invoked if key not in NOT_PARAMETERS} or None)


def _reply_id(output: dict[str, JSON]) -> str | None:
    found = output.get("id")
    return found if isinstance(found, str) else None


def _plain(span: Span, body: dict[str, JSON], output: dict[str, JSON], invoked: dict[str, JSON]) -> Captured:
    counts = [span.attributes.get(f"llm.token_count.{each}") for each in ("prompt", "completion")]
    streams = [each.get("stream") for each in (body, invoked)]
    asked = [each.get("model") for each in (body, invoked)]
    model = next((each for each in asked if isinstance(each, str)), None) or span.text("llm.request.model_name")
    return Captured(
        streamed=True if True in streams else (False if "messages" in body else None),
        model=model or span.text("llm.model_name") or None,
        stop=span.text("llm.finish_reason") or None,
        response_id=_reply_id(output),
        response_model=span.text("llm.response.model_name", "llm.model_name") or None,
        usage=None
        if counts == [None, None]
        else Usage(input_tokens=number(counts[0]), output_tokens=number(counts[1])),
    )

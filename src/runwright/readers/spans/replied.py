"""What the recorded output of a model call shows of its reply, in whichever shape a framework wrote it."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from runwright.dialects import DIALECTS
from runwright.errors import DialectError
from runwright.readers.blocks import call, text
from runwright.readers.chat import is_message, message_of
from runwright.readers.exact import compact
from runwright.readers.known import CONTENT
from runwright.readers.lenient import a_list, a_text, an_object, objects
from runwright.readers.reading import Reading
from runwright.readers.spans.asked import calls_in_text, opened
from runwright.readers.spans.captured import Captured
from runwright.trace.model import JSON, Block, TextBlock, Usage

Object = dict[str, JSON]
READ = ("input_tokens", "prompt_tokens", "promptTokens", "promptTokenCount", "prompt_token_count", "input")
WRITTEN = (
    "output_tokens",
    "completion_tokens",
    "completionTokens",
    "candidatesTokenCount",
    "candidates_token_count",
    "output",
)
TOTALS = frozenset({"total_tokens", "totalTokens", "totalTokenCount", "total_token_count", "total"})
ENDS = ("finish_reason", "stop_reason", "finishReason", "stopReason")
VERCEL = frozenset({"text", "toolCalls", "reasoning", "finishReason"})
WRAPPED = ("message", "output", "outputs", "response", "messages")
"""Where outputs keep the reply, best first."""


def replied_of(answer: JSON, api: str, reading: Reading, where: str) -> Captured:
    """The reply that an output shows; nothing where it shows none."""
    if answer == "None":
        reading.lose("not_captured", "an output is the word None, as Python writes nothing", where)
        return Captured()
    value = opened(answer, reading, where)
    if value is None or value == "":
        return Captured()
    found = _structured(value, api, reading, where)
    if found is not None:
        return found
    if isinstance(answer, str):
        return Captured(content=text(answer if not isinstance(value, str) else value))
    return Captured(content=text(compact(value)), made=(CONTENT,))


def usage_of(counts: JSON) -> Usage | None:
    """Token counts under any of the names that they have; None where there are none."""
    fields = counts
    if not isinstance(fields, dict) or not fields:
        return None
    found = [next((fields[key] for key in names if _is_count(fields.get(key))), None) for names in (READ, WRITTEN)]
    if found == [None, None]:
        return None
    rest = fields.keys() - {*READ, *WRITTEN, *TOTALS}
    details: dict[str, JSON] = {key: fields[key] for key in fields if key in rest and fields[key] not in (None, {}, [])}
    sums = [each if isinstance(each, int) else 0 for each in found]
    return Usage(input_tokens=sums[0], output_tokens=sums[1], details=details)


def _is_count(value: JSON) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 2**53


def _structured(value: JSON, api: str, reading: Reading, where: str) -> Captured | None:
    """The reply of a value that has a form which is known here."""
    if isinstance(value, list):
        return _from_list(value, api, reading, where)
    if not isinstance(value, dict):
        return None
    decoded = _decoded(value, api)
    if decoded is not None:
        return decoded
    for key, read in (("choices", _choices), ("candidates", _choices), ("generations", _generations)):
        items = value.get(key)
        if isinstance(items, list) and items:
            return _with_body(read(items, reading, where), value)
    if isinstance(value.get("output"), list) and any(_is_item(each) for each in a_list(value["output"])):
        return _with_body(_together(objects(value["output"]), reading, where), value)
    if is_message(value) or ("content" in value and ("role" in value or "tool_calls" in value)):
        return _with_body(_message(value, reading, where), value)
    if isinstance(value.get("toolCalls"), list) or {"text"} <= set(value) <= VERCEL:
        words = a_text(value.get("text"))
        calls = _vercel_calls(a_list(value.get("toolCalls")))
        return _with_body(Captured(content=(*(text(words) if words or not calls else ()), *calls)), value)
    for key in WRAPPED:
        inner = value.get(key)
        found = _structured(inner, api, reading, where) if isinstance(inner, (dict, list)) else None
        if found is not None:
            return _with_body(found, value)
        if isinstance(inner, str) and set(value) - {key} <= {"usage", "usage_metadata", "model", "id", *ENDS}:
            return _with_body(Captured(content=text(inner)), value)
    return None


def _is_item(value: JSON) -> bool:
    """An item of a Responses reply."""
    return isinstance(value, dict) and (value.get("type") in ("message", "function_call", "reasoning"))


def _decoded(body: Object, api: str) -> Captured | None:
    """The reply where the output is its body."""
    dialect = DIALECTS.get(api)
    whole = body.get("object") == "chat.completion" or {"content", "stop_reason", "usage"} <= body.keys()
    if dialect is None or not (whole or body.get("object") == "response"):
        return None
    try:
        response = dialect.decode_response(body)
    except (DialectError, RecursionError):
        return None
    return Captured(
        content=response.content,
        stop=response.stop_reason,
        response_id=response.id,
        response_model=response.model,
        usage=response.usage,
        extra=response.extra,
    )


def _with_body(found: Captured, body: Object) -> Captured:
    """The reply with what stands beside it."""
    stop = next((each for key in ENDS if isinstance(each := body.get(key), str)), None)
    model = a_text(body.get("model")) or a_text(body.get("modelVersion")) or a_text(body.get("model_version"))
    told = an_object(body.get("response_metadata"))
    counts = (body.get(key) for key in ("usage", "usage_metadata", "usageMetadata", "token_usage"))
    inner = an_object(body.get("llm_output"))
    usage = next(
        (each for each in map(usage_of, (*counts, inner.get("token_usage"), told.get("tokenUsage"))) if each), None
    )
    identity = a_text(body.get("id")) if "choices" in body or body.get("type") == "message" else ""
    return msgspec.structs.replace(
        found,
        stop=found.stop or stop or a_text(told.get("finish_reason")) or None,
        response_model=found.response_model or model or a_text(told.get("model_name")) or None,
        usage=found.usage or usage,
        response_id=found.response_id or identity or None,
    )


def _choices(items: Sequence[JSON], reading: Reading, where: str) -> Captured:
    """The first of several choices; what else there was is a loss, and the reply then not whole."""
    first = an_object(items[0])
    held = first.get("message", first.get("content", first.get("text")))
    found = _with_body(_message(held, reading, where), first)
    return _first_of(found, items, reading, where)


def _generations(items: Sequence[JSON], reading: Reading, where: str) -> Captured:
    """LangChain's generations: a list for each prompt, of a choice each."""
    choices = a_list(items[0]) if isinstance(items[0], list) else list(items)
    first = an_object(choices[0]) if choices else {}
    held = first.get("message")
    message = _message(held if isinstance(held, dict) else first.get("text"), reading, where)
    fields = an_object(held)
    found = _with_body(message, {**an_object(fields.get("kwargs")), **an_object(fields.get("data")), **fields})
    told = an_object(first.get("generation_info"))
    return _first_of(_with_body(found, told), choices, reading, where)


def _first_of(found: Captured, items: Sequence[JSON], reading: Reading, where: str) -> Captured:
    if len(items) <= 1:
        return found
    reading.lose("not_representable", f"{len(items) - 1} more choices of one reply", where)
    return msgspec.structs.replace(found, unknown=(*found.unknown, CONTENT))


def _from_list(items: Sequence[JSON], api: str, reading: Reading, where: str) -> Captured | None:
    """A list of calls, messages or parts, all of one reply."""
    given = [opened(each, reading, where) if isinstance(each, str) else each for each in items]
    calls = _vercel_calls(given)
    if calls and len(calls) == len(given):
        return Captured(content=calls)
    if given and all(isinstance(each, list) for each in given):
        return _from_list(a_list(given[0]), api, reading, where)
    told = [each for each in given if isinstance(each, dict)]
    if not told or len(told) != len(given):
        return None
    if all(is_message(each) or _is_item(each) for each in told):
        spoken = [each for each in told if each.get("role", "assistant") not in ("user", "system", "tool")]
        return _together(spoken[-1:] if len(spoken) < len(told) else spoken, reading, where)
    if all(isinstance(each.get("message"), dict) for each in told):
        return _choices(told, reading, where)
    if all(isinstance(each.get("type"), str) for each in told):
        return _message({"role": "assistant", "content": [*told]}, reading, where)
    return None


def _together(items: Sequence[Object], reading: Reading, where: str) -> Captured:
    """Messages and items that are one reply between them."""
    parts = [_message(_as_message(each), reading, where) for each in items]
    content = tuple(block for each in parts for block in each.content or ())
    spoken = tuple(block for block in content if not (isinstance(block, TextBlock) and not block.text))
    stop = next((stop for each in items for key in ENDS if isinstance(stop := each.get(key), str)), None)
    unknown = (CONTENT,) if any(each.unknown for each in parts) else ()
    made = (CONTENT,) if any(each.made for each in parts) else ()
    return Captured(content=spoken or text(""), stop=stop, unknown=unknown, made=made)


def _as_message(item: Object) -> JSON:
    return {"role": "assistant", "content": [item]} if item.get("type") in ("function_call", "reasoning") else item


def _message(item: JSON, reading: Reading, where: str) -> Captured:
    """The content of one message."""
    fields = an_object(item)
    calls = calls_in_text(fields.get("content"))
    chat = message_of({"role": "assistant", "tool_calls": calls} if calls else item, "assistant")
    for each in chat.strange:
        reading.lose("not_representable", f"a message part of the type {each!r}", where)
    return Captured(
        content=_spoken(chat.message.content),
        unknown=(CONTENT,) if chat.strange else (),
        made=(CONTENT,) if chat.made or calls else (),
    )


def _spoken(content: Sequence[Block]) -> tuple[Block, ...]:
    """An empty text beside other blocks is how frameworks write that there was none."""
    words = tuple(block for block in content if not (isinstance(block, TextBlock) and not block.text))
    return words or tuple(content)


def _vercel_calls(items: Sequence[JSON]) -> tuple[Block, ...]:
    """Tool calls as the AI SDK writes them."""
    held = [each for each in items if isinstance(each, dict) and isinstance(each.get("toolName"), str)]
    return tuple(
        call(a_text(each.get("toolCallId")), a_text(each["toolName"]), each.get("input", each.get("args")))
        for each in held
    )

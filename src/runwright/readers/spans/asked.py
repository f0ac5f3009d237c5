"""What the recorded input of a model call shows of its request, in whichever shape a framework wrote it."""

from __future__ import annotations

import re
from collections.abc import Sequence

import msgspec

from runwright.dialects import DIALECTS
from runwright.errors import DialectError
from runwright.readers.again import once_each
from runwright.readers.blocks import text
from runwright.readers.chat import is_message, message_of, role_of, said
from runwright.readers.declared_tools import declared_tools
from runwright.readers.exact import NotJson
from runwright.readers.known import MESSAGES
from runwright.readers.lenient import a_list, a_text, an_object, objects
from runwright.readers.reading import Reading
from runwright.readers.shape import Said, with_instructions
from runwright.readers.spans.bodies import request_of
from runwright.readers.spans.captured import Captured
from runwright.readers.spans.shape import requested
from runwright.trace.model import JSON, Block

Object = dict[str, JSON]

ROLES = frozenset({"system", "developer", "user", "assistant", "tool"})
HISTORIES = ("messages", "input", "contents", "prompt", "prompts", "args", "history", "message")
"""Where inputs keep what the model was told, best first."""

INSTRUCTIONS = ("system", "instructions", "system_instruction", "systemInstruction", "system_prompt")
PARAMETERS = frozenset(
    {"temperature", "top_p", "top_k", "max_tokens", "max_completion_tokens", "max_output_tokens", "stop", "n", "seed"}
    | {"stop_sequences", "presence_penalty", "frequency_penalty", "tool_choice", "parallel_tool_calls", "reasoning"}
    | {"response_format", "reasoning_effort", "logprobs", "top_logprobs", "logit_bias", "service_tier", "thinking"}
    | {"text", "truncation", "verbosity", "safety_settings", "generation_config", "metadata", "store", "user"}
)
"""Names of parameters that the model APIs have."""

OPENING = re.compile(r'\s*[{\["]')
"""What begins a JSON text that is worth reading."""
SPOKEN = re.compile(r"(?:system|developer|user|assistant|human|ai|tool): ", re.IGNORECASE)
PRINTED = re.compile(r"(?:role=|content=|[A-Z]\w+\()['\"\w]")
"""A Python object as it prints: no message, however much of one it shows."""


def opened(value: JSON, reading: Reading, where: str) -> JSON:
    """The value of a JSON text, also of one inside another; any other value as it is."""
    for _ in range(2):
        if not isinstance(value, str) or not OPENING.match(value):
            break
        try:
            value = reading.json(value, where)
        except NotJson:
            break
    return value


def asked_of(given: JSON, api: str, reading: Reading, where: str) -> Captured:
    """The request that an input shows; nothing of what it does not."""
    value = opened(given, reading, where)
    whole = _decoded(value, api) if isinstance(value, dict) else None
    if whole is not None:
        return whole
    fields = an_object(value)
    tools = fields.get("tools")
    found = Captured(
        tools=declared_tools([opened(each, reading, where) for each in tools]) if isinstance(tools, list) else None,
        parameters=parameters_of(fields) or None,
        streamed=stream if isinstance(stream := fields.get("stream"), bool) else None,
        model=a_text(fields.get("model")) or None,
    )
    items = _history(value, reading, where)
    if items is None:
        return found
    apart = isinstance(value, str) and SPOKEN.match(value) is not None
    history = _said(items, reading, where)
    request = requested(with_instructions(history, _instructions(fields, reading, where)), api)
    return msgspec.structs.replace(
        found,
        messages=request.messages,
        unknown=(*request.unknown, *((f"{MESSAGES}[0].content",) if apart else ())),
        made=(*request.made, *((MESSAGES,) if isinstance(value, str) and not apart else ())),
    )


class _Read(msgspec.Struct, frozen=True):
    """A message as `said` reads it, what no block can hold of it, and whether it stands as the wire has it."""

    said: Said
    strange: tuple[str, ...]
    plain: bool


def _said(items: Sequence[JSON], reading: Reading, where: str) -> list[Said]:
    """The messages, calls and results named as the wire names them; most came in an earlier request too."""
    read = [_read(item) for item in items]
    made: set[int] = set()
    if not all(each.plain for each in read):
        known, made = _answering(items)
        read = [_read(item) for item in known]
    for strange in [strange for each in read for strange in each.strange]:
        reading.lose("not_representable", f"a message part of the type {strange!r}", where)
    history = [each.said for each in read]
    for at in made:
        history[at] = msgspec.structs.replace(history[at], made=True)
    return history


@once_each
def _read(item: JSON) -> _Read:
    chat = message_of(item)
    return _Read(Said(chat.message, bool(chat.strange), chat.made), chat.strange, _is_plain(item))


def parameters_of(fields: Object) -> dict[str, JSON]:
    """The parameters among the fields, under the names that they have on the wire."""
    return {key: each for key, each in fields.items() if key in PARAMETERS and each is not None}


def _decoded(body: Object, api: str) -> Captured | None:
    """The request where the input is its body."""
    if api not in DIALECTS or not isinstance(body.get("model"), str) or not {"messages", "input"} & body.keys():
        return None
    if any(not isinstance(each, dict) or "role" not in each for each in a_list(body.get("messages"))):
        return None
    try:
        return request_of(body, api)
    except (DialectError, RecursionError):
        return None


def _history(value: JSON, reading: Reading, where: str) -> list[JSON] | None:
    """The messages that an input holds; None where it is something else."""
    if isinstance(value, str):
        return [value] if value and not PRINTED.match(value) else None
    if isinstance(value, list):
        return _listed(
            [opened(each, reading, where) if isinstance(each, str) else each for each in value], reading, where
        )
    if not isinstance(value, dict):
        return None
    if is_message(value) or _is_item(value):
        return [value]
    for key in HISTORIES:
        held = opened(value.get(key), reading, where)
        found = None if held is None or held == {} else _history(held, reading, where)
        if found is not None:
            return found
    return None


def _listed(items: list[JSON], reading: Reading, where: str) -> list[JSON] | None:
    """The messages of a list; of several prompts in one call the first."""
    if items and all(isinstance(each, list) for each in items):
        if len(items) > 1:
            reading.lose("not_representable", f"{len(items) - 1} more prompts of one call", where)
        return _listed(a_list(items[0]), reading, where)
    if items and all(isinstance(each, str) for each in items):
        return items[:1] if not PRINTED.match(a_text(items[0])) and len(items) == 1 else None
    told = [each for each in items if not (isinstance(each, dict) and set(each) == {"tools"})]
    return told if all(isinstance(each, dict) and (is_message(each) or _is_item(each)) for each in told) else None


def _is_item(value: Object) -> bool:
    """An item of a Responses conversation, or a part of a Gemini one without a role."""
    return value.get("type") in ("function_call", "function_call_output", "reasoning") or (
        "parts" in value and isinstance(value["parts"], list)
    )


def _answering(items: Sequence[JSON]) -> tuple[list[JSON], set[int]]:
    """The messages with calls that stand as a text, and results under their tool's name or without an id, as the wire
    has them; and the places of those that were changed so."""
    found: list[JSON] = []
    made: set[int] = set()
    waiting: list[tuple[str, str]] = []
    for at, item in enumerate(items):
        fields = item
        if isinstance(item, dict):
            fields = _as_item(_with_calls(item))
            answered = _answer_to(fields, waiting)
            fields = answered or fields
            waiting += _asked(fields)
            made.update({at} if fields != item and fields != _as_item(item) else ())
            identity = a_text(fields.get("tool_call_id"))
            waiting = [each for each in waiting if each[0] != identity]
        found.append(fields)
    return found, made


def _is_plain(item: JSON) -> bool:
    """A message that stands as the wire has it."""
    if not isinstance(item, dict) or item.get("role") not in ROLES or "type" in item:
        return False
    content = item.get("content")
    if isinstance(content, str) and content.startswith('[{"'):
        return False
    return item["role"] != "tool" or bool(item.get("tool_call_id") or item.get("parts"))


def _as_item(fields: Object) -> Object:
    """An item of a Responses conversation as a message of its own."""
    if fields.get("type") in ("function_call", "reasoning"):
        return {"role": "assistant", "content": [fields]}
    if fields.get("type") == "function_call_output":
        return {"role": "tool", "content": fields.get("output"), "tool_call_id": fields.get("call_id")}
    return fields


def _with_calls(fields: Object) -> Object:
    """A message whose content is the text of its tool calls, with these as calls."""
    calls = calls_in_text(fields.get("content"))
    return {"role": "assistant", "content": None, "tool_calls": calls} if calls else fields


def calls_in_text(content: JSON) -> list[JSON]:
    """The tool calls that a text is the JSON of; none for any other text."""
    if not isinstance(content, str) or not content.startswith('[{"') or '"function"' not in content:
        return []
    try:
        value = Reading().json(content, "")
    except NotJson:
        return []
    calls = objects(value)
    whole = all(isinstance(each.get("function"), dict) and "id" in each for each in calls)
    return [*calls] if whole else []


def _answer_to(fields: Object, waiting: Sequence[tuple[str, str]]) -> Object | None:
    """The message as the result of a call that waits for one, where it is told by its name or its place only."""
    role = role_of(fields)
    if role == "tool" and not any(fields.get(key) for key in ("tool_call_id", "call_id", "id", "parts")):
        name = a_text(fields.get("name"))
        call = next((each for each in waiting if not name or each[1] == name), None)
    elif role not in ROLES:
        call = next((each for each in waiting if each[1].lower() == role), None)
    else:
        return None
    return {**fields, "role": "tool", "type": None, "tool_call_id": call[0]} if call else None


def _asked(fields: Object) -> list[tuple[str, str]]:
    """Id and name of the calls beside a message's content."""
    calls = objects(fields.get("tool_calls") or an_object(fields.get("additional_kwargs")).get("tool_calls"))
    return [(a_text(each.get("id")), a_text(an_object(each.get("function", each)).get("name"))) for each in calls]


def _instructions(fields: Object, reading: Reading, where: str) -> tuple[Block, ...]:
    told = next((fields[key] for key in INSTRUCTIONS if fields.get(key)), None)
    if isinstance(told, str):
        return text(told)
    items = told if isinstance(told, list) else [told] if isinstance(told, dict) else []
    message: JSON = {"role": "system", "content": [*items]} if items else None
    if len(items) == 1 and isinstance(items[0], dict) and "parts" in items[0]:
        message = {**items[0], "role": "system"}
    return tuple(block for each in said([message] if message else [], reading, where) for block in each.message.content)

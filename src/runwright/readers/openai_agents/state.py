"""A saved state of a run: what its model replied, and what its tools gave, as far as it got."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from runwright.dialects import DIALECTS
from runwright.errors import DialectError, ReaderError
from runwright.readers.assembled import Found, Source, assembled
from runwright.readers.chat import message_of
from runwright.readers.input import Input
from runwright.readers.known import CONTENT, EVERY_PARAMETER, MESSAGES, RESPONSES, TOOLS
from runwright.readers.lenient import a_list, a_text, an_object, objects
from runwright.readers.reading import Reading
from runwright.readers.shape import Said
from runwright.readers.spans.replied import usage_of
from runwright.secrets.shortened import shortened
from runwright.trace.model import (
    JSON,
    Block,
    Message,
    ModelRecord,
    ModelRequest,
    ModelResponse,
    ToolCallBlock,
    ToolRecord,
    Trace,
    Usage,
    calls_of,
)

Object = dict[str, JSON]
VERSION = re.compile(r"1\.(?:[0-9]|1[0-9]|2[01])")
FORMAT = "openai_agents"


def is_state(document: JSON) -> bool:
    """The document is a saved state of a run."""
    return isinstance(document, dict) and "$schemaVersion" in document and "current_agent" in document


def read_state(document: Object, source: Input, place: str, reading: Reading) -> Trace:
    """The run so far; ReaderError where the state's version is not known, or its model had not replied yet."""
    version = document.get("$schemaVersion")
    if not isinstance(version, str) or not VERSION.fullmatch(version):
        hint = "known: 1.0 to 1.21"
        raise ReaderError(
            f"a state of the version {shortened(str(version), 40)!r} is not known", place=source.name, hint=hint
        )
    found = list(_exchanges(document, place, reading))
    if not found:
        hint = "save the state after a model's reply, or give the run's trace"
        raise ReaderError("the state of a run in which no model had replied yet", place=source.name, hint=hint)
    reading.lose("not_captured", "a state holds neither the instructions, the tools, the model nor any time", place)
    reading.lose("inexact", "a state has the form of the Responses API, whichever API was called", place)
    agent = a_text(an_object(document.get("current_agent")).get("name"))
    origin = Source(format=FORMAT, inputs=[source], tool="openai-agents", version=version, agent=agent or None)
    return assembled(found, origin, reading, in_order=True)


def _exchanges(document: Object, place: str, reading: Reading) -> Iterator[Found]:
    """Each response with what stands before it, and after it the results of its calls."""
    items = [*objects(document.get("generated_items")), *objects(document.get("session_items"))]
    results = {_call_id(each): each for each in reversed(items) if a_text(each.get("type")).endswith("output_item")}
    agents = {_key(each.get("raw_item")): a_text(an_object(each.get("agent")).get("name")) for each in items}
    current = a_text(an_object(document.get("current_agent")).get("name"))
    told = document.get("original_input")
    before = [Said(Message(role="system"), unknown=True)]
    before += [_said({"role": "user", "content": told} if isinstance(told, str) else each, place, reading) for each in
               ([told] if isinstance(told, str) else a_list(told))]  # fmt: skip
    responses = objects(document.get("model_responses")) or _grouped(objects(document.get("generated_items")))
    for number, response in enumerate(responses, start=1):
        output = objects(response.get("output"))
        replied = [_said(each, place, reading) for each in output]
        agent = next((name for each in output if (name := agents.get(_key(each)))), current)
        where = f"{place}: response {number}"
        yield Found(record=_exchange(response, before, replied, agent, where), key=where)
        before += replied
        for call in calls_of(block for each in replied for block in each.message.content):
            result = results.get(call.id)
            if result is not None:
                before.append(_said(result.get("raw_item"), place, reading))
                yield Found(record=_ran(call, result, agent, where))


def _grouped(items: Sequence[Object]) -> list[Object]:
    """The replies of a state that kept none, from the items that the run made: results of calls stand between two."""
    found: list[list[JSON]] = [[]]
    for each in items:
        if a_text(each.get("type")).endswith("output_item"):
            found.append([])
        else:
            found[-1].append(each.get("raw_item"))
    return [{"output": each} for each in found if each]


def _call_id(item: Object) -> str:
    return a_text(an_object(item.get("raw_item")).get("call_id"))


def _key(raw: JSON) -> str:
    """What tells an item from any other one."""
    fields = an_object(raw)
    return a_text(fields.get("id")) or a_text(fields.get("call_id"))


def _said(item: JSON, place: str, reading: Reading) -> Said:
    """An item of the conversation as a message."""
    try:
        request, _ = DIALECTS[RESPONSES].decode_request({"model": "", "input": [item]})
        if request.messages:
            return Said(request.messages[-1])
    except (DialectError, RecursionError):
        pass
    chat = message_of(item)
    reading.lose("not_representable", "an item that is none of the Responses API's", place)
    return Said(chat.message, unknown=True)


def _exchange(response: Object, before: Sequence[Said], replied: Sequence[Said], agent: str, where: str) -> ModelRecord:
    content: tuple[Block, ...] = tuple(block for each in replied for block in each.message.content)
    usage = usage_of(response.get("usage"))
    lost = any(each.unknown for each in replied)
    unknown = [f"{MESSAGES}[{at}].content" for at, each in enumerate(before) if each.unknown]
    return ModelRecord(
        id="",
        agent=agent or None,
        request=ModelRequest(api=RESPONSES, model="", messages=tuple(each.message for each in before)),
        response=ModelResponse(
            content=content,
            stop_reason="tool_calls" if calls_of(content) else "end_turn",
            usage=usage or Usage(),
            id=a_text(response.get("response_id")) or None,
        ),
        fidelity="partial",
        unknown=(*unknown, TOOLS, EVERY_PARAMETER, "$.request.model", "$.streamed", *((CONTENT,) if lost else ())),
        reconstructed=("$.response.stop_reason", *(() if usage else ("$.response.usage",))),
        ext={"source": where},
    )


def _ran(call: ToolCallBlock, result: Object, agent: str, where: str) -> ToolRecord:
    return ToolRecord(
        id="",
        name=call.name or a_text(result.get("tool_name")),
        arguments=call.arguments_text if call.arguments is None else call.arguments,
        result=result.get("output", an_object(result.get("raw_item")).get("output")),
        outcome="ok",
        call_id=call.id or None,
        agent=agent or None,
        fidelity="reconstructed",
        ext={"source": where},
    )

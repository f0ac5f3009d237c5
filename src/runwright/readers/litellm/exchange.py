"""A logged call as a record: what LiteLLM rebuilt is read as the API's own bodies, and where it is none, as a chat."""

from __future__ import annotations

import msgspec

from runwright.dialects import DIALECTS, Dialect
from runwright.errors import DialectError
from runwright.readers.bodies import decoded_request
from runwright.readers.chat import message_of, said
from runwright.readers.declared_tools import declared_tools
from runwright.readers.known import CONTENT, EVERY_PARAMETER, MESSAGES, STOPS, TOOLS
from runwright.readers.lenient import a_list, a_text, an_object, objects
from runwright.readers.litellm.row import CUT, SETTING, Object, Row
from runwright.readers.reading import Reading
from runwright.readers.shape import shaped
from runwright.secrets.shortened import shortened
from runwright.trace.model import (
    JSON,
    McpRecord,
    ModelError,
    ModelRecord,
    ModelRequest,
    ModelResponse,
    Record,
    calls_of,
)

_OWN = ("messages", "input", "contents", "tools", "model", "stream", "stream_options")


def record_of(row: Row, reading: Reading, where: str) -> Record | None:
    """The record of a call; None where it was no call of a model or an MCP tool that can be read."""
    if row.mcp:
        return _mcp(row)
    if row.api is None:
        reading.lose("unsupported", f"a call of the type {row.kind!r}", where)
        return None
    dialect = DIALECTS[row.api]
    request, strange = _request(row, dialect, reading, where)
    answer, odd = _answer(row, dialect, reading, where)
    unknown = [*strange, *odd, *([] if row.model else ["$.request.model"])]
    unknown += ["$.streamed"] if row.streamed is None else []
    return ModelRecord(
        id="",
        request=request,
        response=answer,
        error=_error(row.failed) if row.failed is not None else None,
        streamed=row.streamed,
        fidelity="partial" if MESSAGES in unknown or CONTENT in unknown else "reconstructed",
        unknown=tuple(dict.fromkeys(unknown)),
        ext=_ext(row, where),
    )


def _ext(row: Row, where: str) -> dict[str, JSON]:
    known: dict[str, JSON] = {"request_id": row.id or None, "cost": row.cost, "provider": row.provider, "source": where}
    return {name: value for name, value in known.items() if value is not None}


def _request(row: Row, dialect: Dialect, reading: Reading, where: str) -> tuple[ModelRequest, list[str]]:
    """The request, and the paths of what is unknown of it."""
    parameters = [] if row.whole else [EVERY_PARAMETER]
    empty = ModelRequest(api=dialect.api, provider=dialect.provider, model=row.model)
    if row.asked is None:
        reading.lose("not_captured", f"messages were not stored: set {SETTING}", where)
        return empty, [MESSAGES, TOOLS, EVERY_PARAMETER]
    if "messages" in row.cut:
        reading.lose("truncated", f"messages were cut to fit a column ({CUT})", where)
        parameters.append(MESSAGES)
    kept: Object = {name: value for name, value in row.asked.items() if value is not None}
    try:
        found, _ = decoded_request({**kept, "model": row.model, "stream": False}, dialect)
    except DialectError as error:
        reading.lose("not_representable", f"{dialect.api}: {shortened(str(error), 200)}", where)
        return _as_chat(kept, empty, reading, where), [*parameters, EVERY_PARAMETER]
    return found, parameters + ([] if row.whole or found.tools else [TOOLS])


def _as_chat(asked: Object, empty: ModelRequest, reading: Reading, where: str) -> ModelRequest:
    """A request that is none of its API's, as far as it can be read."""
    items = next((asked[name] for name in ("messages", "input", "contents") if isinstance(asked.get(name), list)), [])
    messages = tuple(each.message for each in shaped(said(a_list(items), reading, where), empty.api))
    parameters = {name: value for name, value in asked.items() if name not in _OWN}
    return msgspec.structs.replace(
        empty, messages=messages, tools=declared_tools(asked.get("tools")), parameters=parameters
    )


def _answer(row: Row, dialect: Dialect, reading: Reading, where: str) -> tuple[ModelResponse | None, list[str]]:
    """The response, and the paths of what is unknown of it."""
    if row.failed is not None:
        return None, []
    if row.answer is None:
        reading.lose("not_captured", f"the response was not stored: set {SETTING}", where)
        return None, [CONTENT]
    unknown: list[str] = []
    if "response" in row.cut:
        reading.lose("truncated", f"a response was cut to fit a column ({CUT})", where)
        unknown.append(CONTENT)
    apis = [dialect, *(each for each in DIALECTS.values() if each is not dialect)]
    for each in apis:
        if _is_of(each, row.answer):
            try:
                return each.decode_response(_unnumbered(row.answer)), unknown
            except DialectError as error:
                reading.lose("not_representable", f"{each.api}: {shortened(str(error), 200)}", where)
    return _said(row.answer), [*unknown] if a_list(row.answer.get("choices")) else [CONTENT]


def _is_of(dialect: Dialect, answer: Object) -> bool:
    """Whether an answer is one of this API's: LiteLLM often logs another API's in the words of Chat Completions."""
    fields = {
        "openai.chat_completions": "choices",
        "openai.responses": "output",
        "anthropic.messages": "content",
        "gemini.generate_content": "candidates",
    }
    return fields.get(dialect.api, "") in answer


def _unnumbered(answer: Object) -> Object:
    """A chat completion whose calls have no index: it was that of the stream."""
    choices: list[JSON] = []
    for choice in objects(answer.get("choices")):
        message = dict(an_object(choice.get("message")))
        if isinstance(message.get("tool_calls"), list):
            calls = objects(message["tool_calls"])
            message["tool_calls"] = [{name: each[name] for name in each if name != "index"} for each in calls]
        choices.append({**choice, "message": message})
    return {**answer, "choices": choices} if choices else answer


def _said(answer: Object) -> ModelResponse | None:
    """An answer that is none of its API's, as far as it can be read."""
    choice = next(iter(objects(answer.get("choices"))), None)
    if choice is None:
        return None
    content = message_of(choice.get("message"), "assistant").message.content
    stop = STOPS.get(a_text(choice.get("finish_reason")).lower())
    return ModelResponse(
        content=content, stop_reason="tool_calls" if calls_of(content) else stop, id=a_text(answer.get("id")) or None
    )


def _error(failed: Object) -> ModelError:
    code, kind = failed.get("error_code"), failed.get("error_class")
    status = int(code) if isinstance(code, (int, str)) and str(code).isdigit() and len(str(code)) == 3 else None
    message = a_text(failed.get("error_message")) or a_text(failed.get("error_str"))
    return ModelError(
        message=message or "the call failed", status=status, kind=kind if isinstance(kind, str) and kind else None
    )


def _mcp(row: Row) -> McpRecord:
    known = row.answer is not None or row.failed is not None
    error = None if row.failed is None else _error(row.failed)
    told: JSON = (
        row.answer if error is None else {"isError": True, "content": [{"type": "text", "text": error.message}]}
    )
    return McpRecord(
        id="",
        server=a_text(row.mcp.get("mcp_server_name")),
        method="tools/call",
        params={"name": row.mcp.get("name"), "arguments": row.mcp.get("arguments")},
        result=told,
        fidelity="reconstructed" if known else "partial",
        unknown=() if known else ("$.result",),
        ext={"request_id": row.id} if row.id else {},
    )

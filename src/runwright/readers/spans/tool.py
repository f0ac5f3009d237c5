"""One tool call that ran: what its span shows of it."""

from __future__ import annotations

from runwright.readers.exact import NotJson
from runwright.readers.reading import Reading
from runwright.readers.spans.failure import tool_error
from runwright.readers.spans.langchain import tool_input, tool_output
from runwright.readers.spans.limits import REMEDY, is_cut
from runwright.readers.spans.printed import printed_object
from runwright.readers.spans.span import Span, ext_of
from runwright.trace.model import JSON, Fidelity, TextBlock, ToolError, ToolRecord, ToolResultBlock, text_of

ARGUMENTS = (
    "ai.toolCall.args",
    "gen_ai.tool.call.arguments",
    "tool_arguments",
    "input.value",
    "traceloop.entity.input",
    "tool.arguments",
)
RESULTS = ("ai.toolCall.result", "gen_ai.tool.call.result", "tool_response", "output.value", "traceloop.entity.output")
NAMES = ("ai.toolCall.name", "gen_ai.tool.name", "tool.name", "traceloop.entity.name")
IDS = ("ai.toolCall.id", "gen_ai.tool.call.id", "tool_call.id", "tool.id")


def tool_record(span: Span, reading: Reading) -> ToolRecord:
    """The record of a tool call, without its id, place and agent. Arguments are parsed, a text result stays a text."""
    given, held = _first(span, ARGUMENTS), _first(span, RESULTS)
    error = tool_error(span)
    arguments, told_id = tool_input(_arguments(span, given, reading))
    answer = tool_output(span.attributes.get(held)) if held else None
    if answer is not None and answer.is_error and error is None:
        error = ToolError(message=text_of(answer.content))
    unknown = [
        "$.arguments" if given is None or is_cut(span, given) else "",
        "$.result" if (held is None or is_cut(span, held)) and error is None else "",
    ]
    for path, key in (("$.arguments", given), ("$.result", held)):
        if key is not None and is_cut(span, key):
            reading.lose("truncated", REMEDY, f"span {span.span_id}: {path}")
    return ToolRecord(
        id="",
        name=span.text(*NAMES) or span.name,
        arguments=arguments,
        result=_result(span, held, answer),
        error=error,
        outcome="ok" if error is None else "error",
        call_id=span.text(*IDS) or told_id or (answer.call_id if answer else "") or None,
        fidelity=_fidelity(given, held, [path for path in unknown if path]),
        unknown=tuple(path for path in unknown if path),
        ext=ext_of(span),
    )


def _result(span: Span, held: str | None, answer: ToolResultBlock | None) -> JSON:
    """What came back: of LangChain's tool message its text, where it has no other content."""
    if answer is not None and all(isinstance(block, TextBlock) for block in answer.content):
        return text_of(answer.content)
    return span.attributes.get(held) if held else None


def _fidelity(given: str | None, held: str | None, unknown: list[str]) -> Fidelity:
    if given is None and held is None:
        return "none"
    return "partial" if unknown else "reconstructed"


def _first(span: Span, keys: tuple[str, ...]) -> str | None:
    return next((key for key in keys if span.attributes.get(key) is not None), None)


def _arguments(span: Span, key: str | None, reading: Reading) -> JSON:
    value = span.attributes.get(key) if key else None
    if not isinstance(value, str):
        return value
    try:
        parsed = reading.json(value, f"span {span.span_id}")
    except NotJson:
        return printed_object(value) or value
    return _keywords(parsed) if key == "traceloop.entity.input" else parsed


def _keywords(value: JSON) -> JSON:
    """A decorated function's inputs: its keyword arguments where it had no others."""
    if isinstance(value, dict) and "input_str" in value:
        return value
    inputs = value.get("inputs", value) if isinstance(value, dict) else value
    if isinstance(inputs, dict) and set(inputs) == {"args", "kwargs"} and not inputs["args"]:
        return inputs["kwargs"]
    return inputs

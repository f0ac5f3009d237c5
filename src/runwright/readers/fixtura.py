"""Fixtura's `.trace` files: zstd frames of one JSON event each."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec

from runwright.errors import ReaderError
from runwright.readers.assembled import LAST_MOMENT, Found, Source, assembled, seconds_of
from runwright.readers.input import Input
from runwright.readers.known import CONTENT, EVERY_PARAMETER, STOPS, TOOLS
from runwright.readers.lenient import a_count, a_number, a_text, an_object
from runwright.readers.lines import json_lines
from runwright.readers.reader import Reader, Run
from runwright.readers.reading import Reading
from runwright.secrets.shortened import shortened
from runwright.trace.model import (
    JSON,
    Lineage,
    Message,
    ModelRecord,
    ModelRequest,
    ModelResponse,
    Outcome,
    PolicyRecord,
    TextBlock,
    ToolError,
    ToolRecord,
    Usage,
)

Object = dict[str, JSON]
CUT = "...[TRUNCATED]"
MILLISECONDS = 100_000_000_000
"""Times beyond this are in milliseconds: some of its writers use those."""


def sniff_fixtura(head: bytes) -> int:
    """85 where an event's type is one of Fixtura's."""
    start = head.lstrip()[:1] == b"{"
    return 85 if start and b'"event_type"' in head and any(kind in head for kind in KINDS) else 0


KINDS = (b'"llm_call"', b'"tool_call"', b'"trace_header"')


def read_fixtura(files: Sequence[Input]) -> tuple[Run, ...]:
    """One run a file."""
    return tuple(_run(each) for each in files)


def _run(source: Input) -> Run:
    reading = Reading()
    header: Object = {}
    found: list[Found] = []
    for number, located in enumerate(json_lines(source, reading)):
        event = an_object(located.value)
        if event.get("event_type") == "trace_header":
            header = header or event
            if number:
                reading.lose("dropped", "a header that is not the first event", located.place)
        else:
            found += _found(event, reading, located.place)
    if not found:
        raise ReaderError("no call of a model or a tool in it", place=source.name)
    origin = Source(format="fixtura", inputs=[source], tool="fixtura", version=_version(header))
    trace = assembled(found, origin, reading, in_order=True)
    parent = a_text(header.get("parent_trace_id"))
    if parent:
        lineage = Lineage(parent=parent, divergence=a_text(header.get("divergence_step_id")) or None)
        trace = msgspec.structs.replace(trace, header=msgspec.structs.replace(trace.header, lineage=lineage))
    return Run("", trace)


def _version(header: Object) -> str | None:
    version = header.get("schema_version")
    return str(version) if isinstance(version, int) else None


def _found(event: Object, reading: Reading, place: str) -> Iterator[Found]:
    kind = event.get("event_type")
    if kind not in ("llm_call", "tool_call"):
        reading.lose("unsupported", f"events of the type {shortened(str(kind), 60)!r}", place)
        return
    began = _began(event.get("timestamp"))
    ended = None if began is None else began + a_number(event.get("latency_ms")) / 1000
    key = a_text(event.get("step_id")) or place
    record = _model(event, reading, place) if kind == "llm_call" else _tool(event, reading, place)
    yield Found(record=record, key=key, began=began, ended=ended)
    if isinstance(record, ToolRecord) and record.outcome == "denied":
        reason = a_text(event.get("permission_reason")) or None
        yield Found(
            record=PolicyRecord(id="", policy="fixtura", verdict="deny", reason=reason), began=began, parent=key
        )


def _began(moment: JSON) -> float | None:
    if isinstance(moment, (int, float)) and not isinstance(moment, bool) and MILLISECONDS < moment < LAST_MOMENT * 1000:
        return float(moment) / 1000
    return seconds_of(moment)


def _model(event: Object, reading: Reading, place: str) -> ModelRecord:
    prompt, completion = event.get("prompt"), event.get("completion")
    unknown = [TOOLS, EVERY_PARAMETER, "$.streamed"]
    for path, value in (("$.request.messages[0].content", prompt), (CONTENT, completion)):
        if not isinstance(value, str) or value.endswith(CUT):
            unknown.append(path)
            if isinstance(value, str):
                reading.lose("truncated", "a text was cut at the recorder's limit", f"{place}: {path}")
    finish = a_text(event.get("finish_reason"))
    tokens = (a_count(event.get("input_tokens")), a_count(event.get("output_tokens")))
    whole = len(unknown) == 3
    return ModelRecord(
        id="",
        request=ModelRequest(
            api=f"{a_text(event.get('provider')) or 'unknown'}.completion",
            provider=a_text(event.get("provider")) or None,
            model=a_text(event.get("model")),
            messages=(Message(role="user", content=(TextBlock(text=a_text(prompt)),)),),
        ),
        response=ModelResponse(
            content=(TextBlock(text=a_text(completion)),),
            stop_reason=STOPS.get(finish.lower()),
            usage=Usage(input_tokens=tokens[0], output_tokens=tokens[1]),
        )
        if isinstance(completion, str)
        else None,
        fidelity="reconstructed" if whole else "partial",
        unknown=tuple(unknown),
        ext={"source": place},
    )


def _tool(event: Object, reading: Reading, place: str) -> ToolRecord:
    decision, thrown = a_text(event.get("permission_decision")), event.get("exception")
    outcome = _outcome(event)
    error = None
    if thrown:
        error = ToolError(message=shortened(str(thrown), 2000))
    elif outcome != "ok":
        error = ToolError(message=a_text(event.get("permission_reason")) or outcome, type=decision or None)
    result = event.get("response")
    cut = isinstance(result, str) and result.endswith(CUT)
    if cut:
        reading.lose("truncated", "a text was cut at the recorder's limit", f"{place}: $.result")
    return ToolRecord(
        id="",
        name=a_text(event.get("tool_name")) or "unnamed",
        arguments=event.get("arguments"),
        result=result,
        error=error,
        outcome=outcome,
        fidelity="partial" if cut else "reconstructed",
        unknown=("$.result",) if cut or ("response" not in event and error is None) else (),
        ext={"source": place},
    )


def _outcome(event: Object) -> Outcome:
    decision = event.get("permission_decision")
    if event.get("rate_limit_decision") == "denied":
        return "throttled"
    if decision == "denied":
        return "denied"
    return "error" if decision == "validation_error" or event.get("exception") else "ok"


FIXTURA = Reader(
    name="fixtura",
    sniff=sniff_fixtura,
    read=read_fixtura,
    recognised="JSON Lines in zstd frames with an `event_type` of `llm_call`, `tool_call` or `trace_header`",
    kept="model calls as a prompt and a completion, tool calls, denials, rate limits, lineage",
    lost="messages, parameters and tool schemas; what its recorder cut; exceptions, which it does not write",
    versions="schema 2",
    models=False,
)

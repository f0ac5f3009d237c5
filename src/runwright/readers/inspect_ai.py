"""Inspect AI's evaluation logs: one JSON document, or a ZIP of a header and samples (`.eval`)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from runwright.dialects import DIALECTS
from runwright.errors import DialectError, ReaderError
from runwright.readers.assembled import Found, Source, assembled, seconds_of
from runwright.readers.bodies import decoded_request
from runwright.readers.chat import message_of, said
from runwright.readers.conversation import Told, Turn, exchanges
from runwright.readers.declared_tools import declared_tools
from runwright.readers.input import Input, text_body
from runwright.readers.inspect_log import ARCHIVE, log_of, whole
from runwright.readers.known import CHAT, CONTENT, EVERY_PARAMETER, MESSAGES, MESSAGES_API, RESPONSES, STOPS, TOOLS
from runwright.readers.lenient import a_count, a_text, an_object, objects
from runwright.readers.lines import file_name
from runwright.readers.reader import Reader, Run
from runwright.readers.reading import Reading
from runwright.readers.scored import scored
from runwright.readers.shape import shaped
from runwright.secrets.shortened import shortened
from runwright.trace.model import (
    JSON,
    FaultRecord,
    Loss,
    ModelError,
    ModelRecord,
    ModelRequest,
    ModelResponse,
    ToolError,
    ToolRecord,
    Usage,
)

Object = dict[str, JSON]
APIS = {"openai": CHAT, "anthropic": MESSAGES_API}
"""The API that a provider's raw calls are of."""


def sniff_inspect_ai(head: bytes) -> int:
    """80 where an evaluation's keys begin a JSON object, or a ZIP holds the parts of one."""
    if head[:4] == ARCHIVE:
        return 80 if b"_journal/" in head or b"header.json" in head else 0
    start = text_body(head).lstrip()
    return 80 if start[:1] == b"{" and b'"eval"' in head[:4096] and b'"version"' in head[:512] else 0


def read_inspect_ai(files: Sequence[Input]) -> tuple[Run, ...]:
    """One run a sample and epoch, in the order of the log."""
    runs = tuple(run for source in files for run in _runs(source))
    if not runs:
        hint = "logs without samples hold scores only: log with samples"
        raise ReaderError("no sample with a model call in it", place=files[0].name, hint=hint)
    return runs


def _runs(source: Input) -> Iterator[Run]:
    reading = Reading()
    header, samples = log_of(source, reading)
    for sample in samples:
        run = _run(sample, header, source, reading.losses())
        if run is not None:
            yield run


def _run(given: Object, header: Object, source: Input, before: Sequence[Loss]) -> Run | None:
    reading = Reading(before)
    name = f"{given.get('id')}.{given.get('epoch', 1)}"
    sample = whole(given, reading, f"{file_name(source)}: sample {name}")
    about = an_object(header.get("eval"))
    events = list(_events(sample))
    found = list(_found(events, reading, f"{file_name(source)}: sample {name}"))
    if not any(isinstance(each.record, ModelRecord) for each in found):
        found += _from_messages(sample, about, reading, f"{file_name(source)}: sample {name}")
    if not any(isinstance(each.record, ModelRecord) for each in found):
        return None
    enclosing = {
        a_text(each.get("id")): a_text(each.get("parent_id")) for each in events if each.get("event") == "span_begin"
    }
    version = an_object(about.get("packages")).get("inspect_ai")
    origin = Source(
        format="inspect_ai", inputs=[source], tool="inspect_ai", chosen=name, agent=a_text(about.get("task")) or None,
        version=a_text(version) or None,
    )  # fmt: skip
    trace = assembled(found, origin, reading, enclosing=enclosing, faults=_faults(sample))
    return Run(name, trace)


def _events(sample: Object) -> Iterator[Object]:
    """The events of a sample; those inside a tool event, as older logs have them, follow it."""
    waiting = objects(sample.get("events"))[::-1]
    while waiting:
        event = waiting.pop()
        yield event
        waiting += objects(event.get("events"))[::-1]


def _faults(sample: Object) -> list[FaultRecord]:
    limit, error = an_object(sample.get("limit")), an_object(sample.get("error"))
    if error:
        detail = f"the sample ended with an error: {shortened(a_text(error.get('message')), 300)}"
        return [FaultRecord(id="", kind="interruption", detail=detail)]
    if limit:
        return [FaultRecord(id="", kind="interruption", detail=f"the sample hit its {a_text(limit.get('type'))} limit")]
    return []


# --- events --------------------------------------------------------------------------------------


def _found(events: Sequence[Object], reading: Reading, where: str) -> Iterator[Found]:
    judging = scored(events)
    for number, event in enumerate(events):
        place = f"{where}, event {number}"
        if event.get("event") not in ("model", "tool") or event.get("pending") is True:
            continue
        if number in judging:
            reading.lose("dropped", "calls of scorers, which judge the run and are no part of it", place)
            continue
        record = _model(event, reading, place) if event.get("event") == "model" else _tool(event, place)
        yield Found(
            record=record,
            key=a_text(event.get("uuid")) or place,
            parent=a_text(event.get("span_id")),
            began=seconds_of(event.get("timestamp")),
            ended=seconds_of(event.get("completed")),
        )


def _model(event: Object, reading: Reading, place: str) -> ModelRecord:
    """The exchange from the raw call where that was logged and a dialect reads it, else from the event's own form."""
    call = an_object(event.get("call"))
    api = APIS.get(a_text(event.get("model")).partition("/")[0])
    if api == CHAT and "input" in an_object(call.get("request")):
        api = RESPONSES
    if api in DIALECTS and call.get("request") and call.get("response"):
        try:
            return _raw(api, call, place)
        except DialectError as error:
            reading.lose("not_representable", f"a raw call: {shortened(str(error), 200)}", place)
    return _told(event, reading, place)


def _raw(api: str, call: Object, place: str) -> ModelRecord:
    dialect = DIALECTS[api]
    asked = {key: value for key, value in an_object(call.get("request")).items() if key != "extra_headers"}
    request, streamed = decoded_request({key: each for key, each in asked.items() if each is not None}, dialect)
    response = dialect.decode_response(an_object(call.get("response")))
    return ModelRecord(
        id="", request=request, response=response, streamed=streamed, fidelity="raw", ext={"source": place}
    )


def _told(event: Object, reading: Reading, place: str) -> ModelRecord:
    output = an_object(event.get("output"))
    choices = objects(output.get("choices"))
    asked = shaped(said(objects(event.get("input")), reading, place), CHAT)
    chat = message_of(choices[0].get("message"), "assistant") if choices else None
    stop = a_text(choices[0].get("stop_reason")) if choices else ""
    failed = a_text(event.get("error")) or a_text(output.get("error"))
    usage = an_object(output.get("usage"))
    unknown = [f"{MESSAGES}[{at}].content" for at, each in enumerate(asked) if each.unknown]
    unknown += [] if isinstance(event.get("input"), list) else [MESSAGES]
    unknown += [EVERY_PARAMETER, "$.streamed"] + ([] if isinstance(event.get("tools"), list) else [TOOLS])
    unknown += [CONTENT] if chat is None and not failed else []
    response = None
    if chat is not None and not failed:
        response = ModelResponse(
            content=chat.message.content,
            stop_reason=STOPS.get(stop),
            usage=Usage(
                input_tokens=a_count(usage.get("input_tokens")),
                output_tokens=a_count(usage.get("output_tokens")),
            ),
            model=a_text(output.get("model")) or None,
        )
    return ModelRecord(
        id="",
        request=ModelRequest(
            api=CHAT,
            model=a_text(event.get("model")).partition("/")[2] or a_text(event.get("model")),
            messages=tuple(each.message for each in asked),
            tools=declared_tools(event.get("tools")),
        ),
        response=response,
        error=ModelError(message=failed) if failed else None,
        fidelity="partial" if chat is None and not failed else "reconstructed",
        unknown=tuple(unknown),
        ext={"source": place},
    )


def _tool(event: Object, place: str) -> ToolRecord:
    error = an_object(event.get("error"))
    return ToolRecord(
        id="",
        name=a_text(event.get("function")) or "unnamed",
        arguments=event.get("arguments"),
        result=event.get("result"),
        error=ToolError(message=a_text(error.get("message")) or "error", type=a_text(error.get("type")) or None)
        if error
        else None,
        outcome=("denied" if error.get("type") in ("approval", "permission") else "error") if error else "ok",
        call_id=a_text(event.get("id")) or None,
        fidelity="reconstructed",
        unknown=() if "result" in event or error else ("$.result",),
        ext={"source": place},
    )


def _from_messages(sample: Object, about: Object, reading: Reading, where: str) -> list[Found]:
    """Older logs have no model events: then the conversation is all there is."""
    turns = []
    for number, item in enumerate(objects(sample.get("messages"))):
        chat = message_of(item)
        place = f"{where}, message {number}"
        for each in chat.strange:
            reading.lose("not_representable", f"a message part of the type {each!r}", place)
        turns.append(Turn(message=chat.message, unknown=bool(chat.strange), ext={"source": place}))
    model = a_text(about.get("model"))
    return list(exchanges(turns, Told(api=CHAT, model=model.partition("/")[2] or model)))


INSPECT_AI = Reader(
    name="inspect_ai",
    sniff=sniff_inspect_ai,
    read=read_inspect_ai,
    recognised="JSON with `version` and `eval`, or a ZIP with `header.json` and `_journal/`",
    kept="a run a sample and epoch: raw calls where logged, else inputs and outputs; tool calls, errors, limits",
    lost="scores and what scorers asked, stores, states; parameters and streams where raw calls were not logged",
    versions="log version 2 of 0.3.285, shared messages and archives of zstd too",
)

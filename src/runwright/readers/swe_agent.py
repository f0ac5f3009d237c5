"""SWE-agent's trajectories, of agents that call functions and of those that write commands, and mini-swe-agent's."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec

from runwright.errors import ReaderError
from runwright.readers.assembled import Found, Source, assembled
from runwright.readers.chat import message_of
from runwright.readers.conversation import Told, Turn, exchanges
from runwright.readers.input import Input, text_body
from runwright.readers.known import CHAT
from runwright.readers.lenient import a_text, an_object, objects
from runwright.readers.lines import document_of, file_name
from runwright.readers.reader import Reader, Run
from runwright.readers.reading import Reading
from runwright.trace.model import JSON, FaultRecord, ToolRecord, calls_of

Object = dict[str, JSON]
OWN = ("agent", "thought", "action", "extra")
SUBMITTED = ("submitted", "Submitted")


def sniff_swe_agent(head: bytes) -> int:
    """70 where the keys of a trajectory stand in a JSON object."""
    if text_body(head).lstrip()[:1] != b"{":
        return 0
    mini = b'"trajectory_format"' in head and b"mini-swe-agent" in head
    whole = b'"trajectory"' in head and (b'"environment"' in head or b'"execution_time"' in head)
    demonstration = b'"history"' in head and b'"message_type"' in head
    return 70 if mini or whole or demonstration else 0


def read_swe_agent(files: Sequence[Input]) -> tuple[Run, ...]:
    """One run a trajectory."""
    return tuple(_run(each) for each in files)


def _run(source: Input) -> Run:
    reading = Reading()
    where = file_name(source)
    document = document_of(source, reading)
    history = document.get("history", document.get("messages")) if isinstance(document, dict) else None
    if not isinstance(document, dict) or not isinstance(history, list):
        raise ReaderError("no history of messages in it", place=source.name)
    info = an_object(document.get("info"))
    turns = [_turn(each, reading, f"{where}: message {n}") for n, each in enumerate(history) if isinstance(each, dict)]
    found = list(_with_tools(exchanges(turns, Told(api=CHAT, model=_model(info))), document, where))
    if not found:
        raise ReaderError("no reply of a model in it", place=source.name)
    origin = Source(format="swe_agent", inputs=[source], tool=_producer(document), version=_version(info))
    trace = assembled(found, origin, reading, faults=_faults(info), in_order=True)
    if submission := info.get("submission"):
        header = msgspec.structs.replace(trace.header, ext={"submission": submission})
        trace = msgspec.structs.replace(trace, header=header)
    return Run(a_text(document.get("instance_id")) or a_text(info.get("instance_id")), trace)


def _turn(item: Object, reading: Reading, where: str) -> Turn:
    """A message; older files answer without call ids, newer ones with a list of them."""
    identities = item.get("tool_call_ids")
    named = {**item, "tool_call_id": identities[0]} if isinstance(identities, list) and identities else item
    chat = message_of(
        {key: value for key, value in named.items() if key not in ("agent", "thought", "action", "extra")}
    )
    for each in chat.strange:
        reading.lose("not_representable", f"a message part of the type {each!r}", where)
    demonstration = item.get("is_demo") is True
    if demonstration:
        reading.lose("inexact", "a demonstration is told to the model in one message", where)
    agent = a_text(item.get("agent"))
    return Turn(
        message=chat.message,
        unknown=bool(chat.strange),
        replied=chat.message.role == "assistant" and not demonstration,
        key=where,
        agent=agent or None,
        ext={"source": where},
    )


def _with_tools(replies: Iterator[Found], document: Object, where: str) -> Iterator[Found]:
    """Each reply, and after it the action that it took as a tool call: in text where the agent writes commands."""
    steps = iter(objects(document.get("trajectory")))
    for reply in replies:
        yield reply
        step = next(steps, None)
        if step is None:
            continue
        record = _tool(step, reply, where)
        if record is not None:
            yield Found(record=record, key=f"{reply.key}: action", parent=reply.key)


def _tool(step: Object, reply: Found, where: str) -> ToolRecord | None:
    action, observation = step.get("action"), step.get("observation")
    if not isinstance(action, str) or not action.strip():
        return None
    response = getattr(reply.record, "response", None)
    asked = calls_of(response.content) if response is not None else []
    known = observation is not None
    return ToolRecord(
        id="",
        name=asked[0].name if asked else action.split(None, 1)[0][:120],
        arguments=asked[0].arguments if asked else {"command": action},
        result=observation,
        outcome="ok",
        call_id=asked[0].id if asked else None,
        fidelity="reconstructed",
        unknown=() if known else ("$.result",),
        ext={"source": f"{where}: {reply.key}"},
    )


def _faults(info: Object) -> list[FaultRecord]:
    status = a_text(info.get("exit_status"))
    if not status or status.startswith(SUBMITTED):
        return []
    cut = any(word in status for word in ("exit_cost", "exit_context", "LimitsExceeded", "early_exit", "exit_error"))
    return [FaultRecord(id="", kind="interruption", detail=f"the run ended with {status}")] if cut else []


def _model(info: Object) -> str:
    config = an_object(an_object(info.get("config")).get("model"))
    return a_text(config.get("model_name"))


def _producer(document: Object) -> str:
    return "mini-swe-agent" if "trajectory_format" in document else "SWE-agent"


def _version(info: Object) -> str | None:
    return a_text(info.get("swe_agent_version")) or a_text(info.get("mini_version")) or None


SWE_AGENT = Reader(
    name="swe_agent",
    sniff=sniff_swe_agent,
    read=read_swe_agent,
    recognised="JSON with `trajectory` and `history`, or mini-swe-agent's `trajectory_format`",
    kept="the history as model exchanges, each action and observation as a tool call, the submission, how it ended",
    lost="times, parameters, tool schemas, whether an action failed: trajectories do not say",
    versions="SWE-agent 0.x and 1.x, mini-swe-agent 1",
)

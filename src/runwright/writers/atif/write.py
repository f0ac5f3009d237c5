"""The one public function of this form."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

import msgspec
import orjson

from runwright.trace import JSON, Header, Message, ModelRecord, ToolSpec, Trace, Usage, lane_of
from runwright.writers.atif.step import Steps, answered
from runwright.writers.wire import UNSAID
from runwright.writers.writer import Written
from runwright.writers.writing import DETAILS, Writing

Object = dict[str, JSON]
VERSION = "ATIF-v1.7"
CHAT, RESPONSES = "openai.chat_completions", "openai.responses"
DECLARED = frozenset({"name", "description", "type", "parameters", "input_schema", "inputSchema"}) | {
    "parameters_json_schema"
}
MESSAGES, TOOLS, CONTENT = "$.request.messages", "$.request.tools", "$.response.content"
RUNS = "what tools gave is found anew in what the model was told of it"
NAMELESS = "agent"


class Thread:
    """One conversation: each request holds the one before it, its reply, and what was said since."""

    def __init__(self, first: ModelRecord, name: str) -> None:
        self.name = name
        self.tools = None if TOOLS in first.unknown else first.request.tools
        self.steps = Steps()
        self.records: list[ModelRecord] = []
        self.told: tuple[Message, ...] = ()

    def goes_on_in(self, record: ModelRecord, name: str) -> bool:
        """Whether the exchange is this conversation's next."""
        size, messages = len(self.told), turns(record)
        grows = len(messages) > size and messages[size].role == "assistant"
        return name == self.name and grows and messages[:size] == self.told


def turns(record: ModelRecord) -> tuple[Message, ...]:
    """The messages of a request, each of the model's turns as one: the Responses API has its parts as items."""
    messages = record.request.messages
    if record.request.api != RESPONSES:
        return messages
    found: list[Message] = []
    for message in messages:
        if found and message.role == found[-1].role == "assistant":
            found[-1] = msgspec.structs.replace(found[-1], content=(*found[-1].content, *message.content))
        else:
            found.append(message)
    return tuple(found)


def write_atif(trace: Trace) -> Written:
    """The run's conversations as a trajectory, all but the first as its subagents'; what is not held is a loss."""
    writing = Writing()
    threads: list[Thread] = []
    for record in trace.records:
        if not isinstance(record, ModelRecord):
            lane = lane_of(record)
            why = {"message": UNSAID, "tool": RUNS}.get(lane, f"{lane} records have no step")
            writing.leave_out(record, why)
        elif record.response is None or record.error is not None or {MESSAGES, CONTENT} & set(record.unknown):
            writing.leave_out(record, "a step is an exchange with a request and a reply that are known")
        else:
            _exchange(record, _thread(record, threads, trace.header), trace.header, writing)
    writing.numbered(record for thread in threads for record in thread.records)
    _header(trace.header, threads, writing)
    document = _trajectory(threads[0], trace.header) if threads else {"schema_version": VERSION, "steps": []}
    inner: list[JSON] = [
        {**_trajectory(thread, trace.header), "trajectory_id": f"conversation-{number}"}
        for number, thread in enumerate(threads[1:], 2)
    ]
    whole = {**document, "subagent_trajectories": inner} if inner else document
    return Written(orjson.dumps(whole, option=orjson.OPT_INDENT_2), writing.losses())


def _thread(record: ModelRecord, threads: list[Thread], header: Header) -> Thread:
    """The conversation that an exchange goes on with, or a new one."""
    name = record.agent or (header.agent.name if header.agent else None) or NAMELESS
    for thread in reversed(threads):
        if thread.goes_on_in(record, name):
            return thread
    threads.append(Thread(record, name))
    return threads[-1]


def _exchange(record: ModelRecord, thread: Thread, header: Header, writing: Writing) -> None:
    request, response = record.request, record.response
    began = len(thread.told) + 1 if thread.records else 0
    told_now = turns(record)
    for message in told_now[began:]:
        thread.steps.say(message)
    asked = thread.steps.conversation()
    moment = _moment(header, record.t)
    told: Object = {"extra": {"record": record.id}, **({"timestamp": moment} if moment else {})}
    told |= {"model_name": request.model} if request.model else {}
    if response is not None:
        told |= _metrics(response.usage)
        content = thread.steps.reply(response.content, told)
        response = answered(response, content, request.model)
        response = response if response.usage else msgspec.structs.replace(response, usage=Usage())
    thread.records.append(record)
    thread.told = told_now
    held = msgspec.structs.replace(
        record,
        request=msgspec.structs.replace(
            request, api=CHAT, provider=None, parameters={}, messages=asked, tools=tuple(map(_held, thread.tools or ()))
        ),
        response=response,
        streamed=None,
        chunks=None,
        agent=thread.name,
        parent=None,
        t=record.t if moment else None,
        duration=None,
        after=(),
        after_inferred=(),
        adopted=(),
        ext={},
    )
    writing.holds(record, held)
    for field in ("fidelity", "unknown", "reconstructed", "after", "after_inferred"):
        writing.lose(*DETAILS[field], record.id, f"$.{field}")


def _metrics(usage: Usage | None) -> Object:
    if usage is None:
        return {}
    return {"metrics": {"prompt_tokens": usage.input_tokens, "completion_tokens": usage.output_tokens}}


def _trajectory(thread: Thread, header: Header) -> Object:
    version = header.agent.version if header.agent else None
    agent: Object = {"name": thread.name, "version": version or "unknown"}
    if thread.tools is not None:
        agent["tool_definitions"] = [_declared(each) for each in thread.tools]
    steps: Sequence[JSON] = thread.steps.steps
    return {"schema_version": VERSION, "session_id": header.trace_id, "agent": agent, "steps": list(steps)}


def _declared(tool: ToolSpec) -> Object:
    described: Object = {} if tool.description is None else {"description": tool.description}
    shaped: Object = {} if tool.parameters is None else {"parameters": tool.parameters}
    return {"type": tool.kind, "function": {"name": tool.name, **described, **shaped, **_held(tool).extra}}


def _held(tool: ToolSpec) -> ToolSpec:
    extra = {key: value for key, value in tool.extra.items() if key not in DECLARED}
    return msgspec.structs.replace(tool, extra=extra)


def _moment(header: Header, t: float | None) -> str | None:
    """A start as a date; None where that of the run is not known."""
    if header.started_at is None or t is None:
        return None
    try:
        moment = datetime.fromisoformat(header.started_at).astimezone(UTC) + timedelta(seconds=t)
    except (OverflowError, ValueError):
        return None
    return moment.isoformat(timespec="microseconds").replace("+00:00", "Z")


def _header(header: Header, threads: Sequence[Thread], writing: Writing) -> None:
    agent = header.agent
    writing.header(header, kept=["agent"])
    named = threads[0].name if threads else None
    if agent is None or (agent.name, agent.version, agent.command) != (named, None, None):
        writing.lose(
            "inexact", "a trajectory has its agent's name and version: of one without, a word", "header", "$.agent"
        )
    if header.started_at is not None and not any(each.t is not None for thread in threads for each in thread.records):
        writing.lose("not_representable", "when the run began", "header", "$.started_at")

"""SWE-agent's trajectories, of agents that call functions and of those that write commands, and mini-swe-agent's."""

from __future__ import annotations

import collections
import itertools
from collections.abc import Iterator, Mapping, Sequence

import msgspec

from runwright.errors import ReaderError
from runwright.readers.assembled import Found, Source, assembled
from runwright.readers.blocks import text
from runwright.readers.chat import message_of
from runwright.readers.conversation import Told, Turn, exchanges, with_last_words
from runwright.readers.input import Input, text_body
from runwright.readers.known import CHAT
from runwright.readers.lenient import a_text, an_object, objects
from runwright.readers.lines import document_of, file_name
from runwright.readers.reader import Reader, Run
from runwright.readers.reading import Reading
from runwright.secrets.shortened import shortened
from runwright.trace.model import JSON, FaultRecord, Message, MessageRecord, ToolRecord, calls_of

Object = dict[str, JSON]
OWN = ("agent", "thought", "action", "extra")
SUBMITTED = ("submitted", "Submitted")
TOLD = ("submission", "exit_status", "model_stats")
"""What is told of a run beside its messages, and kept in the header's `ext`."""


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
    said = list(_said(objects(history), reading, where))
    steps = objects(document.get("trajectory")) or list(_told_steps(said))
    said += _unsaid(said, steps, where)
    replies = exchanges([each.turn for each in said], Told(api=CHAT, model=_model(info)))
    found = _with_tools(replies, _taken(said, steps, reading, where))
    if not found:
        raise ReaderError("no reply of a model in it", place=source.name, hint="the run ended before the first")
    origin = Source(format="swe_agent", inputs=[source], tool=_producer(document), version=_version(info))
    found = [*_prompt(said), *with_last_words(found)]
    trace = assembled(found, origin, reading, faults=_faults(info), in_order=True)
    header = msgspec.structs.replace(trace.header, ext={key: info[key] for key in TOLD if info.get(key)})
    trace = msgspec.structs.replace(trace, header=header)
    return Run(a_text(document.get("instance_id")) or a_text(info.get("instance_id")), trace)


class _Said(msgspec.Struct, frozen=True):
    """A message of the history as it stands there, and as a turn."""

    item: Object
    turn: Turn


def _said(history: Sequence[Object], reading: Reading, where: str) -> Iterator[_Said]:
    for number, item in enumerate(history):
        yield _Said(item, _turn(item, reading, f"{where}: message {number}"))


def _turn(item: Object, reading: Reading, where: str) -> Turn:
    """A message; older files answer without call ids, newer ones with a list of them."""
    identities = item.get("tool_call_ids")
    named = {**item, "tool_call_id": identities[0]} if isinstance(identities, list) and identities else item
    chat = message_of({key: value for key, value in named.items() if key not in OWN})
    for each in chat.strange:
        reading.lose("not_representable", f"a message part of the type {each!r}", where)
    demonstration = item.get("is_demo") is True
    if demonstration:
        reading.lose("inexact", "a demonstration is told to the model in one message", where)
    return Turn(
        message=chat.message,
        unknown=bool(chat.strange),
        replied=chat.message.role == "assistant" and not demonstration,
        key=where,
        agent=a_text(item.get("agent")) or None,
        ext={"source": where},
    )


def _prompt(said: Sequence[_Said]) -> Iterator[Found]:
    """What the user said: later messages of that role are what commands printed, and demonstrations are no task."""
    for each in itertools.takewhile(lambda each: not each.turn.replied, said):
        message = each.turn.message
        if message.role == "user" and message.content and each.item.get("is_demo") is not True:
            yield Found(record=MessageRecord(id="", role="user", content=message.content, ext=each.turn.ext))


# --- steps ---------------------------------------------------------------------------------------


def _told_steps(said: Sequence[_Said]) -> Iterator[Object]:
    """The steps of a file without a trajectory: each action, and the message that answers it."""
    for each, answer in itertools.pairwise([*said, None]):
        if each is not None and each.turn.replied and isinstance(each.item.get("action"), str):
            answered = answer is not None and answer.turn.message.role in ("tool", "user")
            yield {"action": each.item["action"]} | ({"observation": answer.item.get("content")} if answered else {})  # type: ignore[union-attr]


def _taken(said: Sequence[_Said], steps: Sequence[Object], reading: Reading, where: str) -> dict[str, Object]:
    """The step that each reply took, by the reply's key.

    The harness takes replies that it could not use out of the history again, but not out of the trajectory.
    """
    taken: dict[str, Object] = {}
    waiting = collections.deque(steps)
    ahead = collections.Counter(map(_deed, steps))
    for each in said:
        deed = _deed(each.item)
        if not each.turn.replied or not waiting or (deed is not None and not ahead[deed]):
            continue
        while waiting:
            step = waiting.popleft()
            ahead[_deed(step)] -= 1
            if deed is None or _deed(step) in (None, deed):
                taken[each.turn.key] = step
                break
            reading.lose("dropped", "a step whose reply was taken out of the history", where)
    return taken


def _deed(item: Object) -> str | None:
    """What was done, as messages and steps both have it."""
    action = item.get("action")
    return action.strip() if isinstance(action, str) else None


def _unsaid(said: Sequence[_Said], steps: Sequence[Object], where: str) -> list[_Said]:
    """The last reply, where the history ends before it: the step has its words, but not the calls in it."""
    last = steps[-1] if steps else {}
    deeds = [_deed(each.item) for each in said if each.turn.replied]
    if len(deeds) >= len(steps) or not deeds or None in deeds or _deed(last) in (None, deeds[-1]):
        return []
    key = f"{where}: step {len(steps) - 1}"
    message = Message(role="assistant", content=text(a_text(last.get("response"))))
    return [_Said(last, Turn(message=message, unknown=True, key=key, agent=_agent(said), ext={"source": key}))]


def _agent(said: Sequence[_Said]) -> str | None:
    return next((each.turn.agent for each in reversed(said) if each.turn.agent), None)


def _with_tools(replies: Iterator[Found], taken: Mapping[str, Object]) -> list[Found]:
    """Each reply, and after it the action that it took as a tool call: in text where the agent writes commands."""
    found = []
    for reply in replies:
        found.append(reply)
        record = _tool(taken.get(reply.key, {}), reply)
        if record is not None:
            found.append(Found(record=record, key=f"{reply.key}: action", parent=reply.key))
    return found


def _tool(step: Object, reply: Found) -> ToolRecord | None:
    action, observation = step.get("action"), step.get("observation")
    if not isinstance(action, str) or not action.strip():
        return None
    response = getattr(reply.record, "response", None)
    asked = calls_of(response.content) if response is not None else []
    took = step.get("execution_time")
    return ToolRecord(
        id="",
        name=asked[0].name if asked else shortened(action.split(None, 1)[0], 120),
        arguments=asked[0].arguments if asked else {"command": action},
        result=observation,
        outcome="ok",
        call_id=asked[0].id if asked else None,
        fidelity="reconstructed",
        unknown=("$.outcome",) if observation is not None else ("$.result", "$.outcome"),
        ext={"source": reply.key} | ({"execution_time": took} if isinstance(took, float) else {}),
    )


# --- the whole -----------------------------------------------------------------------------------


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
    lost="times, parameters, tool schemas, whether an action failed: trajectories do not say; the state of the shell; "
    "replies that the harness took out of the history",
    versions="SWE-agent 0.x and 1.x, mini-swe-agent 1",
)

"""Harbor's Agent Trajectory Interchange Format (ATIF), versions 1.0 to 1.8."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec

from runwright.errors import ReaderError
from runwright.readers.assembled import Found, Source, assembled, seconds_of
from runwright.readers.blocks import call, from_wire, text
from runwright.readers.conversation import Told, Turn, exchanges
from runwright.readers.declared_tools import declared_tools
from runwright.readers.input import Input
from runwright.readers.known import CHAT
from runwright.readers.lenient import a_count, a_text, an_object, objects
from runwright.readers.lines import document_of, file_name
from runwright.readers.reader import Reader, Run
from runwright.readers.reading import Reading
from runwright.secrets.shortened import shortened
from runwright.trace.model import (
    JSON,
    Block,
    Message,
    ThinkingBlock,
    ToolRecord,
    ToolResultBlock,
    Usage,
    calls_of,
)

Object = dict[str, JSON]
VERSIONS = tuple(f"ATIF-v1.{minor}" for minor in range(9))
DEEPEST = 8
"""Trajectories within one another."""
USAGE = {"prompt_tokens": "input_tokens", "completion_tokens": "output_tokens"}


def sniff_atif(head: bytes) -> int:
    """90 where the schema version is one of ATIF's."""
    return 90 if b'"ATIF-v' in head and b'"schema_version"' in head else 0


def read_atif(files: Sequence[Input]) -> tuple[Run, ...]:
    """One run a trajectory; the trajectories of its subagents are nested in it."""
    return tuple(_run(each) for each in files)


def _run(source: Input) -> Run:
    reading = Reading()
    where = file_name(source)
    document = document_of(source, reading)
    if not isinstance(document, dict):
        raise ReaderError("no trajectory in it", place=source.name)
    version = document.get("schema_version")
    if version not in VERSIONS:
        hint = f"known: {VERSIONS[0]} to {VERSIONS[-1]}"
        raise ReaderError(f"the version {shortened(str(version), 40)!r} is not known", place=source.name, hint=hint)
    found = list(_trajectory(document, reading, where, _Place()))
    agent = an_object(document.get("agent"))
    origin = Source(
        format="atif", inputs=[source], tool=a_text(agent.get("name")) or None, version=str(version),
        agent=a_text(agent.get("name")) or None,
    )  # fmt: skip
    return Run(a_text(document.get("session_id")), assembled(found, origin, reading, in_order=True))


class _Place(msgspec.Struct, frozen=True):
    """Where a trajectory stands: what its keys begin with, the key of the call that it ran in, how deep it is."""

    prefix: str = ""
    within: str = ""
    nested: int = 0


def _trajectory(document: Object, reading: Reading, where: str, place: _Place) -> Iterator[Found]:
    """The exchanges and tool calls of a trajectory, and those of its subagents after all of them."""
    agent = an_object(document.get("agent"))
    definitions = agent.get("tool_definitions")
    steps = objects(document.get("steps"))
    turns = [turn for step in steps for turn in _turns(step, reading, where, place, a_text(agent.get("name")))]
    told = Told(
        api=CHAT,
        model=a_text(agent.get("model_name")),
        tools=declared_tools(definitions) if isinstance(definitions, list) else None,
        no_system=not any(turn.message.role == "system" for turn in turns),
    )
    replies = {found.key: found for found in exchanges(turns, told)}
    ran_in: dict[str, str] = {}
    for step in steps:
        key = f"{place.prefix}/{step.get('step_id')}"
        if key in replies:
            yield replies[key]
        for found in _tools(step, key, where):
            yield found
            ran_in |= dict.fromkeys(_ran_inside(step, found), found.key)
    if document.get("continued_trajectory_ref"):
        reading.lose("dropped", "the trajectory goes on in another file", where)
    _left_out(document, agent, steps, reading, where)
    for child in objects(document.get("subagent_trajectories")) if place.nested < DEEPEST else []:
        names = _names(child)
        within = next((ran_in[name] for name in names if name in ran_in), "")
        if not within:
            reading.lose("not_captured", "which call a subagent's trajectory ran in", where)
        inner = _Place(f"{place.prefix}/{names[0] if names else 'subagent'}", within, place.nested + 1)
        yield from _trajectory(child, reading, where, inner)


def _ran_inside(step: Object, call: Found) -> Iterator[str]:
    """The names of the trajectories that a call's result refers to."""
    identity = getattr(call.record, "call_id", None) or ""
    for result in _results(step):
        refers = result.get("subagent_trajectory_ref")
        if a_text(result.get("source_call_id")) == identity:
            for each in objects(refers if isinstance(refers, list) else [refers]):
                yield from _names(each)


def _names(trajectory: Object) -> list[str]:
    return [name for key in ("trajectory_id", "session_id") if (name := a_text(trajectory.get(key)))]


def _left_out(document: Object, agent: Object, steps: Sequence[Object], reading: Reading, where: str) -> None:
    """Tell of what is beside the steps, and what producers put there of their own."""
    for name in ("notes", "final_metrics", "extra"):
        if document.get(name):
            reading.lose("dropped", f"the field {name!r} of the trajectory", where)
    if agent.get("extra"):
        reading.lose("dropped", "the field 'extra' of the agent", where)
    for step in steps:
        if step.get("extra"):
            reading.lose("dropped", "the field 'extra' of steps", f"{where}: step {step.get('step_id')}")


def _turns(step: Object, reading: Reading, where: str, at: _Place, agent: str) -> Iterator[Turn]:
    place = f"{where}: step {step.get('step_id')}"
    role = {"system": "system", "user": "user", "agent": "assistant"}.get(a_text(step.get("source")))
    if role is None:
        reading.lose("malformed", "a step of no known source", place)
        return
    content, strange = _content(step, reading, place)
    copied = step.get("is_copied_context") is True
    calls = step.get("llm_call_count")
    if isinstance(calls, int) and calls > 1 and not isinstance(calls, bool):
        reading.lose("inexact", "steps that stand for several model calls are kept as one", place)
    yield Turn(
        message=Message(role=role, content=content),
        unknown=strange,
        replied=role == "assistant" and not copied and calls != 0,
        key=f"{at.prefix}/{step.get('step_id')}",
        parent=at.within,
        began=seconds_of(step.get("timestamp")),
        model=a_text(step.get("model_name")),
        usage=_usage(an_object(step.get("metrics"))),
        agent=agent or None,
        ext={"source": place},
    )
    for result in _results(step):
        identity = a_text(result.get("source_call_id"))
        if identity:
            block = ToolResultBlock(call_id=identity, content=_blocks(result.get("content"), reading, place))
            yield Turn(message=Message(role="tool", content=(block,)))
        elif result.get("content"):
            said = Message(role="user", content=_blocks(result.get("content"), reading, place))
            reading.lose("inexact", "an observation that answers no call is read as told to the model", place)
            yield Turn(message=said)


def _content(step: Object, reading: Reading, place: str) -> tuple[tuple[Block, ...], bool]:
    pieces = from_wire(step.get("message"))
    for each in pieces.strange:
        reading.lose("not_representable", f"a message part of the type {each!r}", place)
    thought = a_text(step.get("reasoning_content"))
    blocks: list[Block] = [ThinkingBlock(text=thought)] if thought else []
    calls = objects(step.get("tool_calls"))
    words = [block for block in pieces.blocks if not (calls and getattr(block, "text", None) == "")]
    blocks += words
    blocks += [
        call(a_text(each.get("tool_call_id")), a_text(each.get("function_name")), each.get("arguments"))
        for each in calls
    ]
    return tuple(blocks), bool(pieces.strange)


def _tools(step: Object, key: str, where: str) -> Iterator[Found]:
    """A tool record for each call that a result answers: the observation is what running it gave."""
    answers = {a_text(each.get("source_call_id")): each for each in _results(step)}
    content, _ = _content(step, Reading(), where)
    for each in calls_of(content):
        answer = answers.get(each.id)
        if answer is None:
            continue
        record = ToolRecord(
            id="",
            name=each.name,
            arguments=each.arguments if each.arguments_text is None else each.arguments_text,
            result=answer.get("content"),
            outcome="ok",
            call_id=each.id or None,
            fidelity="reconstructed",
            unknown=("$.outcome",) if answer.get("content") is not None else ("$.result", "$.outcome"),
            ext={"source": f"{where}: step {step.get('step_id')}"},
        )
        yield Found(record=record, key=f"{key}/{each.id}", parent=key)


def _results(step: Object) -> list[Object]:
    return objects(an_object(step.get("observation")).get("results"))


def _blocks(content: JSON, reading: Reading, place: str) -> tuple[Block, ...]:
    if content is None or isinstance(content, str):
        return text(content or "")
    pieces = from_wire(content)
    for each in pieces.strange:
        reading.lose("not_representable", f"a result part of the type {each!r}", place)
    return pieces.blocks


def _usage(metrics: Object) -> Usage | None:
    if not USAGE.keys() & metrics.keys():
        return None
    rest: Object = {
        key: value for key, value in metrics.items() if key not in USAGE and not isinstance(value, (dict, list))
    }
    counts = {field: a_count(metrics.get(key)) for key, field in USAGE.items()}
    return Usage(**counts, details=rest)


ATIF = Reader(
    name="atif",
    sniff=sniff_atif,
    read=read_atif,
    recognised='JSON with a `schema_version` of `"ATIF-v1..."`',
    kept="steps as model exchanges, tool calls with their observations, subagents, declared tools, usage, times",
    lost="requests as they were on the wire, parameters, notes, totals and what producers add; ATIF has no error flag",
    versions="1.0-1.8",
)

"""OpenHands' event lists: actions of the agent and what was observed of each."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from runwright.errors import ReaderError
from runwright.readers.assembled import Found, Source, assembled, seconds_of
from runwright.readers.chat import message_of
from runwright.readers.conversation import Told, Turn, exchanges, with_last_words
from runwright.readers.input import Input, text_body
from runwright.readers.known import CHAT, STOPS
from runwright.readers.lenient import a_count, a_text, an_object, objects
from runwright.readers.lines import document_of, file_name
from runwright.readers.reader import Reader, Run
from runwright.readers.reading import Reading
from runwright.readers.written import written
from runwright.trace.model import (
    JSON,
    Message,
    MessageRecord,
    ModelRecord,
    SideEffect,
    SideEffectRecord,
    TextBlock,
    ToolError,
    ToolRecord,
    ToolResultBlock,
    Trace,
    Usage,
    calls_of,
)

Object = dict[str, JSON]
UNTOLD = ("agent_state_changed", "null")
"""Observations that no model is told of."""
NO_TOOLS = ("message", "change_agent_state", "recall", "system", "null")
"""Actions that run nothing."""


def sniff_openhands(head: bytes) -> int:
    """60 where a list of events with sources, actions or observations begins the file."""
    events = b'"action"' in head or b'"observation"' in head
    return 60 if text_body(head).lstrip()[:1] == b"[" and b'"source"' in head and b'"args"' in head and events else 0


def read_openhands(files: Sequence[Input]) -> tuple[Run, ...]:
    """One run a file of events."""
    return tuple(Run("", _run(each)) for each in files)


def _run(source: Input) -> Trace:
    reading = Reading()
    where = file_name(source)
    document = document_of(source, reading)
    events = objects(document)
    causes = {repr(each["cause"]): each for each in events if each.get("cause") is not None}
    turns: list[Turn] = []
    seen: set[str] = set()
    for event in events:
        turns += _turns(event, seen, reading, f"{where}: event {event.get('id')}")
    replies = {found.key: found for found in exchanges(turns, Told(api=CHAT, no_system=_no_system(turns)))}
    found: list[Found] = []
    for event in events:
        key = _reply_id(event)
        found += _said(event, f"{where}: event {event.get('id')}")
        if key in replies:
            found.append(replies.pop(key))
        found += _ran(event, causes.get(repr(event.get("id"))), key, f"{where}: event {event.get('id')}")
    found += replies.values()
    if not any(isinstance(each.record, ModelRecord) for each in found):
        raise ReaderError("no reply of a model in it", place=source.name)
    origin = Source(
        format="openhands", inputs=[source], tool="OpenHands", agent="openhands",
        seen={"fs_write": "imported"},
    )  # fmt: skip
    return assembled(with_last_words(found), origin, reading, in_order=True)


def _said(event: Object, where: str) -> Iterator[Found]:
    """What the user said, when it was said: what the model is told of observations is not the user's."""
    words = a_text(an_object(event.get("args")).get("content"))
    if event.get("action") == "message" and event.get("source") == "user" and words:
        record = MessageRecord(id="", role="user", content=(TextBlock(text=words),), ext={"source": where})
        yield Found(record=record, began=seconds_of(event.get("timestamp")))


def _no_system(turns: Sequence[Turn]) -> bool:
    return not any(turn.message.role == "system" for turn in turns)


def _reply_id(event: Object) -> str:
    """The model reply that an action came from; several actions may come from one."""
    response = an_object(an_object(event.get("tool_call_metadata")).get("model_response"))
    return a_text(response.get("id")) or f"event {event.get('id')}"


def _turns(event: Object, seen: set[str], reading: Reading, where: str) -> Iterator[Turn]:
    """What the event told the model or was told by it; a reply of several actions once."""
    metadata = an_object(event.get("tool_call_metadata"))
    source, action = event.get("source"), event.get("action")
    if action is not None and metadata.get("model_response"):
        yield from _reply(event, an_object(metadata["model_response"]), seen, reading, where)
    elif action == "message" or (action == "system" and source != "user"):
        yield _message(event, reading, where)
    elif a_text(event.get("observation")) not in ("", *UNTOLD):
        yield _observed(event, metadata)


def _reply(event: Object, response: Object, seen: set[str], reading: Reading, where: str) -> Iterator[Turn]:
    key = _reply_id(event)
    choices = objects(response.get("choices"))
    if key in seen or not choices:
        return
    seen.add(key)
    chat = message_of(choices[0].get("message"), "assistant")
    for each in chat.strange:
        reading.lose("not_representable", f"a message part of the type {each!r}", where)
    usage = an_object(response.get("usage"))
    yield Turn(
        message=chat.message,
        unknown=bool(chat.strange),
        key=key,
        began=seconds_of(event.get("timestamp")),
        model=a_text(response.get("model")),
        stop=STOPS.get(a_text(choices[0].get("finish_reason")).lower()),
        usage=Usage(
            input_tokens=a_count(usage.get("prompt_tokens")),
            output_tokens=a_count(usage.get("completion_tokens")),
        )
        if usage
        else None,
        id=a_text(response.get("id")) or None,
        ext={"source": where},
    )


def _message(event: Object, reading: Reading, where: str) -> Turn:
    args = an_object(event.get("args"))
    role = {"user": "user", "agent": "assistant"}.get(a_text(event.get("source")), "system")
    role = "system" if event.get("action") == "system" else role
    if args.get("image_urls"):
        reading.lose("dropped", "the pictures of a message", where)
    message = Message(role=role, content=(TextBlock(text=a_text(args.get("content"))),))
    return Turn(
        message=message,
        unknown=bool(args.get("image_urls")),
        key=f"event {event.get('id')}",
        began=seconds_of(event.get("timestamp")),
        ext={"source": where},
    )


def _observed(event: Object, metadata: Object) -> Turn:
    words = (TextBlock(text=a_text(event.get("content"))),)
    identity = a_text(metadata.get("tool_call_id"))
    if not identity:
        return Turn(message=Message(role="user", content=words), unknown=True)
    # what the model was told of an observation is made from it by the agent: its words are not these
    block = ToolResultBlock(call_id=identity, content=words)
    return Turn(message=Message(role="tool", content=(block,)), unknown=True)


# --- what ran ------------------------------------------------------------------------------------


def _ran(action: Object, observation: Object | None, reply: str, where: str) -> Iterator[Found]:
    """The tool call of an action with what was observed, and the file that an edit wrote."""
    kind = action.get("action")
    if not isinstance(kind, str) or kind in NO_TOOLS or action.get("source") != "agent":
        return
    metadata = an_object(action.get("tool_call_metadata"))
    key = f"action {action.get('id')}"
    call = _call_of(metadata)
    record = ToolRecord(
        id="",
        name=a_text(metadata.get("function_name")) or kind,
        arguments=call if call is not None else action.get("args"),
        result=None if observation is None else observation.get("content"),
        error=_error(observation),
        outcome="ok" if _error(observation) is None else "error",
        call_id=a_text(metadata.get("tool_call_id")) or None,
        fidelity="partial" if observation is None else "reconstructed",
        unknown=("$.result",) if observation is None else (),
        ext={"source": where},
    )
    ended = seconds_of(observation.get("timestamp")) if observation else None
    yield Found(record=record, key=key, parent=reply, began=seconds_of(action.get("timestamp")), ended=ended)
    effect = _written(observation)
    if effect is not None:
        yield Found(record=SideEffectRecord(id="", side_effect=effect), parent=key, cause=key, began=ended)


def _call_of(metadata: Object) -> JSON:
    choices = objects(an_object(metadata.get("model_response")).get("choices"))
    message = message_of(choices[0].get("message"), "assistant").message if choices else None
    calls = calls_of(message.content) if message else []
    wanted = metadata.get("tool_call_id")
    return next((each.arguments for each in calls if each.id == wanted), None)


def _error(observation: Object | None) -> ToolError | None:
    if observation is None:
        return None
    if observation.get("observation") == "error":
        return ToolError(message=a_text(observation.get("content")) or "error")
    code = an_object(an_object(observation.get("extras")).get("metadata")).get("exit_code")
    failed = observation.get("success") is False or (isinstance(code, int) and code > 0)
    return ToolError(message=f"exit code {code}" if isinstance(code, int) else "failed") if failed else None


def _written(observation: Object | None) -> SideEffect | None:
    extras = an_object(observation.get("extras")) if observation else {}
    path, before, after = (extras.get(key) for key in ("path", "old_content", "new_content"))
    if observation is None or observation.get("observation") not in ("edit", "write") or not isinstance(path, str):
        return None
    diff = a_text(observation.get("content"))
    return written(
        path,
        "create" if extras.get("prev_exist") is False else "edit",
        before=before if isinstance(before, str) else None,
        after=after if isinstance(after, str) else None,
        diff=diff if diff.startswith("---") else None,
    )


OPENHANDS = Reader(
    name="openhands",
    sniff=sniff_openhands,
    read=read_openhands,
    recognised="a JSON list of events with `source`, `args`, and an `action` or an `observation`",
    kept="replies as the model gave them, actions with what was observed, exit codes, edits as `fs_write`, times",
    lost="what the model was told of observations, parameters, tool schemas, pictures",
    versions="0.2x (V0 events)",
)

"""The records of a rollout: its replies, calls, files, and what was said."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec

from runwright.readers.assembled import Found
from runwright.readers.codex.ended import ends_of, mcp_of
from runwright.readers.codex.items import CALLS, OUTPUTS, blocks_from, is_reply, kind_of, message_from
from runwright.readers.codex.outcome import outcome_of
from runwright.readers.codex.patch import effects_of_changes, effects_of_patch, patch_of
from runwright.readers.codex.rollout import Event
from runwright.readers.conversation import Told, Turn, exchanges, with_last_words
from runwright.readers.counts import usage_of
from runwright.readers.known import CONTENT, MESSAGES, RESPONSES
from runwright.readers.lenient import a_text, an_object, objects
from runwright.readers.reading import Reading
from runwright.secrets.shortened import shortened
from runwright.trace.model import (
    JSON,
    Block,
    FaultRecord,
    Message,
    MessageRecord,
    ModelError,
    SideEffect,
    SideEffectRecord,
    TextBlock,
    ToolCallBlock,
    ToolRecord,
    Usage,
    text_of,
)

OWN = (
    "<environment_context>",
    "<user_instructions>",
    "<permissions instructions>",
    "<turn_aborted>",
    "<skill>",
    "<user_shell_command>",
    "<subagent_notification>",
    "# AGENTS.md instructions",
)
"""How texts begin that the CLI writes as the user's."""
AGAIN = ("user_message", "agent_message", "agent_reasoning", "agent_reasoning_raw_content", "task_started",
         "task_complete", "turn_started", "turn_complete", "context_compacted", "item_completed", "exec_command_end",
         "patch_apply_end", "mcp_tool_call_end")  # fmt: skip
BEGUN = ("_begin", "_delta")
"""Events that say what items and other lines say, or that are looked up by their calls."""


class _Asked(msgspec.Struct, frozen=True):
    at: int
    event: Event
    block: ToolCallBlock
    key: str
    reply: str


def records_of(events: Sequence[Event], reading: Reading) -> list[Found]:
    """The records of a rollout in the order of its lines."""
    return _Rollout(events, reading).records()


class _Rollout:
    """Walks through the lines of a rollout once."""

    def __init__(self, events: Sequence[Event], reading: Reading) -> None:
        self._events = events
        self._reading = reading
        self._ends = ends_of(events)
        self._system = _instructions(events)
        self._told = Told(api=RESPONSES, provider="openai", no_system=self._system is None)
        self._turns: list[list[Turn]] = [[*([self._system] if self._system else [])]]
        self._model = ""
        self._reply: list[tuple[int, Event]] = []
        self._counted: JSON = None
        self._unsure = False
        self._places: dict[str, int] = {}
        self._found: list[tuple[int, Found]] = []
        self._open: dict[str, list[_Asked]] = {}
        self._calls = 0

    def records(self) -> list[Found]:
        for at, event in enumerate(self._events):
            self._line(at, event)
        self._close()
        self._unanswered()
        for turns in self._turns:
            self._found += [(self._places[each.key], each) for each in exchanges(turns, self._told)]
        return with_last_words([found for _, found in sorted(self._found, key=lambda each: each[0])])

    def _line(self, at: int, event: Event) -> None:
        if event.kind == "turn_context":
            self._model = a_text(event.payload.get("model")) or self._model
        elif event.kind == "response_item":
            self._item(at, event)
        elif event.kind == "event_msg":
            self._happened(at, event)
        elif event.kind == "compacted":
            self._compacted(event)

    def _say(self, turn: Turn) -> None:
        unsure = (*turn.unsure, MESSAGES) if self._unsure else turn.unsure
        self._turns[-1].append(msgspec.structs.replace(turn, unsure=unsure))

    # --- items --------------------------------------------------------------------------------

    def _item(self, at: int, event: Event) -> None:
        kind = kind_of(event.payload)
        if is_reply(event.payload):
            self._reply.append((at, event))
            return
        self._close()
        if kind in OUTPUTS:
            self._result(at, event)
        elif kind != "message":
            self._reading.lose("dropped", f"items of the type {shortened(kind, 60)!r}", event.place)
            return
        message = message_from(event.payload, self._reading, event.place)
        self._say(Turn(message=message))
        if message.role == "user" and message.content and not text_of(message.content).startswith(OWN):
            words = MessageRecord(id="", role="user", content=message.content, ext={"source": event.place})
            self._found.append((3 * at, Found(record=words, began=event.at)))

    def _close(self, usage: Usage | None = None) -> None:
        """The items since the last thing that the model was told are its reply."""
        if not self._reply:
            return
        (at, first), (_, last) = self._reply[0], self._reply[-1]
        key = f"reply {at}"
        spoken = [(here, event, blocks_from(event.payload, self._reading, event.place)) for here, event in self._reply]
        items = tuple(message_from(event.payload, self._reading, event.place) for _, event in self._reply)
        self._reply = []
        self._places[key] = 3 * at
        self._say(
            Turn(
                message=Message(role="assistant", content=tuple(block for _, _, blocks in spoken for block in blocks)),
                items=items,
                key=key,
                began=first.at,
                ended=last.at if last is not first else None,
                model=self._model,
                stop="tool_calls" if any(kind_of(event.payload) in CALLS for _, event, _ in spoken) else None,
                usage=usage,
                unsure=_without_arguments(spoken),
                ext={"source": first.place},
            )
        )
        for here, event, blocks in spoken:
            self._ask(here, event, [block for block in blocks if isinstance(block, ToolCallBlock)], key)

    def _ask(self, at: int, event: Event, calls: Sequence[ToolCallBlock], reply: str) -> None:
        if not calls and kind_of(event.payload) in CALLS:  # the dialect keeps its own calls as they came
            action = event.payload.get("action")
            identity = a_text(event.payload.get("call_id")) or a_text(event.payload.get("id"))
            calls = [ToolCallBlock(id=identity, name="local_shell", arguments=action)]
        for block in calls:
            self._calls += 1
            key = f"call {block.id}" if block.id not in self._open else f"call {block.id} {self._calls}"
            self._open.setdefault(block.id, []).append(_Asked(3 * at + 1, event, block, key, reply))

    # --- results ------------------------------------------------------------------------------

    def _result(self, at: int, event: Event) -> None:
        identity, output = a_text(event.payload.get("call_id")), event.payload.get("output")
        waiting = self._open.get(identity)
        if not waiting:
            self._reading.lose("not_captured", "results of calls that are not in the file", event.place)
            return
        call = waiting.pop()
        ended = self._ends.get(("exec_command_end", identity)) or self._ends.get(("patch_apply_end", identity))
        outcome, error = outcome_of(output, ended)
        told = output.get("content", output) if isinstance(output, dict) else output
        record = msgspec.structs.replace(_tool(call), result=told, outcome=outcome, error=error)
        self._found.append((call.at, _found(call, record, event.at)))
        if (end := self._ends.get(("mcp_tool_call_end", identity))) is not None:
            self._found.append((call.at, Found(record=mcp_of(end, event.place), parent=call.key, began=call.event.at)))
        for effect in self._effects(call, identity) if outcome == "ok" else ():
            record_of = SideEffectRecord(id="", side_effect=effect, ext={"source": event.place})
            self._found.append((3 * at, Found(record=record_of, parent=call.key, cause=call.key, began=event.at)))

    def _effects(self, call: _Asked, identity: str) -> Iterator[SideEffect]:
        changes = an_object(self._ends.get(("patch_apply_end", identity), {})).get("changes")
        if changes:
            return effects_of_changes(changes)
        given = call.block.arguments if call.block.arguments is not None else call.block.arguments_text
        patch = patch_of(given)
        return effects_of_patch(patch) if patch is not None else iter(())

    def _unanswered(self) -> None:
        for call in (each for waiting in self._open.values() for each in waiting):
            self._reading.lose("not_captured", "results of calls: none is in the file", call.event.place)
            record = _tool(call)
            unknown = (*record.unknown, "$.result", "$.outcome")
            record = msgspec.structs.replace(record, fidelity="partial", unknown=unknown)
            self._found.append((call.at, _found(call, record, None)))

    # --- events -------------------------------------------------------------------------------

    def _happened(self, at: int, event: Event) -> None:
        kind = a_text(event.payload.get("type"))
        if kind == "token_count":
            self._count(an_object(event.payload.get("info")))
        elif kind in ("error", "stream_error"):
            self._failed(at, event)
        elif kind == "turn_aborted":
            self._close()
            reason = a_text(event.payload.get("reason")) or "interrupted"
            fault = FaultRecord(id="", kind="interruption", detail=f"the turn was aborted: {shortened(reason, 200)}")
            self._found.append((3 * at, Found(record=fault, began=event.at)))
        elif kind == "thread_rolled_back":
            self._close()
            self._unsure = True
            self._reading.lose("inexact", "turns that were taken back stand in later requests", event.place)
        elif kind not in AGAIN and not kind.endswith(BEGUN):
            self._reading.lose("dropped", f"events of the type {shortened(kind, 60)!r}", event.place)

    def _count(self, info: dict[str, JSON]) -> None:
        """The tokens of the reply that ended; the same counts told again are of none."""
        total, usage = (
            info.get("total_token_usage"),
            usage_of(info.get("last_token_usage"), "input_tokens", "output_tokens"),
        )
        if usage is None or (total is not None and total == self._counted):
            return
        self._counted = total
        if self._reply:
            self._close(usage)
            return
        turns = self._turns[-1]
        at = next((at for at in reversed(range(len(turns))) if turns[at].items), None)
        if at is not None and turns[at].usage is None:
            turns[at] = msgspec.structs.replace(turns[at], usage=usage)

    def _failed(self, at: int, event: Event) -> None:
        self._close()
        info = event.payload.get("codex_error_info")
        error = ModelError(
            message=a_text(event.payload.get("message")) or "it failed",
            kind=info if isinstance(info, str) else next(iter(an_object(info)), None),
        )
        key = f"error {at}"
        self._places[key] = 3 * at
        self._say(
            Turn(message=Message(role="assistant"), error=error, key=key, began=event.at, model=self._model,
                 ext={"source": event.place})
        )  # fmt: skip

    def _compacted(self, event: Event) -> None:
        """The conversation goes on from a summary of it."""
        self._close()
        self._reading.lose("not_captured", "the exchange that summed up the conversation", event.place)
        self._turns.append([*([self._system] if self._system else [])])
        history = event.payload.get("replacement_history")
        self._unsure = not isinstance(history, list)
        for item in objects(history):
            self._say(Turn(message=message_from(item, self._reading, event.place), replied=False))
        if self._unsure:
            summary = TextBlock(text=a_text(event.payload.get("message")))
            self._say(Turn(message=Message(role="user", content=(summary,))))


def _without_arguments(spoken: Sequence[tuple[int, Event, Sequence[Block]]]) -> tuple[str, ...]:
    """The paths of calls whose arguments were left out."""
    blocks = [(event, block) for _, event, each in spoken for block in each]
    left_out = [
        at for at, (event, block) in enumerate(blocks) if isinstance(block, ToolCallBlock) and not _given(event)
    ]
    return tuple(f"{CONTENT}[{at}].arguments" for at in left_out)


def _given(event: Event) -> bool:
    return any(event.payload.get(key) is not None for key in ("arguments", "input", "action"))


def _instructions(events: Sequence[Event]) -> Turn | None:
    """The system prompt, which newer files hold."""
    for event in events:
        told = an_object(event.payload.get("base_instructions")).get("text") if event.kind == "session_meta" else None
        if isinstance(told, str):
            return Turn(message=Message(role="system", content=(TextBlock(text=told),)))
    return None


def _tool(call: _Asked) -> ToolRecord:
    block = call.block
    return ToolRecord(
        id="",
        name=block.name,
        arguments=block.arguments
        if block.arguments_text is None or block.arguments is not None
        else block.arguments_text,
        outcome="ok",
        call_id=block.id or None,
        fidelity="reconstructed",
        unknown=() if _given(call.event) else ("$.arguments",),
        ext={"source": call.event.place},
    )


def _found(call: _Asked, record: ToolRecord, ended: float | None) -> Found:
    return Found(record=record, key=call.key, parent=call.reply, began=call.event.at, ended=ended)

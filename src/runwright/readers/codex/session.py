"""The records of a rollout: its replies, calls, files, and what was said."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from runwright.readers.assembled import Found
from runwright.readers.codex.calls import Calls
from runwright.readers.codex.items import OUTPUTS, SaidBy, is_reply, kind_of, message_from, said_by
from runwright.readers.codex.rollout import Event
from runwright.readers.conversation import Told, Turn, exchanges, with_last_words
from runwright.readers.counts import usage_of
from runwright.readers.known import CONTENT, MESSAGES, RESPONSES
from runwright.readers.lenient import a_text, an_object, objects
from runwright.readers.reading import Reading
from runwright.secrets.shortened import shortened
from runwright.trace.model import (
    JSON,
    FaultRecord,
    Message,
    MessageRecord,
    ModelError,
    TextBlock,
    ToolCallBlock,
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


def records_of(events: Sequence[Event], reading: Reading) -> list[Found]:
    """The records of a rollout in the order of its lines."""
    return _Rollout(events, reading).records()


class _Rollout:
    """Walks through the lines of a rollout once."""

    def __init__(self, events: Sequence[Event], reading: Reading) -> None:
        self._events = events
        self._reading = reading
        self._calls = Calls(events, reading)
        self._system = _instructions(events)
        self._told = Told(api=RESPONSES, provider="openai", no_system=self._system is None)
        self._turns: list[list[Turn]] = [[*([self._system] if self._system else [])]]
        self._model = ""
        self._reply: list[tuple[int, Event]] = []
        self._counted: JSON = None
        self._unsure = False
        self._places: dict[str, int] = {}
        self._found: list[tuple[int, Found]] = []

    def records(self) -> list[Found]:
        for at, event in enumerate(self._events):
            self._line(at, event)
        self._close()
        self._calls.unanswered()
        replies = [(self._places[each.key], each) for turns in self._turns for each in exchanges(turns, self._told)]
        found = sorted([*self._calls.found, *self._found, *replies], key=lambda each: each[0])
        return with_last_words([each for _, each in found])

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
        if is_reply(event.payload, kind):
            self._reply.append((at, event))
            return
        self._close()
        if kind in OUTPUTS:
            self._calls.answer(at, event)
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
        said = [said_by(event.payload, self._reading, event.place) for _, event in self._reply]
        lines, self._reply = self._reply, []
        self._places[key] = 3 * at
        self._say(
            Turn(
                message=Message(role="assistant", content=tuple(block for each in said for block in each.blocks)),
                items=tuple(each.message for each in said),
                key=key,
                began=first.at,
                ended=last.at if last is not first else None,
                model=self._model,
                stop="tool_calls" if any(each.calls for each in said) else None,
                usage=usage,
                unsure=_without_arguments(said),
                ext={"source": first.place},
            )
        )
        for (here, event), each in zip(lines, said, strict=True):
            self._calls.ask(here, event, each, key)

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


def _without_arguments(said: Sequence[SaidBy]) -> tuple[str, ...]:
    """The paths of calls whose arguments were left out."""
    told = [each.given for each in said for _ in each.blocks]
    calls = [isinstance(block, ToolCallBlock) for each in said for block in each.blocks]
    return tuple(f"{CONTENT}[{at}].arguments" for at, call in enumerate(calls) if call and not told[at])


def _instructions(events: Sequence[Event]) -> Turn | None:
    """The system prompt, which newer files hold."""
    for event in events:
        told = an_object(event.payload.get("base_instructions")).get("text") if event.kind == "session_meta" else None
        if isinstance(told, str):
            return Turn(message=Message(role="system", content=(TextBlock(text=told),)))
    return None

"""The calls of a rollout, and what became of them: their records, MCP calls, and the files that patches changed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec

from runwright.readers.assembled import Found
from runwright.readers.codex.ended import ends_of, mcp_of
from runwright.readers.codex.items import SaidBy
from runwright.readers.codex.outcome import outcome_of
from runwright.readers.codex.patch import effects_of_changes, effects_of_patch, patch_of
from runwright.readers.codex.rollout import Event
from runwright.readers.lenient import a_text, an_object
from runwright.readers.reading import Reading
from runwright.trace.model import SideEffect, SideEffectRecord, ToolCallBlock, ToolRecord


class _Asked(msgspec.Struct, frozen=True):
    at: int
    event: Event
    block: ToolCallBlock
    given: bool
    key: str
    reply: str


class Calls:
    """Takes calls and results as the lines of a rollout tell them; `found` are their records, each with its place.

    Of a line, its call stands behind what is told at that line itself.
    """

    def __init__(self, events: Sequence[Event], reading: Reading) -> None:
        self.found: list[tuple[int, Found]] = []
        self._reading = reading
        self._ends = ends_of(events)
        self._open: dict[str, list[_Asked]] = {}
        self._calls = 0

    def ask(self, at: int, event: Event, said: SaidBy, reply: str) -> None:
        """The calls that an item of a reply is; `reply` is the key of the exchange."""
        for block in said.calls:
            self._calls += 1
            key = f"call {block.id}" if block.id not in self._open else f"call {block.id} {self._calls}"
            self._open.setdefault(block.id, []).append(_Asked(3 * at + 1, event, block, said.given, key, reply))

    def answer(self, at: int, event: Event) -> None:
        """The result of a call."""
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
        self.found.append((call.at, _found(call, record, event.at)))
        if (end := self._ends.get(("mcp_tool_call_end", identity))) is not None:
            self.found.append((call.at, Found(record=mcp_of(end, event.place), parent=call.key, began=call.event.at)))
        for effect in self._effects(call, identity) if outcome == "ok" else ():
            record_of = SideEffectRecord(id="", side_effect=effect, ext={"source": event.place})
            self.found.append((3 * at, Found(record=record_of, parent=call.key, cause=call.key, began=event.at)))

    def _effects(self, call: _Asked, identity: str) -> Iterator[SideEffect]:
        changes = an_object(self._ends.get(("patch_apply_end", identity), {})).get("changes")
        if changes:
            return effects_of_changes(changes)
        given = call.block.arguments if call.block.arguments is not None else call.block.arguments_text
        patch = patch_of(given)
        return effects_of_patch(patch) if patch is not None else iter(())

    def unanswered(self) -> None:
        """The calls that no result was told of."""
        for call in (each for waiting in self._open.values() for each in waiting):
            self._reading.lose("not_captured", "results of calls: none is in the file", call.event.place)
            record = _tool(call)
            unknown = (*record.unknown, "$.result", "$.outcome")
            record = msgspec.structs.replace(record, fidelity="partial", unknown=unknown)
            self.found.append((call.at, _found(call, record, None)))


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
        unknown=() if call.given else ("$.arguments",),
        ext={"source": call.event.place},
    )


def _found(call: _Asked, record: ToolRecord, ended: float | None) -> Found:
    return Found(record=record, key=call.key, parent=call.reply, began=call.event.at, ended=ended)

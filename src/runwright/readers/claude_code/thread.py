"""The records of one thread: its exchanges, tool calls, files, and what was said."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from runwright.readers.assembled import Found
from runwright.readers.chat import Chat, message_of
from runwright.readers.claude_code.failed import failed
from runwright.readers.claude_code.line import Line
from runwright.readers.claude_code.owners import Owner
from runwright.readers.claude_code.session import Thread
from runwright.readers.claude_code.speech import is_interruption, is_queued, is_the_users, told
from runwright.readers.claude_code.tools import Asked, effect_of, tool_of
from runwright.readers.claude_code.way import way
from runwright.readers.conversation import Told, Turn, exchanges
from runwright.readers.counts import usage_of, whole
from runwright.readers.known import MESSAGES, MESSAGES_API, STOPS
from runwright.readers.lenient import a_text, an_object
from runwright.readers.reading import Reading
from runwright.secrets.shortened import shortened
from runwright.trace.model import JSON, Block, FaultRecord, Message, MessageRecord, Usage

TOLD = Told(api=MESSAGES_API, provider="anthropic", no_system=True)
BY_THE_CLI = "<synthetic>"
"""The model of replies that the CLI wrote itself."""
OUTPUT = "$.response.usage.output_tokens"


def records_of(thread: Thread, owner: Owner, known: set[str], reading: Reading) -> list[Found]:
    """The records of a thread, in the order of its lines; replies of other threads that it repeats are none of its.

    `known` are the replies that were met before; those of this thread are added.
    """
    return _Thread(thread, owner, known, reading).records()


class _Thread:
    """Walks through the lines of a thread once."""

    def __init__(self, thread: Thread, owner: Owner, known: set[str], reading: Reading) -> None:
        self._way = way(thread.lines, reading)
        self._main = not thread.side
        self._agent = owner.name or None
        self._parent = f"call {owner.call}" if owner.call else ""
        self._reading = reading
        self._replies: dict[str, list[Line]] = {}
        for line in self._way.lines:
            if line.kind == "assistant":
                self._replies.setdefault(line.reply, []).append(line)
        self._copied = known & self._replies.keys()
        known.update(self._replies)
        self._turns: list[list[Turn]] = [[]]
        self._answers: list[Block] = []
        self._unsure = False
        self._found: list[tuple[int, Found]] = []
        self._places: dict[str, int] = {}
        self._open: dict[str, list[Asked]] = {}
        self._calls = 0

    def records(self) -> list[Found]:
        for at, line in enumerate(self._way.lines):
            self._unsure |= at in self._way.gaps
            self._line(at, line)
        self._unanswered()
        for turns in self._turns:
            self._found += [(self._places[each.key], each) for each in exchanges(turns, TOLD)]
        return [found for _, found in sorted(self._found, key=lambda each: each[0])]

    def _line(self, at: int, line: Line) -> None:
        error = failed(line, self._agent, self._parent)
        if error is not None:
            self._say(at, error)
        elif line.kind == "assistant":
            self._reply(at, line)
        elif line.kind == "user" or is_queued(line):
            self._user(at, line)
        elif line.kind == "system":
            self._note(line)
        elif line.kind == "attachment":
            kind = a_text(an_object(line.fields.get("attachment")).get("type"))
            self._reading.lose("dropped", f"attachments of the type {shortened(kind, 60)!r}", line.place)

    def _say(self, at: int, turn: Turn) -> None:
        """One more message of the conversation; the results that came before it stand in one."""
        self._handed_back()
        self._places.setdefault(turn.key, 3 * at)
        unsure = (*turn.unsure, MESSAGES) if self._unsure else turn.unsure
        self._turns[-1].append(msgspec.structs.replace(turn, unsure=unsure))

    def _handed_back(self) -> None:
        if self._answers:
            self._turns[-1].append(Turn(message=Message(role="user", content=tuple(self._answers))))
            self._answers = []

    def _content(self, line: Line, chat: Chat) -> Message:
        for each in chat.strange:
            self._reading.lose("not_representable", f"a message part of the type {shortened(each, 60)!r}", line.place)
        return chat.message

    # --- replies ------------------------------------------------------------------------------

    def _reply(self, at: int, line: Line) -> None:
        lines = self._replies[line.reply]
        own = line.message.get("model") != BY_THE_CLI and line.reply not in self._copied
        if line is lines[0]:
            self._say(at, self._turn(lines, own))
        for part in line.parts if own else ():
            if part.get("type") == "tool_use":
                self._calls += 1
                identity = a_text(part.get("id"))
                key = f"call {identity}" if identity not in self._open else f"call {identity} {self._calls}"
                self._open.setdefault(identity, []).append(Asked(3 * at + 1, part, line, key, self._agent))

    def _turn(self, lines: Sequence[Line], own: bool) -> Turn:
        first, last = lines[0], lines[-1]
        chat = message_of({"role": "assistant", "content": _joined(lines)})
        stop = next((STOPS.get(word.lower()) for each in reversed(lines) if (word := _stop(each))), None)
        usage = _usage(lines)
        if own and usage is not None and stop is None:
            self._reading.lose("inexact", "output tokens as they stood while the reply came", first.place)
        request = a_text(first.fields.get("requestId"))
        return Turn(
            message=self._content(first, chat),
            unknown=bool(chat.strange),
            replied=own,
            key=f"reply {first.reply}",
            parent=self._parent,
            began=first.at,
            ended=last.at if last is not first else None,
            model=a_text(first.message.get("model")),
            stop=stop,
            usage=usage,
            id=a_text(first.message.get("id")) or None,
            agent=self._agent,
            unsure=(OUTPUT,) if usage is not None and stop is None else (),
            ext={"source": first.place, **({"request_id": request} if request else {})},
        )

    # --- what the model was told --------------------------------------------------------------

    def _user(self, at: int, line: Line) -> None:
        for result in line.results:
            self._result(at, line, result)
        if line.fields.get("isCompactSummary") is True and self._turns[-1]:
            self._forget(line)
        chat = told(line)
        message = self._content(line, chat)
        if line.results and len(line.results) == len(message.content):
            self._answers += message.content
            return
        self._say(at, Turn(message=message, unknown=bool(chat.strange) or line.kind == "attachment"))
        if is_interruption(line):
            fault = FaultRecord(id="", kind="interruption", detail="the user stopped the agent", agent=self._agent)
            self._found.append((3 * at + 2, Found(record=fault, parent=self._parent, began=line.at)))
        elif self._main and is_the_users(line, chat):
            words = MessageRecord(id="", role="user", content=message.content, ext={"source": line.place})
            self._found.append((3 * at, Found(record=words, key=f"said {line.uuid}", began=line.at)))

    def _result(self, at: int, line: Line, result: dict[str, JSON]) -> None:
        waiting = self._open.get(a_text(result.get("tool_use_id")))
        if not waiting:
            if not self._copied:
                self._reading.lose("not_captured", "results of calls that are not in the file", line.place)
            return
        call = waiting.pop()
        self._found.append((call.at, tool_of(call, result, line)))
        self._found += [(3 * at + 2, each) for each in effect_of(line, call)]

    def _unanswered(self) -> None:
        for call in (each for waiting in self._open.values() for each in waiting):
            self._reading.lose("not_captured", "results of calls: none is in the file", call.line.place)
            self._found.append((call.at, tool_of(call)))

    # --- what the CLI did to the conversation -------------------------------------------------

    def _note(self, line: Line) -> None:
        kind = a_text(line.fields.get("subtype"))
        metadata = an_object(line.fields.get("compactMetadata"))
        if kind == "compact_boundary":
            self._forget(line)
            self._unsure = bool(metadata.get("preservedSegment"))
        elif kind == "microcompact_boundary":
            self._unsure = True
            self._reading.lose("inexact", "tool results that the CLI cleared stand in later requests", line.place)
        else:
            self._reading.lose("dropped", f"notes of the type {shortened(kind, 60)!r}", line.place)

    def _forget(self, line: Line) -> None:
        """The conversation goes on from a summary of it; a boundary and the summary after it are one such place."""
        self._handed_back()
        self._unsure = False
        if self._turns[-1]:
            self._reading.lose("not_captured", "the exchange that summed up the conversation", line.place)
            self._turns.append([])


def _joined(lines: Sequence[Line]) -> list[JSON]:
    """The content of one reply: its lines hold a piece each, and a call that stands in it twice was made once."""
    known: set[str] = set()
    found: list[JSON] = []
    for line in lines:
        content = line.message.get("content")
        for part in content if isinstance(content, list) else [content]:
            identity = a_text(part.get("id")) if isinstance(part, dict) and part.get("type") == "tool_use" else ""
            if not identity or identity not in known:
                found.append(part)
            known.add(identity)
    return found


def _stop(line: Line) -> str:
    return a_text(line.message.get("stop_reason"))


def _usage(lines: Sequence[Line]) -> Usage | None:
    """The counts as they stood last: they grow while the reply comes."""
    told = [an_object(line.message.get("usage")) for line in lines]
    latest = max(told, key=lambda counts: whole(counts.get("output_tokens")) if counts else -1)
    return usage_of(latest, "input_tokens", "output_tokens")

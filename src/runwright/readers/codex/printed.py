"""What `codex exec --json` prints: the items of a thread as the CLI saw them, not as the model's API has them."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from runwright.readers.assembled import Found
from runwright.readers.codex.printed_item import RUN, Item, call_of, kind_of, records_of, result_of
from runwright.readers.conversation import Told, Turn, exchanges, with_last_words
from runwright.readers.counts import usage_of
from runwright.readers.known import CONTENT, MESSAGES, RESPONSES
from runwright.readers.lenient import a_text, an_object
from runwright.readers.lines import Located
from runwright.readers.reading import Reading
from runwright.secrets.shortened import shortened
from runwright.trace.model import (
    JSON,
    Block,
    Message,
    ModelError,
    TextBlock,
    ThinkingBlock,
)

TOLD = Told(api=RESPONSES, provider="openai", no_system=True)


class Printed(msgspec.Struct, frozen=True):
    """The thread's id, and its records."""

    thread: str
    found: list[Found]


def printed(lines: Sequence[Located], reading: Reading) -> Printed:
    """The records of one thread."""
    reader = _Thread(reading)
    for line in lines:
        if isinstance(line.value, dict):
            reader.event(line.value, line.place)
        else:
            reading.lose("malformed", "a line that is no JSON object", line.place)
    return Printed(reader.thread, reader.records())


class _Thread:
    """Collects the items of a thread: what the model said up to the next thing that it said after a tool ran."""

    def __init__(self, reading: Reading) -> None:
        self.thread = ""
        self._reading = reading
        self._said: list[Block] = []
        self._ran: list[tuple[Item, str]] = []
        self._begun: dict[str, tuple[Item, str]] = {}
        self._turns: list[Turn] = []
        self._order: list[str | Found] = []
        self._replies = 0
        self._first = 0
        self._place = ""
        self._last_error = ""

    def records(self) -> list[Found]:
        for item, place in list(self._begun.values()):
            self._reading.lose("not_captured", "results of calls: none is in the file", place)
            self._item(item, place)
        self._close()
        replies = {each.key: each for each in exchanges(self._turns, TOLD)}
        return with_last_words([replies[each] if isinstance(each, str) else each for each in self._order])

    def event(self, event: Item, place: str) -> None:
        kind, item = a_text(event.get("type")), an_object(event.get("item"))
        identity = a_text(item.get("id"))
        if kind == "thread.started":
            self.thread = self.thread or a_text(event.get("thread_id"))
        elif kind in ("item.started", "item.updated"):
            if kind_of(item) in RUN:
                self._begun[identity] = (item, place)
        elif kind == "item.completed":
            self._begun.pop(identity, None)
            self._item(item, place)
        elif kind == "turn.started":
            self._first = len(self._turns)
        elif kind == "turn.completed":
            self._close()
            self._count(event.get("usage"))
        elif kind in ("error", "turn.failed"):
            self._failed(an_object(event.get("error")) or event, place)
        else:
            self._reading.lose("dropped", f"lines of the type {shortened(kind, 60)!r}", place)

    def _item(self, item: Item, place: str) -> None:
        kind, text = kind_of(item), a_text(item.get("text"))
        if kind in RUN:
            self._ran.append((item, place))
            self._place = self._place or place
        elif kind in ("reasoning", "agent_message"):
            if self._ran:
                self._close()
            self._said.append(ThinkingBlock(text=text) if kind == "reasoning" else TextBlock(text=text))
            self._place = self._place or place
        else:
            self._reading.lose("dropped", f"items of the type {shortened(kind, 60)!r}", place)

    def _close(self) -> None:
        """What was said and the calls after it are one reply, and the results of these what the model was told next."""
        if not self._said and not self._ran:
            return
        self._replies += 1
        key, calls = f"reply {self._replies}", [call_of(item) for item, _ in self._ran]
        content = (*self._said, *calls)
        unsure = (MESSAGES, CONTENT)
        self._turns.append(
            Turn(
                message=Message(role="assistant", content=content), key=key, unsure=unsure, ext={"source": self._place}
            )
        )
        self._order.append(key)
        for item, place in self._ran:
            self._order += records_of(item, place, key)
            self._turns.append(Turn(message=Message(role="tool", content=(result_of(item),))))
        self._said, self._ran, self._place = [], [], ""

    def _count(self, usage: JSON) -> None:
        """The tokens of a turn are those of its reply, where it has one."""
        counts = an_object(usage)
        replies = [at for at in range(self._first, len(self._turns)) if self._turns[at].message.role == "assistant"]
        if not counts or not replies:
            return
        if len(replies) > 1:
            last = self._turns[replies[-1]]
            self._turns[replies[-1]] = msgspec.structs.replace(last, ext={**last.ext, "usage_of_turn": counts})
            return
        told = usage_of(counts, "input_tokens", "output_tokens")
        self._turns[replies[0]] = msgspec.structs.replace(self._turns[replies[0]], usage=told)

    def _failed(self, error: Item, place: str) -> None:
        """A failed call; the failure of a turn says again what ended it."""
        message = a_text(error.get("message")) or "it failed"
        if message == self._last_error:
            return
        self._last_error = message
        self._close()
        self._replies += 1
        key = f"reply {self._replies}"
        told = ModelError(message=message)
        self._turns.append(
            Turn(message=Message(role="assistant"), error=told, key=key, unsure=(MESSAGES,), ext={"source": place})
        )
        self._order.append(key)

"""What was said across the run's outer boundary, taken from its primary thread."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import chain, count

import msgspec

from runwright.trace.growth import Growth
from runwright.trace.model import (
    Message,
    MessageRecord,
    ModelRecord,
    Record,
    TextBlock,
    is_said,
    text_of,
)


def with_speech(records: Sequence[Record], thread: Sequence[ModelRecord] | None = None) -> tuple[Record, ...]:
    """The records with each new user turn before the exchange that first carries it, and the agent's last words.

    `thread` is the primary one, where it is known.
    """
    if thread is None:
        thread = primary_thread(exchanges_of(records))
    turns = dict(_turns(thread))
    last, words = _speaks_last(thread, records)
    done: list[Record] = []
    for record in records:
        if record.id in turns:
            done += [_said(message, record) for message in turns[record.id]]
        done.append(record)
        if last is not None and record.id == last.id:
            done += words
    numbers = count(1)
    return tuple([_numbered(each, numbers) if isinstance(each, MessageRecord) else each for each in done])


def exchanges_of(records: Sequence[Record]) -> list[ModelRecord]:
    """The model exchanges among records."""
    return [record for record in records if isinstance(record, ModelRecord)]


def primary_thread(exchanges: Sequence[ModelRecord]) -> list[ModelRecord]:
    """The exchanges of one agent and system prompt that are most, of equals those that were told most.

    Nested ones only if there are no others.
    """
    outer = [each for each in exchanges if each.parent is None] or list(exchanges)
    if len(outer) < 2:
        return outer
    threads: dict[tuple[str, str], list[ModelRecord]] = {}
    for each, prompt in zip(outer, _prompts(outer), strict=True):
        threads.setdefault((each.agent or "", prompt), []).append(each)
    most = max(map(len, threads.values()), default=0)
    longest = [thread for thread in threads.values() if len(thread) == most]
    if len(longest) < 2:
        return next(iter(longest), [])
    told = dict(zip(map(id, outer), _told(outer), strict=True))
    return max(longest, key=lambda thread: sum(told[id(each)] for each in thread))


class _Known:
    """What is known of the messages of a conversation: its system prompt, its size, how often the user said what."""

    def __init__(self) -> None:
        self.prompt: str | None = None
        self.size = 0
        self.said: dict[str, int] = defaultdict(int)


def _told(exchanges: Sequence[ModelRecord]) -> Iterator[int]:
    """How much text each request holds."""
    growth = Growth(_Known)
    for exchange in exchanges:
        known, new = growth.of(exchange.request.messages)
        known.size += sum(len(text_of(message.content)) for message in new)
        yield known.size


def _prompts(exchanges: Sequence[ModelRecord]) -> Iterator[str]:
    """The system prompt of each exchange."""
    growth = Growth(_Known)
    for exchange in exchanges:
        known, new = growth.of(exchange.request.messages)
        if more := _instructions(new):
            known.prompt = "\n".join(more if known.prompt is None else (known.prompt, *more))
        yield known.prompt or ""


def system_prompt(exchange: ModelRecord) -> str:
    """The text of the system and developer messages of a request."""
    return "\n".join(_instructions(exchange.request.messages))


def _instructions(messages: Sequence[Message]) -> list[str]:
    return [text_of(each.content) for each in messages if each.role == "system" or each.role == "developer"]


def _turns(thread: Sequence[ModelRecord]) -> Iterator[tuple[str, list[Message]]]:
    """What is new of the user's in each exchange that has something."""
    seen: dict[str, int] = defaultdict(int)
    growth = Growth(_Known)
    for exchange in thread:
        here, added = growth.of(exchange.request.messages)
        new: list[Message] = []
        for message in added:
            if message.role != "user" or not is_said(message):
                continue
            text = text_of(message.content)
            here.said[text] += 1
            if here.said[text] > seen[text]:
                seen[text] = here.said[text]
                new.append(message)
        if new:
            yield exchange.id, new


def _said(message: Message, before: Record) -> MessageRecord:
    return MessageRecord(id="", role="user", content=message.content, t=before.t)


def _speaks_last(
    thread: Sequence[ModelRecord], records: Sequence[Record]
) -> tuple[ModelRecord | None, list[MessageRecord]]:
    """The exchange with the agent's last words, and those: the thread's last, or if it handed over the run's last."""
    outer = (each for each in reversed(records) if isinstance(each, ModelRecord) and each.parent is None)
    for each in chain(thread[-1:], outer):
        if words := last_words(each):
            return each, words
    return None, []


def last_words(exchange: ModelRecord) -> list[MessageRecord]:
    """What the reply of an exchange says, as the agent's words; nothing where it has no text."""
    content = exchange.response.content if exchange.response else ()
    words = tuple(block for block in content if isinstance(block, TextBlock) and block.text)
    if not words:
        return []
    ended = None if exchange.t is None else round(exchange.t + (exchange.duration or 0.0), 9)
    return [MessageRecord(id="", role="agent", content=words, agent=exchange.agent, t=ended)]


def _numbered(record: MessageRecord, numbers: Iterator[int]) -> MessageRecord:
    return record if record.id else msgspec.structs.replace(record, id=f"u{next(numbers)}")

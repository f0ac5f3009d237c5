"""Threads and turns: which requests belong to one conversation, and which delivery each of them is about."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from runwright.trace.model import ModelRecord, TextBlock, is_said, text_of

_SYSTEM = ("system", "developer")


@dataclass(frozen=True)
class Turns:
    """`of` gives each exchange's delivery, counted from 0; `replies` the last served text of each delivery."""

    of: tuple[int, ...]
    replies: tuple[str, ...]
    last: str | None


def turns_of(exchanges: Sequence[ModelRecord]) -> Turns:
    """The deliveries of the primary thread; what other threads do belongs to the delivery that is under way."""
    primary = set(primary_thread(exchanges))
    first = next((_said(exchanges[n]) for n in sorted(primary)), 0)
    turn, of, replies = 0, [], dict[int, str]()
    last = None
    for n, exchange in enumerate(exchanges):
        if n in primary:
            turn = max(_said(exchange) - first, 0)
            if exchange.response is not None and (text := text_of(exchange.response.content)):
                replies[turn] = last = text
        of.append(turn)
    return Turns(tuple(of), tuple(replies.get(n, "") for n in range(max(replies, default=-1) + 1)), last)


def primary_thread(exchanges: Sequence[ModelRecord]) -> tuple[int, ...]:
    """The exchanges (by position) that share a system prompt and are the most; of equals, those with the most text.

    Those inside other records only if there are no others.
    """
    outer = [n for n, exchange in enumerate(exchanges) if exchange.parent is None] or range(len(exchanges))
    threads: dict[str, list[int]] = defaultdict(list)
    for n in outer:
        threads[_system(exchanges[n])].append(n)
    ranked = max(threads.values(), key=lambda each: (len(each), sum(_size(exchanges[n]) for n in each)), default=[])
    return tuple(ranked)


def _system(exchange: ModelRecord) -> str:
    return "\n".join(text_of(each.content) for each in exchange.request.messages if each.role in _SYSTEM)


def _size(exchange: ModelRecord) -> int:
    return sum(
        len(block.text) for each in exchange.request.messages for block in each.content if isinstance(block, TextBlock)
    )


def _said(exchange: ModelRecord) -> int:
    """How often the user has spoken."""
    return sum(map(is_said, exchange.request.messages))

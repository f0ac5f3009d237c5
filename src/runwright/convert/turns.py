"""What the user said to the agent: the turns of a run's primary thread, in order, never joined."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from runwright.flow import threads
from runwright.trace.model import ModelRecord, TextBlock, Trace, is_said, text_of


@dataclass(frozen=True)
class Turn:
    """One user message; `extra` says that it held more than text, which a prompt cannot carry."""

    text: str
    record: str
    extra: bool = False


def user_turns(trace: Trace) -> tuple[Turn, ...]:
    """The user messages of the primary thread, each once, by the exchange that first carried it."""
    seen: Counter[str] = Counter()
    turns: list[Turn] = []
    for exchange in primary_thread(trace):
        here: Counter[str] = Counter()
        for message in exchange.request.messages:
            if not is_said(message):
                continue
            text = text_of(message.content)
            here[text] += 1
            if here[text] > seen[text]:
                seen[text] = here[text]
                turns.append(
                    Turn(text, exchange.id, any(not isinstance(block, TextBlock) for block in message.content))
                )
    return tuple(turns)


def primary_thread(trace: Trace) -> tuple[ModelRecord, ...]:
    """The exchanges that a replay counts the user's deliveries in."""
    exchanges = trace.models
    return tuple(exchanges[at] for at in threads.primary_thread(exchanges))


def system_prompt(exchange: ModelRecord) -> str:
    """The text of the system and developer messages."""
    said = (text_of(each.content) for each in exchange.request.messages if each.role in ("system", "developer"))
    return "\n".join(said)

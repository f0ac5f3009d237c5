"""A mutant: one thing that an agent might do otherwise, and the side of a replay on which it does."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal, TypeAlias, get_args

from msgspec.structs import replace as changed

from runwright.perturb.side import Ended, Ran, Sent, Side
from runwright.trace.model import Message, ModelRequest, SideEffect

Kind: TypeAlias = Literal[
    "drop",
    "duplicate",
    "reorder",
    "argument",
    "result",
    "block",
    "message",
    "role",
    "history",
    "value",
    "parameter",
    "tool_schema",
    "tool_description",
    "tool_set",
    "model",
    "streaming",
    "reply",
    "call",
    "relapse",
    "effect",
    "outcome",
]
KINDS: tuple[Kind, ...] = get_args(Kind)
"""Every kind, in the order of the table."""


# --- what is changed -------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Request:
    """The exchange's request is another one. A message that was changed in it (index, old, new) stays changed later."""

    request: ModelRequest
    streamed: bool
    message: tuple[int, Message, Message] | None = None


@dataclass(frozen=True, slots=True)
class Drop:
    """The exchange's request is never sent."""


@dataclass(frozen=True, slots=True)
class Repeat:
    """The exchange's request is sent once more, right after itself."""


@dataclass(frozen=True, slots=True)
class MoveBefore:
    """The exchange's request is sent before another one, whose answer it holds."""

    other: str


@dataclass(frozen=True, slots=True)
class Append:
    """One more request is sent at the end."""

    request: ModelRequest
    streamed: bool


@dataclass(frozen=True, slots=True)
class Say:
    """The agent says this instead, to each delivery."""

    said: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class End:
    """The agent ends otherwise."""

    ended: Ended
    code: int


@dataclass(frozen=True, slots=True)
class Affect:
    """The agent has these effects."""

    effects: tuple[SideEffect, ...]


@dataclass(frozen=True, slots=True)
class Run:
    """The agent runs a tool that no reply asked it to."""

    ran: Ran


@dataclass(frozen=True, slots=True)
class Follow:
    """The agent does what was recorded, to the end."""


Change: TypeAlias = Request | Drop | Repeat | MoveBefore | Append | Say | End | Affect | Run | Follow


@dataclass(frozen=True, kw_only=True, slots=True)
class Mutant:
    """`exchange` and `path` say where the change is, `what` says it in words.

    `swapped` is the id or time that a `value` mutant takes the place of.
    """

    kind: Kind
    what: str
    change: Change
    exchange: str | None = None
    path: str = ""
    swapped: str = ""

    @property
    def place(self) -> str:
        """The exchange and the path in it."""
        return " ".join(each for each in (self.exchange, self.path) if each)


def mutate(side: Side, mutant: Mutant, recorded: Side) -> Side:
    """The side on which the mutant's change is made; `recorded` is the side as it was recorded, whole."""
    change = mutant.change
    match change:
        case Say():
            return replace(side, said=change.said)
        case End():
            return replace(side, ended=change.ended, code=change.code)
        case Affect():
            return replace(side, effects=change.effects)
        case Run():
            return replace(side, ran=(*side.ran, change.ran))
        case Follow():
            return recorded
        case Append():
            return replace(side, sent=(*side.sent, Sent(None, change.request, change.streamed)))
        case _:
            return replace(side, sent=_sent(side, mutant.exchange or "", change))


def _sent(side: Side, exchange: str, change: Request | Drop | Repeat | MoveBefore) -> tuple[Sent, ...]:
    at = side.place(exchange)
    if at is None:
        raise ValueError(f"the side does not send {exchange}")
    before, here, after = side.sent[:at], side.sent[at], side.sent[at + 1 :]
    match change:
        case Drop():
            return (*before, *after)
        case Repeat():
            return (*before, here, here, *after)
        case MoveBefore():
            other = side.place(change.other)
            return side.sent if other is None else (*side.sent[:other], here, *side.sent[other:at], *after)
        case Request():
            swap = change.message
            later = after if swap is None else tuple(_carried(each, *swap) for each in after)
            return (*before, Sent(here.of, change.request, change.streamed), *later)


def _carried(sent: Sent, index: int, old: Message, new: Message) -> Sent:
    """The request with the changed message where it repeats the old one: an agent keeps its history."""
    messages = sent.request.messages
    if len(messages) <= index or (messages[index] is not old and messages[index] != old):
        return sent
    request = changed(sent.request, messages=(*messages[:index], new, *messages[index + 1 :]))
    return Sent(sent.of, request, sent.streamed)

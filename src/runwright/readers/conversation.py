"""Exchanges from a conversation: each assistant turn was a reply to what stands before it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec

from runwright.errors import ReaderError
from runwright.readers.assembled import Found
from runwright.readers.known import CONTENT, EVERY_PARAMETER, MESSAGES, MODEL, TOOLS
from runwright.readers.shape import Said, shaped
from runwright.readers.speech import last_words
from runwright.trace.model import (
    JSON,
    Fidelity,
    Message,
    ModelError,
    ModelRecord,
    ModelRequest,
    ModelResponse,
    StopReason,
    ToolSpec,
    Usage,
    calls_of,
)

MOST = 50_000_000
"""Messages that the requests of a conversation may hold together: those of ten thousand turns, each with all before."""


class Turn(msgspec.Struct, frozen=True, kw_only=True):
    """One message of a conversation, and what its source says of the reply if it is one.

    `unknown` says that the source shows the message without (some of) its content. `replied` is false for an
    assistant message that the agent wrote itself, or that was copied from elsewhere. `unsure` are paths of its exchange
    that this turn leaves unknown. `items` stand for a reply in later requests, where its API spreads it over messages.
    """

    message: Message
    unknown: bool = False
    replied: bool = True
    key: str = ""
    parent: str = ""
    began: float | None = None
    ended: float | None = None
    model: str = ""
    stop: StopReason | None = None
    usage: Usage | None = None
    id: str | None = None
    agent: str | None = None
    error: ModelError | None = None
    unsure: tuple[str, ...] = ()
    items: tuple[Message, ...] = ()
    ext: dict[str, JSON] = {}


class Told(msgspec.Struct, frozen=True, kw_only=True):
    """What a source tells of all requests of a conversation.

    `model` stands for turns that name none. `tools`, `parameters` and `streamed` of None were not recorded, and
    `no_system` says that the system prompt was not: a system message of unknown content then leads the messages.
    """

    api: str
    provider: str | None = None
    model: str = ""
    tools: tuple[ToolSpec, ...] | None = None
    parameters: dict[str, JSON] | None = None
    streamed: bool | None = None
    no_system: bool = False
    unknown: tuple[str, ...] = ()


def exchanges(turns: Sequence[Turn], told: Told) -> Iterator[Found]:
    """One exchange for each assistant turn that was a model's reply, in order."""
    asked = _Asked(told)
    for turn in turns:
        if turn.message.role == "assistant" and turn.replied:
            yield _exchange(turn, asked, told)
        if turn.error is None:
            asked.add([Said(message, turn.unknown) for message in turn.items or (turn.message,)])


def with_last_words(found: Sequence[Found]) -> list[Found]:
    """The records of a run's outer thread, and after the last reply that has text the agent's last words."""
    for at in reversed(range(len(found))):
        record = found[at].record
        words = last_words(record) if isinstance(record, ModelRecord) else ()
        if words:
            spoken = found[at].began if found[at].ended is None else found[at].ended
            return [*found[: at + 1], *(Found(record=each, began=spoken) for each in words), *found[at + 1 :]]
    return list(found)


class _Asked:
    """What the next request holds: it grows, and is shaped for its API no further back than the last reply."""

    def __init__(self, told: Told) -> None:
        self._api = told.api
        self._new = [Said(Message(role="system"), unknown=True)] if told.no_system else []
        self._messages: list[Message] = []
        self._unknown: list[str] = []
        self._made: list[str] = []
        self._told = 0

    def add(self, said: Sequence[Said]) -> None:
        self._new += said

    def now(self) -> tuple[tuple[Message, ...], list[str], list[str]]:
        """The messages, and the paths of those that are unknown and of those that were made."""
        for each in shaped(self._new, self._api):
            if each.unknown or each.made:
                path = f"{MESSAGES}[{len(self._messages)}].content"
                self._unknown += [path] if each.unknown else []
                self._made += [path] if each.made else []
            self._messages.append(each.message)
        self._new = []
        self._told += len(self._messages) + len(self._unknown)
        if self._told > MOST:
            raise ReaderError(
                f"a conversation of {len(self._messages)} messages: each request repeats those before it",
                hint="import a part of it",
            )
        return tuple(self._messages), self._unknown, self._made


def _exchange(turn: Turn, asked: _Asked, told: Told) -> Found:
    model = turn.model or told.model
    messages, unseen, made = asked.now()
    unknown = [TOOLS] if told.tools is None else []
    if told.parameters is None:
        unknown.append(EVERY_PARAMETER)
    if not model:
        unknown.append(MODEL)
    if told.streamed is None:
        unknown.append("$.streamed")
    if turn.unknown and turn.error is None:
        unknown.append(CONTENT)
    unknown += (*told.unknown, *turn.unsure)
    record = ModelRecord(
        id="",
        request=ModelRequest(
            api=told.api,
            provider=told.provider,
            model=model,
            parameters=told.parameters or {},
            messages=messages,
            tools=told.tools or (),
        ),
        response=None if turn.error is not None else _response(turn),
        error=turn.error,
        streamed=told.streamed,
        fidelity=_fidelity(turn),
        unknown=(*unseen, *dict.fromkeys(unknown)),
        reconstructed=(*made, *_made(turn)),
        agent=turn.agent,
        ext=turn.ext,
    )
    return Found(record=record, key=turn.key, parent=turn.parent, began=turn.began, ended=turn.ended)


def _response(turn: Turn) -> ModelResponse:
    content = turn.message.content
    stop: StopReason = turn.stop or ("tool_calls" if calls_of(content) else "end_turn")
    return ModelResponse(
        content=content, stop_reason=stop, usage=turn.usage or Usage(), id=turn.id, model=turn.model or None
    )


def _made(turn: Turn) -> tuple[str, ...]:
    if turn.error is not None:
        return ()
    stop = () if turn.stop is not None else ("$.response.stop_reason",)
    return stop if turn.usage is not None else (*stop, "$.response.usage")


def _fidelity(turn: Turn) -> Fidelity:
    return "partial" if turn.unknown or MESSAGES in turn.unsure else "reconstructed"

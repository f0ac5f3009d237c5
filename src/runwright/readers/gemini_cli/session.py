"""The records of one session."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from runwright.readers.assembled import Found, seconds_of
from runwright.readers.chat import Chat, message_of
from runwright.readers.conversation import Told, Turn, exchanges
from runwright.readers.counts import usage_of
from runwright.readers.gemini_cli.replay import Played, Spoken
from runwright.readers.gemini_cli.tools import Called, block_of, called_in, records_of, unseen_result_of
from runwright.readers.known import GEMINI
from runwright.readers.lenient import a_text, objects
from runwright.readers.reading import Reading
from runwright.secrets.shortened import shortened
from runwright.trace.model import (
    JSON,
    Block,
    FaultRecord,
    Message,
    MessageRecord,
    ModelError,
    ThinkingBlock,
    text_of,
)

Object = dict[str, JSON]
TOLD = Told(api=GEMINI, provider="google", no_system=True)
OWN = ("<session_context>", "This is the Gemini CLI.", "<state_snapshot>")
"""How texts begin that the CLI writes as the user's."""
FAILED = "[API Error"
STOPPED = ("Request cancelled.", "User cancelled the request.")


def records(session: Played, agent: str | None, parent: str, reading: Reading) -> list[Found]:
    """The records of a session; those of a subagent run in the call whose key is `parent`."""
    return list(_Session(session, agent, parent, reading).records())


class _Session:
    """Reads the conversations of a session one after the other."""

    def __init__(self, played: Played, agent: str | None, parent: str, reading: Reading) -> None:
        self._played = played
        self._agent = agent
        self._parent = parent
        self._reading = reading
        self._called: dict[str, tuple[Called, ...]] = {}
        self._chats: dict[tuple[int, str], Chat] = {}

    def records(self) -> Iterator[Found]:
        for number, spoken in enumerate(self._played.conversations):
            if number:
                self._reading.lose("not_captured", "the exchange that summed up the conversation, if it was one")
            yield from self._conversation(spoken)

    def _conversation(self, spoken: Sequence[Spoken]) -> Iterator[Found]:
        turns = [turn for each in spoken for turn in self._turns(each)]
        replies = {found.key: found for found in exchanges(turns, TOLD)}
        for each in spoken:
            key = f"reply {each.id}"
            if key in replies:
                yield replies[key]
            if each.new:
                yield from self._beside(self._played.messages[each.id], each.id, self._played.places[each.id])

    def _turns(self, spoken: Spoken) -> Iterator[Turn]:
        message, place = self._played.messages[spoken.id], self._played.places[spoken.id]
        kind, at = message.get("type"), seconds_of(message.get("timestamp"))
        if kind == "user":
            said = self._content(message, place)
            if not text_of(said).startswith(("/", "?")):
                yield Turn(message=Message(role="user", content=said))
        elif kind == "gemini":
            yield self._reply(message, spoken, place)
            ended = [each for each in self._calls(message, spoken.id) if each.ended]
            if ended:
                results = tuple(each.result or unseen_result_of(each.asked) for each in ended)
                unknown = any(each.result is None for each in ended)
                yield Turn(message=Message(role="user", content=results), unknown=unknown)
        elif kind == "error" and spoken.new and self._text(message).startswith(FAILED):
            yield Turn(
                message=Message(role="assistant"),
                error=ModelError(message=self._text(message)),
                key=f"reply {spoken.id}",
                parent=self._parent,
                began=at,
                agent=self._agent,
                ext={"source": place},
            )

    def _reply(self, message: Object, spoken: Spoken, place: str) -> Turn:
        calls = [block_of(each.asked) for each in self._calls(message, spoken.id)]
        said = tuple(block for block in self._content(message, place) if text_of((block,)) or not calls)
        thoughts = tuple(self._thoughts(message, place))
        at = seconds_of(message.get("timestamp"))
        return Turn(
            message=Message(role="assistant", content=(*thoughts, *said, *calls)),
            items=(Message(role="assistant", content=(*said, *calls)),),
            replied=spoken.new,
            key=f"reply {spoken.id}",
            parent=self._parent,
            began=at,
            model=a_text(message.get("model")),
            usage=usage_of(message.get("tokens"), "input", "output"),
            agent=self._agent,
            ext={"source": place, **({"message_id": spoken.id} if spoken.id != place else {})},
        )

    def _thoughts(self, message: Object, place: str) -> Iterator[Block]:
        for thought in objects(message.get("thoughts")):
            self._reading.lose("inexact", "thoughts are kept as their subject and description", place)
            subject, description = a_text(thought.get("subject")), a_text(thought.get("description"))
            yield ThinkingBlock(text=f"**{subject}**\n{description}" if subject else description)

    def _content(self, message: Object, place: str, name: str = "content") -> tuple[Block, ...]:
        chat = self._chats.get((id(message), name))
        if chat is None:
            content = message.get(name)
            chat = message_of({"role": "user", "content": [content] if isinstance(content, dict) else content})
            self._chats[id(message), name] = chat
        for each in chat.strange:
            self._reading.lose("not_representable", f"a message part of the type {shortened(each, 60)!r}", place)
        return chat.message.content

    def _text(self, message: Object) -> str:
        return text_of(message_of({"role": "user", "content": message.get("content")}).message.content)

    def _calls(self, message: Object, identity: str) -> tuple[Called, ...]:
        """The calls of a message, which is the same in every conversation that holds it."""
        if identity not in self._called:
            self._called[identity] = called_in(message, identity)
        return self._called[identity]

    def _beside(self, message: Object, identity: str, place: str) -> Iterator[Found]:
        """What a message tells beside its exchange: calls, words, interruptions."""
        kind, at = message.get("type"), seconds_of(message.get("timestamp"))
        if kind == "gemini":
            for each in self._calls(message, identity):
                if each.result is None:
                    self._reading.lose("not_captured", "results of calls: none is in the file", place)
                yield from records_of(each.asked, f"reply {identity}", self._agent, place)
        elif kind == "user":
            shown = "displayContent" if message.get("displayContent") else "content"
            words = self._content(message, place, shown)
            if not self._parent and self._agent is None and words and not text_of(words).startswith(OWN):
                record = MessageRecord(id="", role="user", content=words, ext={"source": place})
                yield Found(record=record, began=at)
        elif kind == "info" and self._text(message).startswith(STOPPED):
            fault = FaultRecord(id="", kind="interruption", detail="the user stopped the agent", agent=self._agent)
            yield Found(record=fault, parent=self._parent, began=at)
        elif not (kind == "error" and self._text(message).startswith(FAILED)):
            self._reading.lose("dropped", f"notices of the type {shortened(a_text(kind), 60)!r}", place)

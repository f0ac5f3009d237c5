"""A session file played back: messages are written again when they change, taken back, or replaced by others."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from runwright.readers.lenient import a_text, an_object, objects
from runwright.readers.lines import Located
from runwright.readers.reading import Reading
from runwright.trace.model import JSON

Object = dict[str, JSON]


class Spoken(msgspec.Struct, frozen=True):
    """A message in a conversation; `new` where it was said there, and is no copy of what was said before."""

    id: str
    new: bool


class Played(msgspec.Struct, frozen=True):
    """What a file holds: the session's own fields, messages as they were last written, conversations one after another.

    A conversation that replaced another one, such as a compressed one, repeats what it kept.
    """

    session: Object
    messages: dict[str, Object]
    places: dict[str, str]
    conversations: list[list[Spoken]]


def played(lines: Iterable[Located], reading: Reading) -> Played:
    """The file's state at its end."""
    player = _Player(reading)
    for line in lines:
        if isinstance(line.value, dict):
            player.record(line.value, line.place)
        else:
            reading.lose("malformed", "a line that is no JSON object", line.place)
    return Played(player.session, player.messages, player.places, player.conversations)


class _Player:
    """The state of a session while its file is read."""

    def __init__(self, reading: Reading) -> None:
        self.session: Object = {}
        self.messages: dict[str, Object] = {}
        self.places: dict[str, str] = {}
        self.conversations: list[list[Spoken]] = [[]]
        self._here: set[str] = set()
        self._reading = reading

    def record(self, record: Object, place: str) -> None:
        back = record.get("$rewindTo")
        if isinstance(back, str):
            self._rewind(back, place)
        elif isinstance(record.get("id"), str) and "type" in record:
            self._add(record, place, new=True)
        elif isinstance(record.get("$set"), dict):
            self._set(an_object(record["$set"]), place)
        elif "sessionId" in record:
            self._set(record, place)
        else:
            self._reading.lose("dropped", "records of no known kind", place)

    def _set(self, fields: Object, place: str) -> None:
        """Fields of the session; messages among them go on from those so far, or take their place."""
        self.session |= {key: value for key, value in fields.items() if key != "messages"}
        given = fields.get("messages")
        if not isinstance(given, list):
            return
        messages = [
            {**message, "id": a_text(message.get("id")) or f"{place}: message {at}"}
            for at, message in enumerate(objects(given))
        ]
        here = [each.id for each in self.conversations[-1]]
        replaces = here != [message["id"] for message in messages[: len(here)]]
        if replaces:
            self.conversations.append([])
            self._here = set()
        for at, message in enumerate(messages):
            told = isinstance(message.get("tokens"), dict) or isinstance(message.get("model"), str)
            where = f"{place}: message {at}"
            self._add(message, where, new=told or not replaces or message.get("type") == "user")

    def _add(self, message: Object, place: str, *, new: bool) -> None:
        identity = a_text(message["id"])
        if identity not in self._here:
            self._here.add(identity)
            self.conversations[-1].append(Spoken(identity, new and identity not in self.messages))
        self.messages[identity] = message
        self.places.setdefault(identity, place)

    def _rewind(self, identity: str, place: str) -> None:
        """The message and those after it were taken back; all of them where it is not known."""
        here = self.conversations[-1]
        at = next((at for at, each in enumerate(here) if each.id == identity), 0)
        for each in here[at:]:
            self._here.discard(each.id)
            self._reading.lose("dropped", "messages that were taken back", self.places.get(each.id, place))
        del here[at:]

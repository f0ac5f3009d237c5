"""JSON texts that come again, whole or longer: a client writes all of a conversation in every call."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import Concatenate, NamedTuple, ParamSpec, TypeVar

import msgspec
import orjson

from runwright.readers.exact import DEEPEST, NotJson, parse_json
from runwright.trace.model import JSON

LONG = 512
"""Characters from which on it is cheaper to look for an earlier text than to read this one."""

REMEMBERED = 16
MOST, LONGEST = 4096, 1 << 16
"""How many values are remembered by their content, and the bytes of the longest."""
HELD = 1 << 20
"""Bytes of JSON that are remembered, as objects and as texts each: files far longer than that are read."""

Made = TypeVar("Made")
More = ParamSpec("More")


class _Text(NamedTuple):
    """A text that was read; a longer one has further items between `head` and `tail`, in the list under `key`."""

    text: str
    value: JSON
    head: str = ""
    tail: str = ""
    key: str | None = None


class Texts:
    """Reads JSON texts, and of one that goes on from an earlier one only what is new.

    Values that texts have in common are one object, which nobody may change.
    """

    def __init__(self) -> None:
        self._recent: deque[_Text] = deque(maxlen=REMEMBERED)

    def value(self, text: str, changed: Callable[[str], None]) -> JSON:
        """The value of a text, as `parse_json` reads it."""
        if len(text) < LONG:
            return parse_json(text, changed)
        for known in self._recent:
            if known.text == text:
                return known.value
        longer = next((found for known in self._recent if (found := _longer(known, text))), None)
        if longer is None:
            return self._new(text, changed)
        self._recent.appendleft(longer)
        return longer.value

    def _new(self, text: str, changed: Callable[[str], None]) -> JSON:
        """The value of a text that goes on from none; one that was changed is told each time it is met."""
        told: list[str] = []
        try:
            value = parse_json(text, told.append)
        finally:
            for each in told:
                changed(each)
        if not told:
            self._recent.appendleft(_laid_out(text, value))
        return value


def _longer(known: _Text, text: str) -> _Text | None:
    """The text as an earlier one with further items in its list; None where it is no such text."""
    begin, end = len(known.head), len(text) - len(known.tail)
    if not (known.tail and end > begin and text[begin] == ","):
        return None
    if not (text.startswith(known.head) and text.endswith(known.tail)):
        return None
    noted: list[str] = []
    try:
        new = parse_json(f"[{text[begin + 1 : end]}]", noted.append, DEEPEST - 1)
    except NotJson:
        return None
    if not isinstance(new, list) or not new or noted:
        return None
    if isinstance(known.value, dict) and known.key is not None:
        earlier = known.value[known.key]
        value: JSON = {**known.value, known.key: [*earlier, *new]} if isinstance(earlier, list) else None
    else:
        value = [*known.value, *new] if isinstance(known.value, list) else None
    return _Text(text, value, text[:end], known.tail, known.key)


def _laid_out(text: str, value: JSON) -> _Text:
    """The text with the end of the list that may grow: itself, or the longest under a key of an object."""
    if isinstance(value, list) and value and text.endswith("]"):
        return _Text(text, value, text[:-1], "]")
    if isinstance(value, dict):
        lists = {key: len(each) for key, each in value.items() if isinstance(each, list) and each}
        if lists:
            return _with_list(text, value, max(lists, key=lambda key: lists[key]))
    return _Text(text, value)


def _with_list(text: str, value: JSON, key: str) -> _Text:
    """Where the list under the key ends: only of a text that is its parts in one of the two usual spellings."""
    parts = msgspec.json.decode(text, type=dict[str, msgspec.Raw])
    for colon, comma in ((": ", ", "), (":", ",")):
        pieces = [f"{orjson.dumps(name).decode()}{colon}{bytes(each).decode()}" for name, each in parts.items()]
        if f"{{{comma.join(pieces)}}}" == text:
            end = len(comma.join(pieces[: [*parts].index(key) + 1]))
            return _Text(text, value, text[:end], text[end:], key)
    return _Text(text, value)


def once_each(make: Callable[Concatenate[JSON, More], Made]) -> Callable[Concatenate[JSON, More], Made]:
    """A function of a JSON value, and of words, that is worked out once for each, as one object and as equal text."""
    same: dict[tuple[int, object], tuple[JSON, Made]] = {}  # holds the values, so that no other has their number
    alike: dict[tuple[bytes, object], Made] = {}
    held = [0, 0]

    def made(item: JSON, /, *more: More.args, **named: More.kwargs) -> Made:
        known = same.get((id(item), more))
        if known is not None:
            return known[1]
        try:
            text = orjson.dumps(item)
        except (orjson.JSONEncodeError, RecursionError):
            return make(item, *more, **named)
        key = text, more
        found = alike[key] if key in alike else make(item, *more, **named)
        if len(text) <= LONGEST:
            if len(same) >= MOST or held[0] > HELD:
                same.clear()
                held[0] = 0
            if len(alike) >= MOST or held[1] > HELD:
                alike.clear()
                held[1] = 0
            held[0] += len(text)
            held[1] += 0 if key in alike else len(text)
            same[id(item), more], alike[key] = (item, found), found
        return found

    return made

"""Texts that a stream cut in pieces: which leaves of a list of events follow one another."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from runwright.secrets.located import Parts
from runwright.secrets.values import MASKED
from runwright.trace.model import JSON

EVENT = frozenset((
    "delta", "choices", "candidates", "contentBlockDelta", "partial_json", "textDelta", "inputTextDelta", "chunk",
    "logprob", "done", "new_token",
))  # fmt: skip
"""What an object has that is one of a stream's events."""

WORDS = frozenset((
    "text", "content", "delta", "arguments", "partial_json", "thinking", "reasoning", "reasoning_content", "refusal",
    "response", "completion", "token", "textDelta", "inputTextDelta", "argsTextDelta", "chunk", "output", "input",
    "data", "value",
))  # fmt: skip
"""Under which names an event tells its piece."""

PIECES = re.compile(r"chunk|delta|piece|fragment|stream|segment|logprob", re.IGNORECASE)
"""A list of such a name holds pieces, whatever they look like."""

WRAPPED = frozenset(("data", "kwargs", "event", "payload", "message"))
EDGE = 1_024
"""How much of a long piece is joined to its neighbours: what is in the middle of it is not cut."""

GAP = f"\n{MASKED}\n"
NUMBERED = re.compile(r"[0-9a-z]{1,2}:[\[{\"]")
LINE = re.compile(r"^(?:data:[ \t]?|[0-9a-z]{1,2}:)?(?P<json>[{\[\"][^\r\n]*)", re.MULTILINE)
"""A line of a stream's body that may be JSON: of server-sent events, JSON Lines, numbered parts."""


@dataclass(frozen=True, slots=True)
class Piece:
    """A leaf's text from `start` to `end`, at `at` in the joined text."""

    at: int
    parts: Parts
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Joined:
    """What pieces say together."""

    text: str
    pieces: tuple[Piece, ...]

    def within(self, start: int, end: int) -> list[tuple[Parts, int, int]]:
        """The parts of the leaves that a span of the joined text is made of."""
        first = bisect_right(self.pieces, start, key=lambda piece: piece.at) - 1
        found = []
        for piece in self.pieces[max(0, first) :]:
            if piece.at >= end:
                break
            low, high = max(start, piece.at), min(end, piece.at + piece.end - piece.start)
            if low < high:
                found.append((piece.parts, piece.start + low - piece.at, piece.start + high - piece.at))
        return found


def streams(events: Sequence[JSON], name: str = "") -> list[Joined]:
    """The texts that the events of a list tell piece by piece; none where it is no list of events."""
    named = bool(PIECES.search(name))
    if len(events) < 2:
        return []
    if named and all(isinstance(each, str) for each in events):
        return [_joined([((at,), text) for at, text in enumerate(events) if isinstance(text, str)])]
    groups: dict[tuple[object, ...], list[tuple[Parts, str]]] = {}
    for at, event in enumerate(events):
        if isinstance(event, dict) and (named or is_event(event)):
            for kind, parts, text in _told(event, (), (at,)):
                groups.setdefault(kind, []).append((parts, text))
    return [_joined(pieces) for pieces in groups.values() if len(pieces) > 1]


def is_event(value: dict[str, JSON]) -> bool:
    """Whether an object looks like one of a stream's events."""
    if not EVENT.isdisjoint(value):
        return True
    inner = next((each for key, each in value.items() if key in WRAPPED and isinstance(each, dict)), None)
    return inner is not None and is_event(inner)


def _told(value: JSON, kind: tuple[object, ...], parts: Parts) -> Iterator[tuple[tuple[object, ...], Parts, str]]:
    """The texts in an event, each with what it must share with the next one to follow it."""
    if isinstance(value, dict):
        kind = (*kind, *(value[key] for key in ("index", "output_index", "contentBlockIndex") if _is_index(value, key)))
        for key, each in value.items():
            if isinstance(each, str):
                if key in WORDS:
                    yield (*kind, key), (*parts, key), each
            elif isinstance(each, (dict, list, tuple)) and key not in ("top_logprobs", "bytes"):
                yield from _told(each, (*kind, key), (*parts, key))
    elif isinstance(value, (list, tuple)) and len(value) <= 8:
        for at, each in enumerate(value):
            yield from _told(each, (*kind, at), (*parts, at))


def _is_index(value: dict[str, JSON], key: str) -> bool:
    return isinstance(value.get(key), int)


def _joined(told: list[tuple[Parts, str]]) -> Joined:
    """The pieces in a row, of long ones only the edges."""
    texts: list[str] = []
    pieces: list[Piece] = []
    at = 0
    for parts, text in told:
        cuts = [(0, len(text))] if len(text) <= 3 * EDGE else [(0, EDGE), (len(text) - EDGE, len(text))]
        for number, (start, end) in enumerate(cuts):
            if number:
                texts.append(GAP)
                at += len(GAP)
            pieces.append(Piece(at, parts, start, end))
            texts.append(text[start:end])
            at += end - start
    return Joined("".join(texts), tuple(pieces))


def documents(text: str) -> Iterator[tuple[int, str]]:
    """Each line of a stream's body that may be JSON, and where it starts."""
    if "data:" in text or "\n{" in text or NUMBERED.match(text):
        for line in LINE.finditer(text):
            yield line.start("json"), line["json"]

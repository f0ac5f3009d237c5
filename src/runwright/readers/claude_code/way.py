"""The way through a thread that it ended on; a line that was edited or taken back begins another."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec

from runwright.readers.claude_code.line import SPEAKERS, Line
from runwright.readers.lenient import a_text
from runwright.readers.reading import Reading


class Way(msgspec.Struct, frozen=True):
    """Lines in the order of the file, and the ids of those before which something is missing."""

    lines: tuple[Line, ...]
    gaps: frozenset[int]


def way(lines: Sequence[Line], reading: Reading) -> Way:
    """The lines from the first to the last that spoke, and whatever belongs to their replies."""
    places = {line.uuid: at for at, line in enumerate(lines) if line.uuid}
    leaf = next((at for at in reversed(range(len(lines))) if lines[at].kind in SPEAKERS), -1)
    taken: set[int] = set()
    gaps: set[int] = set()
    at: int | None = leaf if leaf >= 0 else None
    while at is not None and at not in taken:
        taken.add(at)
        at = _before(at, lines, places, gaps, reading)
    taken |= _belonging(lines, taken)
    for at, line in enumerate(lines):
        if at not in taken and line.kind in SPEAKERS:
            reading.lose("dropped", "messages of branches that the session left", line.place)
    # notes are leaves of their own: they belong to the line that they follow
    kept = [
        at
        for at, line in enumerate(lines)
        if at in taken or (line.kind not in SPEAKERS and places.get(line.parent, at) in taken)
    ]
    return Way(tuple(lines[at] for at in kept), frozenset(new for new, at in enumerate(kept) if at in gaps))


def _before(at: int, lines: Sequence[Line], places: Mapping[str, int], gaps: set[int], reading: Reading) -> int | None:
    """What a line follows: the line it names; else the one before it in the file."""
    line = lines[at]
    named = line.parent or line.logical
    found = places.get(named) if named else None
    if found is not None and found != at:
        return found
    earlier = next((each for each in reversed(range(at)) if lines[each].kind != "summary"), None)
    if named:
        gaps.add(at)
        reading.lose("not_captured", "lines that others follow are not in the file", line.place)
    elif earlier is not None and line.fields.get("isCompactSummary") is not True:
        reading.lose("inexact", "a line that follows none is read as following the one before it", line.place)
    return earlier


def _belonging(lines: Sequence[Line], taken: set[int]) -> set[int]:
    """Lines beside the way: the other pieces of its replies, and the results of their calls."""
    replies = {lines[at].reply for at in taken if lines[at].kind == "assistant"}
    pieces = {at for at, line in enumerate(lines) if line.kind == "assistant" and line.reply in replies}
    calls = {a_text(part.get("id")) for at in pieces for part in lines[at].parts if part.get("type") == "tool_use"}
    answered = {a_text(each.get("tool_use_id")) for at in taken for each in lines[at].results}
    more = set()
    for at, line in enumerate(lines):
        results = {a_text(each.get("tool_use_id")) for each in line.results} if line.kind == "user" else set()
        if at not in taken and results and results <= calls and not results & answered:
            more.add(at)
            answered |= results
    return pieces | more

"""Which lines are one session, and which of them one thread: the user's, or a subagent's."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import msgspec

from runwright.readers.claude_code.line import Line
from runwright.readers.reading import Reading


class Thread(msgspec.Struct, frozen=True):
    """Lines that one agent wrote, in the order of the file. `agent` is the subagent's id, empty for the main thread."""

    lines: tuple[Line, ...]
    agent: str = ""
    side: bool = False


def sessions(lines: Iterable[Line]) -> list[list[Line]]:
    """The lines of each session: those of one id, and of ids that a file links by what follows what."""
    groups = _Groups()
    keyed: list[tuple[str, Line]] = []
    known: dict[tuple[str, str], str] = {}
    latest: dict[str, str] = {}
    for line in lines:
        key = line.session or latest.get(line.file) or f"file {line.file}"
        if line.session and line.file not in latest:
            groups.join(f"file {line.file}", key)
        latest[line.file] = key
        earlier = known.get((line.file, line.parent or line.logical))
        if earlier is not None:
            groups.join(earlier, key)
        if line.uuid:
            known[line.file, line.uuid] = key
        keyed.append((key, line))
    found: dict[str, list[Line]] = {}
    for key, line in keyed:
        found.setdefault(groups.of(key), []).append(line)
    return list(found.values())


class _Groups:
    """Names that belong together."""

    def __init__(self) -> None:
        self._first: dict[str, str] = {}

    def of(self, name: str) -> str:
        while (first := self._first.get(name, name)) != name:
            self._first[name] = self._first.get(first, first)
            name = first
        return name

    def join(self, one: str, other: str) -> None:
        one, other = self.of(one), self.of(other)
        if one != other:
            self._first[other] = one


def once(lines: Sequence[Line], reading: Reading) -> list[Line]:
    """The lines without those that stand in it again; of lines with one id, the first is what the model was told."""
    seen: dict[str, Line] = {}
    kept = []
    for line in lines:
        first = seen.setdefault(line.uuid, line) if line.uuid else line
        if first is line:
            kept.append(line)
        elif first.fields == line.fields or first.session != line.session:
            reading.lose("duplicate", "lines that stand in it twice", line.place)
        else:
            reading.lose("duplicate", "of lines with one uuid the first is kept, though they differ", line.place)
    return kept


def threads(lines: Sequence[Line]) -> list[Thread]:
    """The main thread first, then those of subagents in the order they begin."""
    main = tuple(line for line in lines if not line.side)
    roots: dict[str, str] = {}
    found: dict[str, list[Line]] = {}
    for line in lines:
        if line.side:
            found.setdefault(_thread_of(line, roots), []).append(line)
    inner = [Thread(tuple(each), each[0].agent, side=True) for each in found.values()]
    return [*([Thread(main)] if main else []), *inner]


def _thread_of(line: Line, roots: dict[str, str]) -> str:
    """A subagent's own id, or the line that it began with."""
    root = f"agent {line.agent}" if line.agent else roots.get(line.parent, line.uuid or line.place)
    if line.uuid:
        roots[line.uuid] = root
    return root

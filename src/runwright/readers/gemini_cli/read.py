"""Session files and recorded responses in, runs out."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import PurePath

import msgspec

from runwright.errors import ReaderError
from runwright.readers.assembled import Found, Source, assembled
from runwright.readers.conversation import with_last_words
from runwright.readers.gemini_cli.replay import Played, played
from runwright.readers.gemini_cli.responses import recorded
from runwright.readers.gemini_cli.session import records
from runwright.readers.input import Input, distinct, text_body
from runwright.readers.interleaved import interleaved
from runwright.readers.lenient import a_text, objects
from runwright.readers.lines import Located, documents
from runwright.readers.reader import Run
from runwright.readers.reading import Reading
from runwright.trace.model import JSON, ModelRecord

RESPONSES = re.compile(
    rb'\A\s*\{\s*"method"\s*:\s*"(?:generateContent|generateContentStream|countTokens|embedContent)"'
)


class _File(msgspec.Struct, frozen=True):
    source: Input
    lines: list[Located]
    played: Played
    reading: Reading

    @property
    def id(self) -> str:
        return a_text(self.played.session.get("sessionId"))

    @property
    def inner(self) -> bool:
        return self.played.session.get("kind") == "subagent"


def sniff_gemini_cli(head: bytes) -> int:
    """80 where the fields of a session stand in JSON, or lines of recorded responses."""
    data = text_body(head)
    if data.lstrip()[:1] != b"{":
        return 0
    session = b'"sessionId"' in data and b'"projectHash"' in data
    return 80 if session or RESPONSES.match(data) else 0


def together(names: Sequence[str]) -> list[list[str]]:
    """Each session's file with those of its subagents, which lie in a folder of the session's id."""
    mains: dict[PurePath, dict[str, str]] = {}
    for name in names:
        path = PurePath(name)
        if short := path.name.partition(".")[0].rpartition("-")[2]:
            mains.setdefault(path.parent, {}).setdefault(short, name)
    owners = {name: _owner(PurePath(name).parent, mains) for name in names}
    groups: dict[str, list[str]] = {}
    for name in names:
        outermost = name
        while owner := owners[outermost]:
            outermost = owner
        groups.setdefault(outermost, []).append(name)
    return [[main, *(name for name in group if name != main)] for main, group in groups.items()]


def _owner(folder: PurePath, mains: Mapping[PurePath, Mapping[str, str]]) -> str | None:
    """The session beside this folder whose short id the folder's name begins with; of several the longest."""
    beside = mains.get(folder.parent, {})
    starts = (folder.name[:length] for length in range(len(folder.name), 0, -1))
    return next((beside[start] for start in starts if start in beside), None) if beside else None


def read_gemini_cli(files: Sequence[Input]) -> tuple[Run, ...]:
    """The sessions of these files, each with its subagents; ReaderError where no model replied."""
    read = [_file(each) for each in distinct(files)]
    mains = [each for each in read if not each.inner] or read
    runs = [_run(main, [each for each in read if each.inner and each not in mains] if at == 0 else ())
            for at, main in enumerate(mains)]  # fmt: skip
    return tuple(sorted(runs, key=lambda run: run.trace.header.started_at or ""))


def _file(source: Input) -> _File:
    reading = Reading()
    lines = list(documents(source, reading))
    responses = any(isinstance(line.value, dict) and "method" in line.value for line in lines)
    return _File(source, lines, played([] if responses else lines, reading), reading)


def _run(main: _File, inner: Sequence[_File]) -> Run:
    files = [main, *inner]
    reading = Reading(loss for each in files for loss in each.reading.losses())
    if any(isinstance(line.value, dict) and "method" in line.value for line in main.lines):
        found = recorded(main.lines, reading)
        reading.lose("not_captured", "the requests: only responses were recorded, in the order they are played back")
    else:
        found = _session(files, reading)
        reading.lose("not_captured", "the system instruction, tool schemas and parameters")
        reading.lose("not_captured", "files that shell commands wrote")
    if not any(isinstance(each.record, ModelRecord) for each in found):
        raise ReaderError(
            "no reply of a model in it: a session that ended before the first, or a part of one",
            place=main.source.name,
            hint="give the whole file of the session, chats/session-*",
        )
    source = Source(
        format="gemini_cli",
        inputs=[each.source for each in files],
        tool="Gemini CLI",
        agent="gemini-cli",
        seen={} if not main.id else {"fs_write": "imported"},
    )
    trace = assembled(found, source, reading, in_order=True)
    header = msgspec.structs.replace(trace.header, ext={**trace.header.ext, **_notes(main)})
    return Run(main.id, msgspec.structs.replace(trace, header=header))


def _session(files: Sequence[_File], reading: Reading) -> list[Found]:
    """The records of a session and of its subagents, each inside the call that names it."""
    callers = {a_text(call.get("agentId")): f"call {a_text(call.get('id'))}" for each in files for call in _calls(each)}
    callers.pop("", None)
    found = []
    for at, each in enumerate(files):
        parent = callers.get(each.id) or callers.get(PurePath(each.source.name).name.partition(".")[0], "")
        if at and not parent:
            reading.lose("inexact", "a subagent whose call is not in the session stands beside it", each.source.name)
        name = (each.id or "subagent") if at else None
        mine = records(each.played, name, parent if at else "", reading)
        found.append((parent if at else "", mine if at else with_last_words(mine)))
    return interleaved(found)


def _calls(file: _File) -> list[dict[str, JSON]]:
    return [call for each in file.played.messages.values() for call in objects(each.get("toolCalls"))]


def _notes(main: _File) -> dict[str, JSON]:
    """What a file says of the session as a whole."""
    session = main.played.session
    notes = {"session_id": main.id, "project": session.get("projectHash"), "summary": session.get("summary")}
    return {key: value for key, value in notes.items() if isinstance(value, str) and value}

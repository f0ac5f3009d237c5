"""Session files in, runs out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import PurePath

import msgspec

from runwright.errors import ReaderError, RunwrightError
from runwright.readers.assembled import Found, Source, assembled
from runwright.readers.claude_code.line import Line, lines_of
from runwright.readers.claude_code.owners import owners
from runwright.readers.claude_code.session import once, sessions, threads
from runwright.readers.claude_code.thread import records_of
from runwright.readers.conversation import with_last_words
from runwright.readers.input import Input, distinct, read_inputs, text_body
from runwright.readers.interleaved import interleaved
from runwright.readers.lenient import a_text
from runwright.readers.reader import Run
from runwright.readers.reading import Reading
from runwright.trace.model import JSON, ModelRecord, ToolRecord

HEAD = 65536


def sniff_claude_code(head: bytes) -> int:
    """80 where the keys of a session's lines stand in JSON Lines, 60 where only its title does."""
    if text_body(head).lstrip()[:1] != b"{":
        return 0
    if b'"sessionId"' in head and b'"parentUuid"' in head and b'"isSidechain"' in head:
        return 80
    return 60 if b'"leafUuid"' in head and b'"summary"' in head else 0


def together(names: Sequence[str]) -> list[list[str]]:
    """Each session's file with those of its subagents: by its folder, or by the session that they name."""
    groups: dict[str, list[str]] = {}
    later = []
    for name in names:
        if PurePath(name).name.startswith("agent-"):
            later.append(name)
        else:
            groups[name] = [name]
    mains = {(str(PurePath(name).parent), PurePath(name).name.partition(".")[0]): name for name in groups}
    for name in later:
        main = next((mains[place] for place in _places(name) if place in mains), None)
        groups.setdefault(main or f"session {_session(name) or name}", []).append(name)
    return list(groups.values())


def _places(name: str) -> Iterator[tuple[str, str]]:
    """Folder and name of the session that a subagent's file may be of."""
    path = PurePath(name)
    for folder in path.parents:
        yield str(folder.parent), folder.name
    yield str(path.parent), _session(name)


def _session(name: str) -> str:
    """The session that a file's first lines name."""
    try:
        (file,) = read_inputs([name])
        lines = lines_of([Input(name, file.data[:HEAD])], Reading())
        return next((line.session for line in lines if line.session), "")
    except RunwrightError:
        return ""


def read_claude_code(files: Sequence[Input]) -> tuple[Run, ...]:
    """The sessions of these files, each with its subagents; ReaderError where no model replied."""
    met = Reading()
    lines = list(lines_of(distinct(files), met))
    found = [_run(each, files, met) for each in sessions(lines)]
    runs = [run for run in found if run is not None]
    if not runs:
        raise ReaderError(
            "no reply of a model in it: a piece of a session, or one that ended before the first",
            place=files[0].name,
            hint="give the whole file of the session, <session id>.jsonl",
        )
    return tuple(sorted(runs, key=lambda run: run.trace.header.started_at or ""))


def _run(lines: Sequence[Line], files: Sequence[Input], met: Reading) -> Run | None:
    reading = Reading(met.losses())
    found = _threads(once(lines, reading), reading)
    records = [each.record for _, thread in found for each in thread]
    if not any(isinstance(record, ModelRecord) for record in records):
        return None
    reading.lose("not_captured", "the system prompt, tool schemas, parameters, and reminders that the CLI adds")
    if any(isinstance(record, ToolRecord) and record.name == "Bash" for record in records):
        reading.lose("not_captured", "files that shell commands wrote")
    session = next((line.session for line in reversed(lines) if line.session), "")
    names = {line.file for line in lines}
    source = Source(
        format="claude_code",
        inputs=[each for each in files if each.name in names],
        tool="Claude Code",
        version=next((told for line in reversed(lines) if (told := a_text(line.fields.get("version")))), None),
        agent="claude-code",
        chosen=session,
        seen={"fs_write": "imported"},
    )
    trace = assembled(interleaved(found), source, reading, in_order=True)
    header = msgspec.structs.replace(trace.header, ext={**trace.header.ext, **_notes(lines)})
    return Run(session, msgspec.structs.replace(trace, header=header))


def _threads(lines: Sequence[Line], reading: Reading) -> list[tuple[str, list[Found]]]:
    """The records of each thread with the key of the call that it runs in; the main thread's hold the last words."""
    known: set[str] = set()
    parts = threads(lines)
    found = []
    for thread, owner in zip(parts, owners(parts, reading), strict=True):
        records = records_of(thread, owner, known, reading)
        found.append((f"call {owner.call}" if owner.call else "", records if thread.side else with_last_words(records)))
    return found


def _notes(lines: Sequence[Line]) -> dict[str, JSON]:
    """What the lines say of the session as a whole."""
    told = dict.fromkeys(a_text(line.fields.get("summary")) for line in lines if line.kind == "summary")
    titles: list[JSON] = [*told]
    notes: dict[str, JSON] = {"session_id": next((line.session for line in reversed(lines) if line.session), "")}
    for name, key in (("cwd", "cwd"), ("git_branch", "gitBranch")):
        notes[name] = next((word for line in lines if (word := a_text(line.fields.get(key)))), "")
    return {key: value for key, value in {**notes, "summaries": titles}.items() if value}

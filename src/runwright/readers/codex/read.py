"""Rollouts and printed threads in, runs out."""

from __future__ import annotations

import re
from collections.abc import Sequence

import msgspec

from runwright.errors import ReaderError
from runwright.readers.assembled import Found, Source, assembled
from runwright.readers.codex.printed import printed
from runwright.readers.codex.rollout import Event, events
from runwright.readers.codex.session import records_of
from runwright.readers.input import Input, text_body
from runwright.readers.lenient import a_text, an_object
from runwright.readers.lines import Located, json_lines
from runwright.readers.reader import Run
from runwright.readers.reading import Reading
from runwright.trace.model import JSON, ModelRecord

ROLLOUT = re.compile(rb'"type"\s*:\s*"(?:session_meta|response_item|event_msg|turn_context|compacted)"')
PRINTED = re.compile(rb'\A\s*\{"type"\s*:\s*"(?:thread\.started|turn\.started|item\.started|item\.completed)"')
BARE = re.compile(rb'\A\s*\{"id"\s*:\s*"[^"\n]*",\s*"timestamp"\s*:\s*"[^"\n]*",\s*"(?:instructions|git)"')


def sniff_codex(head: bytes) -> int:
    """80 where the lines of a rollout stand, of either shape, or the events of a printed thread."""
    data = text_body(head)
    if data.lstrip()[:1] != b"{":
        return 0
    rollout = b'"payload"' in data and ROLLOUT.search(data)
    return 80 if rollout or PRINTED.match(data) or BARE.match(data) else 0


ONLY_PRINTED = (
    "what the model was told, which model it was, and the names of the calls it made: the session's rollout, "
    "under ~/.codex/sessions, holds them"
)
"""What is lost where only what was printed is there, and where it is."""


def read_codex(files: Sequence[Input]) -> tuple[Run, ...]:
    """One run a file."""
    return tuple(sorted((_run(each) for each in files), key=lambda run: run.trace.header.started_at or ""))


def _run(source: Input) -> Run:
    reading = Reading()
    lines = list(json_lines(source, reading))
    if any(_is_printed(line) for line in lines):
        thread = printed(lines, reading)
        reading.lose("not_captured", ONLY_PRINTED)
        return _assembled(source, thread.found, reading, thread.thread, {}, None)
    found = list(events(lines, reading))
    records = records_of(found, reading)
    reading.lose("not_captured", "tool schemas and parameters")
    meta = next((event.payload for event in found if event.kind == "session_meta"), {})
    return _assembled(source, records, reading, a_text(meta.get("id")), _notes(meta), _version(found))


def _is_printed(line: Located) -> bool:
    kind = line.value.get("type") if isinstance(line.value, dict) else None
    return isinstance(kind, str) and kind.startswith(("thread.", "turn.", "item."))


def _assembled(
    source: Input, found: Sequence[Found], reading: Reading, id: str, notes: dict[str, JSON], version: str | None
) -> Run:
    if not any(isinstance(each.record, ModelRecord) for each in found):
        raise ReaderError(
            "no reply of a model in it: a thread that ended before the first, or a part of one",
            place=source.name,
            hint="give the whole rollout-*.jsonl, or all that codex exec --json printed",
        )
    reading.lose("not_captured", "files that shell commands wrote")
    origin = Source(
        format="codex",
        inputs=[source],
        tool="Codex",
        version=version,
        agent="codex",
        seen=dict.fromkeys(("fs_write", "fs_delete", "fs_rename"), "imported"),
    )
    trace = assembled(found, origin, reading, in_order=True)
    header = msgspec.structs.replace(
        trace.header, ext={**trace.header.ext, **({"session_id": id} if id else {}), **notes}
    )
    return Run(id, msgspec.structs.replace(trace, header=header))


def _version(found: Sequence[Event]) -> str | None:
    told = (event.payload.get("cli_version") for event in found if event.kind == "session_meta")
    return next((each for each in told if isinstance(each, str) and each), None)


def _notes(meta: dict[str, JSON]) -> dict[str, JSON]:
    """What the first line says of the session as a whole."""
    branch = an_object(meta.get("git")).get("branch")
    notes = {
        "cwd": meta.get("cwd"),
        "git_branch": branch,
        "originator": meta.get("originator"),
        "forked_from": meta.get("forked_from_id"),
    }
    return {key: value for key, value in notes.items() if isinstance(value, str) and value}

"""LiteLLM's logs: the standard payload of its callbacks, rows of its table of spend, and files of OpenHands' SDK."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence

import msgspec

from runwright.errors import ReaderError
from runwright.readers.assembled import Found, Source, assembled
from runwright.readers.input import Input, is_part, lost_in, text_body
from runwright.readers.lenient import objects
from runwright.readers.lines import Located, documents
from runwright.readers.litellm.exchange import record_of
from runwright.readers.litellm.row import SETTING, Row, row_of
from runwright.readers.reader import Run
from runwright.readers.reading import Reading
from runwright.trace.model import JSON, Loss, ModelRecord

_SDK = re.compile(rb'\{\s*"messages"\s*:\s*\[')
_STAMP = re.compile(r"-\d{9,}\.\d+\.json$")
HELD_IN = ("data", "logs", "standard_logging_object")
"""Keys that the service's answers, and its callbacks' arguments, have rows under."""


def sniff_litellm(head: bytes) -> int:
    """75 where a call has a type, a start, and what LiteLLM alone says of one; 70 for what OpenHands' SDK writes."""
    text = text_body(head).lstrip()
    if text[:1] not in (b"{", b"["):
        return 0
    typed = b'"call_type"' in text and (b'"startTime"' in text or b'"start_time"' in text)
    if typed and any(
        key in text for key in (b'"spend"', b'"response_cost"', b'"model_parameters"', b'"hidden_params"')
    ):
        return 75
    kept = b'"kwargs"' in text and (b'"context_window"' in text or b'"latency_sec"' in text)
    return 70 if kept and _SDK.match(text) else 0


def together(names: Sequence[str]) -> Sequence[Sequence[str]]:
    """The SDK writes one file a call: those of a folder that differ only in their time are one run."""
    groups: dict[str, list[str]] = {}
    for name in names:
        groups.setdefault(_STAMP.sub("", name), []).append(name)
    return list(groups.values())


class _Calls(msgspec.Struct, frozen=True):
    """The records of one run, and what they lost."""

    found: list[Found]
    reading: Reading

    def add(self, row: Row, where: str) -> None:
        """Keep a call, if it can be read."""
        record = record_of(row, self.reading, where)
        if record is not None:
            self.found.append(Found(record=record, key=row.id, began=row.began, ended=row.ended))


def read_litellm(files: Sequence[Input]) -> tuple[Run, ...]:
    """One run for each id that calls share; calls without one are one run."""
    common = Reading()
    runs: dict[str, _Calls] = {}
    for source in files:
        for row, where in _rows(source, common):
            runs.setdefault(row.run, _Calls([], Reading())).add(row, where)
    found = {run: each for run, each in runs.items() if any(isinstance(one.record, ModelRecord) for one in each.found)}
    if not found:
        raise ReaderError(
            "no call of a model in it",
            place=files[0].name,
            hint=f"set {SETTING} in the proxy's general_settings to have messages and responses stored",
        )
    several, before = len(runs) > 1 or is_part(files), lost_in(files, common.losses())
    made = [_run(run, each, files, before, several) for run, each in found.items()]
    return tuple(sorted(made, key=lambda run: run.trace.header.started_at or ""))


def _run(name: str, calls: _Calls, files: Sequence[Input], before: Sequence[Loss], several: bool) -> Run:
    reading = Reading(before)
    reading.add(calls.reading.losses())
    origin = Source(format="litellm", inputs=files, chosen=name if several else "")
    return Run(name, assembled(calls.found, origin, reading))


def names_told(reading: Reading) -> Callable[[Located], Iterator[str]]:
    """The runs that the calls of a document are of, and the calls' ids: one that was logged before is of none."""
    seen: set[str] = set()

    def names(document: Located) -> Iterator[str]:
        for row, where in _listed(document, reading):
            if row.id:
                yield f"call {row.id}"
            if _is_new(row, where, seen, reading):
                yield f"run {row.run}"

    return names


def _rows(source: Input, reading: Reading) -> Iterator[tuple[Row, str]]:
    """The calls of a file, each once, and their places."""
    seen: set[str] = set()
    for located in documents(source, reading):
        yield from (each for each in _listed(located, reading) if _is_new(*each, seen, reading))


def _listed(located: Located, reading: Reading) -> Iterator[tuple[Row, str]]:
    for number, value in enumerate(_opened(located.value)):
        where = f"{located.place}: {number}" if isinstance(located.value, list) else located.place
        row = row_of(value, reading, where)
        if row is None:
            reading.lose("malformed", "a document that is no call of LiteLLM's", where)
        else:
            yield row, where


def _is_new(row: Row, where: str, seen: set[str], reading: Reading) -> bool:
    """Whether it was not logged before."""
    if row.id and row.id in seen:
        reading.lose("duplicate", "a call that was logged twice", where)
        return False
    seen.add(row.id)
    return True


def _opened(value: JSON) -> list[dict[str, JSON]]:
    if isinstance(value, list):
        return objects(value)
    if not isinstance(value, dict):
        return []
    for key in HELD_IN:
        held = value.get(key)
        if isinstance(held, list) and "call_type" not in value:
            return objects(held)
        if key == HELD_IN[-1] and isinstance(held, dict):
            return [held]
    return [value]

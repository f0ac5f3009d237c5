"""The fingerprint of a trace in a file, without holding what was said in it."""

from __future__ import annotations

from collections import OrderedDict
from pathlib import Path

import msgspec
import orjson

from runwright.errors import IncompleteTrace, TraceError
from runwright.fingerprint.build import fingerprint
from runwright.fingerprint.calls import digested
from runwright.fingerprint.history import carried, new_messages
from runwright.fingerprint.lines import continued
from runwright.fingerprint.model import Fingerprint
from runwright.fingerprint.note import Exchange, Note, Noted, Shown
from runwright.fingerprint.summary import summary
from runwright.fingerprint.taking import take, take_header
from runwright.trace import Header, Message, ModelRecord, read_trace
from runwright.trace.jsonl import resolved
from runwright.trace.packed import opened
from runwright.trace.requests import keep
from runwright.trace.uncollected import uncollected

HELD = 256
"""Exchanges whose messages are held, so that one that goes on from them is known to."""

SHORT = 32
"""Bytes of arguments up to which they are held rather than their digest."""

HINT = "runwright seal FILE, once its lines are right"


class _FarError(Exception):
    """A request goes on from one whose messages are not held any more."""


def fingerprint_of_file(path: Path) -> Fingerprint:
    """What the run in a trace's file did; TraceError for a broken one, IncompleteTrace for one that is not whole."""
    try:
        with uncollected():
            return msgspec.convert(summary(_noted(path)), Fingerprint)
    except _FarError:
        return _of_whole(path)
    except OSError as error:
        raise TraceError(f"cannot be read: {error.strerror or error}", place=str(path)) from error


def _of_whole(path: Path) -> Fingerprint:
    trace = read_trace(path, allow_incomplete=True)
    if not trace.complete:
        raise _incomplete(path)
    return fingerprint(trace)


def _incomplete(path: Path) -> IncompleteTrace:
    return IncompleteTrace("its seal is missing or wrong", place=str(path), hint=HINT)


def _noted(path: Path) -> Noted:
    noted, by_id, missing = Noted(), dict[str, Note](), False
    messages: OrderedDict[str, tuple[Message, ...]] = OrderedDict()

    def fault(error: TraceError) -> None:
        nonlocal missing
        if not isinstance(error, IncompleteTrace):
            raise error
        missing = True

    with opened(path) as stream:
        for line, record in resolved(stream, str(path), fault):
            if isinstance(record, Header):
                take_header(noted, line)
                continue
            if isinstance(record, ModelRecord):
                mine = record.request.messages
                before = continued(line, by_id)
                if before is not None and before not in messages:
                    raise _FarError
                told = {**line, "request": {"model": record.request.model}}
                take(noted, told, carried(new_messages(mine, messages[before] if before is not None else ())))
                keep(messages, record.id, mine, HELD)
            else:
                take(noted, line)
            by_id[record.id] = _lightened(noted.notes[-1])
    if missing:
        raise _incomplete(path)
    return noted


def _lightened(note: Note) -> Note:
    """The note with digests for arguments that take much memory."""
    for each in note.asks if type(note) is Exchange else (note,) if type(note) is Shown else ():
        if len(orjson.dumps(each.arguments)) > SHORT:
            each.arguments = digested(each.arguments)
    return note

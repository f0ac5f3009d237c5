"""A request with the answer that came on the wire: a body, a stream, an error, or nothing."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from runwright.dialects import Body, Dialect, parse_stream_body
from runwright.readers.known import CONTENT
from runwright.trace.model import ModelRecord, ModelResponse

OK = 200
_REASONS = frozenset({"finish_reason", "stop_reason"})


def unanswered(record: ModelRecord) -> ModelRecord:
    """The exchange whose answer was not recorded."""
    return msgspec.structs.replace(record, fidelity="partial", unknown=(*record.unknown, CONTENT))


def with_stream(record: ModelRecord, dialect: Dialect, text: str) -> tuple[ModelRecord, bool]:
    """The exchange with its streamed reply, and whether the stream stopped before its end mark.

    One that stopped before its stop reason is partial. One that broke off with an error event has what came before it
    too; the error's status is the stream's own. DialectError where an event cannot be represented.
    """
    body = parse_stream_body(text)
    return with_events(record, dialect, body.values, done=body.done)


def with_events(
    record: ModelRecord, dialect: Dialect, events: Sequence[Body], *, done: bool
) -> tuple[ModelRecord, bool]:
    """The same of a stream's events, `done` telling whether an end mark that is no event came after them."""
    broke = next((at for at, event in enumerate(events) if dialect.is_break(event)), None)
    if broke is not None:
        return _broken(record, dialect, events, broke), False
    done = done or any(map(dialect.is_end, events))
    if not events:
        return unanswered(record), not done
    answer, chunks = dialect.decode_stream(events)
    whole = done or _stopped(answer)
    found = msgspec.structs.replace(record, response=answer, chunks=chunks, streamed=True)
    return found if whole else unanswered(found), not done


def _broken(record: ModelRecord, dialect: Dialect, events: Sequence[Body], at: int) -> ModelRecord:
    answer, chunks = dialect.decode_stream(events[:at])
    error = dialect.decode_error(OK, events[at])
    began = answer != ModelResponse()
    return msgspec.structs.replace(
        record, response=answer if began else None, chunks=chunks if began else None, error=error, streamed=True
    )


def _stopped(answer: ModelResponse) -> bool:
    return answer.stop_reason is not None or not _REASONS.isdisjoint(answer.extra)

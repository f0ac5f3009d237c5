"""One replay: what the agent asked for, what it was served, and the miss that stopped it."""

from __future__ import annotations

import time
from collections.abc import Callable
from threading import Lock

import msgspec

from runwright.match import Matcher, Miss
from runwright.replay.explain import cleaned
from runwright.replay.miss import MISS_STATUS, MISS_TYPE, LiveMiss, MissKind
from runwright.secrets import clean_text
from runwright.trace.model import ModelError, ModelRecord, ModelRequest, Trace

RECORDED = "recorded"
"""The key in a live record's `ext` that names the recorded exchange it was served."""


class ReplaySession:
    """Answers live requests from the matcher until the first miss, then refuses everything. Safe across threads.

    `clean` strips secrets from a text; every miss is clean of them from the start. The live records are not: they
    are evidence, and whoever writes them passes the gate.
    """

    def __init__(
        self,
        trace: Trace,
        matcher: Matcher,
        *,
        clean: Callable[[str], str] = clean_text,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._matcher, self._clean, self._clock = matcher, clean, clock
        self._models = tuple(dict.fromkeys(record.request.model for record in trace.models))
        self.started = clock()
        self._lock = Lock()
        self._records: list[ModelRecord] = []
        self._misses: list[LiveMiss] = []
        self._unknown_paths: dict[str, None] = {}

    def answer(self, place: str, request: ModelRequest, streamed: bool) -> ModelRecord | LiveMiss:
        """The live record with the recorded reply or error in it, or the miss."""
        with self._lock:
            live = self._record(request, streamed)
            if self._misses:
                return self._refused(live, LiveMiss(place, "stopped", "nothing is served after a miss", live=live.id))
            found = self._matcher.serve(request, streamed)
            if isinstance(found, Miss):
                return self._refused(live, self._of_matcher(place, found, live))
            served = msgspec.structs.replace(
                live,
                response=found.record.response,
                error=found.record.error,
                chunks=found.record.chunks,
                ext={RECORDED: found.record.id},
            )
            self._records.append(served)
            return served

    def refuse(self, place: str, kind: MissKind, reason: str, *, status: int = MISS_STATUS) -> LiveMiss:
        """Record a call that never became a request to match."""
        with self._lock:
            if kind == "unknown_path":
                self._unknown_paths[self._clean(place)] = None
            return self._missed(LiveMiss(self._clean(place), kind, self._clean(reason), status))

    def unservable(self, place: str, served: ModelRecord, reason: str) -> LiveMiss:
        """Take back a served record whose reply has no form on the wire it was asked on."""
        with self._lock:
            recorded = str(served.ext[RECORDED])
            why = self._clean(f"{recorded} cannot be served: {reason}")
            miss = LiveMiss(place, "unservable", why, live=served.id, nearest=recorded)
            at = next(index for index, each in enumerate(self._records) if each.id == served.id)
            self._records[at] = _failed(served, miss)
            return self._missed(miss)

    def models(self) -> tuple[str, ...]:
        """The models that the cassette's requests name, in order of appearance."""
        return self._models

    @property
    def miss(self) -> LiveMiss | None:
        """The first miss: the one that stopped the replay."""
        with self._lock:
            return self._misses[0] if self._misses else None

    @property
    def misses(self) -> tuple[LiveMiss, ...]:
        """Every call that was refused, in order; all after the first because the replay had stopped."""
        with self._lock:
            return tuple(self._misses)

    @property
    def unknown_paths(self) -> tuple[str, ...]:
        """The calls to paths that no dialect knows, as `METHOD /path`, each once."""
        with self._lock:
            return tuple(self._unknown_paths)

    def live_records(self) -> tuple[ModelRecord, ...]:
        """Every live request as an exchange, in the order it arrived; a refused one carries the miss as its error."""
        with self._lock:
            return tuple(self._records)

    def _record(self, request: ModelRequest, streamed: bool) -> ModelRecord:
        return ModelRecord(
            id=f"m{len(self._records) + 1}",
            t=round(self._clock() - self.started, 6),
            request=request,
            streamed=streamed,
            fidelity="raw",
        )

    def _refused(self, live: ModelRecord, miss: LiveMiss) -> LiveMiss:
        self._records.append(_failed(live, miss))
        return self._missed(miss)

    def _missed(self, miss: LiveMiss) -> LiveMiss:
        self._misses.append(miss)
        return miss

    def _of_matcher(self, place: str, miss: Miss, live: ModelRecord) -> LiveMiss:
        return LiveMiss(
            place,
            miss.kind,
            self._clean(miss.reason),
            live=live.id,
            nearest=miss.nearest,
            differences=cleaned(miss.differences, live.request, self._clean),
            later=miss.later,
        )


def _failed(record: ModelRecord, miss: LiveMiss) -> ModelRecord:
    error = ModelError(message=miss.reason, status=miss.status, kind=MISS_TYPE)
    return msgspec.structs.replace(record, response=None, error=error, chunks=None)

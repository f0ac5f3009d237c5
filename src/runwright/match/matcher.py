"""The matcher: live requests in, recorded exchanges out, each once and only where every known field agrees."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import dataclass
from datetime import datetime
from itertools import islice
from typing import Literal, TypeAlias

import msgspec

from runwright.errors import IncompleteTrace
from runwright.match.bindings import Bindings, Trial
from runwright.match.compare import Comparison
from runwright.match.difference import Difference
from runwright.match.effects import EffectMatch, match_effects
from runwright.match.exchange import Exchange, require_servable
from runwright.match.joined import with_joined_text
from runwright.match.key import Index
from runwright.match.nearest import Nearest, nearest
from runwright.match.normal import as_json, with_results
from runwright.match.order import predecessors, strict_part
from runwright.match.part import Prepared, Workshop
from runwright.match.scope import Ignore, ignore_rules, never_compared, scope_of
from runwright.match.text import Flag
from runwright.match.volatile import Window, recorded_window
from runwright.trace import find
from runwright.trace.model import (
    JSON,
    HttpRecord,
    McpRecord,
    MessageRecord,
    ModelRecord,
    ModelRequest,
    SideEffectRecord,
    ToolRecord,
    Trace,
)

Kind: TypeAlias = Literal["differs", "exhausted", "out_of_order", "nothing_recorded", "stopped"]

LOOKED_BACK = 1_000
"""How many equal exchanges a miss looks through to say that they were served or must wait."""


@dataclass(frozen=True, slots=True)
class Served:
    """The recorded exchange that answers a request."""

    record: ModelRecord


@dataclass(frozen=True, slots=True)
class Miss:
    """No recorded exchange answers the request.

    `nearest` is the id of the exchange it came closest to and `differences` the fields that differ from it, none
    where the exchange itself agrees but may not be served. `later` is true where everything up to `until` had been
    served, so that this miss judges nothing.
    """

    nearest: str | None
    differences: tuple[Difference, ...]
    later: bool
    reason: str
    kind: Kind


class Matcher:
    """One replay of one cassette. Not for several threads at once.

    `joined` names the APIs of whose text the recording kept no borders: there adjacent text blocks are one.
    """

    def __init__(
        self,
        trace: Trace,
        *,
        flag: Flag,
        live_window: Callable[[], tuple[datetime, datetime]],
        until: str | None = None,
        ignores: Sequence[Ignore] = (),
        given: Sequence[str] = (),
        results: Mapping[str, JSON] | None = None,
        joined: Collection[str] = (),
    ) -> None:
        if not trace.complete:
            raise IncompleteTrace("the cassette has no valid seal and never replays", hint="runwright seal FILE")
        require_servable(trace.models)
        self._trace, self._flag = trace, flag
        self._ignores = tuple(ignores)
        self._rules = ignore_rules(self._ignores)
        self._results = dict(results or {})
        self._joined = frozenset(joined)
        self._strict = strict_part(trace.records, until)
        self._workshop = Workshop(self._rules)
        self._index = Index(self._rules)
        self._exchanges = self._prepared()
        header = trace.header
        self._bindings = Bindings(
            (*given, *_texts(list(self._results.values())), *_said(trace)),
            recorded_window(header.started_at, header.duration),
            lambda: Window(*live_window()),
            frozenset(
                token.value.casefold()
                for each in self._exchanges
                for part in each.request.parts()
                for token in part.tokens
            ),
        )
        self._served: dict[str, None] = {}
        self._miss: Miss | None = None
        self._used: set[Ignore] = set()
        self._eased: dict[str, None] = {}

    def fork(self) -> Matcher:
        """A matcher that goes on from here by itself; what was recorded is shared, what was served is not."""
        other = copy(self)
        other._served, other._used, other._eased = dict(self._served), set(self._used), dict(self._eased)
        other._bindings = self._bindings.fork()
        return other

    # --- during the replay ----------------------------------------------------------------------

    def serve(self, request: ModelRequest, streamed: bool) -> Served | Miss:
        """Answer a live request; after the first miss nothing is served any more."""
        if self._miss is not None:
            return Miss(None, (), self._miss.later, "nothing is served after a miss", "stopped")
        live = self._workshop.prepare(self._comparable(request, live=True), streamed)
        for exchange in self._candidates(live):
            served = self._try(exchange, live)
            if served is not None:
                return served
        return self._without_key(live)

    def _try(self, exchange: Exchange, live: Prepared) -> Served | None:
        """Serve this exchange if it is free, its turn has come and every known field agrees."""
        if exchange.record.id in self._served or not self._ready(exchange):
            return None
        comparison = self._comparison(exchange)
        if next(comparison.requests(exchange.request, live), None) is not None:
            return None
        return self._serve(exchange, comparison)

    def _serve(self, exchange: Exchange, comparison: Comparison) -> Served:
        record = exchange.record
        comparison.trial.commit()
        self._eased |= dict.fromkeys(each.path for each in self._ignores if each in comparison.eased)
        self._used |= comparison.eased
        self._note_ignores(record)
        self._bindings.give(_texts(_answer(record)))
        self._served[record.id] = None
        return Served(record)

    def _without_key(self, live: Prepared) -> Served | Miss:
        """The nearest exchange after all, where only its key was another one; else the session's first miss."""
        agreeing = [each for each in islice(self._candidates(live), LOOKED_BACK) if not self._differences(each, live)]
        found = nearest(live, self._exchanges, self._served, lambda each: self._differences(each, live))
        if not agreeing and found is not None and not found.differences:
            served = self._try(found.exchange, live)
            if served is not None:
                return served
            agreeing = [found.exchange]
        self._miss = self._held_back(agreeing) if agreeing else self._differs(found, live)
        return self._miss

    def _later(self) -> bool:
        return self._strict is not None and self._strict <= self._served.keys()

    def _held_back(self, agreeing: Sequence[Exchange]) -> Miss:
        """The miss of a request that is recorded but may not be answered (again, or yet)."""
        waiting = next((each for each in agreeing if each.record.id not in self._served), None)
        if waiting is None:
            return Miss(agreeing[-1].record.id, (), self._later(), _used_up(agreeing), "exhausted")
        missing = ", ".join(each for each in waiting.before if each not in self._served)
        reason = f"{waiting.record.id} is this request, but it follows from {missing}, which was not served yet"
        return Miss(waiting.record.id, (), self._later(), reason, "out_of_order")

    def _differs(self, found: Nearest | None, live: Prepared) -> Miss:
        if found is None:
            reason = f"no exchange with {live.api} is recorded"
            return Miss(None, (), self._later(), reason, "nothing_recorded")
        why = self._why(found.exchange, live)
        return Miss(found.exchange.record.id, found.differences, self._later(), why, "differs")

    def _why(self, exchange: Exchange, live: Prepared) -> str:
        name = exchange.record.id
        state = ", which was served already" if name in self._served else ""
        there, here = len(exchange.request.messages), len(live.messages)
        count = f"; it has {there} messages, the request has {here}" if there != here else ""
        return f"no recorded request agrees; the nearest is {name}{state}{count}"

    # --- after the replay -----------------------------------------------------------------------

    def effects(self, recorded: Sequence[SideEffectRecord], live: Sequence[SideEffectRecord]) -> EffectMatch:
        """Side effects of both runs, paired; what stood for what in the requests stands for it in them too."""
        return match_effects(recorded, live, self._bindings.fork(), self._flag)

    @property
    def served(self) -> tuple[str, ...]:
        """The ids of the exchanges served, in the order they were."""
        return tuple(self._served)

    @property
    def missed(self) -> Miss | None:
        """The first miss, if there was one."""
        return self._miss

    @property
    def notes(self) -> tuple[str, ...]:
        """What a reader of the verdict must know about how it matched."""
        return tuple(
            f"ignored {path}: the recorded decisions were served to a request that differs there"
            for path in self._eased
        )

    def left_over(self) -> tuple[str, ...]:
        """The model exchanges that were never asked for, in line order."""
        return tuple(each.record.id for each in self._exchanges if each.record.id not in self._served)

    def not_replayed(self) -> tuple[str, ...]:
        """The exchanges on lanes that this replay does not serve."""
        return tuple(each.id for each in self._trace.records if isinstance(each, (ToolRecord, McpRecord, HttpRecord)))

    def never_compared(self) -> tuple[str, ...]:
        """The distinct paths that were unknown in the exchanges served."""
        records = [each.record for each in self._exchanges if each.record.id in self._served]
        return tuple(dict.fromkeys(path for record in records for path in never_compared(record)))

    def stale_ignores(self) -> tuple[Ignore, ...]:
        """The ignores that were about nothing in any exchange served."""
        return tuple(each for each in self._ignores if each not in self._used)

    # --- parts ----------------------------------------------------------------------------------

    def _prepared(self) -> tuple[Exchange, ...]:
        before = predecessors(self._trace.records)
        exchanges = []
        for position, record in enumerate(self._trace.models):
            request = self._comparable(record.request, live=False)
            exchange = Exchange(
                record, self._workshop.prepare(request, record.streamed), scope_of(record), before[record.id]
            )
            self._index.add(position, exchange.request, exchange.scope)
            exchanges.append(exchange)
        self._workshop.open()
        return tuple(exchanges)

    def _comparable(self, request: ModelRequest, *, live: bool) -> ModelRequest:
        """The request with the results that stand in for those of tools, and text joined where its borders are lost."""
        stood_in = with_results(request, self._results, live=live)
        return with_joined_text(stood_in) if request.api in self._joined else stood_in

    def _candidates(self, live: Prepared) -> Iterator[Exchange]:
        return (self._exchanges[position] for position in self._index.candidates(live))

    def _ready(self, exchange: Exchange) -> bool:
        return all(each in self._served for each in exchange.before)

    def _comparison(self, exchange: Exchange) -> Comparison:
        return Comparison(exchange.scope, self._rules, self._bindings, Trial(self._bindings), self._flag)

    def _differences(self, exchange: Exchange, live: Prepared) -> tuple[Difference, ...]:
        found = self._comparison(exchange).requests(exchange.request, live)
        return tuple({(each.path, each.about): each for each in found}.values())

    def _note_ignores(self, record: ModelRecord) -> None:
        """An ignore is in use where a served exchange has a value of its shape at its path, equal or not."""
        open_rules = [rule for rule in self._rules if rule.ignore not in self._used]
        value = as_json(msgspec.to_builtins(record)) if open_rules else None
        for rule in open_rules:
            if any(rule.fits(found) for _, found in find(value, rule.ignore.path)):
                self._used.add(rule.ignore)


def _used_up(agreeing: Sequence[Exchange]) -> str:
    ids = list(dict.fromkeys(each.record.id for each in agreeing))
    times = "once" if len(ids) == 1 else f"{len(ids)} times"
    return f"this request is recorded {times} ({', '.join(ids[:5])}) and was already served as often"


def _answer(record: ModelRecord) -> JSON:
    """The answer as plain JSON: whatever it holds, the agent now has."""
    value: JSON = msgspec.to_builtins(record.response if record.response is not None else record.error)
    return value


def _texts(value: object) -> Iterator[str]:
    if isinstance(value, (list, tuple)):
        for each in value:
            yield from _texts(each)
    elif isinstance(value, dict):
        for each in value.values():
            yield from _texts(each)
    elif isinstance(value, str):
        yield value


def _said(trace: Trace) -> Iterator[str]:
    """What users said in the recorded run: the flow says it again."""
    for record in trace.records:
        if isinstance(record, MessageRecord) and record.role == "user":
            yield from _texts(msgspec.to_builtins(record.content))

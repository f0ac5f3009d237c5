"""A recorded request against a live one: the fields that differ, by the record's own paths."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from itertools import chain, islice

from runwright.match.bindings import Bindings, Trial
from runwright.match.difference import MISSING, Difference, Missing, shortened, windows
from runwright.match.normal import Placed
from runwright.match.part import Part, Prepared
from runwright.match.scope import PARAMETERS, Ignore, IgnoreRule, Scope, Steps
from runwright.match.text import Flag, mismatch
from runwright.match.volatile import REDACTED
from runwright.trace import format_path
from runwright.trace.model import JSON


@dataclass(frozen=True, slots=True)
class Comparison:
    """One comparison under way: the recorded side's scope, the flow's ignores, and the bindings on trial."""

    scope: Scope
    ignores: tuple[IgnoreRule, ...]
    bindings: Bindings
    trial: Trial
    flag: Flag
    eased: set[Ignore] = field(default_factory=set)
    deferred: list[tuple[str, str, Steps]] = field(default_factory=list)

    def requests(self, recorded: Prepared, live: Prepared) -> Iterator[Difference]:
        """Every field that differs, in the order a person looks: api, model, parameters, tools, messages."""
        if recorded.api != live.api:
            yield from self._plain(recorded.api, live.api, ("request", "api"))
            return
        yield from self._plain(recorded.model, live.model, ("request", "model"))
        if recorded.streamed is not None:
            yield from self._plain(recorded.streamed, live.streamed, ("streamed",))
        yield from self._parameters(recorded, live)
        yield from self._tools(recorded, live)
        yield from self._messages(recorded, live)
        yield from self._redacted()

    def values(self, recorded: JSON, live: JSON) -> Iterator[Difference]:
        """Every place where two values of another lane differ."""
        yield from self._values(recorded, live, ())
        yield from self._redacted()

    def _plain(self, recorded: JSON, live: JSON, where: Steps) -> Iterator[Difference]:
        """A field in which nothing is volatile."""
        if recorded != live and not self._left_out(recorded, live, where):
            yield Difference(format_path(where), recorded, live)

    def _parameters(self, recorded: Prepared, live: Prepared) -> Iterator[Difference]:
        if self.scope.skips(PARAMETERS):
            return
        for name, part in recorded.parameters.items():
            other = live.parameters.get(name)
            where = (*PARAMETERS, name)
            yield from self._part(part, other, where) if other else self._lone(part.normal, MISSING, where)
        for name, part in live.parameters.items():
            where = (*PARAMETERS, name)
            if name not in recorded.parameters and not (self.scope.open and not self.scope.adopts(where)):
                yield from self._lone(MISSING, part.normal, where)

    def _tools(self, recorded: Prepared, live: Prepared) -> Iterator[Difference]:
        if self.scope.skips(("request", "tools")):
            return
        for name in (*recorded.tools, *(each for each in live.tools if each not in recorded.tools)):
            there, here = recorded.tools.get(name, ()), live.tools.get(name, ())
            for (index, part), (_, other) in zip(there, here, strict=False):
                if part is other and part.plain:
                    continue
                for each in self._part(part, other, ("request", "tools", index)):
                    yield replace(each, about=f"tool {name}")
            for index, part in there[len(here) :]:
                yield from self._lone(part.normal, MISSING, ("request", "tools", index), f"tool {name}")
            for index, part in here[len(there) :]:
                yield from self._lone(MISSING, part.normal, ("request", "tools", index), f"tool {name}")

    def _messages(self, recorded: Prepared, live: Prepared) -> Iterator[Difference]:
        """All messages that differ; where there are more on one side, only the first."""
        if self.scope.skips(("request", "messages")):
            return
        even = len(recorded.messages) == len(live.messages)
        for index, part, other in zip(recorded.at, recorded.messages, live.messages, strict=False):
            if part is other and part.plain:
                continue  # a growing conversation repeats nearly all of its own
            found = list(self._part(part, other, ("request", "messages", index)))
            yield from found
            if found and not even:
                return
        common = min(len(recorded.messages), len(live.messages))
        yield from self._surplus(_behind(recorded, common), _behind(live, common))

    def _surplus(
        self, recorded: Iterable[tuple[JSON, Steps]], live: Iterable[tuple[JSON, Steps]]
    ) -> Iterator[Difference]:
        """The first item that one side has more and that is compared: behind one that is ignored lies another."""
        lacking = (self._lone(value, MISSING, where) for value, where in recorded)
        more = (self._lone(MISSING, value, where) for value, where in live)
        yield from islice(chain.from_iterable(chain(lacking, more)), 1)

    def _part(self, recorded: Part, live: Part, where: Steps) -> Iterator[Difference]:
        if recorded.exact == live.exact and not recorded.redacted:
            bad = any(not self.trial.token(token, token) for token in recorded.tokens)
            if not bad:
                return
        yield from self._values(recorded.normal, live.normal, where)

    def _values(self, recorded: JSON, live: JSON, where: Steps) -> Iterator[Difference]:
        if self._left_out(recorded, live, where):
            return
        if isinstance(recorded, dict) and isinstance(live, dict):
            yield from self._dicts(recorded, live, where)
        elif isinstance(recorded, list) and isinstance(live, list):
            yield from self._lists(recorded, live, where)
        elif isinstance(recorded, str) and isinstance(live, str):
            yield from self._texts(recorded, live, where)
        elif isinstance(recorded, str) and REDACTED.fullmatch(recorded) and isinstance(live, (int, float)):
            yield from self._texts(recorded, str(live), where)
        elif isinstance(recorded, bool) != isinstance(live, bool) or recorded != live:
            yield from self._lone(recorded, live, where)

    def _dicts(self, recorded: dict[str, JSON], live: dict[str, JSON], where: Steps) -> Iterator[Difference]:
        if _is_block(where) and recorded.get("type") != live.get("type"):
            yield from self._lone(recorded, live, where)
            return
        renamed = self._renamed(recorded, live)
        for key, value in recorded.items():
            other = live.get(renamed.get(key, key), MISSING)
            there = (*where, key)
            if isinstance(other, Missing):
                yield from self._lone(value, MISSING, there)
                continue
            if key in live and not self._agree(key, key):  # it stands for another value by now
                yield from self._lone(key, key, there)
            yield from self._values(value, other, there)
        for key in sorted(live.keys() - recorded.keys() - set(renamed.values())):
            yield from self._lone(MISSING, live[key], (*where, key))

    def _renamed(self, recorded: dict[str, JSON], live: dict[str, JSON]) -> dict[str, str]:
        """The live key for each recorded key that holds a volatile or redacted value and is not there as it is."""
        here = [key for key in live if key not in recorded]
        found: dict[str, str] = {}
        for key in sorted(recorded.keys() - live.keys()) if here else ():
            match = next((other for other in here if self._agree(key, other)), None)
            if match is not None:
                found[key] = match
                here.remove(match)
        return found

    def _agree(self, recorded: str, live: str) -> bool:
        return mismatch(recorded, live, "", self.trial, self.bindings, self.flag) is None

    def _lists(self, recorded: list[JSON], live: list[JSON], where: Steps) -> Iterator[Difference]:
        """All items that differ; where there are more on one side, only the first."""
        at = recorded.at if isinstance(recorded, Placed) else tuple(range(len(recorded)))
        even = len(recorded) == len(live)
        for place, one, other in zip(at, recorded, live, strict=False):
            found = list(self._values(one, other, (*where, place)))
            yield from found
            if found and not even:
                return
        common = min(len(recorded), len(live))
        here = live.at if isinstance(live, Placed) else tuple(range(len(live)))
        yield from self._surplus(
            ((each, (*where, place)) for place, each in zip(at[common:], recorded[common:], strict=True)),
            ((each, (*where, place)) for place, each in zip(here[common:], live[common:], strict=True)),
        )

    def _redacted(self) -> Iterator[Difference]:
        """The redacted texts that did not agree, once more: by now other fields may have told which secret it is."""
        for recorded, live, where in self.deferred:
            yield from self._texts(recorded, live, where, final=True)

    def _texts(self, recorded: str, live: str, where: Steps, *, final: bool = False) -> Iterator[Difference]:
        key = next((str(step) for step in reversed(where) if isinstance(step, str)), "")
        parted = mismatch(recorded, live, key, self.trial, self.bindings, self.flag)
        if parted is not None and not final and REDACTED.search(recorded):
            self.deferred.append((recorded, live, where))
        elif parted is not None:
            yield Difference(format_path(where), *windows(recorded, live, parted), at=parted.recorded)

    def _lone(
        self, recorded: JSON | Missing, live: JSON | Missing, where: Steps, about: str = ""
    ) -> Iterator[Difference]:
        """A field that one side lacks, or that is of another kind there."""
        if not self._left_out(recorded, live, where):
            yield Difference(format_path(where), shortened(recorded), shortened(live), about=about)

    def _left_out(self, recorded: JSON | Missing, live: JSON | Missing, where: Steps) -> bool:
        """Whether the recording does not know this field, or the flow ignores it."""
        if self.scope.skips(where):
            return True
        for rule in self.ignores:
            if rule.covers(where) and rule.fits(recorded) and rule.fits(live):
                if recorded != live:
                    self.eased.add(rule.ignore)
                return True
        return False


def _behind(request: Prepared, common: int) -> Iterator[tuple[JSON, Steps]]:
    """The messages behind the first so many, and where each stands."""
    for part, at in zip(request.messages[common:], request.at[common:], strict=True):
        yield part.normal, ("request", "messages", at)


def _is_block(where: Steps) -> bool:
    """Whether a place is a content block: of another type, it is another block."""
    return len(where) >= 5 and where[:2] == ("request", "messages") and where[-2] == "content"

"""How values become facts: under which days and spaces they are read."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache

import msgspec

from runwright.drift.built import Fact
from runwright.drift.grants import normal_policy
from runwright.drift.prompt import dated, is_redacted, masked, normal_text, trimmed, without_secrets
from runwright.drift.schema import normal_schema
from runwright.match.normal import CACHE_MARK, normal_parameters
from runwright.match.volatile import Window
from runwright.trace import JSON, canonical, digest

_OUTER = "outer"
"""Where a chat completion's tool keeps what stood beside its function."""


@dataclass(frozen=True)
class Terms:
    """`window` is when the values were made. `then` is the run that a text of today is to be compared with, where of
    that run only digests are known. `live` says that secrets are still in the values."""

    window: Window | None = None
    then: Window | None = None
    live: bool = False
    ignore_whitespace: bool = False

    def text(self, text: str | None, told: str | None = None) -> Fact:
        """A prompt or a description; `told` is the digest that the trace's header has for it."""
        text = text or ""
        normal = normal_text(text, self.window, ignore_whitespace=self.ignore_whitespace)
        others = (*self._other_days(text), *self._other_spaces(text)) if told in (None, digest(text)) else ()
        return self._fact(normal, (text, *others), () if told is None else (told,))

    def schema(self, schema: JSON) -> Fact:
        """A parameter schema."""
        return self._fact(normal_schema(schema), (schema,))

    def policy(self, policy: JSON) -> Fact:
        """A policy."""
        return self._fact(normal_policy(policy), (policy,))

    def value(self, value: JSON) -> Fact:
        """Any other value: 1 is 1.0, and is not true."""
        return self._fact(value, ())

    def _fact(self, normal: JSON, also: Sequence[JSON], told: Sequence[str] = ()) -> Fact:
        """A fact known by its normal form and other spellings; one whose secrets were taken out by what is left."""
        if self.live:
            hidden = {_without_secrets(canonical(normal))}
        elif is_redacted(normal):
            return Fact(frozenset({digest(masked(normal)), *told}), normal)
        else:
            hidden = set[str]()
        return Fact(frozenset({*hidden, *told, *map(digest, (normal, *also))}), normal)

    def values(self, values: Mapping[str, JSON]) -> dict[str, Fact]:
        """Each value by its name; null is absence."""
        return {name: self.value(value) for name, value in values.items() if value is not None}

    def parameters(self, parameters: Mapping[str, JSON]) -> dict[str, Fact]:
        """A request's further fields, less those that say how its answer travels."""
        return self.values(normal_parameters(parameters))

    def further(self, extra: Mapping[str, JSON]) -> dict[str, Fact]:
        """The further fields of a declaration; its cache mark is none."""
        outer = extra.get(_OUTER)
        flat = {**extra, **(outer if isinstance(outer, dict) else {})}
        return self.values({name: value for name, value in flat.items() if name not in (CACHE_MARK, _OUTER)})

    def _other_days(self, text: str) -> Iterator[str]:
        if self.window is not None and self.then is not None:
            yield from dated(text, self.window.start.date(), self.then.start.date())

    def _other_spaces(self, text: str) -> tuple[str, ...]:
        """The spellings that a text whose digest alone is known may have had."""
        if not self.ignore_whitespace:
            return ()
        bare = text.rstrip()
        return (bare, f"{bare}\n", f"{bare} ", f"{bare}\n\n", trimmed(text))


@lru_cache(maxsize=256)
def _without_secrets(written: bytes) -> str:
    """The digest of a value without its secrets: the same agent is compared with one trace after the other."""
    return digest(without_secrets(msgspec.json.decode(written)))


def of_digest(told: str) -> Fact:
    """A fact of which only the digest is known."""
    return Fact(frozenset({told}), msgspec.UNSET)


def now_window(now: datetime) -> Window:
    """The window of an agent that was asked just now."""
    return Window(now, now)

"""Secrets replaced by tokens: the same secret by the same token wherever it is in one trace."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from typing import TypeAlias, TypeVar

import msgspec

import runwright.secrets.derived as derived
from runwright.secrets.allowlist import Allowlist
from runwright.secrets.detect import Scanner, merged
from runwright.secrets.digests import Digests
from runwright.secrets.echo import Known, meant
from runwright.secrets.finding import Finding, Span, Stretch, token_text, tokens_in
from runwright.secrets.leaves import Leaf, leaves
from runwright.secrets.located import Parts, Place
from runwright.secrets.rewrite import rewritten
from runwright.secrets.scan import finding_of, finding_of_pieces, values_of
from runwright.trace.model import JSON, Header, Record, Trace

T = TypeVar("T", Header, Record)
Piece: TypeAlias = tuple[int, int, str]
"""Start and end of a part of a text, and what takes its place."""

Skip = Callable[[Finding], bool]

KNOWN = "variable"
"""The rule of a secret that no rule found: the caller named it."""


def redact_trace(
    trace: Trace, allow: Allowlist | None = None, *, file: str = "", known: Iterable[str] = ()
) -> tuple[Trace, dict[str, int]]:
    """The trace with tokens for its secrets, and how many distinct secrets of each rule there were.

    A value found once is replaced wherever it stands, also where nothing but the value gives it away. Lengths, digests
    and chunk boundaries that told of the old content are recomputed or left out. What the allowlist names is kept.
    """
    redactor = Redactor(lambda finding: bool(allow and allow.allows(finding, file)), known)
    values = list(values_of(trace))
    for record, value in values:
        redactor.learn(value, record)
    edited = [redactor.edits(value, record) for record, value in values]
    if not redactor.counts:
        return trace, {}
    header = _with_digests(_changed(trace.header, values[0][1], edited[0]), trace.header)
    pairs = zip(trace.records, values[1:], edited[1:], strict=True)
    records = tuple(derived.recomputed(record, _changed(record, value, edits)) for record, (_, value), edits in pairs)
    changed = msgspec.structs.replace(trace, header=header, records=records)
    return derived.forgetful(derived.with_digests(changed, redactor.digests)), redactor.counts


def redact_value(value: JSON, *, known: Iterable[str] = ()) -> JSON:
    """A JSON value with tokens for its secrets, and for texts that are known to be such."""
    redactor = Redactor(known=known)
    redactor.learn(value)
    return rewritten(value, derived.with_spelt_out(value, redactor.edits(value)))


def clean_text(text: str, *, known: Iterable[str] = ()) -> str:
    """A text fit for a report, a log line or a terminal: tokens stand for its secrets, and for those that are known."""
    redactor = Redactor(known=known)
    redactor.learn(text)
    return redactor.edits(text).get(((), False), text)


def _changed(model: T, value: JSON, edits: dict[Place, str]) -> T:
    return msgspec.convert(rewritten(value, derived.with_spelt_out(value, edits)), type(model)) if edits else model


def _with_digests(header: Header, before: Header) -> Header:
    """The header with the digests of its policies, which are no values that are looked at."""
    told, original = header.specification, before.specification
    if told is None or told.policies is None or original is None or original.policies is None:
        return header
    policies = dict(zip(told.policies, original.policies.values(), strict=True))
    return msgspec.structs.replace(header, specification=msgspec.structs.replace(told, policies=policies))


class Redactor:
    """Gives each secret its token. Learn everything first, then edit: numbers follow the order of edits."""

    def __init__(self, skip: Skip = lambda _: False, known: Iterable[str] = ()) -> None:
        self._scanner = Scanner()
        self._skip = skip
        self._rules: dict[str, str] = {meant(each): KNOWN for each in known}
        self._tokens: dict[str, str] = {}
        self._highest: Counter[str] = Counter()
        self._echo: Known | None = None
        self.counts: dict[str, int] = {}
        self.digests = Digests()
        """What digests of the replaced texts become."""

    def learn(self, value: JSON, record: str = "") -> None:
        """Take note of the secrets in a value, and of tokens that are there already."""
        for leaf in leaves(value):
            for token in tokens_in(leaf.text):
                self._highest[token.rule] = max(self._highest[token.rule], token.n)
            for span in self._spans(leaf, record):
                self._rules.setdefault(meant(span.of(leaf.text)), span.rule)
        for stretch in self._stretches(value, record):
            self._rules.setdefault(meant(stretch.of(value)), stretch.rule)
        self._echo = None

    def edits(self, value: JSON, record: str = "") -> dict[Place, str]:
        """What each leaf or key that holds a secret becomes."""
        edits: dict[Place, str] = {}
        spread = self._spread(value, record)
        for leaf in leaves(value):
            pieces = spread.get(leaf.parts, []) if leaf.kind == "text" else []
            new = self._clean(replace(leaf, text=_with(leaf.text, pieces)), record)
            if new != leaf.text:
                edits[leaf.parts, leaf.kind == "key"] = new
                self.digests.note(leaf.text, new)
        return edits

    def _spread(self, value: JSON, record: str) -> dict[Parts, list[Piece]]:
        """What becomes of the leaves that a secret in pieces lies in: its token takes the place of the first piece."""
        spread: dict[Parts, list[Piece]] = {}
        for stretch in self._stretches(value, record):
            token = self._token(meant(stretch.of(value)), stretch.rule)
            for number, (parts, start, end) in enumerate(stretch.pieces):
                taken = spread.setdefault(parts, [])
                if all(end <= low or high <= start for low, high, _ in taken):
                    taken.append((start, end, "" if number else token))
        return spread

    def _stretches(self, value: JSON, record: str) -> Iterator[Stretch]:
        for stretch in self._scanner.stretches(value):
            if not self._skip(finding_of_pieces(stretch, self._scanner, record)):
                yield stretch

    def _clean(self, leaf: Leaf, record: str) -> str:
        """A leaf's text with its secrets replaced; again, as long as a token lays open what its neighbour hid."""
        while spans := merged((*self._spans(leaf, record), *self._echoes(leaf, record))):
            leaf = replace(leaf, text=self._replaced(leaf, spans), kind="key" if leaf.kind == "key" else "text")
        return leaf.text

    def _spans(self, leaf: Leaf, record: str) -> list[Span]:
        spans = self._scanner.of_leaf(leaf)
        return (
            [span for span in spans if not self._skip(finding_of(leaf, span, self._scanner, record))]
            if spans
            else spans
        )

    def _echoes(self, leaf: Leaf, record: str) -> Iterator[Span]:
        """Learned values where no rule sees them: a password that the model repeats in prose."""
        if leaf.kind == "number":
            return
        if self._echo is None:
            self._echo = Known(self._rules)
        for span in self._echo.spans(leaf.text):
            if not self._skip(finding_of(leaf, span, self._scanner, record)):
                yield span

    def _replaced(self, leaf: Leaf, spans: list[Span]) -> str:
        pieces: list[Piece] = []
        for span in spans:
            quote = span.quote if leaf.kind != "number" else ""
            token = self._token(meant(span.of(leaf.text)), span.rule)
            pieces.append((span.start, span.end, f"{quote}{token}{quote}"))
            pieces += ((start, end, "") for start, end in span.rest)
        return _with(leaf.text, pieces)

    def _token(self, secret: str, rule: str) -> str:
        rule = self._rules.get(secret, rule)
        token = self._tokens.get(secret)
        if token is None:
            self._highest[rule] += 1
            token = self._tokens[secret] = token_text(rule, self._highest[rule])
            self.counts[rule] = self.counts.get(rule, 0) + 1
            self.digests.note(secret, token)
        return token


def _with(text: str, pieces: list[Piece]) -> str:
    """The text with some of its parts replaced."""
    parts: list[str] = []
    at = 0
    for start, end, new in sorted(pieces):
        parts += text[at:start], new
        at = end
    return "".join((*parts, text[at:]))

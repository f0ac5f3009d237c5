"""Whether a live text says what the recorded one says, and where it first does not."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple, Protocol, TypeAlias

from runwright.match.bindings import Bindings, Trial
from runwright.match.volatile import REDACTED, Token, template


class Flagged(Protocol):
    """A secret found in a text: the rule that found it and its span."""

    @property
    def rule(self) -> str: ...
    @property
    def start(self) -> int: ...
    @property
    def end(self) -> int: ...


Flag: TypeAlias = Callable[[str], Sequence[Flagged]]
"""Finds the secrets of a text; injected, so that matching knows no rule."""


class Mismatch(NamedTuple):
    """Where two texts part: a character offset into each."""

    recorded: int
    live: int


class Secret(NamedTuple):
    """A redacted token of a recorded text."""

    rule: str
    text: str
    start: int


Piece: TypeAlias = tuple[str, int] | Token | Secret
"""A literal with its offset, a volatile token or a redacted one."""

Pair: TypeAlias = tuple[Token | Secret, str, int]
Chain: TypeAlias = "tuple[Pair, Chain] | None"


def mismatch(recorded: str, live: str, key: str, trial: Trial, bindings: Bindings, flag: Flag) -> Mismatch | None:
    """The first place where the texts part, or None where they agree; `key` is the field they stand under."""
    if "[[redacted:" in recorded and REDACTED.search(recorded):
        return _with_secrets(recorded, live, key, trial, bindings, flag)
    there, here = template(recorded), template(live)
    at = there_at = 0
    for index, (literal, other) in enumerate(zip(there.literals, here.literals, strict=False)):
        if literal != other:
            same = common_prefix(literal, other)
            return Mismatch(there_at + same, at + same)
        if index == len(there.tokens) or index == len(here.tokens):
            break
        token, fresh = there.tokens[index], here.tokens[index]
        if not trial.token(token, fresh):
            return Mismatch(token.start, fresh.start)
        there_at, at = token.start + len(token.value), fresh.start + len(fresh.value)
    if len(there.tokens) == len(here.tokens):
        return None
    return Mismatch(there_at + len(literal), at + len(literal))


def common_prefix(one: str, other: str) -> int:
    """How many leading characters two texts share."""
    return next((at for at, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))


def flagged(text: str, key: str, flag: Flag) -> list[tuple[str, int, int]]:
    """The secrets of a text as (rule, start, end), also those that only the name of its field gives away."""
    found = {(each.rule, each.start, each.end) for each in flag(text)}
    if key:
        lead = f'{key}: "'
        shifted = ((each.rule, each.start - len(lead), each.end - len(lead)) for each in flag(f'{lead}{text}"'))
        found |= {(rule, max(start, 0), min(end, len(text))) for rule, start, end in shifted if end > 0}
    return sorted(found)


def _with_secrets(recorded: str, live: str, key: str, trial: Trial, bindings: Bindings, flag: Flag) -> Mismatch | None:
    pieces = list(_pieces(recorded))
    walk = _Walk(pieces, live, flagged(live, key, flag), bindings, trial)
    for pairs in walk.alignments():
        bad = next((pair for pair in pairs if not _agrees(pair, trial)), None)
        if bad is None:
            return None
        walk.reached = max(walk.reached, Mismatch(bad[0].start, bad[2]))
    return walk.reached


def _agrees(pair: Pair, trial: Trial) -> bool:
    there, here, at = pair
    if isinstance(there, Secret):
        return here == there.text or trial.secret(there.text, here)
    return trial.token(there, Token(there.form, here, at))


def _pieces(text: str) -> Iterator[Piece]:
    """A recorded text in order: literals, volatile tokens, redacted tokens."""
    end = 0
    for found in REDACTED.finditer(text):
        yield from _plain_pieces(text[end : found.start()], end)
        yield Secret(found.group(1), found.group(), found.start())
        end = found.end()
    yield from _plain_pieces(text[end:], end)


def _plain_pieces(text: str, offset: int) -> Iterator[Piece]:
    parts = template(text)
    at = offset
    for literal, token in zip(parts.literals, (*parts.tokens, None), strict=True):
        if literal:
            yield (literal, at)
        if token is not None:
            yield token._replace(start=token.start + offset)
            at = offset + token.start + len(token.value)


def _unchained(chain: Chain) -> list[Pair]:
    pairs: list[Pair] = []
    while chain is not None:
        pair, chain = chain
        pairs.append(pair)
    return pairs[::-1]


class _Walk:
    """All ways to lay a live text along the pieces of a recorded one; `reached` is how far the best got."""

    def __init__(
        self,
        pieces: list[Piece],
        live: str,
        secrets: list[tuple[str, int, int]],
        bindings: Bindings,
        trial: Trial,
    ) -> None:
        self._pieces, self._live, self._bindings, self._trial = pieces, live, bindings, trial
        self._secrets: dict[str, dict[str, None]] = {}
        for rule, start, end in secrets:
            self._secrets.setdefault(rule, {})[live[start:end]] = None
        self._tokens = {token.start: token for token in template(live).tokens}
        self.reached = Mismatch(0, 0)

    def alignments(self) -> Iterator[list[Pair]]:
        """The pairs (recorded, live value, live offset) of each way that fits the whole text."""
        stack: list[tuple[int, int, Chain]] = [(0, 0, None)]
        tried: set[tuple[int, int]] = set()
        while stack:
            piece, at, chain = stack.pop()
            if (piece, at) in tried:
                continue  # ways that meet again are one way: time stays linear in pieces and length
            tried.add((piece, at))
            if piece == len(self._pieces):
                if at == len(self._live):
                    yield _unchained(chain)
                continue
            here = self._pieces[piece]
            if isinstance(here, (Token, Secret)):
                self.reached = max(self.reached, Mismatch(here.start, at))
                ways = [(piece + 1, at + len(value), ((here, value, at), chain)) for value in self._values(here, at)]
                stack.extend(reversed(ways))
            elif self._passes(here, at):
                stack.append((piece + 1, at + len(here[0]), chain))

    def _passes(self, literal: tuple[str, int], at: int) -> bool:
        text, start = literal
        same = common_prefix(text, self._live[at : at + len(text)])
        self.reached = max(self.reached, Mismatch(start + same, at + same))
        return same == len(text)

    def _values(self, here: Token | Secret, at: int) -> Iterator[str]:
        """What may stand at this offset of the live text for this piece."""
        if isinstance(here, Token):
            token = self._tokens.get(at)
            if token is not None and token.form == here.form:
                yield token.value
            elif self._live.startswith(here.value, at):
                yield here.value
            return
        if self._live.startswith(here.text, at) and self._bindings.was_given(here.text):
            yield here.text
        known = self._trial.secret_of(here.text)
        if known is not None and self._live.startswith(known, at):
            yield known  # found as a secret elsewhere; here no rule may tell, but the recording says that it is one
            return
        values = self._secrets.get(here.rule, {})
        yield from (value for value in values if value and self._live.startswith(value, at))

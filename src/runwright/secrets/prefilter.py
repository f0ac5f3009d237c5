"""Which rules can match a text at all: one search over all hints, in linear time where google-re2 is installed."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache

from runwright.secrets.rules import RULES, Rule

FOLDS_BADLY = "\u0131"
"""The dotless i, which Python's case-insensitive patterns take for an i although folding leaves it alone."""


def folded(text: str) -> str:
    """The text as hints are compared with it."""
    if text.isascii():
        return text.lower()
    known = text.encode("utf-8", "replace").decode()  # google-re2 takes no lone surrogates
    return known.casefold().replace(FOLDS_BADLY, "i")


def candidates(fold: str) -> list[Rule]:
    """The rules whose hint is in a folded text."""
    if not _any_hint()(fold):
        return []
    return [rule for rule, hint in _hints() if hint(fold)]


@cache
def _any_hint() -> Callable[[str], object]:
    return _search("|".join(rule.hint for rule in RULES))


@cache
def _hints() -> list[tuple[Rule, Callable[[str], object]]]:
    return [(rule, _search(rule.hint)) for rule in RULES]


def _search(pattern: str) -> Callable[[str], object]:
    try:
        import re2
    except ImportError:
        return re.compile(pattern).search
    return re2.compile(pattern).search  # type: ignore[no-any-return]  # re2 has no types

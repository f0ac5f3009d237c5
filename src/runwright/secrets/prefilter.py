"""Which rules can match a text at all: one search over all hints, in linear time where google-re2 is installed."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from typing import TypeAlias

from runwright.secrets.rules import RULES, Rule

Search: TypeAlias = Callable[[str], object]

FOLDS_BADLY = "\u0131"
"""The dotless i, which Python's case-insensitive patterns take for an i although folding leaves it alone."""


def folded(text: str) -> str:
    """The text as hints are compared with it."""
    if text.isascii():
        return text.lower()
    known = text.encode("utf-8", "replace").decode()  # google-re2 takes no lone surrogates
    return known.casefold().replace(FOLDS_BADLY, "i")


def candidates(fold: str, *, review: bool = False) -> list[Rule]:
    """The rules whose hint is in a folded text; without `review`, none that never block."""
    if not any(hint(fold) for hint in _gates(review)):
        return []
    return [rule for rule, hint in _hints() if (review or not rule.review) and hint(fold)]


@cache
def _gates(review: bool) -> tuple[Search, ...]:
    """All hints at once: those that start with a fixed character in one search, others each in their own."""
    hints = dict.fromkeys(rule.hint for rule in RULES if review or not rule.review)
    fixed = "|".join(hint for hint in hints if hint[0] not in "([")
    return (_search(fixed), *(_search(hint) for hint in hints if hint[0] in "(["))


@cache
def _hints() -> tuple[tuple[Rule, Search], ...]:
    return tuple((rule, _search(rule.hint)) for rule in RULES)


def _search(pattern: str) -> Search:
    try:
        import re2
    except ImportError:
        return re.compile(pattern).search
    return re2.compile(pattern).search  # type: ignore[no-any-return]  # re2 has no types

"""Secrets that were found once, known again where no rule tells: a password that a model repeats in prose."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping

from runwright.secrets.finding import Span
from runwright.secrets.views import unescaped


class Known:
    """Secrets with their rules. It holds what must not be shown, and gives only places."""

    def __init__(self, rules: Mapping[str, str]) -> None:
        self._rules = rules
        self._pattern = _any_of(rules) if rules else None

    def spans(self, text: str) -> Iterator[Span]:
        """Where one of them stands in a text."""
        for found in self._pattern.finditer(text) if self._pattern else ():
            yield Span(found.start(), found.end(), self._rules[meant(found.group())])


def meant(raw: str) -> str:
    """A secret as it is meant, however deep it was escaped where it stood."""
    for _ in range(8):
        view = unescaped(raw)
        if view is None or view.text == raw:
            break
        raw = view.text
    return raw


def _any_of(values: Mapping[str, str]) -> re.Pattern[str]:
    """Finds any of the values worth looking for, longest first, and only as whole words."""
    forms = {form for value in values if _tells(value) for form in (value, json.dumps(value)[1:-1])}
    words = sorted(forms, key=lambda form: (-len(form), form))
    bounded = (_bounded(word) for word in words if meant(word) in values)
    return re.compile("|".join(bounded) or r"(?!)")


def _tells(value: str) -> bool:
    """Whether a value is peculiar enough to be known again where nothing else points to it."""
    mixed = any(char.isalpha() for char in value) and not value.isalpha()
    return len(value) >= 6 or (mixed and len(value) >= 4)


def _bounded(word: str) -> str:
    before = r"(?<![A-Za-z0-9])" if word[0].isalnum() else ""
    after = r"(?![A-Za-z0-9])" if word[-1].isalnum() else ""
    return f"{before}{re.escape(word)}{after}"

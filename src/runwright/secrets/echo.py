"""Secrets that were found once, known again where no rule tells: a password that a model repeats in prose."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping

from runwright.secrets.finding import Span
from runwright.secrets.views import unescaped

LEAD = 4
"""No secret that is looked for is shorter."""

ALNUM = re.compile(r"[A-Za-z0-9]")


class Known:
    """Secrets with their rules. It holds what must not be shown, and gives only places.

    A text is looked through once, however many secrets there are: at each place where one may begin, the words of each
    length that any of them has are looked up.
    """

    def __init__(self, rules: Mapping[str, str]) -> None:
        self._words = {form: rules[value] for value in rules if _tells(value) for form in _forms(value, rules)}
        self._lengths: dict[str, list[int]] = {}
        for word in self._words:
            lengths = self._lengths.setdefault(word[:LEAD], [])
            if len(word) not in lengths:
                lengths.append(len(word))
                lengths.sort(reverse=True)
        self._starts = _starts({word[0] for word in self._words})

    def spans(self, text: str) -> Iterator[Span]:
        """Where one of them stands in a text, as a whole word; the longest where several begin."""
        end = 0
        for found in self._starts.finditer(text) if self._words else ():
            at = found.start()
            if at < end:
                continue
            for length in self._lengths.get(text[at : at + LEAD], ()):
                word = text[at : at + length]
                rule = self._words.get(word)
                if rule is not None and not (word[-1].isalnum() and ALNUM.match(text, at + len(word))):
                    end = at + len(word)
                    yield Span(at, end, rule)
                    break


def _forms(value: str, rules: Mapping[str, str]) -> set[str]:
    """A secret as it is, and as it is written in JSON."""
    return {form for form in (value, json.dumps(value)[1:-1]) if meant(form) in rules}


def _starts(firsts: set[str]) -> re.Pattern[str]:
    """Where a word may begin that begins with one of these: a letter or digit only behind none."""
    inner = "".join(re.escape(each) for each in sorted(firsts) if each.isalnum())
    other = "".join(re.escape(each) for each in sorted(firsts) if not each.isalnum())
    ways = ([f"(?<![A-Za-z0-9])(?=[{inner}])"] if inner else []) + ([f"(?=[{other}])"] if other else [])
    return re.compile("|".join(ways) or r"(?!)")


def meant(raw: str) -> str:
    """A secret as it is meant, however deep it was escaped where it stood."""
    for _ in range(8):
        view = unescaped(raw)
        if view is None or view.text == raw:
            break
        raw = view.text
    return raw


def _tells(value: str) -> bool:
    """Whether a value is peculiar enough to be known again where nothing else points to it."""
    mixed = any(char.isalpha() for char in value) and not value.isalpha()
    return len(value) >= 6 or (mixed and len(value) >= 4)

"""What a rule is: detect-secrets plugins, what any match of theirs contains, and the cases it is held to."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias, cast

from detect_secrets.plugins.base import RegexBasedDetector

ALNUM = "qwertyuiopasdfghjklzxcvbnm0123456789QWERTYUIOPASDFGHJKLZXCVBNM"
HEX = "0123456789abcdef"
LOWER = "0123456789abcdefghijklmnopqrstuvwxyz"
UPPER = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"
BASE64 = ALNUM + "+/"


class Match(NamedTuple):
    """A span in a text; not `sure` means that it is only worth a look."""

    start: int
    end: int
    sure: bool


Find: TypeAlias = Callable[[str], Iterable[tuple[int, int]]]


@dataclass(frozen=True, kw_only=True)
class Rule:
    """One kind of secret.

    `hint` is a regular expression over the case-folded text which every match contains; it is fast where all its
    alternatives start with a letter or sign of their own. `raw` takes its place, with any case, where the text is
    written as JSON and its quotes and breaks are escaped; it may ask for less. `own` and `stock` are detect-secrets
    plugins; in ours a group named `secret` narrows the span, in theirs the group numbered `stock_group`. `find` takes
    the place of the plugins' own search where that is not linear, or yields the wrong span; the plugins still say what
    must be found. `sure` decides between blocking and review; so does
    `whole`, for kinds that are met by chance in the midst of other characters.
    """

    name: str
    hint: str
    raw: str = ""
    own: type[RegexBasedDetector] | None = None
    stock: tuple[type[RegexBasedDetector], ...] = ()
    stock_group: int = 0
    find: Find | None = None
    sure: Callable[[str], bool] = lambda _: True
    whole: bool = False
    review: bool = False
    misses: tuple[str, ...] = ()
    hits: tuple[str, ...] = ()

    def matches(self, text: str) -> Iterator[Match]:
        """Every span that the rule's plugins find in a text."""
        for start, end in self.find(text) if self.find else self._found(text):
            if end > start:
                embedded = self.whole and text[start - 1 : start].isalnum() and text[end : end + 1].isalnum()
                yield Match(start, end, not self.review and not embedded and self.sure(text[start:end]))

    def _found(self, text: str) -> Iterator[tuple[int, int]]:
        for pattern in patterns(self.own) if self.own else ():
            group = "secret" if "secret" in pattern.groupindex else 0
            yield from (found.span(group) for found in pattern.finditer(text))
        for plugin in self.stock:
            for pattern in patterns(plugin):
                group = self.stock_group if self.stock_group <= pattern.groups else 0
                yield from (found.span(group) for found in pattern.finditer(text))


def patterns(plugin: type[RegexBasedDetector]) -> tuple[re.Pattern[str], ...]:
    """A plugin's regular expressions."""
    return tuple(cast("Iterable[re.Pattern[str]]", plugin.denylist))


def fill(length: int, alphabet: str = ALNUM, seed: int = 7) -> str:
    """Characters that look random and are the same everywhere; examples are assembled from them."""
    state, out = seed, []
    for _ in range(length):
        state = (state * 1103515245 + 12345) % 2**31
        out.append(alphabet[(state >> 12) % len(alphabet)])
    return "".join(out)


BLANKED = re.compile(r"([xX*.•])\1{7}")


def credible(secret: str) -> bool:
    """Whether a match is more than the kind's shape: not blanked out, not made of words that ask for a key."""
    return not BLANKED.search(secret) and not re.search(r"your[-_]|[-_]here|placeholder|\.\.\.", secret, re.IGNORECASE)


def mixed(secret: str) -> bool:
    """Credible, and with letters and digits both."""
    return credible(secret) and bool(re.search(r"[0-9]", secret)) and bool(re.search(r"[A-Za-z]", secret))

"""Whether bytes can hold a secret at all: one linear search over a record as it is written, before it is taken apart.

It looks at JSON without reading it, so it asks for less than any rule does: whatever an escape could hide is suspicious
by itself. Without google-re2 everything is suspicious, since Python's own search is slower than taking a record apart.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache, lru_cache
from typing import Protocol, TypeAlias

from runwright.secrets.assigned import STEMS
from runwright.secrets.names import WORDS_OF_A_NAME, naming, naming_of_pair
from runwright.secrets.views import DIGIT, PLAIN
from runwright.secrets.vocabulary import ASIDE, HASHES


class Found(Protocol):
    """A match of google-re2, which has no types."""

    def start(self) -> int:
        """Where it starts."""

    def end(self) -> int:
        """Where it ends."""


class Pattern(Protocol):
    """A compiled pattern of google-re2, over bytes."""

    def search(self, text: bytes) -> Found | None:
        """The first match."""

    def finditer(self, text: bytes) -> Iterable[Found]:
        """Every match."""


Patterns: TypeAlias = tuple[Pattern, Pattern, Pattern, Pattern]
MEMORY = 64 << 20
FEW = 6
COUNT = re.compile(r"\{(?P<least>[0-9]+),?(?P<most>[0-9]*)\}")
HIDDEN = r"\\u(?:00[2-7]|017f|212a|013[01])|[\x{130}\x{131}]|\\/|%[2-7][0-9a-f]"
"""Ways to write a character that no pattern would know again, and letters that only Python folds."""

STREAMED = (
    r"(?:delta|choices|candidates|partial_json|textdelta|chunk|logprob|done|new_token)\\*\"\s*:|"
    r"(?:chunk|delta|piece|fragment|stream|segment|logprob)[^\"]*\"\s*:\s*\[\s*\\*[\"{]|"
    r"data:[ \t]?\\*[\"{\[]|(?:^|[\"\\])[0-9a-z]{1,2}:\\*[\[{\"]"
)
"""What the pieces of a stream stand under."""

ENCODED = rf"(?-i:(?:^|[^A-Za-z0-9+/_-]|\\[nrtbf]|\\u[0-9A-Fa-f]{{4}})(?:{DIGIT}{{4}})*(?:{PLAIN}){{4}})"
"""Base64 of twelve characters of ASCII in a row."""

LATER = "|".join(sorted(ASIDE | HASHES))
STEM = STEMS.replace("|token", "").replace("|_pw", "|pw")
MORE = rf"(?:[\w.$@/\[\]-]|[^\x00-\x7f]| +(?:{LATER}|[0-9.$@/\[\]-]))*"
CLOSED = (
    r"(?:[\"'`\]\\]|(?:\s|[^\x00-\x7f])*[=:]|[^\x00-\x7f]|"
    r"[\"'`]?(?:\s|[^\x00-\x7f]){1,4}(?:is|was|are|ist|est|es)[\s:\\])"
)
COUNTED = (
    rf"token(?:{CLOSED}|(?:[a-rt-z0-9_.$@/\[\]-]|[^\x00-\x7f]| +(?:{LATER}|[0-9.$@/\[\]-])){MORE}{CLOSED}|"
    rf"s(?:[\w.$@/\[\]-]|[^\x00-\x7f]| +(?:{LATER}|[0-9.$@/\[\]-])){MORE}{CLOSED}|"
    r"s(?:[=:'`\]]|\s+(?:[=:]|(?:is|was|are|ist|est|es)[\s:\\])|\\[^\"\\]|\\*\"\s*(?:[^:\s\\\"]|:\s*[^0-9\s])))"
)
"""Every name with a token in it, but tokens that are counted: they are in every record of a model."""

NAMED = rf"(?:{STEM}){MORE}{CLOSED}|{COUNTED}|--[\w.-]*(?:{STEM}|token)|\b(?:sig|pat)[\"'\\]"
"""A name that may tell: of a member, of a pair, of an option, or before a sign of assignment."""

RUN = re.compile(r"[\w.$@/\[\] -]*")
BEFORE = re.compile(r"[\w.$@/\[\] -]*\Z")
WORD = re.compile(r"[\w-]*")
WORD_BEFORE = re.compile(r"[\w.-]{0,64}\Z")
ESCAPED = re.compile(r"\\(?:[nrtbf]|u[0-9a-fA-F]{4})")
WORDS_BEFORE = re.compile(r"(?:[A-Za-z]{2,16} )?[\w.-]{0,64}\Z")
WINDOW = 100
QUOTES = (b'"', b"'", b"`", b"]", b"\\")
AFTER = re.compile(rb"(?:\\[nrt]|[\\\"'`\]\s])*(?:\Z|[=:\x80-\xff]|is|was|are|ist|est|es)")
"""What follows a name that its value is assigned to, and not the end of a sentence in quotes."""


def suspicious(data: bytes) -> bool:
    """Whether a text in UTF-8, or JSON that holds texts, may hold a secret; only a search of its texts can tell."""
    patterns = _patterns()
    if patterns is None:
        return True
    formed, either, encoded, named = patterns
    if formed.search(data) is not None:
        return True
    if either.search(data) is None:
        return False
    return encoded.search(data) is not None or any(
        _tells(data, each.start(), each.end()) for each in named.finditer(data)
    )


def _tells(data: bytes, start: int, end: int) -> bool:
    """Whether the name at that place says that its value is a secret, however the name is cut out."""
    if data[start : start + 1] == b"-" or data[end - 1 : end + 1] == b"\\u":
        return True
    beside = data[end - 1 : end] in QUOTES and AFTER.match(data, end - 1, end + WINDOW) is None
    lead = data[max(0, start - WINDOW) : start]
    if beside and lead.count(b" ", lead.rfind(b'"') + 1) >= WORDS_OF_A_NAME:
        return False
    return _telling(lead, data[start:end], beside)


@lru_cache(maxsize=4_096)
def _telling(before: bytes, found: bytes, beside: bool) -> bool:
    """Whether a name tells; `beside` where it can only be the first of a pair."""
    lead, tail = before.decode("utf-8", "ignore"), found.decode("utf-8", "ignore")
    leads = [lead, ESCAPED.sub("\n", lead)] if "\\" in lead else [lead]
    core, word = _start(RUN, tail), _start(WORD, tail)
    names = {_end(BEFORE, each) + core.rstrip(strip) for each in leads for strip in (" ", " ]")}
    if beside:
        return any(naming_of_pair(name) for name in names)
    names |= {_end(pattern, each) + word for each in leads for pattern in (WORD_BEFORE, WORDS_BEFORE)}
    return any(naming(name) for name in names)


def _start(pattern: re.Pattern[str], text: str) -> str:
    found = pattern.match(text)
    return found.group() if found else ""


def _end(pattern: re.Pattern[str], text: str) -> str:
    found = pattern.search(text)
    return found.group() if found else ""


@cache
def _patterns() -> Patterns | None:
    """What tells by its form; base64 or a name; and those two by themselves."""
    try:
        import re2
    except ImportError:
        return None
    from runwright.secrets.rules import RULES

    options = re2.Options()
    options.case_sensitive = False
    options.max_mem = MEMORY
    options.log_errors = False
    hints = dict.fromkeys(COUNT.sub(_fewer, rule.raw or rule.hint) for rule in RULES if not rule.review)
    formed = "|".join((*hints, HIDDEN, STREAMED))
    wanted = (formed, f"{ENCODED}|{NAMED}", ENCODED, NAMED)
    return tuple(re2.compile(pattern.encode(), options) for pattern in wanted)


def _fewer(count: re.Match[str]) -> str:
    """A repetition that asks for no more than a few: great counts make great automata."""
    least, most = int(count["least"]), count["most"]
    if least > FEW or (most and int(most) > FEW):
        return f"{{{min(least, FEW)},}}"
    return count.group()

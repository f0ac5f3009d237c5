"""Volatile shapes: what a text may hold that is new in every run, and where in the text it stands."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import datetime, timedelta
from email.utils import parsedate_to_datetime
from functools import lru_cache
from typing import NamedTuple

GRACE = timedelta(minutes=5)
"""How far a stamp may lie outside its run: clocks of two machines differ."""

# call_ toolu_ chatcmpl- msg_ req_ run_ fc_, less their first letter; resp_ names a conversation that the API keeps
_ID_TAIL = r"all_|hatcmpl-(?:tool-)?|un_|c_|(?:oolu|sg|eq)_(?:bdrk_|vrtx_)?"
# letters and digits must alternate at least twice: call_center24 and run_20261130 are names, not ids
_ID_REST = r"(?=[A-Za-z]*\d+[A-Za-z]+\d|\d*[A-Za-z]+\d+[A-Za-z])[A-Za-z0-9]{8,}(?![A-Za-z0-9])"

# each branch begins with the characters it may begin with, and looks behind only then: that is what makes it fast
_SHAPES = re.compile(
    r"(?P<http>[MTWFS](?<!\w.)(?:on|ue|ed|hu|ri|at|un), \d\d (?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)"
    r" \d{4} \d\d:\d\d:\d\d GMT)"
    r"|(?P<datetime>\d(?<!\d.)\d{3}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:[.,]\d{1,9})?)?(?:Z|[+-]\d\d:?\d\d)?(?!\d))"
    r"|(?P<basic>\d(?<!\d.)\d{7}T\d{6}Z?(?!\w))"
    r"|(?P<date>\d(?<!\d.)\d{3}-\d\d-\d\d(?!\d))"
    r"|(?P<uuid>[0-9A-Fa-f](?<![0-9A-Za-z].)[0-9A-Fa-f]{7}-(?:[0-9A-Fa-f]{4}-){3}[0-9A-Fa-f]{12}(?![0-9A-Za-z]))"
    rf"|(?P<id>[ctmrf](?<![A-Za-z0-9].)(?:{_ID_TAIL}){_ID_REST})"
    r"|(?P<ulid>[0-7](?<![0-9A-Za-z].)(?=[0-9A-Z]*[A-Z])[0-9A-HJKMNP-TV-Z]{25}(?![0-9A-Za-z]))"
    r"|(?P<port>[1l\[](?<![\w.].)(?:27\.0\.0\.1|ocalhost|::1\]):\d{2,5}(?!\d))"
    r"|(?P<temp>/tmp/tmp[a-z0-9_]{8}(?![A-Za-z0-9_]))",
    re.ASCII,
)
_PREFIX = re.compile(r"[a-z]+[_-](?:bdrk_|vrtx_|tool-)?")
_CANDIDATE = re.compile(r"\d\S*|/tmp/tmp\S*", re.ASCII)
_LEAD, _TAIL = 64, len(" GMT")
"""How much of a token may stand before its first digit and after its last word with one."""

REDACTED = re.compile(r"\[\[redacted:([^\[\]]+):(\d+)\]\]")
"""A secret that was taken out of a recorded text, as rule and number."""

_TIMES = frozenset({"http", "datetime", "basic", "date"})


class Token(NamedTuple):
    """A volatile-shaped piece of a text. `form` is its shape with all that must be equal on both sides."""

    form: str
    value: str
    start: int

    @property
    def shape(self) -> str:
        """The bare shape: uuid, id, ulid, port, temp, datetime, basic, date or http."""
        return self.form.partition(":")[0]

    @property
    def is_time(self) -> bool:
        """Whether the token is a moment or a day."""
        return self.shape in _TIMES

    @property
    def repeats(self) -> bool:
        """Whether two events may honestly carry the same stamp: a clock coarser than a microsecond."""
        return self.is_time and not re.search(r"[.,]\d{6}", self.value)


class Template(NamedTuple):
    """A text as literals around tokens: there is one literal more than there are tokens."""

    literals: tuple[str, ...]
    tokens: tuple[Token, ...]

    @property
    def blank(self) -> str:
        """The text with every token's value left out and its form kept."""
        middle = (
            part for token, text in zip(self.tokens, self.literals[1:], strict=True) for part in (token.form, text)
        )
        return "\0".join((self.literals[0], *middle))


@lru_cache(maxsize=8192)
def template(text: str) -> Template:
    """Find the volatile-shaped tokens of a text."""
    literals, tokens, end = [], [], 0
    for region in _regions(text):
        for found in _SHAPES.finditer(text, *region):
            literals.append(text[end : found.start()])
            tokens.append(Token(_form(found), found.group(), found.start()))
            end = found.end()
    return Template((*literals, text[end:]), tuple(tokens))


def _regions(text: str) -> Iterator[tuple[int, int]]:
    """The stretches that can hold a token: around digits and temporary paths. Most prose holds none."""
    start = end = 0
    for found in _CANDIDATE.finditer(text):
        if found.start() - _LEAD > end:
            if end:
                yield start, min(end + _TAIL, len(text))
            start = found.start() - _LEAD
        end = found.end()
    if end:
        yield start, min(end + _TAIL, len(text))


def _form(found: re.Match[str]) -> str:
    """The shape, and what of the value is spelling rather than value: an id's prefix, a host, a zone's form."""
    shape, value = str(found.lastgroup), found.group()
    if shape == "id":
        prefix = _PREFIX.match(value)
        return f"id:{prefix.group() if prefix else ''}"
    if shape == "port":
        return f"port:{value.rpartition(':')[0]}"
    if shape == "datetime":
        zone = "Z" if value.endswith("Z") else "+" if re.search(r"[+-]\d\d:?\d\d$", value[11:]) else ""
        return f"datetime:{value[10]}{zone}"
    return shape


class Window(NamedTuple):
    """When a run happened, from its start to its end, both with an offset."""

    start: datetime
    end: datetime

    def holds(self, token: Token) -> bool:
        """Whether a time lies in the run, 5 minutes' grace; a date by its day. Without an offset it is in the run's."""
        moment = _moment(token, self.start)
        if moment is None:
            return False
        start, end = self.start - GRACE, self.end + GRACE
        if token.shape == "date":
            zone = self.start.tzinfo
            return start.date() <= moment.date() <= end.astimezone(zone).date()
        return start <= moment <= end


def recorded_window(started_at: str | None, duration: float | None) -> Window | None:
    """The window a trace header states; None where it states none, and then no time is volatile."""
    if started_at is None:
        return None
    try:
        start = datetime.fromisoformat(started_at)
        if start.tzinfo is None:
            return None
        return Window(start, start + timedelta(seconds=duration or 0.0))
    except (ValueError, OverflowError):
        return None


def _moment(token: Token, start: datetime) -> datetime | None:
    try:
        if token.shape == "http":
            return parsedate_to_datetime(token.value)
        moment = datetime.fromisoformat(_six_digits(token.value))
    except ValueError:
        return None
    return moment if moment.tzinfo else moment.replace(tzinfo=start.tzinfo)


def _six_digits(value: str) -> str:
    """The stamp with a fraction that `fromisoformat` reads: nanoseconds are beyond it."""
    return re.sub(r"[.,](\d+)", lambda found: "." + found.group(1)[:6].ljust(6, "0"), value, count=1)

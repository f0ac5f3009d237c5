"""The normal form of a text that the model is told: days and times of the run, redacted secrets, spaces at the ends."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date, timedelta

from runwright.match.volatile import GRACE, REDACTED, Window, template
from runwright.secrets import redact_value
from runwright.trace import JSON

_MONTHS = (
    "January", "February", "March", "April", "May", "June",
    "July", "August", "September", "October", "November", "December",
)  # fmt: skip
_WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_LONGEST_RUN = 7
"""Days of a run that are looked for in its prompt."""


def normal_text(text: str, window: Window | None, *, ignore_whitespace: bool) -> str:
    """The text with stand-ins for the days and times of the run, and if asked without white space at ends of lines."""
    made = _timeless(text, window) if window is not None else text
    return trimmed(made) if ignore_whitespace else made


def trimmed(text: str) -> str:
    """The text without white space at the ends of its lines, and without empty lines at its end."""
    return "\n".join(line.rstrip() for line in text.splitlines()).rstrip()


def masked(value: JSON) -> JSON:
    """The value with one stand-in for each secret by its kind, whichever number it was given."""
    if isinstance(value, str):
        return REDACTED.sub(lambda found: f"[[redacted:{found[1]}]]", value)
    if isinstance(value, dict):
        return {name: masked(each) for name, each in value.items()}
    return [masked(each) for each in value] if isinstance(value, list) else value


def is_redacted(value: JSON) -> bool:
    """Whether secrets were taken out of the value."""
    return masked(value) != value


def without_secrets(value: JSON) -> JSON:
    """The value as it would have been written with its secrets taken out, all of a kind alike."""
    return masked(redact_value(value))


def dated(text: str, now: date, then: date) -> Iterator[str]:
    """What the text would have said on another day, for each way of writing a day that is in it."""
    for (written, _), (other, _) in zip(_spellings(now), _spellings(then), strict=True):
        if written in text:
            yield text.replace(written, other)


def _timeless(text: str, window: Window) -> str:
    found = template(text)
    parts = [found.literals[0]]
    for token, literal in zip(found.tokens, found.literals[1:], strict=True):
        parts += (f"[{token.form} of the run]" if token.is_time and window.holds(token) else token.value), literal
    made = "".join(parts)
    for day in _days(window):
        for written, form in _spellings(day)[1:]:
            made = re.sub(rf"(?<!\w){re.escape(written)}(?!\w)", f"[{form} of the run]", made)
    return made


def _days(window: Window) -> Iterator[date]:
    first, last = (window.start - GRACE).date(), (window.end + GRACE).date()
    for ahead in range(min((last - first).days, _LONGEST_RUN) + 1):
        yield first + timedelta(days=ahead)


def _spellings(day: date) -> tuple[tuple[str, str], ...]:
    """The day as prompts have it, each with the name of its form, longest first after the first, ISO 8601's.

    Whether a day below ten has a zero before it is no form of its own: of others it cannot be told.
    """
    month, weekday = _MONTHS[day.month - 1], _WEEKDAYS[day.weekday()]
    written = [
        (form.format(day=each, month=name, year=day.year), form.format(day="day", month=word, year="year"))
        for form in ("{month} {day}, {year}", "{day} {month} {year}")
        for name, word in ((month, "month"), (month[:3], "mon"))
        for each in (str(day.day), f"{day.day:02}")
    ]
    written += [
        (f"{day.month:02}/{day.day:02}/{day.year}", "mm/dd/yyyy"),
        (f"{day.day:02}/{day.month:02}/{day.year}", "dd/mm/yyyy"),
        (f"{day.day:02}.{day.month:02}.{day.year}", "dd.mm.yyyy"),
        (f"{day.year}/{day.month:02}/{day.day:02}", "yyyy/mm/dd"),
    ]
    named = [
        (f"{name}{mark} {each}", f"{word}{mark} {form}")
        for each, form in written
        for name, word in ((weekday, "weekday"), (weekday[:3], "wkd"))
        for mark in (",", "")
    ]
    return ((day.isoformat(), "date"), *named, *written)

"""Data to stdout, everything else to stderr, in one shape."""

from __future__ import annotations

import sys

import orjson

from runwright.errors import RunwrightError
from runwright.trace import JSON


def say_json(value: JSON) -> None:
    """One JSON document on stdout."""
    options = orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE
    sys.stdout.write(orjson.dumps(value, option=options).decode())


def say_error(error: RunwrightError) -> None:
    """The error's place, message and hint on stderr, with whatever secret they hold taken out."""
    from runwright.secrets import clean_text

    print(clean_text(f"runwright: {error} [{error.slug}]"), file=sys.stderr)
    if error.hint:
        print(clean_text(f"hint: {error.hint}"), file=sys.stderr)


def say_note(text: str) -> None:
    """A remark that is no data."""
    print(text, file=sys.stderr)

"""Data to stdout, everything else to stderr, in one shape."""

from __future__ import annotations

import sys
from pathlib import Path

import orjson

from runwright.errors import RunwrightError, UsageError
from runwright.trace import JSON


def say(text: str) -> None:
    """A line of data on stdout, or several, with whatever secret they hold taken out."""
    from runwright.secrets import clean_text

    print(clean_text(text))


def say_json(value: JSON) -> None:
    """One JSON document on stdout, with whatever secret it holds taken out."""
    from runwright.secrets import redact_value

    options = orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE
    sys.stdout.write(orjson.dumps(redact_value(value), option=options).decode())


def say_report(rendered: str) -> None:
    """A rendered report on stdout; its secrets were taken out of the values that it was rendered from."""
    print(rendered, end="", flush=True)


def say_trace(data: bytes) -> None:
    """The bytes of a trace on stdout. It has passed the gate."""
    sys.stdout.flush()
    sys.stdout.buffer.write(data)
    sys.stdout.flush()


def say_error(error: RunwrightError) -> None:
    """The error's place, message and hint on stderr, with whatever secret they hold taken out."""
    from runwright.secrets import clean_text

    print(clean_text(f"runwright: {error} [{error.slug}]"), file=sys.stderr)
    if error.hint:
        print(clean_text(f"hint: {error.hint}"), file=sys.stderr)


def write_file(path: Path, data: bytes) -> None:
    """Write a file that the user named, behind the gate; UsageError where it cannot be written, and for `-`."""
    if str(path) == "-":
        raise UsageError("standard output has what the command prints already", place="-", hint="give a file")
    try:
        path.write_bytes(data)
    except OSError as error:
        raise _unwritable(path, error) from error


def make_folder(path: Path) -> None:
    """Make a folder that the user named, unless it is there; UsageError where it cannot be made."""
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise _unwritable(path, error) from error


def _unwritable(path: Path, error: OSError) -> UsageError:
    reason = (error.strerror or str(error)).lower()
    return UsageError(f"it cannot be written: {reason}", place=str(path))


def say_note(text: str) -> None:
    """A remark that is no data, with whatever secret it holds taken out."""
    from runwright.secrets import clean_text

    print(clean_text(text), file=sys.stderr)

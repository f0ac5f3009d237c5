"""Runs one command line, and catches our errors: once, here."""

from __future__ import annotations

import sys

TYPE_CHECKING = False  # whatever is loaded before the version is told takes as long as Python takes to start
if TYPE_CHECKING:
    from collections.abc import Sequence


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command line; the exit status. Bad input never ends in a traceback."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    if given in (["--version"], ["-V"]):
        from runwright import __version__

        print(f"runwright {__version__}")
        return 0
    return _run(given)


def _run(arguments: list[str]) -> int:
    from runwright.cli.quick import quick
    from runwright.errors import Exit, RunwrightError

    try:
        status = quick(arguments)
        return _dispatch(arguments) if status is None else status
    except RunwrightError as error:
        from runwright.cli.output import say_error

        say_error(error)
        return int(error.exit_code)
    except KeyboardInterrupt:
        print("runwright: interrupted", file=sys.stderr)
        return int(Exit.INTERRUPTED)
    except BrokenPipeError:
        sys.stderr.close()  # the reader of our output has gone; nobody is left to tell
        return int(Exit.NOT_JUDGED)
    except Exception as error:  # noqa: BLE001  Python would print it with the secrets that its message may hold
        _told(error)
        return int(Exit.NOT_JUDGED)


def _told(error: Exception) -> None:
    """A fault of our own, with its traceback: what it says of the values at hand is cleaned like any message."""
    import traceback

    from runwright.secrets import clean_text

    sys.stderr.write(clean_text("".join(traceback.format_exception(error))))


def _dispatch(arguments: list[str]) -> int:
    import typer

    from runwright.cli.commands import command_line
    from runwright.errors import UsageError

    try:
        status = command_line().main(args=arguments, prog_name="runwright", standalone_mode=False)
    except typer.Abort as error:
        raise KeyboardInterrupt from error
    except typer.TyperException as error:
        raise UsageError(_lowered(error.format_message()), hint="runwright --help") from error
    return int(status or 0)


def _lowered(message: str) -> str:
    """A message of typer's in our own shape: no capital, no full stop."""
    return message[:1].lower() + message[1:].rstrip(".")

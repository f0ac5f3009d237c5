"""The commands, in the order the help shows them."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from runwright.cli.audit import audit
from runwright.cli.convert import convert
from runwright.cli.coverage import coverage
from runwright.cli.dedup import dedup
from runwright.cli.diff import diff
from runwright.cli.drift import drift
from runwright.cli.export import export
from runwright.cli.fingerprint import fingerprint
from runwright.cli.formats import formats
from runwright.cli.git_diff import git_diff
from runwright.cli.import_ import import_
from runwright.cli.observe import observe
from runwright.cli.prove import prove
from runwright.cli.redact import redact
from runwright.cli.review import review
from runwright.cli.run import run
from runwright.cli.scan import scan
from runwright.cli.seal import seal
from runwright.cli.validate import validate
from runwright.cli.view import view

if TYPE_CHECKING:
    from typer.core import TyperGroup

COMMANDS: dict[str, Callable[..., int]] = {
    "convert": convert,
    "review": review,
    "run": run,
    "prove": prove,
    "audit": audit,
    "import": import_,
    "export": export,
    "formats": formats,
    "validate": validate,
    "view": view,
    "seal": seal,
    "scan": scan,
    "redact": redact,
    "fingerprint": fingerprint,
    "diff": diff,
    "git-diff": git_diff,
    "dedup": dedup,
    "drift": drift,
    "coverage": coverage,
    "observe": observe,
}

ALIASES: dict[str, str] = {"check-drift": "drift"}
"""Further names, which the help does not show, and the command that each is."""


def command_line() -> TyperGroup:
    """All commands as one command line."""
    import typer
    from typer.main import get_group

    application = typer.Typer(
        name="runwright",
        help="Turn a run of an AI agent that went wrong in production into a test that guards it forever.",
        epilog="Exit codes: 0 it holds, 1 it does not hold, 2 it could not be judged, 130 interrupted.",
        add_completion=False,
        rich_markup_mode=None,
        pretty_exceptions_enable=False,
    )
    for name, function in COMMANDS.items():
        application.command(name)(function)
    for name, other in ALIASES.items():
        application.command(name, hidden=True)(COMMANDS[other])
    application.callback()(_version_is_handled_earlier)
    return get_group(application)


def _version_is_handled_earlier() -> None:
    """Turn a run of an AI agent that went wrong in production into a test that guards it forever."""

"""`runwright git-diff`."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from runwright.reports.diff import Version


def git_diff(
    given: Annotated[list[str], typer.Argument(help="What git gives: PATH OLD HEX MODE NEW HEX MODE [NEW-PATH TEXT].")],
    textconv: Annotated[
        bool, typer.Option("--textconv", help="Print one FILE laid out for git to compare line by line.")
    ] = False,
) -> int:
    """Show what changed in a trace under version control, called by git: see docs/how-to/diff-in-git.md."""
    from runwright.cli.output import say_report
    from runwright.errors import Exit, UsageError
    from runwright.reports.diff import git_diff as compare, laid_out, unmerged

    if textconv and len(given) == 1:
        say_report(laid_out(given[0], _bytes(given[0])))
    elif len(given) == 1 and not textconv:
        say_report(unmerged(given[0]))
    elif len(given) in (7, 9) and not textconv:
        path, old, _, old_mode, new, _, new_mode, *renamed = given
        versions = _version(f"a/{path}", old, old_mode), _version(f"b/{(renamed or given)[0]}", new, new_mode)
        say_report(compare(*versions, "".join(renamed[1:]), colour=sys.stdout.isatty()))
    else:
        raise UsageError(
            f"git gives an external diff 7 or 9 arguments, not {len(given)}",
            hint="set it up: git config diff.runwright.command 'runwright git-diff'",
        )
    return int(Exit.OK)  # git takes any other for a failure, and stops


def _version(name: str, file: str, mode: str) -> Version:
    from runwright.reports.diff import Version

    return Version(name, None, None) if file == "/dev/null" else Version(name, _bytes(file), mode)


def _bytes(file: str) -> bytes:
    from runwright.errors import ReaderError

    try:
        return Path(file).read_bytes()
    except OSError as error:
        raise ReaderError(f"cannot be read: {error.strerror or error}", place=file) from error

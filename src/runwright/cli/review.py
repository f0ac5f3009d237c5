"""`runwright review`."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer


def review(
    listed: Annotated[bool, typer.Option("--list", help="List the pending proposals and stop.")] = False,
    accepted: Annotated[str | None, typer.Option("--accept", metavar="NAME", help="Accept this proposal.")] = None,
    rejected: Annotated[str | None, typer.Option("--reject", metavar="NAME", help="Remove this proposal.")] = None,
    json: Annotated[bool, typer.Option("--json", help="Print the pending proposals as JSON.")] = False,
) -> int:
    """Read pending proposals against the accepted files; accept or reject them."""
    from runwright.cli.output import say, say_json, say_note
    from runwright.errors import Exit, UsageError
    from runwright.review import accept, as_json, listing, pending, reject

    if accepted is not None and rejected is not None:
        raise UsageError("--accept and --reject exclude each other")
    root, tell = Path.cwd(), say_note if json else say
    if accepted is not None:
        for path in accept(root, accepted):
            tell(f"accepted {path.relative_to(root)}")
    elif rejected is not None:
        for path in reject(root, rejected):
            tell(f"removed {path.relative_to(root)}")
    elif not json and not listed:
        return _ask(root)
    if json:
        say_json(as_json(pending(root)))
    elif listed:
        say(listing(pending(root)))
    return int(Exit.OK)


def _ask(root: Path) -> int:
    """Review at the terminal; without one, say which commands do the same."""
    from runwright.cli.output import say
    from runwright.errors import Exit
    from runwright.review import commands, pending, review_interactively, show

    if sys.stdin.isatty() and sys.stdout.isatty():
        review_interactively(root, input, say)
    else:
        for each in pending(root):
            say(show(each))
        say(commands(pending(root)))
    return int(Exit.OK)

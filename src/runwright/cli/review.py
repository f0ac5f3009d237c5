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
    from runwright.errors import Exit, UsageError
    from runwright.review import accept, as_json, listing, pending, reject

    if accepted is not None and rejected is not None:
        raise UsageError("--accept and --reject exclude each other")
    root = Path.cwd()
    if accepted is not None:
        for path in accept(root, accepted):
            print(f"accepted {path.relative_to(root)}", file=sys.stderr if json else sys.stdout)
    elif rejected is not None:
        for path in reject(root, rejected):
            print(f"removed {path.relative_to(root)}", file=sys.stderr if json else sys.stdout)
    elif not json and not listed:
        return _ask(root)
    if json:
        from runwright.cli.output import say_json

        say_json(as_json(pending(root)))
    elif listed:
        print(listing(pending(root)))
    return int(Exit.OK)


def _ask(root: Path) -> int:
    """Review at the terminal; without one, say which commands do the same."""
    from runwright.errors import Exit
    from runwright.review import commands, pending, review_interactively, show

    if sys.stdin.isatty() and sys.stdout.isatty():
        review_interactively(root, input, print)
    else:
        for each in pending(root):
            print(show(each))
        print(commands(pending(root)))
    return int(Exit.OK)

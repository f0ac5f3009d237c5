"""Reviewing at a terminal: one proposal after the other, each decision a key; scripts have a command for each."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from runwright.errors import RunwrightError
from runwright.review.accept import accept, reject
from runwright.review.pending import Pending, pending
from runwright.review.show import heading, show

CHOICES = "[a]ccept, [r]eject, [s]kip, [q]uit"


def review_interactively(root: Path, ask: Callable[[str], str], say: Callable[[str], None]) -> tuple[str, ...]:
    """Show each pending proposal and do what the person says; the names of those still pending.

    `ask` returns the answer to a prompt and raises EOFError at the end of input, which means quit.
    """
    waiting = pending(root)
    for number, item in enumerate(waiting, start=1):
        say(f"[{number}/{len(waiting)}] {show(item)}")
        if not _decide(root, item, ask, say):
            break
    return tuple(each.name for each in pending(root))


def _decide(root: Path, item: Pending, ask: Callable[[str], str], say: Callable[[str], None]) -> bool:
    """Ask until there is a decision; False to stop reviewing."""
    while True:
        answer = _answer(ask, f"{item.name}: {CHOICES}? ")
        if answer in ("q", "quit"):
            return False
        if answer in ("s", "skip"):
            return True
        if answer in ("a", "accept", "r", "reject"):
            try:
                say(_do(root, item, answer))
            except RunwrightError as error:  # shown here, since the person can decide otherwise at once
                say(f"{error}" + (f"\nhint: {error.hint}" if error.hint else ""))
                continue
            return True
        say(f"{answer!r} is none of {CHOICES}")


def _answer(ask: Callable[[str], str], prompt: str) -> str:
    try:
        return ask(prompt).strip().lower()
    except EOFError:
        return "q"


def _do(root: Path, item: Pending, answer: str) -> str:
    if answer.startswith("a"):
        accept(root, item.paths.flow)
        return f"accepted {item.paths.flow} and {item.paths.cassette}"
    reject(root, item.paths.flow)
    return f"rejected {item.name}"


def commands(pendings: Sequence[Pending]) -> str:
    """Where there is no terminal: what is pending, and the commands that decide it."""
    lines = [line for item in pendings for line in (heading(item), *_commands(item))]
    return "\n".join(lines) or "nothing is pending"


def _commands(item: Pending) -> tuple[str, ...]:
    name = item.paths.flow.removesuffix(".flow.yaml")
    return (f"  runwright review --accept {name}", f"  runwright review --reject {name}")

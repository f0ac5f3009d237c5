"""Side effects by target: globs over paths and `METHOD URL`."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

from runwright.trace.model import SideEffect
from runwright.trace.visible import visible

SERVER = "postgresql/"
"""How targets begin that are in a database of a server."""
WILD = frozenset("*?")


def server_of(target: str | None) -> str | None:
    """The database of a server that a glob is about, `postgresql/` for whichever; None where it is about others too."""
    if target is None or not target.startswith(SERVER):
        return None
    name = target.split("/")[1]
    return SERVER if WILD & set(name) else SERVER + name


def concerns(target: str | None, excepted: Iterable[str], effect: SideEffect) -> bool:
    """Whether the effect is on a target that the glob names and none of those excepted does.

    A move is on both of its paths: what is allowed at the one is not at the other.
    """
    return any(
        (target is None or _names(target, effect.op, end))
        and not any(_names(each, effect.op, end) for each in excepted)
        for end in _ends(effect)
    )


def shown(effect: SideEffect) -> str:
    """The effect on one line, whatever its target is called."""
    op = f"{effect.op} " if effect.kind in ("http_request", "db_change") and effect.op else ""
    return visible(f"{effect.kind} {op}{' -> '.join(_ends(effect))}")


def _ends(effect: SideEffect) -> list[str]:
    to = effect.detail.get("to") if effect.kind == "fs_rename" else None
    return [effect.target, to] if isinstance(to, str) else [effect.target]


def _names(glob: str, op: str | None, target: str) -> bool:
    """Whether the glob names the target, or `METHOD URL` of a request."""
    pattern, target = _pattern(_tidy(glob)), _tidy(target)
    return any(pattern.fullmatch(each) for each in ([target] if op is None else [target, f"{op} {target}"]))


def _tidy(path: str) -> str:
    return path.removeprefix("./")


@lru_cache(maxsize=256)
def _pattern(glob: str) -> re.Pattern[str]:
    """`*` and `?` stay within a part of the path, `**` does not; all else stands for itself."""
    pieces = re.split(r"(\*\*/|\*\*|\*|\?)", glob)
    wild = {"**/": "(?:.*/)?", "**": ".*", "*": "[^/]*", "?": "[^/]"}
    return re.compile("".join(wild.get(each, re.escape(each)) for each in pieces), re.DOTALL)

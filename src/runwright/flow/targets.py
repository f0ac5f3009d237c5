"""Side effects by target: globs over paths and `METHOD URL`."""

from __future__ import annotations

import re
from functools import lru_cache

from runwright.trace.model import SideEffect


def names(glob: str, effect: SideEffect) -> bool:
    """Whether the glob names the effect's target, or `METHOD URL` of a request."""
    pattern = _pattern(_tidy(glob))
    target = _tidy(effect.target)
    written = [target] if effect.op is None else [target, f"{effect.op} {target}"]
    return any(pattern.fullmatch(each) for each in written)


def shown(effect: SideEffect) -> str:
    """The effect on one line."""
    op = f"{effect.op} " if effect.kind == "http_request" and effect.op else ""
    return f"{effect.kind} {op}{effect.target}"


def _tidy(path: str) -> str:
    return path.removeprefix("./")


@lru_cache(maxsize=256)
def _pattern(glob: str) -> re.Pattern[str]:
    """`*` and `?` stay within a part of the path, `**` does not; all else stands for itself."""
    pieces = re.split(r"(\*\*/|\*\*|\*|\?)", glob)
    wild = {"**/": "(?:.*/)?", "**": ".*", "*": "[^/]*", "?": "[^/]"}
    return re.compile("".join(wild.get(each, re.escape(each)) for each in pieces), re.DOTALL)

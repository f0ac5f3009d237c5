"""What one source of a span shows of a model call, and several sources put together."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from runwright.readers.known import CONTENT, MESSAGES, MODEL, PARAMETERS, TOOLS
from runwright.trace.model import JSON, Block, Message, ToolSpec, Usage


class Captured(msgspec.Struct, frozen=True, kw_only=True):
    """One source's view. What is None was not shown; the paths say what of the rest is not to be trusted.

    `unknown`: not shown although what is around it was. `cut`: shown in part, because of a length limit.
    `made`: not shown, but follows from what was.
    """

    messages: tuple[Message, ...] | None = None
    content: tuple[Block, ...] | None = None
    tools: tuple[ToolSpec, ...] | None = None
    parameters: dict[str, JSON] | None = None
    complete: bool = False
    streamed: bool | None = None
    model: str | None = None
    stop: str | None = None
    response_id: str | None = None
    response_model: str | None = None
    usage: Usage | None = None
    extra: dict[str, JSON] = {}
    unknown: tuple[str, ...] = ()
    cut: tuple[str, ...] = ()
    made: tuple[str, ...] = ()


NOTHING = Captured()
ROOTS = {"messages": MESSAGES, "content": CONTENT, "tools": TOOLS, "parameters": PARAMETERS}
"""What paths say something about, by its field."""

WORDS = ("streamed", "model", "stop", "response_id", "response_model", "usage")


def merged(sources: Sequence[Captured]) -> Captured:
    """The first source that shows a thing decides it, together with what it says about that thing."""
    sources = [each for each in sources if each != NOTHING]
    held = {name: _first(sources, name) for name in (*ROOTS, *WORDS)}
    paths: dict[str, list[str]] = {"unknown": [], "cut": [], "made": []}
    for name, root in ROOTS.items():
        shows = held[name]
        if shows.unknown or shows.cut or shows.made:
            for kind, mine in paths.items():
                mine += [path for path in getattr(shows, kind) if path.startswith(root)]
    if MODEL in held["model"].unknown:
        paths["unknown"].append(MODEL)
    shown = tuple([root for name, root in ROOTS.items() if held[name] is not NOTHING])
    paths["cut"] += [path for each in sources for path in each.cut if not path.startswith(shown)]
    return Captured(
        **{name: getattr(each, name) for name, each in held.items()},  # of each field its own source
        complete=held["parameters"].complete,
        unknown=tuple(paths["unknown"]),
        cut=tuple(dict.fromkeys(paths["cut"])),
        made=tuple(paths["made"]),
        extra={key: value for each in reversed(sources) for key, value in each.extra.items()},
    )


def _first(sources: Sequence[Captured], name: str) -> Captured:
    """The first source that shows a thing."""
    for each in sources:
        if getattr(each, name) is not None:
            return each
    return NOTHING

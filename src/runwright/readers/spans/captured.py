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


def merged(sources: Sequence[Captured]) -> Captured:
    """The first source that shows a thing decides it, together with what it says about that thing."""
    found = Captured()
    for name in ("messages", "content", "tools", "parameters"):
        chosen = next((each for each in sources if getattr(each, name) is not None), None)
        if chosen is not None:
            found = _with_part(found, chosen, name)
    for name in ("streamed", "model", "stop", "response_id", "response_model", "usage"):
        first = next((value for each in sources if (value := getattr(each, name)) is not None), None)
        found = msgspec.structs.replace(found, **{name: first})
    named = next((each for each in sources if each.model is not None), None)
    if named is not None and MODEL in named.unknown:
        found = msgspec.structs.replace(found, unknown=(*found.unknown, MODEL))
    cut = [path for each in sources for path in each.cut if not _shown(found, path)]
    return msgspec.structs.replace(
        found,
        cut=tuple(dict.fromkeys([*found.cut, *cut])),
        extra={key: value for each in reversed(sources) for key, value in each.extra.items()},
    )


def _with_part(found: Captured, chosen: Captured, name: str) -> Captured:
    root = {"messages": MESSAGES, "content": CONTENT, "tools": TOOLS, "parameters": PARAMETERS}[name]
    changes: dict[str, object] = {name: getattr(chosen, name)}
    for paths in ("unknown", "cut", "made"):
        mine = tuple(path for path in getattr(chosen, paths) if path.startswith(root))
        changes[paths] = getattr(found, paths) + mine
    if name == "parameters":
        changes["complete"] = chosen.complete
    return msgspec.structs.replace(found, **changes)


def _shown(found: Captured, path: str) -> bool:
    """Another source showed the part that was cut here."""
    parts = {MESSAGES: found.messages, CONTENT: found.content, TOOLS: found.tools, PARAMETERS: found.parameters}
    return any(path.startswith(root) and value is not None for root, value in parts.items())

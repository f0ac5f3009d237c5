"""What a refused agent is told: the nearest recorded exchange, and `path: recorded -> live` for what differs."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace

import msgspec
import orjson

from runwright.match import Difference, Missing
from runwright.replay.miss import LiveMiss
from runwright.trace.model import JSON, ModelRequest

SHOWN = 12
LINE = 400
CUT = 160


def cleaned(
    differences: Iterable[Difference], request: ModelRequest, clean: Callable[[str], str]
) -> tuple[Difference, ...]:
    """The differences without the live request's secrets.

    A difference shows long texts in part, and part of a secret is not recognised as one. So where a text of the
    request holds a secret, what is shown of that text is cut from its clean form.
    """
    secret = [(leaf, clean(leaf)) for leaf in set(_leaves(msgspec.to_builtins(request)))]
    dirty = [(leaf, safe) for leaf, safe in secret if leaf != safe]
    return tuple(replace(each, live=_safe(each.live, dirty)) for each in differences)


def wire_text(miss: LiveMiss, clean: Callable[[str], str]) -> str:
    """The message of a miss in a few lines; every value passes `clean` whole, before it is shortened."""
    return "\n".join(_short(line, LINE) for line in _lines(miss, clean))


def _safe(value: JSON | Missing, dirty: list[tuple[str, str]]) -> JSON | Missing:
    if isinstance(value, str):
        shown = value.strip("…")
        return next((_short(safe, CUT) for leaf, safe in dirty if shown and shown in leaf), value)
    if isinstance(value, dict):
        return {key: _json(_safe(each, dirty)) for key, each in value.items()}
    return [_json(_safe(each, dirty)) for each in value] if isinstance(value, list) else value


def _json(value: JSON | Missing) -> JSON:
    return None if isinstance(value, Missing) else value


def _leaves(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        yield from value
        for each in value.values():
            yield from _leaves(each)
    elif isinstance(value, (list, tuple)):
        for each in value:
            yield from _leaves(each)


def _lines(miss: LiveMiss, clean: Callable[[str], str]) -> Iterator[str]:
    yield clean(f"runwright replay, {miss.place}: {miss.reason}")
    yield from difference_lines(miss, clean)
    yield "nothing is served after a miss"


def difference_lines(miss: LiveMiss, clean: Callable[[str], str]) -> Iterator[str]:
    """One indented `path: recorded -> live` a field that differs, as many as a screen takes."""
    for each in miss.differences[:SHOWN]:
        yield f"  {clean(_named(each))}: {_side(each.recorded, clean)} -> {_side(each.live, clean)}"
    if len(miss.differences) > SHOWN:
        yield f"  and {len(miss.differences) - SHOWN} more"


def _named(difference: Difference) -> str:
    return f"{difference.path} ({difference.about})" if difference.about else difference.path


def _side(value: JSON | Missing, clean: Callable[[str], str]) -> str:
    return str(value) if isinstance(value, Missing) else _short(clean(orjson.dumps(value).decode()), CUT)


def _short(text: str, size: int) -> str:
    return text if len(text) <= size else f"{text[: size - 1]}…"

"""What a refused agent is told: the nearest recorded exchange, and `path: recorded -> live` for what differs."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import orjson

from runwright.match import Difference, Missing
from runwright.replay.session import LiveMiss
from runwright.trace.model import JSON

SHOWN = 12
LINE = 400
CUT = 160


def wire_text(miss: LiveMiss, clean: Callable[[str], str]) -> str:
    """The message of a miss in a few lines; every value passes `clean` whole, before it is shortened."""
    return "\n".join(_short(line, LINE) for line in _lines(miss, clean))


def _lines(miss: LiveMiss, clean: Callable[[str], str]) -> Iterator[str]:
    yield clean(f"runwright replay, {miss.place}: {miss.reason}")
    for each in miss.differences[:SHOWN]:
        yield f"  {clean(_named(each))}: {_side(each.recorded, clean)} -> {_side(each.live, clean)}"
    if len(miss.differences) > SHOWN:
        yield f"  and {len(miss.differences) - SHOWN} more"
    yield "nothing is served after a miss"


def _named(difference: Difference) -> str:
    return f"{difference.path} ({difference.about})" if difference.about else difference.path


def _side(value: JSON | Missing, clean: Callable[[str], str]) -> str:
    return str(value) if isinstance(value, Missing) else _short(clean(orjson.dumps(value).decode()), CUT)


def _short(text: str, size: int) -> str:
    return text if len(text) <= size else f"{text[: size - 1]}…"

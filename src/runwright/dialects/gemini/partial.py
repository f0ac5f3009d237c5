"""Arguments of a call that come in pieces, each with the path of the value that it sets or goes on with."""

from __future__ import annotations

from runwright.dialects.dialect import Body
from runwright.dialects.exact import MAX_DEPTH
from runwright.dialects.fields import list_at, object_at, only, refuse, text_at
from runwright.errors import UsageError
from runwright.trace.model import JSON
from runwright.trace.paths import parse_path

_VALUES = ("stringValue", "numberValue", "boolValue", "nullValue")


def with_pieces(arguments: Body, call: Body, path: str) -> Body:
    """The arguments with the pieces that a part brings."""
    whole: JSON = arguments
    for index, each in enumerate(list_at(call.get("partialArgs"), f"{path}.partialArgs")):
        place = f"{path}.partialArgs[{index}]"
        piece = object_at(each, place)
        only(piece, ("jsonPath", "willContinue", *_VALUES), place)
        whole = _put(whole, _steps(piece, place), piece, place)
    return object_at(whole, path)


def _steps(piece: Body, path: str) -> tuple[str | int, ...]:
    text = text_at(piece.get("jsonPath"), f"{path}.jsonPath")
    try:
        found = parse_path(text)
    except (UsageError, ValueError) as error:
        raise refuse(f"{path}.jsonPath", f"{text!r} is no path: {error}") from error
    steps = tuple(step for step in found if isinstance(step, str | int))
    if not 0 < len(steps) == len(found) <= MAX_DEPTH:
        raise refuse(f"{path}.jsonPath", f"{text!r} is not the path of one value")
    return steps


def _put(whole: JSON, steps: tuple[str | int, ...], piece: Body, path: str) -> JSON:
    """The value with the piece in its place; a text that is there already goes on."""
    if not steps:
        return _value(whole, piece, path)
    step, rest = steps[0], steps[1:]
    if isinstance(step, str):
        fields = object_at({} if whole is None else whole, path)
        return {**fields, step: _put(fields.get(step), rest, piece, path)}
    items = list_at(whole, path)
    if not 0 <= step <= len(items):
        raise refuse(f"{path}.jsonPath", f"item {step} comes before item {len(items)}")
    return [*items[:step], _put(items[step] if step < len(items) else None, rest, piece, path), *items[step + 1 :]]


def _value(before: JSON, piece: Body, path: str) -> JSON:
    given = [name for name in _VALUES if name in piece]
    if len(given) != 1:
        raise refuse(path, f"expected exactly one of {', '.join(_VALUES)}")
    if given == ["nullValue"]:
        return None
    if given == ["stringValue"] and isinstance(before, str):
        return before + text_at(piece["stringValue"], f"{path}.stringValue")
    return piece[given[0]]

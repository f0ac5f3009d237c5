"""Splices applied: see `splice`."""

from __future__ import annotations

TYPE_CHECKING = False  # the module typing takes longer to load than a small trace to read
if TYPE_CHECKING:
    from collections.abc import Sequence

    from runwright.trace.model import JSON
    from runwright.trace.splice import Splice


def spliced(value: JSON, splices: Sequence[Splice]) -> JSON:
    """The value with the splices applied; the parts they do not touch are shared, never copied.

    Raises KeyError, IndexError or TypeError where a splice does not fit.
    """
    for each in splices:
        path = each["path"]
        if not isinstance(path, list) or not path:
            raise TypeError("a splice without a path")
        value = _at(value, path, each)
    return value


def _at(value: JSON, path: Sequence[JSON], splice: Splice) -> JSON:
    step, rest = path[0], path[1:]
    if rest:
        if isinstance(value, dict) and isinstance(step, str):
            return {**value, step: _at(value[step], rest, splice)}
        if isinstance(value, list) and isinstance(step, int):
            return [*value[:step], _at(value[step], rest, splice), *value[step + 1 :]]
        raise TypeError(f"no {step!r} here")
    if "put" in splice:
        return _put(value, step, splice)
    if not isinstance(value, dict) or not isinstance(step, str):
        raise TypeError(f"{step!r} names no member")
    if "set" in splice:
        return {**value, step: splice["set"]}
    if step not in value:
        raise KeyError(step)
    return {key: each for key, each in value.items() if key != step}


def _put(value: JSON, at: JSON, splice: Splice) -> JSON:
    drop, put = splice["del"], splice["put"]
    if not isinstance(at, int) or not isinstance(drop, int) or not isinstance(value, list | str):
        raise TypeError("a splice needs a position in a list or text")
    if at + drop > len(value):
        raise IndexError(f"position {at} + {drop} is beyond {len(value)}")
    if isinstance(value, list) and isinstance(put, list):
        return [*value[:at], *put, *value[at + drop :]]
    if isinstance(value, str) and isinstance(put, str):
        return value[:at] + put + value[at + drop :]
    raise TypeError("a splice puts items into a list and text into text")

"""Reading the fields of a wire body: typed, and refused by path and kind of value."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from runwright.errors import DialectError
from runwright.trace.model import JSON

_KINDS: tuple[tuple[type, str], ...] = (
    (bool, "a boolean"),
    (int, "an integer"),
    (float, "a number"),
    (str, "a string"),
    (list, "a list"),
    (dict, "an object"),
)


def kind_of(value: JSON) -> str:
    """The JSON kind of a value, with its article."""
    return "null" if value is None else next(name for type_, name in _KINDS if isinstance(value, type_))


def refuse(path: str, what: str, *, hint: str = "") -> DialectError:
    """The error for what a dialect cannot represent; the caller raises it."""
    return DialectError(what, place=path, hint=hint)


def wrong_kind(path: str, expected: str, value: JSON) -> DialectError:
    """The error for a value of the wrong JSON kind; an absent value counts as null."""
    return refuse(path, f"expected {expected}, found {kind_of(value)}")


def object_at(value: JSON, path: str) -> dict[str, JSON]:
    """The value as an object."""
    if not isinstance(value, dict):
        raise wrong_kind(path, "an object", value)
    return value


def list_at(value: JSON, path: str) -> list[JSON]:
    """The value as a list; null is the empty list."""
    if value is None:
        return []
    if not isinstance(value, list):
        raise wrong_kind(path, "a list", value)
    return value


def text_at(value: JSON, path: str) -> str:
    """The value as a string."""
    if not isinstance(value, str):
        raise wrong_kind(path, "a string", value)
    return value


def optional_text_at(value: JSON, path: str) -> str | None:
    """The value as a string; null stays null."""
    return None if value is None else text_at(value, path)


def count_at(value: JSON, path: str) -> int:
    """The value as an integer; null is zero."""
    if value is None:
        return 0
    if isinstance(value, bool) or not isinstance(value, int):
        raise wrong_kind(path, "an integer", value)
    return value


def flag_at(value: JSON, path: str) -> bool:
    """The value as a boolean; null is false."""
    if value is not None and not isinstance(value, bool):
        raise wrong_kind(path, "a boolean", value)
    return bool(value)


def rest(body: Mapping[str, JSON], known: Collection[str]) -> dict[str, JSON]:
    """The fields that are not among the known ones, verbatim."""
    return {key: value for key, value in body.items() if key not in known}


def only(body: Mapping[str, JSON], known: Collection[str], path: str) -> None:
    """Refuse any further field that is not null."""
    for key, value in body.items():
        if key not in known and value is not None:
            raise refuse(f"{path}.{key}", f"field with {kind_of(value)} cannot be represented")


def unclaimed(parameters: Mapping[str, JSON], own: Collection[str]) -> None:
    """Refuse a parameter by a name that the body gives to something else."""
    for key in own:
        if key in parameters:
            raise refuse(f"$.{key}", "field cannot be a parameter")


def unsaid(extra: Mapping[str, JSON], path: str) -> None:
    """Refuse a block's further fields where the wire has no place for them."""
    if extra:
        raise refuse(f"{path}.{next(iter(extra))}", "field has no form on this API")

"""The published schemas: found in a checkout, a wheel or a zip; jsonschema-rs decides, jsonschema explains."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from importlib.resources import files
from typing import Any, cast

import jsonschema_rs

from runwright.trace.model import JSON, LANES
from runwright.trace.paths import format_path
from runwright.trace.shortened import shortened

SHOWN = 5
"""Problems explained for one value."""


@cache
def schema(name: str) -> dict[str, Any]:
    """The schema `schema/<name>.schema.json`, with the schemas it refers to put in their place."""
    borrowed: dict[str, Any] = {}
    value = cast("dict[str, Any]", _inlined(json.loads(_text(name)), borrowed))
    if borrowed:
        value["$defs"] = {**value.get("$defs", {}), **borrowed}
    return value


def _text(name: str) -> str:
    package = files("runwright")
    for place in (package / "schema", package / ".." / ".." / "schema"):
        found = place / f"{name}.schema.json"
        if found.is_file():
            return found.read_text(encoding="utf-8")
    raise FileNotFoundError(f"schema {name} is neither in the package nor beside it")


def _inlined(value: Any, borrowed: dict[str, Any]) -> Any:
    if isinstance(value, list):
        return [_inlined(each, borrowed) for each in value]
    if not isinstance(value, dict):
        return value
    reference = value.get("$ref")
    if isinstance(reference, str) and reference.endswith(".schema.json"):
        other = dict(schema(reference.removesuffix(".schema.json")))
        borrowed.update(other.pop("$defs", {}))
        return {key: each for key, each in other.items() if key not in ("$schema", "$id")}
    return {key: _inlined(each, borrowed) for key, each in value.items()}


def problems(name: str, value: JSON) -> list[tuple[str, str]]:
    """Where and why the value breaks the schema, as (JSONPath, message); empty when it holds."""
    part = _trace_part(value) if name == "trace-v1" else ""
    if part is None:
        return [_no_part(value)]
    if _decides(name, part).is_valid(value):
        return []
    return list(_explained(name, part, value)) or [("$", "does not fit the schema")]


class _Deciders(dict[str, Callable[[JSON], bool]]):
    """What decides whether a record of a lane holds; made when first asked for, KeyError for what is no lane."""

    def __missing__(self, lane: str) -> Callable[[JSON], bool]:
        if lane not in LANES:
            raise KeyError(lane)
        self[lane] = _decides("trace-v1", lane).is_valid
        return self[lane]


DECIDERS = _Deciders()


def _trace_part(value: JSON) -> str | None:
    """Which kind of line a trace's line is; None where it is none."""
    if not isinstance(value, dict):
        return None
    if "format" in value:
        return "header"
    if "seal" in value:
        return "seal"
    lane = value.get("lane")
    return lane if isinstance(lane, str) and lane in LANES else None


def _no_part(value: JSON) -> tuple[str, str]:
    if isinstance(value, dict) and "lane" in value:
        return "$.lane", f"unknown lane {value['lane']!r}; known are {', '.join(LANES)}"
    return "$", "neither a header, a record nor a seal"


def _schema_of(name: str, part: str) -> Mapping[str, Any]:
    whole = schema(name)
    if not part:
        return whole
    return {"$schema": whole["$schema"], "$defs": whole["$defs"], "$ref": f"#/$defs/{part}"}


@cache
def _decides(name: str, part: str) -> jsonschema_rs.Draft202012Validator:
    return jsonschema_rs.Draft202012Validator(dict(_schema_of(name, part)))


def _explained(name: str, part: str, value: JSON) -> Iterator[tuple[str, str]]:
    import jsonschema
    from jsonschema.exceptions import best_match

    validator = jsonschema.Draft202012Validator(_schema_of(name, part))
    for error in sorted(validator.iter_errors(value), key=lambda each: list(map(str, each.absolute_path)))[:SHOWN]:
        telling = best_match([error]) or error
        yield format_path(list(telling.absolute_path)), _short(telling.message)


def _short(message: str) -> str:
    return shortened(message, 300)

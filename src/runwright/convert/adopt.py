"""Fields that the recording never knew, filled with what one replay sent live; a person accepts them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec

from runwright.trace import parse_path, plain
from runwright.trace.model import JSON, ModelRecord, Trace

REST = "$.request.parameters.*"


def adopt(trace: Trace, live: Mapping[str, ModelRecord]) -> Trace:
    """The trace with each exchange's unknown request fields taken from the live exchange it was served to.

    `live` maps recorded ids to live exchanges; an exchange that is not in it keeps its unknown fields. Adopted paths
    move from `unknown` to `adopted`. Answers are never adopted.
    """
    records = tuple(
        _adopted(record, live[record.id]) if isinstance(record, ModelRecord) and record.id in live else record
        for record in trace.records
    )
    return msgspec.structs.replace(trace, records=records)


def _adopted(record: ModelRecord, live: ModelRecord) -> ModelRecord:
    wanted = [path for path in record.unknown if _is_request(path)]
    if not wanted:
        return record
    filled: JSON = plain(record)
    source = plain(live)
    for path in wanted:
        filled = _rest(filled, source) if path == REST else _filled(filled, source, parse_path(path))
    known = msgspec.convert(filled, ModelRecord)
    unknown = tuple(path for path in record.unknown if path not in wanted)
    return msgspec.structs.replace(known, unknown=unknown, adopted=(*record.adopted, *wanted))


def _is_request(path: str) -> bool:
    return path == "$.streamed" or path == "$.request" or path.startswith("$.request.")


def _rest(recorded: JSON, live: JSON) -> JSON:
    """The recorded exchange with every parameter that only the live one has."""
    path = ("request", "parameters")
    extra = _at(live, path)
    mine = _at(recorded, path)
    merged = {**(extra if isinstance(extra, dict) else {}), **(mine if isinstance(mine, dict) else {})}
    return _filled(recorded, {"request": {"parameters": merged}}, path)


def _at(value: JSON, path: Sequence[str]) -> JSON:
    for key in path:
        value = value.get(key) if isinstance(value, dict) else None
    return value


def _filled(recorded: JSON, live: JSON, path: Sequence[object]) -> JSON:
    """`recorded` with what lies at `path` taken from `live`; what neither has stays away."""
    if not path:
        return live
    if isinstance(path[0], str) and isinstance(live, dict):
        return _filled_key(recorded if isinstance(recorded, dict) else {}, live, path[0], path[1:])
    if isinstance(recorded, list) and isinstance(live, list):
        chosen = range(len(recorded)) if not isinstance(path[0], int) else [path[0]]
        return [
            _filled(each, _partner(each, at, live), path[1:]) if at in chosen and _has_partner(each, at, live) else each
            for at, each in enumerate(recorded)
        ]
    return live if recorded is None else recorded


def _filled_key(recorded: dict[str, JSON], live: dict[str, JSON], key: str, rest: Sequence[object]) -> JSON:
    if key in live:
        return {**recorded, key: _filled(recorded.get(key), live[key], rest)}
    return {name: value for name, value in recorded.items() if name != key or rest}


def _has_partner(item: JSON, at: int, live: list[JSON]) -> bool:
    return at < len(live) or _named(item, live) is not None


def _partner(item: JSON, at: int, live: list[JSON]) -> JSON:
    """The live item that stands for a recorded one: a tool by its name, whatever the order; else the same place."""
    named = _named(item, live)
    return live[at] if named is None else named


def _named(item: JSON, live: list[JSON]) -> JSON:
    name = item.get("name") if isinstance(item, dict) and "role" not in item else None
    same = [each for each in live if isinstance(each, dict) and name is not None and each.get("name") == name]
    return same[0] if len(same) == 1 else None

"""A cassette as lines that a person can read and a diff can compare: every field, nothing repeated."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec
import yaml

from runwright.trace import plain
from runwright.trace.model import JSON, ModelRecord, Trace, lane_of

REPEATED = ("api", "provider", "model", "parameters", "tools")
"""Parts of a request that are left out where they equal the previous exchange's."""


def readable(trace: Trace) -> str:
    """The trace as YAML documents, one a record: an exchange shows only what its request adds to the one before."""
    return "".join(_documents(trace))


def _documents(trace: Trace) -> Iterator[str]:
    header = plain_header(trace)
    yield f"--- header\n{_yaml(header)}"
    previous: dict[str | None, ModelRecord] = {}
    for record in trace.records:
        value = plain(record)
        if isinstance(record, ModelRecord):
            value = {**value, "request": _short_request(record, previous.get(record.agent))}
            previous[record.agent] = record
        yield f"--- {record.id} {lane_of(record)}\n{_yaml(value)}"


def plain_header(trace: Trace) -> dict[str, JSON]:
    """The header as plain JSON."""
    value = msgspec.to_builtins(trace.header)
    return value if isinstance(value, dict) else {}


def _short_request(record: ModelRecord, previous: ModelRecord | None) -> JSON:
    value = plain(record)["request"]
    if previous is None or not isinstance(value, dict):
        return value
    before = previous.request
    same = [name for name in REPEATED if getattr(record.request, name) == getattr(before, name)]
    shared = _shared(record, previous)
    messages = value.get("messages")
    rest = messages[shared:] if isinstance(messages, list) else []
    short: dict[str, JSON] = {"as": previous.id, "messages": [f"the {shared} messages of {previous.id}", *rest]}
    return {**{name: each for name, each in value.items() if name not in (*same, "messages")}, **short}


def _shared(record: ModelRecord, previous: ModelRecord) -> int:
    """How many leading messages two requests share."""
    now, before = record.request.messages, previous.request.messages
    differs = (at for at, (mine, earlier) in enumerate(zip(now, before, strict=False)) if mine != earlier)
    return next(differs, min(len(now), len(before)))


class _Dumper(yaml.SafeDumper):
    """YAML that shows a text of several lines as lines."""


def _text(dumper: yaml.SafeDumper, text: str) -> yaml.ScalarNode:
    return dumper.represent_scalar("tag:yaml.org,2002:str", text, style="|" if "\n" in text else None)


_Dumper.add_representer(str, _text)


def _yaml(value: Any) -> str:
    return str(yaml.dump(value, Dumper=_Dumper, sort_keys=False, allow_unicode=True, width=110))

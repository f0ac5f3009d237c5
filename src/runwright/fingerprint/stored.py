"""A fingerprint as a file: readable JSON, checked against its schema when it is read."""

from __future__ import annotations

import json

import msgspec
import orjson

from runwright.errors import TraceError, UnknownVersion
from runwright.fingerprint.model import VERSION, Fingerprint, as_json
from runwright.trace import JSON, problems

_OWN = ("graph_hash", "outcome_class")


def dumps_fingerprint(print_of: Fingerprint) -> str:
    """The text of a fingerprint file."""
    return json.dumps(as_json(print_of), indent=2, ensure_ascii=False) + "\n"


def is_fingerprint(data: bytes) -> bool:
    """Whether the bytes are one JSON object with a fingerprint's own fields, right or wrong."""
    try:
        value = orjson.loads(data)
    except ValueError:
        return False
    return isinstance(value, dict) and any(name in value for name in _OWN)


def loads_fingerprint(data: bytes, name: str) -> Fingerprint:
    """The fingerprint in the bytes; TraceError with the place where it breaks the schema, UnknownVersion for another
    version than this one's."""
    value: JSON = orjson.loads(data)
    version = value.get("version") if isinstance(value, dict) else None
    if isinstance(version, int) and version != VERSION:
        raise UnknownVersion(
            f"this is a fingerprint of version {version}, and only {VERSION} is known",
            place=f"{name}: $.version",
            hint="take the fingerprint of the recorded trace anew",
        )
    for path, message in problems("fingerprint-v1", value):
        raise TraceError(message, place=f"{name}: {path}")
    return msgspec.convert(value, Fingerprint)

"""The recorded calls of real VCR cassettes."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator

import yaml

from tests.samples import samples_dir


def interactions() -> Iterator[tuple[str, dict]]:
    """Each recorded call, after its URL without the query."""
    for path in sorted((samples_dir() / "vcr").rglob("*.y*ml")):
        cassette = yaml.load(path.read_bytes(), Loader=yaml.CSafeLoader)
        for each in cassette.get("interactions", []):
            yield each["request"]["uri"].split("?")[0], each


def interactions_at(suffix: str) -> Iterator[dict]:
    """The recorded calls whose URL ends so."""
    return (each for url, each in interactions() if url.endswith(suffix))


def body_of(side) -> object:
    """The body as text or as the value it was stored as; None where it is absent."""
    if side.get("parsed_body") is not None:
        return side["parsed_body"]
    body = side.get("body")
    body = body.get("string") if isinstance(body, dict) else body
    if isinstance(body, bytes):
        body = (gzip.decompress(body) if body.startswith(b"\x1f\x8b") else body).decode()
    if isinstance(body, str) and body[:1] == "{":
        return json.loads(body)
    return body or None

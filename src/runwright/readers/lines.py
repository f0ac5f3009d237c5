"""JSON documents in a file: one, or one a line; a bad line does not stop the rest."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from io import BytesIO
from itertools import count
from pathlib import PurePath

import msgspec

from runwright.errors import ReaderError
from runwright.readers.exact import NotJson
from runwright.readers.input import Input, text_body
from runwright.readers.reading import Reading
from runwright.secrets.shortened import shortened
from runwright.trace.model import JSON

DEEPEST = 400
"""Levels of a foreign document: some formats spend three on each of their own."""


class Located(msgspec.Struct, frozen=True):
    """A document and its place, `file` or `file:line`."""

    value: JSON
    place: str


def file_name(source: Input) -> str:
    """The file's own name: what is written into a trace holds no path of this machine."""
    return _own_name(source.name)


@lru_cache(maxsize=16)
def _own_name(name: str) -> str:
    return PurePath(name).name


def document_of(source: Input, reading: Reading) -> JSON:
    """The one JSON document that a file is; ReaderError for a file that is none."""
    try:
        return reading.json(text_body(source.data), file_name(source), DEEPEST)
    except NotJson as error:
        raise ReaderError(f"no JSON: {shortened(str(error), 200)}", place=source.name) from error


def documents(source: Input, reading: Reading) -> Iterator[Located]:
    """The JSON documents of a file; lines that are none become losses, and those faults."""
    data = text_body(source.data)
    if source.part or each_line_starts_one(data):
        yield from json_lines(source, reading)
        return
    try:
        yield Located(reading.json(data, file_name(source), DEEPEST), file_name(source))
    except NotJson:
        yield from json_lines(source, reading)


def each_line_starts_one(data: bytes) -> bool:
    """The second line begins like the first: then the file is no single indented document."""
    end = data.find(b"\n")
    if end < 0 or not data[:end].lstrip().startswith(b"{"):
        return False
    after = data.find(b"\n", end + 1)
    return data[end + 1 : after if after >= 0 else None].lstrip().startswith(b"{")


def json_lines(source: Input, reading: Reading) -> Iterator[Located]:
    """The documents of a file of JSON Lines; a malformed line is a loss at its place."""
    name, lines = file_name(source), BytesIO(text_body(source.data))  # which finds ends of lines faster than a split
    for number, line in zip(source.part.numbers if source.part else count(1), lines, strict=False):
        found = located(line.removesuffix(b"\n"), f"{name}:{number}", reading)
        if found is not None:
            yield found


def located(line: bytes, place: str, reading: Reading) -> Located | None:
    """The document that a line is; None for an empty one and for a malformed one, which is a loss."""
    if not line or line.isspace():
        return None
    try:
        return Located(reading.json(line, place, DEEPEST), place)
    except NotJson:
        reading.lose("malformed", "a line is no JSON", place)
        return None

"""The table of formats, for people, for programs and for the docs."""

from __future__ import annotations

from collections.abc import Iterator

from runwright.readers import READERS, Reader
from runwright.trace import JSON

FIELDS = ("recognised", "kept", "lost", "versions")


def formats_json() -> JSON:
    """Every format with what people must know of it."""
    return {"formats": [{"name": reader.name, **_row(reader)} for reader in READERS.values()]}


def formats_text() -> str:
    """A paragraph a format."""
    return "\n".join(line for reader in READERS.values() for line in _paragraph(reader)) + "\n"


def formats_markdown() -> str:
    """One row a format."""
    head = f"| format | {' | '.join(FIELDS)} |\n|---|---|---|---|---|"
    rows = (f"| `{reader.name}` | {' | '.join(_row(reader).values())} |" for reader in READERS.values())
    return "\n".join([head, *rows])


def _row(reader: Reader) -> dict[str, str]:
    return {
        "recognised": reader.recognised,
        "kept": reader.kept,
        "lost": reader.lost,
        "versions": reader.versions,
    }


def _paragraph(reader: Reader) -> Iterator[str]:
    yield reader.name
    for field, text in _row(reader).items():
        yield f"  {field:<11}{text}"

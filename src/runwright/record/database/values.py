"""A row as JSON, and its key as a part of a name.

What is too long to be shown is told by its size and digest. A digest of what the gate would redact would let it be
guessed, so of that nothing is told.
"""

from __future__ import annotations

import base64
import json
import math
from collections.abc import Iterable, Mapping, Sequence
from typing import TypeAlias, Union

from runwright.record.observe.names import readable
from runwright.secrets import scan_value
from runwright.trace import digest_bytes
from runwright.trace.model import JSON

SHOWN_VALUE = 4 << 10
"""Bytes up to which one value is shown."""
SHOWN_KEY = 1 << 10
"""Bytes up to which a value of a key is shown."""
SHORT_BLOB = 64
"""Bytes up to which a blob is shown in a key."""
WITHHELD = "withheld"
NULL_KEY = "NULL"
NO_KEY = "(no key)"


class Text(bytes):
    """A text as a database keeps it: it need not be UTF-8."""


class Long(int):
    """The size of a value that is too large to be looked at at all."""


class Same(str):
    """Stands for a value that is not told, since it did not change."""


class Number(int):
    """The number of a row that has no key."""


Cell: TypeAlias = Union[None, bool, int, float, str, bytes]
Row: TypeAlias = Mapping[str, Cell]


def row_text(row: Row) -> str:
    """The row as one line of JSON, columns in their order."""
    return json.dumps({name: shown(name, cell) for name, cell in row.items()}, ensure_ascii=False)


def shown(name: str, cell: Cell) -> JSON:
    """One value of a column. What JSON has no word for is an object: a blob, a long text, an infinite number."""
    if isinstance(cell, Same):
        return {"unchanged": True}
    if isinstance(cell, Long):
        return {"size": int(cell)}
    if isinstance(cell, Number):
        return int(cell)
    if isinstance(cell, float) and not math.isfinite(cell):
        return {"real": str(cell)}
    if not isinstance(cell, (str, bytes)):
        return cell
    data = cell.encode() if isinstance(cell, str) else bytes(cell)
    if not isinstance(cell, str) and not isinstance(cell, Text):
        return _told("blob", name, data)
    try:
        text = data.decode()
    except UnicodeDecodeError:
        return _told("bytes", name, data)
    return text if len(data) <= SHOWN_VALUE else _told("text", name, data)


def _told(word: str, name: str, data: bytes) -> JSON:
    return {word: WITHHELD} if _is_secret(name, data) else {word: digest_bytes(data), "size": len(data)}


def _is_secret(name: str, data: bytes) -> bool:
    """Whether the gate would take it out, were it shown."""
    try:
        text = data.decode()
    except UnicodeDecodeError:
        text = base64.b64encode(data).decode()
    return bool(scan_value({name: text}))


def key_text(key: Row) -> str:
    """A key as the last part of a target: its values, joined by commas, with no slash or comma of their own."""
    return ",".join(_key_part(name, cell) for name, cell in key.items()) or NO_KEY


def _key_part(name: str, cell: Cell) -> str:
    if isinstance(cell, Number):
        return f"{name}={cell}"
    if isinstance(cell, (str, Text)):
        data = cell.encode() if isinstance(cell, str) else bytes(cell)
        written = part(data)
        if len(data) > SHOWN_KEY:
            return _digest_part("text", name, data)
        return WITHHELD if written.encode() != data and _is_secret(name, data) else written
    if isinstance(cell, bytes):
        if len(cell) > SHORT_BLOB:
            return _digest_part("blob", name, cell)
        return WITHHELD if _is_secret(name, cell) else f"x'{cell.hex()}'"
    return NULL_KEY if cell is None else str(cell).lower() if isinstance(cell, bool) else str(cell)


def _digest_part(word: str, name: str, data: bytes) -> str:
    return WITHHELD if _is_secret(name, data) else f"{word} {digest_bytes(data)}"


def part(name: bytes) -> str:
    """A name as one part of a target: a slash, comma or percent sign in it stands as in a URL."""
    for mark, code in ((b"%", b"%25"), (b"/", b"%2F"), (b",", b"%2C")):
        name = name.replace(mark, code)
    return readable(name)


def changed(before: Row, after: Row, names: Iterable[str]) -> list[str]:
    """Which of the columns are not the same, a number of another type included."""
    return [name for name in names if _exact(before[name]) != _exact(after[name])]


def _exact(cell: Cell) -> Sequence[object]:
    return (type(cell), cell)

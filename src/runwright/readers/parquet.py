"""Rows of a Parquet file."""

from __future__ import annotations

import base64
import importlib
import io
import math
from collections.abc import Iterator
from datetime import UTC, date, datetime, time
from decimal import Decimal
from typing import Any

from runwright.errors import ReaderError
from runwright.readers.exact import DEEPEST, LARGEST, SMALLEST
from runwright.readers.input import Input
from runwright.readers.lines import file_name
from runwright.readers.packed import RATIO, SMALL
from runwright.readers.reading import Reading
from runwright.secrets.shortened import shortened
from runwright.trace.model import JSON

MAGIC = b"PAR1"
AT_ONCE = 2**28
"""Bytes that the rows which are read at once may take, however often a long value of a dictionary stands in them."""
WIDEST = 10_000
"""Columns of a file."""


def is_parquet(data: bytes) -> bool:
    """The bytes begin as a Parquet file does."""
    return data.startswith(MAGIC)


def parquet_rows(source: Input, reading: Reading) -> Iterator[tuple[dict[str, JSON], str]]:
    """The rows of a file, each with its place; ReaderError where they cannot be read, or are absurdly many."""
    try:
        parquet: Any = importlib.import_module("pyarrow.parquet")
        arrow: Any = importlib.import_module("pyarrow")
    except ImportError as error:
        hint = "pip install 'runwright[parquet]'"
        raise ReaderError("Parquet is read through pyarrow, which is not here", place=source.name, hint=hint) from error
    number = 0
    try:
        file = parquet.ParquetFile(io.BytesIO(source.data))
        left = max(SMALL, RATIO * len(source.data))
        for batch in file.iter_batches(batch_size=_rows_at_once(file.metadata, left, source)):
            left -= sum(map(_expanded, batch.columns))
            if left < 0:
                raise _too_much(source)
            for row in batch.to_pylist():
                number += 1
                place = f"{file_name(source)}: row {number}"
                yield {str(key): _plain(each, reading, place) for key, each in row.items()}, place
    except (arrow.ArrowException, OSError, ValueError, OverflowError, RecursionError, MemoryError) as error:
        raise ReaderError(f"no Parquet that can be read: {shortened(str(error), 200)}", place=source.name) from error


def _rows_at_once(metadata: Any, most: int, source: Input) -> int:
    """How many rows to read at once; ReaderError where the file itself says that it is too much."""
    groups = [metadata.row_group(at) for at in range(metadata.num_row_groups)]
    if metadata.num_columns > WIDEST:
        hint = "export fewer columns"
        raise ReaderError(f"{metadata.num_columns} columns are too many", place=source.name, hint=hint)
    if sum(max(group.total_byte_size, 0) for group in groups) > most:
        raise _too_much(source)
    longest = max((max(group.total_byte_size, 1) for group in groups), default=1)
    return max(1, min(1024, AT_ONCE // longest))


def _expanded(column: Any) -> int:
    """Bytes of a column's values; those of a dictionary count as often as they stand in it."""
    size: int = column.dictionary_decode().nbytes if hasattr(column, "dictionary_decode") else column.nbytes
    return size


def _too_much(source: Input) -> ReaderError:
    hint = "export a shorter time, or fewer columns"
    return ReaderError(f"expands to more than {RATIO} times its size", place=source.name, hint=hint)


def _plain(value: Any, reading: Reading, where: str, depth: int = 0) -> JSON:
    """A cell as JSON has it."""
    if value is None or isinstance(value, (bool, str)):
        return _text(value, reading, where) if isinstance(value, str) else value
    if isinstance(value, int):
        return value if SMALLEST <= value <= LARGEST else str(value)
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if depth > DEEPEST:
        reading.lose("not_representable", "a value that is nested too deep", where)
        return None
    if isinstance(value, dict):
        return {str(key): _plain(each, reading, where, depth + 1) for key, each in value.items()}
    if isinstance(value, (list, tuple)):
        return _listed(list(value), reading, where, depth)
    return _scalar(value, reading, where)


def _listed(items: list[Any], reading: Reading, where: str, depth: int) -> JSON:
    """A list; a map comes as a list of pairs."""
    if items and all(isinstance(each, tuple) and len(each) == 2 and isinstance(each[0], str) for each in items):
        return {str(key): _plain(each, reading, where, depth + 1) for key, each in items}
    return [_plain(each, reading, where, depth + 1) for each in items]


def _scalar(value: Any, reading: Reading, where: str) -> JSON:
    if isinstance(value, datetime):
        return (value if value.tzinfo else value.replace(tzinfo=UTC)).isoformat()
    if isinstance(value, (date, time)):
        return value.isoformat()
    if isinstance(value, Decimal):
        number = float(value)
        return number if math.isfinite(number) else None
    if isinstance(value, bytes):
        try:
            return value.decode()
        except UnicodeDecodeError:
            reading.lose("inexact", "bytes are kept as base64 text", where)
            return base64.b64encode(value).decode()
    return _text(str(value), reading, where)


def _text(value: str, reading: Reading, where: str) -> str:
    try:
        value.encode()
    except UnicodeEncodeError:
        reading.lose("inexact", "a lone surrogate is replaced", where)
        return value.encode("utf-8", "replace").decode()
    return value

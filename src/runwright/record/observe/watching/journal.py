"""The log that the watching process leaves: values in a file that both sides hold, whatever becomes of either.

They are written with `marshal`: both sides are one interpreter, and it takes a tenth of the time of JSON.
"""

from __future__ import annotations

import io
import marshal
import os
from collections.abc import Iterator
from typing import Any

from .files.state import State

ENTRIES = 500_000
"""Operations that are kept one by one; of more than that only the effects are told, and a fault says so."""
REFUSALS = 10_000
AT_ONCE = 256

Entry = tuple[Any, ...]


class Journal:
    """Entries, written some at a time: what waits when the process is killed is lost, and so is its last entry."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self._waiting: list[Entry] = []
        self.operations = 0
        self.refusals = 0

    def add(self, *entry: object) -> None:
        """Keep an entry: its kind first."""
        self._waiting.append(entry)
        if len(self._waiting) >= AT_ONCE:
            self.flush()

    def operation(self, entry: Entry) -> None:
        """The same for an operation, up to a number of them."""
        self.operations += 1
        if self.operations <= ENTRIES:
            self.add("operation", *entry)

    def refusal(self, entry: Entry) -> None:
        """The same for a call that was refused."""
        self.refusals += 1
        if self.refusals <= REFUSALS:
            self.add("refused", *entry)

    @property
    def waits(self) -> bool:
        """Whether there is something to write."""
        return bool(self._waiting)

    def flush(self) -> None:
        """Write what waits."""
        if self._waiting:
            data = b"".join(marshal.dumps(each) for each in self._waiting)
            self._waiting.clear()
            while data:
                data = data[os.write(self._descriptor, data) :]


def entries(data: bytes) -> Iterator[Entry]:
    """The entries of a log; a last one that was not finished is passed over."""
    stream = io.BytesIO(data)
    while stream.tell() < len(data):
        try:
            found = marshal.load(stream)  # noqa: S302 - it is our own process's, by a descriptor that no other has
        except (EOFError, ValueError, TypeError):
            return
        yield found


def as_state(value: object) -> State | None:
    """A state as it was written."""
    return State(*value) if isinstance(value, tuple) else None

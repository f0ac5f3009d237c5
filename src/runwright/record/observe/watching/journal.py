"""The log that the watching process leaves: JSON Lines in a file that both sides hold, whatever becomes of either."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator

from .state import State

ENTRIES = 500_000
"""Operations that are kept one by one; of more than that only the effects are told, and a fault says so."""
AT_ONCE = 256

Entry = list[object]


class Journal:
    """Entries, written some at a time: what waits when the process is killed is lost, and so is its last line."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self._waiting: list[tuple[object, ...]] = []
        self.operations = 0

    def add(self, *entry: object) -> None:
        """Keep an entry: its kind first."""
        self._waiting.append(entry)
        if len(self._waiting) >= AT_ONCE:
            self.flush()

    def operation(self, *entry: object) -> None:
        """The same for an operation, up to a number of them."""
        self.operations += 1
        if self.operations <= ENTRIES:
            self.add("operation", *entry)

    def flush(self) -> None:
        """Write what waits."""
        if self._waiting:
            data = "".join(json.dumps(each) + "\n" for each in self._waiting).encode()
            self._waiting.clear()
            while data:
                data = data[os.write(self._descriptor, data) :]


def entries(data: bytes) -> Iterator[Entry]:
    """The entries of a log; a last line that was not finished is passed over."""
    for line in data.split(b"\n")[:-1]:
        yield json.loads(line)


def as_state(value: object) -> State | None:
    """A state as it was written."""
    if not isinstance(value, list):
        return None
    mode, size, device, inode, owner, links, changed, content, attributes = value
    return State(mode, size, device, inode, tuple(owner), links, tuple(changed), content, attributes)

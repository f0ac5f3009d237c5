"""What a scan found: no value of this module holds a secret."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Literal

from runwright.errors import Exit
from runwright.secrets import Entry
from runwright.trace import digest_bytes

State = Literal["clean", "found", "unread"]

WORDS: dict[State, str] = {"clean": "CLEAN", "found": "SECRETS FOUND", "unread": "UNVERIFIED"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Hit:
    """One secret of a file: its kind, where it first stands, and in how many places.

    `place` is a record's id and JSONPath where a trace was read, a JSONPath in other documents, and empty in text.
    `line` is that of the file, None where the file has no lines or none could be told.
    """

    rule: str
    place: str
    line: int | None
    places: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class FileScan:
    """What became of one file. `read_as` is the format it was read in, or `json`, `json lines`, `yaml`, `text`.

    `reason` says why the file, or a part of it, could not be read; `notes` what else is to be known of the reading.
    """

    file: str
    read_as: str | None
    hits: tuple[Hit, ...] = ()
    reason: str | None = None
    notes: tuple[str, ...] = ()

    @property
    def state(self) -> State:
        """A file that could not be read is never clean; what was found in it all the same is told."""
        if self.reason is not None:
            return "unread"
        return "found" if self.hits else "clean"

    def fingerprints(self) -> tuple[str, ...]:
        """One name a hit, the same from scan to scan. It is made of file, rule and place, and of nothing secret.

        Lines do not count: text above a secret may come and go.
        """
        met: Counter[str] = Counter()
        names = []
        for hit in self.hits:
            where = "\n".join((self.file, hit.rule, hit.place))
            met[where] += 1
            names.append(digest_bytes(f"{where}\n{met[where]}".encode("utf-8", "replace")).removeprefix("blake3:"))
        return tuple(names)


@dataclass(frozen=True, slots=True, kw_only=True)
class Scan:
    """A scan of files. `skipped` is what was not looked at, and why; `unused` are entries that let nothing pass."""

    files: tuple[FileScan, ...]
    skipped: tuple[str, ...] = ()
    unused: tuple[Entry, ...] = ()

    @property
    def state(self) -> State:
        """The worst of the files'; unread beats found."""
        states = {each.state for each in self.files}
        return "unread" if "unread" in states or not states else "found" if "found" in states else "clean"

    @property
    def exit(self) -> Exit:
        """The state as the one table of exit codes has it."""
        return {"clean": Exit.OK, "found": Exit.FAILED, "unread": Exit.NOT_JUDGED}[self.state]

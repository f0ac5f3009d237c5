"""The findings of one file put together: each secret once, however often and in whatever reading it was met."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from runwright.scan.found import Hit
from runwright.secrets import Allowlist, Finding

Reading: TypeAlias = Literal["trace", "document", "text"]


@dataclass(slots=True)
class _Met:
    """One secret so far; `allowed` while every place of it is."""

    rule: str
    place: str
    line: int | None = None
    places: int = 0
    allowed: bool = True
    reading: Reading = "trace"


class Tally:
    """Counts the places of each secret. The secrets are its keys, and leave it never."""

    def __init__(self, file: str, allow: Allowlist, met: list[tuple[str, Finding]]) -> None:
        self._file, self._allow, self._all = file, allow, met
        self._secrets: dict[str, _Met] = {}
        self.run = ""
        """What leads the place of a finding where a file holds several runs."""

    def allows(self, finding: Finding) -> bool:
        """Whether the allowlist lets it pass."""
        return self._allow.allows(finding, self._file)

    def note(self, reading: Reading, finding: Finding, secret: str, line: int | None = None) -> None:
        """A finding. One that an earlier reading of the file met is told as that one does, and has a line at last."""
        self._all.append((self._file, finding))
        place = finding.detail if reading == "text" else self.run + finding.place
        met = self._secrets.setdefault(secret, _Met(finding.rule, place, reading=reading))
        met.line = line if met.line is None else met.line
        if met.reading == reading:
            met.places += 1
            met.allowed &= self.allows(finding)

    def hits(self) -> tuple[Hit, ...]:
        """The secrets that the allowlist does not let pass, in the order they were met."""
        return tuple(
            Hit(rule=each.rule, place=each.place, line=each.line, places=each.places)
            for each in self._secrets.values()
            if not each.allowed
        )

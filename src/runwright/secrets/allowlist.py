"""The reviewed file that lets a finding pass: `.runwright/allowlist.yaml`. Nothing inside the data can."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import yaml

from runwright.errors import UsageError
from runwright.secrets.finding import Finding

FILE = ".runwright/allowlist.yaml"
HOW_TO = "docs/how-to/deal-with-a-found-secret.md shows one"
FIELDS = ("rule", "file", "place", "reason", "reviewer")
REQUIRED = ("rule", "place", "reason", "reviewer")


@dataclass(frozen=True, slots=True)
class Entry:
    """One rule at one place, why that is no secret, and who says so; `*` stands for any characters."""

    rule: str
    place: str
    reason: str
    reviewer: str
    file: str = "*"

    def covers(self, finding: Finding, file: str) -> bool:
        """Whether this entry is about that finding."""
        return finding.rule == self.rule and _fits(self.place, finding.place) and self.is_about(file)

    def is_about(self, file: str) -> bool:
        """Whether this entry is about that file, whatever is in it."""
        return _fits(self.file, file)


@dataclass(frozen=True, slots=True)
class Allowlist:
    """What reviewers let pass; empty where there is no file."""

    entries: tuple[Entry, ...] = ()

    def allows(self, finding: Finding, file: str = "") -> bool:
        """Whether some entry is about that finding."""
        return any(entry.covers(finding, file) for entry in self.entries)

    def unused(self, findings: Iterable[tuple[str, Finding]]) -> tuple[Entry, ...]:
        """The entries that are about none of these (file, finding) pairs, found without the list."""
        pairs = list(findings)
        return tuple(entry for entry in self.entries if not any(entry.covers(finding, file) for file, finding in pairs))


@lru_cache(maxsize=1_024)
def _pattern(glob: str) -> re.Pattern[str]:
    return re.compile(".*".join(re.escape(part) for part in glob.split("*")), re.DOTALL)


def _fits(glob: str, text: str) -> bool:
    return _pattern(glob).fullmatch(text) is not None


def load_allowlist(root: Path) -> Allowlist:
    """The allowlist of the repository at `root`. Raises UsageError for a file that is not as documented."""
    path = root / FILE
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        return Allowlist()
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"cannot be read: {error}", place=FILE) from error
    try:
        data = yaml.safe_load(text)
    except yaml.YAMLError as error:
        raise UsageError(f"is no YAML: {error}", place=FILE) from error
    if data is None:
        return Allowlist()
    if not isinstance(data, dict) or set(data) != {"allow"} or not isinstance(data["allow"] or [], list):
        raise UsageError("must hold one list named 'allow'", place=FILE, hint=HOW_TO)
    return Allowlist(tuple(_entry(each, f"{FILE}: $.allow[{at}]") for at, each in enumerate(data["allow"] or [])))


def _entry(data: object, place: str) -> Entry:
    if not isinstance(data, Mapping):
        raise UsageError(f"{data!r} is no entry", place=place, hint=f"an entry has {', '.join(FIELDS)}")
    for key in data:
        if key not in FIELDS:
            raise UsageError(f"unknown key {key!r}", place=place, hint=f"an entry has {', '.join(FIELDS)}")
    for key in REQUIRED:
        if not isinstance(data.get(key), str) or not data[key].strip():
            raise UsageError(
                f"{key!r} is missing or empty", place=place, hint="every entry says what, where, why and who"
            )
    file = data.get("file", "*")
    if not isinstance(file, str):
        raise UsageError(f"'file' is {file!r}, not a text", place=place)
    if not data["place"].strip("* ") and not file.strip("* "):
        raise UsageError("lets the rule pass everywhere", place=place, hint="name the file or the place")
    return Entry(data["rule"], data["place"], data["reason"], data["reviewer"], file)

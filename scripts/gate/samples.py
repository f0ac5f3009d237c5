"""Real exports of other tools: what the gate finds in them, and what a reader of each finding said."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import yaml
from blake3 import blake3

from runwright.secrets import Finding, scan_value

ROOT = Path(__file__).resolve().parent.parent.parent
JUDGED = Path(__file__).with_name("judged.json")
BASE64_LINES = 76


class Judged(NamedTuple):
    """A finding with its file, and what was said about it: `secret`, `no secret`, or nothing yet."""

    file: str
    finding: Finding
    verdict: str | None


def samples_dir() -> Path | None:
    """The folder of real samples, if this machine has one."""
    named = os.environ.get("RUNWRIGHT_SAMPLES")
    folder = Path(named) if named else ROOT.parent / "shared" / "samples"
    return folder if folder.is_dir() else None


def values(path: Path) -> list[Any]:
    """A file as the JSON values that it holds: a document, lines, YAML; as text where it is none of these."""
    text = path.read_bytes().decode("utf-8", "replace")
    for read in (_document, _lines, _yaml) if path.suffix in (".yaml", ".yml") else (_document, _lines):
        found = read(text)
        if found is not None:
            return found
    return [text]


def _document(text: str) -> list[Any] | None:
    try:
        return [json.loads(text)]
    except ValueError:
        return None


def _lines(text: str) -> list[Any] | None:
    try:
        return [json.loads(line) for line in text.split("\n") if line.strip()] or None
    except ValueError:
        return None


def _yaml(text: str) -> list[Any] | None:
    try:
        return [_plain(each) for each in yaml.load_all(text, Loader=yaml.CSafeLoader)]
    except yaml.YAMLError:
        return None


def _plain(value: Any) -> Any:
    if isinstance(value, dict):
        return {str(key): _plain(each) for key, each in value.items()}
    if isinstance(value, list):
        return [_plain(each) for each in value]
    if isinstance(value, bytes):
        return value.decode("latin-1")
    return value if isinstance(value, (str, int, float, bool, type(None))) else str(value)


def findings(folder: Path) -> Iterator[tuple[str, Finding]]:
    """Every finding in every file below a folder."""
    for path in sorted(folder.rglob("*")):
        if path.is_file():
            for number, value in enumerate(values(path)):
                for finding in scan_value(value, record=str(number)):
                    yield path.relative_to(folder).as_posix(), finding


def judged(folder: Path) -> list[Judged]:
    """The findings with their verdicts."""
    verdicts = json.loads(JUDGED.read_text(encoding="utf-8"))
    said = {digest: group["verdict"] for group in verdicts for digest in group["findings"]}
    return [Judged(file, finding, said.get(digest_of(file, finding))) for file, finding in findings(folder)]


def digest_of(file: str, finding: Finding) -> str:
    """What a finding is known by: file, place and rule, and nothing of the value."""
    return blake3(f"{file}\n{finding}".encode()).hexdigest()[:16]

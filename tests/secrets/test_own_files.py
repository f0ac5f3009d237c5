"""The repository passes its own gate: sources, documents, flows and cassettes hold no secret, made-up ones included."""

from pathlib import Path

import pytest

from runwright.secrets import gate_text, load_allowlist, scan_text
from tests.samples import ROOT

FOLDERS = ("src", "docs", "schema", "scripts", "flows", "cassettes")
ENDINGS = {".py", ".md", ".json", ".jsonl", ".yaml", ".yml", ".toml", ""}


def files(*folders: str) -> list[Path]:
    found = (path for folder in folders for path in (ROOT / folder).rglob("*"))
    return sorted(
        path for path in found if path.suffix in ENDINGS and path.is_file() and "__pycache__" not in path.parts
    )


def named(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def test_there_are_files() -> None:
    assert len(files(*FOLDERS)) > 50


@pytest.mark.parametrize("path", files(*FOLDERS), ids=named)
def test_passes(path: Path) -> None:
    gate_text(path.read_text(encoding="utf-8"), named(path), load_allowlist(ROOT))


@pytest.mark.parametrize("path", files("tests/secrets"), ids=named)
def test_no_key_is_written_out_here_either(path: Path) -> None:
    found = {span.rule for span in scan_text(path.read_text(encoding="utf-8"))}
    assert found <= {"secret-named-key"}  # passwords such as `hunter2`

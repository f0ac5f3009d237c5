"""The wheel carries what it needs, and works unpacked and as a zip."""

from __future__ import annotations

import os
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest

from tests.samples import ROOT

CASSETTE = ROOT / "cassettes" / "regressions" / "refund-twice.cassette.jsonl"


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel that this checkout builds, with the build tools that are installed."""
    folder = tmp_path_factory.mktemp("dist")
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    (built,) = folder.glob("*.whl")
    return built


def validate(path: Path, work: Path) -> str:
    """What `python -m runwright validate` prints with the package found at `path` and nowhere else of ours."""
    environment = {**os.environ, "PYTHONPATH": str(path)}
    code = f"import runwright; assert runwright.__file__.startswith({str(path)!r}), runwright.__file__"
    for command in (["-c", code], ["-m", "runwright", "validate", str(CASSETTE)]):
        done = subprocess.run(
            [sys.executable, *command], cwd=work, env=environment, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stderr
    return done.stdout


def test_it_carries_schemas_the_typing_mark_and_the_licence(wheel: Path) -> None:
    names = set(zipfile.ZipFile(wheel).namelist())
    published = {f"runwright/schema/{path.name}" for path in (ROOT / "schema").glob("*.schema.json")}
    assert len(published) >= 6
    assert published <= names
    assert "runwright/py.typed" in names
    assert any(name.endswith("licenses/LICENSE") for name in names)
    assert not [name for name in names if name.startswith(("tests/", "docs/"))]


def test_its_metadata_names_the_command_the_licence_and_the_extras(wheel: Path) -> None:
    archive = zipfile.ZipFile(wheel)
    entry = next(name for name in archive.namelist() if name.endswith("entry_points.txt"))
    metadata = archive.read(next(name for name in archive.namelist() if name.endswith("/METADATA"))).decode()
    told = archive.read(entry).decode()
    assert "runwright = runwright.cli.app:main" in told
    assert "[pytest11]\nrunwright = runwright.pytest_plugin" in told
    assert "License-Expression: Apache-2.0" in metadata
    assert "Provides-Extra: all" in metadata
    config = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = set(config["optional-dependencies"]) - {"all", "proxy"}  # mitmproxy has pins that others do not go with
    assert config["optional-dependencies"]["all"] == [f"runwright[{','.join(sorted(extras))}]"]


def test_it_works_unpacked(wheel: Path, tmp_path: Path) -> None:
    zipfile.ZipFile(wheel).extractall(tmp_path / "site")
    assert "CLEAN" in validate(tmp_path / "site", tmp_path)


def test_it_works_as_a_zip(wheel: Path, tmp_path: Path) -> None:
    assert "CLEAN" in validate(wheel, tmp_path)

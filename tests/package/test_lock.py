"""The locks pin every dependency with hashes, name no host, and satisfy what the project asks for."""

from __future__ import annotations

import re
import tomllib

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests.samples import ROOT

CONFIG = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
GROUPS = {"dev": ("build", "test", "lint"), "demo": ("build", "story")}


def pinned(text: str) -> dict[str, str]:
    return {canonicalize_name(name): version for name, version in re.findall(r"^([\w.-]+)==(\S+)", text, re.MULTILINE)}


@pytest.mark.parametrize("name", GROUPS)
def test_lock(name: str) -> None:
    text = (ROOT / "scripts" / "lock" / f"{name}.txt").read_text(encoding="utf-8")
    versions = pinned(text)
    assert "://" not in text
    entries = re.split(r"\n(?=\S)", text.strip())
    assert [entry.splitlines()[0] for entry in entries if "--hash=sha256:" not in entry] == []
    wanted = [Requirement(each) for each in CONFIG["project"]["dependencies"]]
    wanted += [Requirement(each) for group in GROUPS[name] for each in CONFIG["dependency-groups"][group]]
    assert [str(each) for each in wanted if versions[canonicalize_name(each.name)] not in each.specifier] == []

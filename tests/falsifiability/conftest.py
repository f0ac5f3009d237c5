"""`scripts/falsify` takes one check out of the whole run, named in the environment, to see the suite go red."""

from __future__ import annotations

import os

import pytest

from tests.falsifiability.guts import GUTS


@pytest.fixture(autouse=True)
def _gutted(monkeypatch: pytest.MonkeyPatch) -> None:
    name = os.environ.get("RUNWRIGHT_WITHOUT")
    if name:
        GUTS[name](monkeypatch)

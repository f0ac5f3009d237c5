"""Where the real exports of other tools lie, if this machine has them."""

import os
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent


def samples_dir(*parts: str) -> Path:
    """The folder of real samples; skips the test, saying why, where it is absent."""
    named = os.environ.get("RUNWRIGHT_SAMPLES")
    folder = (Path(named) if named else ROOT.parent / "shared" / "samples").joinpath(*parts)
    if not folder.exists():
        pytest.skip(f"no real samples at {folder}; set RUNWRIGHT_SAMPLES to read them")
    return folder

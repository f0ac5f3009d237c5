"""Foreign formats: bytes in, a trace out, and what could not be kept as typed losses.

The table of all formats is loaded when it is first asked for: a replay, which needs none of them, starts sooner.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from runwright.readers.input import HEAD, Input
from runwright.readers.reader import Reader, Run

if TYPE_CHECKING:
    from runwright.readers.foreign import read_foreign, runs_of, sniff
    from runwright.readers.table import READERS

__all__ = ["HEAD", "READERS", "Input", "Reader", "Run", "read_foreign", "runs_of", "sniff"]


def __getattr__(name: str) -> object:
    """What needs every format."""
    if name not in ("READERS", "read_foreign", "runs_of", "sniff"):
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module("runwright.readers.foreign"), name)

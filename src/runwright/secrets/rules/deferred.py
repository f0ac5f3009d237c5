"""Keeps detect-secrets from loading an HTTP client: half of the time that the first scan of a process takes.

Its plugins can ask a vendor whether a key is live. Nothing here does, and whoever does still can.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from types import ModuleType

ANNOTATIONS = frozenset({"Response"})
"""What the plugins name where Python evaluates it on import."""


class Deferred(ModuleType):
    """Stands for a module in those that import it now; the module itself is loaded when one of them uses it."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.importing = True

    def __getattr__(self, name: str) -> object:
        if self.importing and name in ANNOTATIONS:
            return object
        return getattr(import_module(self.__name__), name)


@contextmanager
def deferred(name: str) -> Iterator[None]:
    """Let what is imported inside do without a module until it uses it."""
    if name in sys.modules:
        yield
        return
    stand_in = sys.modules[name] = Deferred(name)
    try:
        yield
    finally:
        stand_in.importing = False
        if sys.modules.get(name) is stand_in:
            del sys.modules[name]

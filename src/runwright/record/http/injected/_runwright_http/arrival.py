"""Patching a library at the moment it is imported, and never before."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Any

HOOKS = {"socket": "names", "http.client": "stdlib", "httpx": "httpx", "httpx2": "httpx", "aiohttp": "aiohttp"}
"""The libraries whose requests are told, and the module here that does it."""


def watch() -> None:
    """Patch what is imported already, and what will be."""
    sys.meta_path.insert(0, Arrivals())
    for name in HOOKS:
        if name in sys.modules:
            patch(sys.modules[name])


def patch(module: Any) -> None:
    """Hook into a library."""
    from . import channel

    channel.quietly(_patch, module)


def _patch(module: Any) -> None:
    name = HOOKS[module.__name__]
    __import__(f"{__package__}.for_{name}")
    sys.modules[f"{__package__}.for_{name}"].patch(module)


class Arrivals:
    """A finder that finds nothing by itself: it lets the others find a library, and patches it once it was run."""

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> Any:
        """What the other finders say, with a loader that patches."""
        if name not in HOOKS:
            return None
        for finder in sys.meta_path:
            find = None if finder is self else getattr(finder, "find_spec", None)
            spec = find(name, path, target) if find else None
            if spec is not None:
                if spec.loader is not None and hasattr(spec.loader, "exec_module"):
                    spec.loader = Loader(spec.loader)
                return spec
        return None


class Loader:
    """The library's own loader, and the patch after it; the module keeps no sign of this one."""

    def __init__(self, real: Any) -> None:
        self._real = real

    def __getattr__(self, name: str) -> Any:
        return getattr(self._real, name)

    def create_module(self, spec: Any) -> Any:
        """As the real one does."""
        return self._real.create_module(spec)

    def exec_module(self, module: Any) -> None:
        """As the real one does; then the module is patched."""
        module.__loader__ = module.__spec__.loader = self._real
        self._real.exec_module(module)
        patch(module)

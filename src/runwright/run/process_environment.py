"""This process's environment while cassettes are served in it: each open one is a layer, the newest is what is seen."""

from __future__ import annotations

import os
from collections.abc import Mapping
from threading import Lock


class Layers:
    """Variables laid over an environment and taken off again in any order; safe across threads."""

    def __init__(self, environment: os._Environ[str] = os.environ) -> None:
        self._environment = environment
        self._lock = Lock()
        self._layers: dict[object, Mapping[str, str]] = {}
        self._before: dict[str, str | None] = {}

    def put(self, key: object, variables: Mapping[str, str]) -> None:
        """Lay these variables over what is there."""
        with self._lock:
            for name in variables:
                self._before.setdefault(name, self._environment.get(name))
            self._layers[key] = variables
            self._show()

    def take(self, key: object) -> None:
        """Take the layer of this key off; with the last one everything is as it was."""
        with self._lock:
            del self._layers[key]
            self._show()
            if not self._layers:
                self._before.clear()

    def _show(self) -> None:
        for name, before in self._before.items():
            value = next((each[name] for each in reversed(self._layers.values()) if name in each), before)
            if value is None:
                self._environment.pop(name, None)
            else:
                self._environment[name] = value


PROCESS = Layers()

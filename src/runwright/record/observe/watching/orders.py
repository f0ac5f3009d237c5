"""What the watching process is told to do: one JSON text on its command line."""

from __future__ import annotations

import json
from typing import NamedTuple

from .network.reach import Reach


class Orders(NamedTuple):
    """Where the command runs, and what is done about it.

    Files are watched where there is a `workspace`. Processes that outlive the command by `wait` seconds are ended.
    `protect` are paths, relative to the folder, that can only be read; `layer` is the folder whose changes, and all
    others, are thrown away; `shown` is a socket on which that world is handed over, to be looked at from outside.
    `network` is how its network is looked at, None for not at all.
    """

    folder: str
    workspace: str | None = None
    wait: float = 0.0
    protect: tuple[str, ...] = ()
    layer: str | None = None
    shown: int = -1
    network: Reach | None = None

    def written(self) -> str:
        """The orders as text."""
        return json.dumps(self._asdict())


def read_orders(text: str) -> Orders:
    """Orders from the text that they were written as."""
    told = json.loads(text)
    network = told.pop("network")
    return Orders(**told, network=None if network is None else Reach(*network))

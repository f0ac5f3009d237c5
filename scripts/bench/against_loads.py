"""Reading is measured against orjson parsing the same bytes, by processor time of the fastest of some rounds."""

from __future__ import annotations

import gc
import time
from collections.abc import Callable

import orjson

ROUNDS = 3


def loaded(data: bytes) -> None:
    """The bytes parsed, as one document or line by line."""
    try:
        orjson.loads(data)
    except orjson.JSONDecodeError:
        for line in data.split(b"\n"):
            if line.strip():
                orjson.loads(line)


def best(work: Callable[[], object], most: float = 60) -> float:
    """Seconds of processor time that the fastest of some rounds takes; no further round after `most` seconds."""
    taken: list[float] = []
    while len(taken) < ROUNDS and sum(taken) <= most:
        gc.collect()
        began = time.process_time()
        work()
        taken.append(time.process_time() - began)
    return min(taken)

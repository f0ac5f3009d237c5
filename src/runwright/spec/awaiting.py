"""Coroutines run to their end, whether or not a loop runs already."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

T = TypeVar("T")


def awaited(value: Awaitable[T]) -> T:
    """What the awaitable gives; in a thread of its own where this one has a running loop."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return asyncio.run(_result(value))
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(asyncio.run, _result(value)).result()


async def _result(value: Awaitable[T]) -> T:
    return await value

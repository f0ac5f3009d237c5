"""Telling the process outside: lines on a named pipe, each written at once, so none is torn and none is on a disk.

The pipe is opened for each message. An agent may close every descriptor that it does not know, or fork, at any moment,
and a number that was ours may then be a file of its own.
"""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

PIPE = os.environ.get("RUNWRIGHT_SEEN", "")
LINE = 3800
"""Bytes of a line: a pipe takes up to 4,096 whole."""


def tell(message: dict[str, Any]) -> None:
    """Send a message. Where nobody listens any more, it is for nobody."""
    data = json.dumps(message).encode("ascii")
    try:
        descriptor = os.open(PIPE, os.O_WRONLY | os.O_NONBLOCK | os.O_CLOEXEC)  # without a reader this fails at once
    except OSError:
        return
    try:
        os.set_blocking(descriptor, True)
        for line in lines(data):
            os.write(descriptor, line)
    except OSError:
        return
    finally:
        os.close(descriptor)


def lines(data: bytes) -> list[bytes]:
    """A message as lines: one, or numbered pieces under a name of their own."""
    if len(data) <= LINE:
        return [b"=" + data + b"\n"]
    name = os.urandom(8).hex().encode()
    cuts = range(0, len(data), LINE)
    last = len(cuts) - 1
    return [
        b"%s%s %d %s\n" % (b"." if number == last else b"+", name, number, data[at : at + LINE])
        for number, at in enumerate(cuts)
    ]


def quietly(work: Callable[..., Any], *given: Any) -> Any:
    """Do the work; should it fail, tell that, and let the agent know nothing of it."""
    try:
        return work(*given)
    except Exception as error:  # noqa: BLE001 # whatever it is, it is ours and not the agent's
        try:
            where = getattr(work, "__qualname__", "?")
            tell({"kind": "fault", "where": where, "error": type(error).__name__, "process": os.getpid()})
        except Exception:  # noqa: S110, BLE001 # nothing is left that could be done
            pass
    return None

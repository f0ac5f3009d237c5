"""A form as a value: what it is called, how a trace is written in it, and what people must know of it."""

from __future__ import annotations

from collections.abc import Callable

import msgspec

from runwright.trace.model import Loss, Trace


class Written(msgspec.Struct, frozen=True):
    """The bytes of a file, and everything of the trace that the form cannot hold.

    A loss is at `id: $.path` of a record, at `id` where the whole record is left out, or at `header: $.path`.
    """

    data: bytes
    losses: tuple[Loss, ...] = ()


class Writer(msgspec.Struct, frozen=True, kw_only=True):
    """A form that traces are written in; `kept` and `lost` are its row in the table of forms, `used` who reads it."""

    name: str
    write: Callable[[Trace], Written]
    suffix: str
    used: str
    kept: str
    lost: str

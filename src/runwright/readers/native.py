"""Our own format: read by the trace package, which alone knows its bytes."""

from __future__ import annotations

from collections.abc import Sequence

from runwright.errors import ReaderError
from runwright.readers.input import Input
from runwright.readers.reader import Reader, only
from runwright.trace import loads_trace
from runwright.trace.model import Trace


def sniff_native(head: bytes) -> int:
    """100 where the first line is one of our headers."""
    first = head.lstrip(b"\xef\xbb\xbf \r\n\t").split(b"\n", 1)[0].replace(b" ", b"")
    return 100 if b'"format":"runwright.trace"' in first else 0


def read_native(inputs: Sequence[Input]) -> Trace:
    """One trace, unsealed ones included: whether they may be used is the caller's question."""
    if len(inputs) != 1:
        raise ReaderError(
            f"{len(inputs)} traces given: a trace is read by itself", place=inputs[1].name if inputs else ""
        )
    return loads_trace(inputs[0].data, inputs[0].name, allow_incomplete=True)


NATIVE = Reader(
    name="runwright",
    sniff=sniff_native,
    read=only(read_native),
    recognised='a first line with `"format": "runwright.trace"`',
    kept="everything",
    lost="nothing",
    versions="1",
    models=False,
)

"""Whether two traces show the same behaviour, so that one accepted flow already covers both."""

from __future__ import annotations

from runwright.fingerprint import fingerprint, same_behaviour as same_prints
from runwright.trace.model import Trace


def same_behaviour(first: Trace, second: Trace) -> bool:
    """The fingerprints of the two traces agree, and the calls in their order and the end were compared."""
    return same_prints(fingerprint(first), fingerprint(second))

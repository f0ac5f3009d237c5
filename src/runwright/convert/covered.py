"""Whether two traces show the same behaviour, so that one accepted flow already covers both."""

from __future__ import annotations

from runwright.fingerprint import agree, fingerprint
from runwright.trace.model import Trace


def same_behaviour(first: Trace, second: Trace) -> bool:
    """The fingerprints of the two traces agree over what both could know, and something was compared."""
    return agree(fingerprint(first), fingerprint(second)).same

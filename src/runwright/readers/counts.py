"""Token counts as a source reports them."""

from __future__ import annotations

from runwright.readers.lenient import a_number, an_object
from runwright.trace.model import JSON, Usage

LARGEST = 2**53


def usage_of(value: JSON, asked: str, answered: str) -> Usage | None:
    """The counts of an object under these names, and everything else that it says; None where it is none or empty."""
    counts = an_object(value)
    if not counts:
        return None
    details: dict[str, JSON] = {
        name: each for name, each in counts.items() if name not in (asked, answered) and each is not None
    }
    return Usage(input_tokens=whole(counts.get(asked)), output_tokens=whole(counts.get(answered)), details=details)


def whole(value: JSON) -> int:
    """A count as a whole number; what is none is zero."""
    return max(0, int(min(a_number(value), LARGEST)))

"""Texts made shorter, their secrets out first."""

from __future__ import annotations

from runwright.secrets.detect import Scanner
from runwright.trace.shortened import shortened as first_words


def shortened(text: str, most: int) -> str:
    """The first words of a text; where it is cut, each secret of the whole text is replaced by its rule before."""
    return text if len(text) <= most else first_words(Scanner().clean(text), most)

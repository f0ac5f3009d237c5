"""Files that are called a database and cannot be read as one, since they are encrypted as a whole."""

from __future__ import annotations

import math
from collections import Counter

from runwright.record.database.copies import ENDINGS, MAGIC, PAGE, begins

SAMPLE = 4096
RANDOM = 7.3
"""Bits a byte has in random bytes, of which 1,024 have 7.8; what programs write has fewer."""


def may_be_encrypted(path: bytes, size: int) -> bool:
    """Whether it has a database's name and size, and begins with what looks random."""
    if not path.lower().endswith(ENDINGS) or size < 2 * PAGE or size % PAGE:
        return False
    sample = begins(path, SAMPLE)
    return not sample.startswith(MAGIC) and _bits(sample) > RANDOM


def _bits(sample: bytes) -> float:
    total = len(sample)
    return -sum(n / total * math.log2(n / total) for n in Counter(sample).values()) if total else 0.0

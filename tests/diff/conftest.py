"""Records that several tests need."""

from __future__ import annotations

import pytest

from runwright.trace import Record
from tests.diff.test_fields import RECORDS


@pytest.fixture
def every() -> tuple[Record, ...]:
    """A record of each lane, with every field filled in."""
    return RECORDS

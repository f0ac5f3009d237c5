"""What is written and read back is the trace, up to what the writer said it loses."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings

from runwright.writers import WRITERS
from tests.writers.crossing import crossed
from tests.writers.runs import runs


@pytest.mark.parametrize("form", sorted(WRITERS))
@given(trace=runs())
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
def test_everything_comes_back_but_for_what_is_told(form: str, trace) -> None:  # type: ignore[no-untyped-def]
    crossed(trace, form)

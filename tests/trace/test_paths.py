"""The subset of JSONPath that traces, flows and reports share."""

import pytest
from hypothesis import given, strategies as st

from runwright.errors import UsageError
from runwright.trace import WILD, covers, find, format_path, parse_path

VALUE = {"a": [{"b": 1}, {"b": 2}], "odd key": {"c.d": 3}}


def test_finding_names_each_place() -> None:
    assert find(VALUE, "$.a[*].b") == [("$.a[0].b", 1), ("$.a[1].b", 2)]
    assert find(VALUE, "$['odd key']['c.d']") == [("$['odd key']['c.d']", 3)]
    assert find(VALUE, "$.*") == [("$.a", VALUE["a"]), ("$['odd key']", VALUE["odd key"])]
    assert find(VALUE, "$") == [("$", VALUE)]
    assert find(VALUE, "$.a[7].b") == find(VALUE, "$.zz") == find(VALUE, "$.a.b") == []


@pytest.mark.parametrize("path", ["a.b", "$a", "$.", "$[", "$[x]", "$..a", "$[-1]", "$.a b"])
def test_what_is_no_path_is_refused(path: str) -> None:
    with pytest.raises(UsageError, match="is no path"):
        parse_path(path)


@given(st.lists(st.text(min_size=0, max_size=6) | st.integers(0, 99), max_size=5))
def test_a_formatted_path_is_the_path(parts: list[str | int]) -> None:
    assert parse_path(format_path(parts)) == tuple(parts)


def test_covering() -> None:
    assert covers("$.a", "$.a[0].b")
    assert covers("$.a[*].b", "$.a[1].b")
    assert covers("$.request.parameters.*", "$.request.parameters.seed")
    assert not covers("$.a[0].b", "$.a")
    assert not covers("$.a[0]", "$.a[1]")
    assert not covers("$.ab", "$.a")
    assert parse_path("$[*]") == (WILD,)

"""The smallest fields in which two values differ, each told at its place."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from runwright.drift.changes import changes

NONE = msgspec.UNSET


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ({"a": 1}, {"a": 1.0}, []),
        ({"a": 1}, {"a": True}, [(("p", "a"), 1, True)]),
        ({"a": 1, "b": 2}, {"b": 3, "c": None}, [(("p", "a"), 1, NONE), (("p", "b"), 2, 3), (("p", "c"), NONE, None)]),
        ({"a": {"b": {"c": 1}}}, {"a": {"b": {"c": 2}}}, [(("p", "a", "b", "c"), 1, 2)]),
        ({"a": 1}, [1], [(("p",), {"a": 1}, [1])]),
        ([1], {"a": 1}, [(("p",), [1], {"a": 1})]),
        ("x", {"a": 1}, [(("p",), "x", {"a": 1})]),
        ({"a": 1}, "x", [(("p",), {"a": 1}, "x")]),
        ([{"a": 1}], "x", [(("p",), [{"a": 1}], "x")]),
        ("x", [{"a": 1}], [(("p",), "x", [{"a": 1}])]),
        ([{"a": 1}, {"b": 1}], [{"a": 1}, {"b": 2}], [(("p", 1, "b"), 1, 2)]),
        ([{"a": 1}, {"b": 1}], [{"a": 2}, {"b": 2}], [(("p", 0, "a"), 1, 2), (("p", 1, "b"), 1, 2)]),
        ([{"a": 1}], [{"a": 1}, {"b": 2}], [(("p",), [{"a": 1}], [{"a": 1}, {"b": 2}])]),
        ([{"a": 1}, "x"], [{"a": 2}, "x"], [(("p",), [{"a": 1}, "x"], [{"a": 2}, "x"])]),
        ([{"a": 1}, {"b": 1}], [{"a": 1}, 7], [(("p", 1), {"b": 1}, 7)]),
        (["a", "b"], ["a", "c"], [(("p",), ["a", "b"], ["a", "c"])]),
        ([], [], []),
        ("", [], [(("p",), "", [])]),
        ([], "", [(("p",), [], "")]),
        ({}, [], [(("p",), {}, [])]),
    ],
)
def test_where_values_part(old: Any, new: Any, told: list[Any]) -> None:
    assert list(changes(("p",), old, new)) == told

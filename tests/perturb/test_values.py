"""Other values for values: each differs, and only where it says."""

from __future__ import annotations

import hypothesis.strategies as st
import pytest
from hypothesis import given

from runwright.perturb.values import MARK, changes, other, put, swaps, without
from runwright.trace.model import JSON

UUID = "3f2b8c1e-5d7a-4b9c-8e1f-0a2b3c4d5e6f"
leaves = st.one_of(st.none(), st.booleans(), st.integers(), st.floats(allow_nan=False), st.text(max_size=5))
values = st.recursive(
    leaves, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3)
)


def strict(value: JSON) -> str:
    """A spelling in which true is not 1."""
    return repr(value)


@given(leaves)
def test_another_leaf_is_another(leaf: JSON) -> None:
    assert strict(other(leaf)) != strict(leaf)
    assert not isinstance(leaf, bool) or isinstance(other(leaf), bool)


@given(values)
def test_every_change_changes_the_value(value: JSON) -> None:
    for changed in changes(value):
        assert strict(changed.value) != strict(value), changed


def test_every_leaf_is_changed_and_every_part_left_out() -> None:
    value: JSON = {"a": [1, {"b": "x"}], "c": None}
    found = {(each.where, each.what) for each in changes(value)}
    parts = {("a",), ("a", 0), ("a", 1), ("a", 1, "b"), ("c",)}
    assert {where for where, what in found if what == "left out"} == parts
    assert {where for where, what in found if what == "changed"} == {("a", 0), ("a", 1, "b"), ("c",)}
    assert {where[:-1] for where, what in found if what == "added"} == {(), ("a", 1)}


def test_what_is_put_or_taken_leaves_the_rest() -> None:
    value: JSON = {"a": [1, 2], "b": {"c": 3}}
    assert put(value, ("a", 1), 9) == {"a": [1, 9], "b": {"c": 3}}
    assert without(value, ("a", 0)) == {"a": [2], "b": {"c": 3}}
    assert without(value, ("b", "c")) == {"a": [1, 2], "b": {}}
    with pytest.raises(ValueError, match="nothing stands"):
        put("x", ("a",), 1)


@pytest.mark.parametrize(
    ("text", "new"),
    [
        (f"order {UUID}.", [f"order {UUID[:-2]}6f."[:-3] + "7f."]),
        ("call_9f8Ee7d6C5b4A3f2 done", ["call_9f8Ee7d6C5b4A3f3 done"]),
        ("due 2026-11-30", ["due 2031-11-30"]),
        ("at 2026-11-30T10:00:07Z", ["at 2031-11-30T10:00:07Z", "at 2026-11-30T10:00:08Z"]),
        ("run_20261130, call_center24, A-4471, 12345678", []),
        ("", []),
    ],
)
def test_ids_and_times_are_exchanged_for_others_of_their_shape(text: str, new: list[str]) -> None:
    if UUID in text:
        (swap,) = swaps([text])
        assert isinstance(swap.value, list)
        assert swap.value != [text]
        assert len(str(swap.value[0])) == len(text)
        assert swap.old == UUID
        return
    assert [each.value for each in swaps({"k": text})] == [{"k": each} for each in new]


def test_a_changed_text_ends_in_no_id_or_time() -> None:
    assert not list(swaps(MARK))

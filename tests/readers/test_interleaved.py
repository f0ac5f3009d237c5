"""Agents that run inside one another's calls stand where they ran."""

from __future__ import annotations

from runwright.readers.assembled import Found
from runwright.readers.interleaved import interleaved
from runwright.trace.model import ToolRecord


def found(key: str, began: float | None = None) -> Found:
    return Found(record=ToolRecord(id="", name=key, outcome="ok", fidelity="raw"), key=key, began=began)


def keys(*threads: tuple[str, list[Found]]) -> list[str]:
    return [each.key for each in interleaved(threads)]


def test_without_times_a_thread_follows_the_call_that_it_runs_in() -> None:
    outer = ("", [found("a"), found("b"), found("c")])
    assert keys(outer, ("a", [found("a1"), found("a2")]), ("b", [found("b1")])) == ["a", "a1", "a2", "b", "b1", "c"]


def test_times_interleave_threads_that_ran_at_once() -> None:
    outer = ("", [found("a", 1), found("b", 2), found("c", 9)])
    inner = (("a", [found("a1", 3), found("a2", 5)]), ("b", [found("b1", 4)]))
    assert keys(outer, *inner) == ["a", "b", "a1", "b1", "a2", "c"]


def test_nothing_stands_before_what_it_follows_whatever_its_time_says() -> None:
    outer = ("", [found("a", 5), found("b", 1), found("c")])
    assert keys(outer, ("b", [found("b1", 0)])) == ["a", "b", "b1", "c"]


def test_the_order_of_threads_and_calls_that_are_missing_change_nothing() -> None:
    outer = ("", [found("a"), found("b")])
    assert keys(("a1", [found("deep")]), ("a", [found("a1")]), outer) == ["a", "a1", "deep", "b"]
    assert keys(outer, ("none", [found("x")])) == ["a", "b", "x"]
    assert keys(("x", [found("y")]), ("y", [found("x")])) == ["y", "x"]

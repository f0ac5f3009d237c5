"""Traces with little in common: the answer is right, says where it is coarser, and comes in bounded work."""

from __future__ import annotations

import random
import sys
from collections import Counter
from collections.abc import Callable, Sequence
from types import FrameType
from typing import Any

import pytest
from msgspec.structs import replace

from runwright.diff import TraceDiff, align, causes, diff, pairing
from runwright.diff.causes import Causes
from runwright.diff.compared import record_key
from runwright.diff.side import prepare
from runwright.reports.diff import diff_report, render_diff_markdown, render_diff_text
from runwright.reports.diff.text import COARSE
from runwright.trace import Record, ToolRecord, Trace
from tests.diff.made import conversation, trace

Make = Callable[[int, int], list[Record]]


def tool(id: str, name: str, **fields: Any) -> ToolRecord:
    return ToolRecord(id=id, name=name, outcome="ok", fidelity="raw", **fields)


def disjoint(size: int, side: int) -> list[Record]:
    """No record in common, the same tools in the same order."""
    return [tool(f"d{at}", f"t{at % 10}", arguments={"q": f"{side} {at}"}) for at in range(size)]


def unlike(size: int, side: int) -> list[Record]:
    """No record in common, and no word either; the same twelve tools at random."""
    chance = random.Random(side)
    return [
        tool(f"u{at}", f"t{chance.randrange(12)}", arguments=chance.random(), result=chance.random())
        for at in range(size)
    ]


def repeats(size: int, side: int) -> list[Record]:
    """Twelve kinds of records at random, each after the one before."""
    chance = random.Random(side)
    return chained(
        [tool(f"k{at}", f"t{kind % 4}", arguments=kind) for at in range(size) for kind in [chance.randrange(12)]]
    )


def shuffled(size: int, side: int) -> list[Record]:
    """The same records in another order, each after the one before."""
    records = [tool(f"s{at}", "t", arguments=at) for at in range(size)]
    if side == 2:
        random.Random(side).shuffle(records)
    return chained(records)


def chained(records: Sequence[Record]) -> list[Record]:
    named = [replace(record, id=f"r{at}") for at, record in enumerate(records)]
    return [replace(record, after=(f"r{at - 1}",) if at else ()) for at, record in enumerate(named)]


def growing(size: int, side: int) -> list[Record]:
    """One conversation in which everything is another."""
    chance = random.Random(side)
    turns = [[(f"t{chance.randrange(3)}", {"q": f"{side} {at}"}, f"{side} {at}")] for at in range(size // 2)]
    return conversation(*turns, prompt=f"hello {side}")


def crossed(size: int, side: int) -> list[Record]:
    """No word in common; two tools, each of which runs where the other does on the other side."""
    names = "ab" if side == 1 else "ba"
    chance = random.Random(side)
    words = (" ".join(f"{chance.random()}" for _ in range(6)) for _ in range(size))
    return [tool(f"c{at}", names[2 * at // size], result=each) for at, each in enumerate(words)]


def talks(size: int, side: int) -> list[Record]:
    """Short conversations that use the same ids of calls, in which everything is another."""
    records: list[Record] = []
    while len(records) < size:
        number = f"{side} {len(records)}"
        turns = [[("look", {"q": f"{number} {at}"}, f"{number} {at}")] for at in range(4)]
        records += conversation(*turns, prompt=f"hello {number}")
    return [replace(record, id=f"r{at}", after=()) for at, record in enumerate(records[:size])]


KINDS = [disjoint, unlike, crossed, repeats, shuffled, talks, growing]


def counted(found: TraceDiff) -> None:
    """Every record is told of once: as the same, as a change, or as what one side alone has."""
    kinds = Counter(change.kind for change in found.changes)
    both = found.same + found.not_compared + kinds["changed"] + kinds["moved"]
    assert (found.left, found.right) == (both + kinds["deleted"], both + kinds["inserted"])
    for side in ("left", "right"):
        ids = [record.id for change in found.changes if (record := getattr(change, side)) is not None]
        assert len(ids) == len(set(ids))
    for change in found.changes:
        if change.kind == "moved" and isinstance(change.left, ToolRecord):
            assert change.right is not None
            assert record_key(change.left) == record_key(change.right)


@pytest.mark.parametrize("make", KINDS)
@pytest.mark.parametrize("least", [False, True], ids=["", "with the least of limits"])
def test_traces_that_have_little_in_common(make: Make, least: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    if least:
        limits(monkeypatch, 50)
    size = 100 if make in (growing, talks) else 300
    one, other = trace(make(size, 1)), trace(make(size, 2))
    found = diff(one, other)
    assert not found.is_same
    assert diff(other, one) == found.mirrored()
    counted(found)
    if make in (disjoint, unlike, crossed, talks, growing):
        assert found.same == 0
    if make is repeats:
        assert found.count("inserted") + found.count("deleted") < size / 5
    assert diff(one, one).is_same
    assert not diff(one, one).coarse


def limits(monkeypatch: pytest.MonkeyPatch, most: int) -> None:
    monkeypatch.setattr(align, "MAX_CELLS", most * most)
    monkeypatch.setattr(align, "WINDOW", most)
    monkeypatch.setattr(causes, "STEPS", most)
    monkeypatch.setattr(pairing, "LOOKS", most)


@pytest.mark.parametrize(
    ("make", "size", "coarse"),
    [
        (disjoint, 100, ()),
        (disjoint, 101, ("pairing",)),
        (crossed, 40, ()),
        (crossed, 80, ("pairing",)),
        (repeats, 100, ()),
        (repeats, 300, ("alignment", "causes")),
        (shuffled, 10, ()),
        (shuffled, 300, ("causes",)),
    ],
)
def test_what_is_coarser_is_said(
    make: Make, size: int, coarse: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    if size in (80, 300):
        limits(monkeypatch, 100)
    one, other = trace(make(size, 1)), trace(make(size, 2))
    found = diff(one, other)
    assert found.coarse == coarse
    assert diff(other, one).coarse == coarse
    report = diff_report(found, one, other, ("a", "b"))
    assert report.coarse == coarse
    for shown in (render_diff_text(report), render_diff_text(report, stat=True), render_diff_markdown(report)):
        assert [each for each, said in COARSE.items() if said in shown] == list(coarse)
    of_order = make is shuffled and bool(coarse)
    assert report.word == ("UNVERIFIED" if of_order else "MISMATCH")


def test_all_that_can_be_coarser_is_said() -> None:
    from typing import get_args

    from runwright.diff import Coarse

    assert set(COARSE) == set(get_args(Coarse))


def test_causes_are_followed_no_further_than_the_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    side = prepare(trace(chained([tool("x", "t") for _ in range(100)])))
    notes: set[Any] = set()
    known = Causes(side, side, notes)
    assert known.comes_after(0, 99, 0)
    assert not notes
    monkeypatch.setattr(causes, "STEPS", 150)
    known = Causes(side, side, notes)
    assert known.comes_after(0, 60, 0)
    assert not known.comes_after(1, 99, 0)
    assert notes == {"causes"}


def calls(work: Callable[[], object]) -> int:
    """How many functions it calls: its work, the same on every machine."""
    count = 0

    def note(_frame: FrameType, event: str, _: object) -> None:
        nonlocal count
        count += event in ("call", "c_call")

    before = sys.getprofile()
    sys.setprofile(note)
    try:
        work()
    finally:
        sys.setprofile(before)
    return count


@pytest.mark.parametrize(
    ("make", "size", "most"),
    [
        (disjoint, 400, 2.4),
        (unlike, 400, 2.4),
        (crossed, 400, 2.4),
        (repeats, 400, 2.4),
        (shuffled, 400, 2.4),
        (talks, 100, 2.4),
        (growing, 30, 3.0),
    ],
)
def test_twice_the_records_is_not_much_more_than_twice_the_work(
    make: Make, size: int, most: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A conversation is the square of its turns by itself: each request holds it whole."""
    limits(monkeypatch, 50)
    pairs = [(trace(make(each, 1)), trace(make(each, 2))) for each in (size, 2 * size)]
    diff(*pairs[0])
    small, large = (calls(lambda pair=pair: diff(*pair)) for pair in pairs)  # type: ignore[misc]
    assert large < most * small


def test_a_trace_is_made_for_each_kind() -> None:
    assert {len(make(100, side)) for make in KINDS for side in (1, 2)} == {100, 101}
    assert isinstance(trace(disjoint(1, 1)), Trace)

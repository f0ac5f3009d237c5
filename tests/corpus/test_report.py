"""What is said of the behaviours of many runs, and with which status."""

from __future__ import annotations

import pytest

from runwright.corpus import Dedup, Guard, Left, dedup
from runwright.errors import Exit, IncompleteTrace
from runwright.fingerprint import Seen, as_json, fingerprint, fingerprint_digest
from runwright.reports.dedup import NO_RUN, dedup_exit, dedup_json, dedup_text
from runwright.reports.shown import WIDTH
from tests.corpus.test_dedup import ONCE, TWICE
from tests.fingerprint.runs import Ask, Turn, rendered

ONE, TWO, NONE = (fingerprint(rendered(each)) for each in (ONCE, TWICE, (Turn(says="no"),)))
LEFT = Left(IncompleteTrace("its seal is missing or wrong", place="cut.jsonl", hint="seal it"))


def found(*runs: Seen | Left, flows: tuple[Guard, ...] = (), threshold: float = 0.0) -> Dedup:
    return dedup(runs, flows, threshold)


@pytest.mark.parametrize(
    ("runs", "expected"),
    [
        ([Seen("a", ONE)], Exit.OK),
        ([Seen("a", ONE), LEFT], Exit.NOT_JUDGED),
        ([LEFT], Exit.NOT_JUDGED),
        ([], Exit.NOT_JUDGED),
    ],
    ids=["all in groups", "something left", "everything left", "nothing at all"],
)
def test_the_exit_says_whether_every_run_is_in_a_group(runs: list[Seen | Left], expected: Exit) -> None:
    assert dedup_exit(found(*runs)) == expected
    assert dedup_json(found(*runs))["exit"] == int(expected)  # type: ignore[index,call-overload]


def test_a_flow_that_cannot_be_read_is_told_by_the_exit_too() -> None:
    assert dedup_exit(dedup([Seen("a", ONE)], [LEFT])) == Exit.NOT_JUDGED


def test_as_json() -> None:
    whole = found(Seen("a", ONE), Seen("b", ONE), Seen("c", TWO), LEFT, flows=(Guard("f", ONE),), threshold=0.9)
    assert dedup_json(whole) == {
        "format": "runwright.dedup-report",
        "version": 1,
        "exit": 2,
        "threshold": 0.9,
        "runs": 3,
        "groups": [
            {
                "name": ["the only one", "ends in success"],
                "runs": 3,
                "guarded": 2,
                "flows": ["f"],
                "exemplar": "a",
                "fingerprint": as_json(ONE),
                "behaviours": [
                    {"digest": fingerprint_digest(ONE), "flows": ["f"], "runs": ["a", "b"]},
                    {"digest": fingerprint_digest(TWO), "flows": [], "runs": ["c"]},
                ],
            }
        ],
        "left": [
            {
                "place": "cut.jsonl",
                "message": "its seal is missing or wrong",
                "slug": "incomplete-trace",
                "hint": "seal it",
            }
        ],
    }


def test_as_text() -> None:
    whole = found(Seen("a", ONE), Seen("b", ONE), Seen("c", TWO), Seen("d", NONE), LEFT, flows=(Guard("f", ONE),))
    assert dedup_text(whole).splitlines() == [
        "1. 2 runs: refund x1",
        "   exemplar    a",
        "   calls       refund x1",
        "   outcome     success",
        "   flow        f",
        "2. 1 run: refund x2",
        "   exemplar    c",
        "   calls       refund x2",
        "   outcome     success",
        "   flow        none",
        "3. 1 run: calls no tool",
        "   exemplar    d",
        "   calls       no tool call",
        "   outcome     success",
        "   flow        none",
        "4 runs, 3 groups, 2 without a flow; 1 not judged",
    ]


def test_a_group_of_several_as_text() -> None:
    runs = (Seen("a", ONE), Seen("b", ONE), Seen("c", TWO))
    text = dedup_text(found(*runs, flows=(Guard("f", ONE), Guard("g", ONE)), threshold=0.9)).splitlines()
    assert text[1:3] == ["   behaviours  2", "   exemplar    a"]
    assert text[-2:] == ["   flow        f, g (2 of 3 runs)", "3 runs, 1 group, 0 without a flow"]
    both = dedup_text(found(*runs, flows=(Guard("f", ONE), Guard("g", TWO)), threshold=0.9)).splitlines()
    assert both[-2] == "   flow        f, g"


def test_without_a_run() -> None:
    assert dedup_text(found()) == f"{NO_RUN}\n"
    assert dedup_text(found(LEFT)) == f"{NO_RUN}\n"


def test_what_is_long_is_cut_and_terminals_are_not_steered() -> None:
    turns = tuple(Turn((Ask(f"tool_{at}"),), str(at)) for at in range(60))
    text = dedup_text(found(Seen("a\x1b[2J\nb", fingerprint(rendered(turns)))))
    assert "\x1b" not in text
    assert len(text.splitlines()) == 6
    assert max(map(len, text.splitlines())) <= WIDTH + 20
    assert "tool_0 x1, tool_1 x1" in text

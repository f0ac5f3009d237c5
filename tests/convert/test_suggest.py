"""Suggested assertions: what the recording shows, each with its records, nothing that `until` leaves open."""

import pytest

from runwright.convert.suggest import suggest
from runwright.convert.until import Until
from runwright.trace.model import SideEffect, SideEffectRecord, TextBlock, ToolRecord
from tests.convert.traces import TASK, exchange, replaced, story, text, trace

END = Until(None)


def suggested(run, until=END):
    return [each.assertion for each in suggest(run, until)]


def test_the_story_without_until():
    assert suggested(story()) == [
        {"assert_tool_call": {"tool": "lookup_order", "times": 1}},
        {"assert_tool_call": {"tool": "issue_refund", "times": 2}},
        {"assert_no_tool_call": "delete_customer"},
        {"assert_outcome": "success"},
    ]


def test_with_until_only_what_the_first_request_after_it_decides():
    assert suggested(story(), Until("m2")) == [
        {"assert_tool_call": {"tool": "lookup_order", "times": 1}},
        {"assert_tool_call": {"tool": "issue_refund", "times": 1}},
        {"assert_no_tool_call": "delete_customer"},
    ]


def test_each_cites_its_records_and_says_what_came_after_until():
    refund = suggest(story(), Until("m2"))[1]
    assert refund.cites == ("m2", "t2", "m3")
    assert refund.why == "called: m2 -> t2 -> m3; after m2 the recorded run asked again: m3"


def test_a_tool_first_asked_for_after_until_is_offered_as_forbidden():
    found = suggest(story(), Until("m1"))
    assert {"assert_no_tool_call": "issue_refund"} in [each.assertion for each in found]
    assert all("issue_refund" not in str(each.assertion.get("assert_tool_call")) for each in found)


def test_a_call_that_nobody_answered_is_not_suggested():
    run = story()
    alone = trace(run.records[0])
    assert {"assert_tool_call": {"tool": "lookup_order", "times": 1}} not in suggested(alone)


def test_a_call_that_only_its_own_lane_shows():
    run = trace(
        exchange(1, [text("user", TASK)], TextBlock(text="hi"), tools=()),
        ToolRecord(id="t1", name="sweep", outcome="ok", fidelity="raw"),
    )
    assert suggested(run)[0] == {"assert_tool_call": {"tool": "sweep", "times": 1}}


def test_one_call_on_two_lanes_counts_once_even_without_a_call_id():
    run = replaced(story(), "t1", call_id=None)
    assert suggested(run)[0] == {"assert_tool_call": {"tool": "lookup_order", "times": 1}}


def test_one_call_id_used_for_two_calls_counts_twice():
    run = story()
    import msgspec

    data = msgspec.json.encode(run.records).replace(b"call_3", b"call_2")
    from runwright.trace.model import Record

    run = msgspec.structs.replace(run, records=tuple(msgspec.json.decode(data, type=list[Record])))
    assert {"assert_tool_call": {"tool": "issue_refund", "times": 2}} in suggested(run)
    assert {"assert_tool_call": {"tool": "issue_refund", "times": 1}} in suggested(run, Until("m2"))


def test_effects_and_watched_kinds_without_any():
    written = SideEffectRecord(
        id="e1", side_effect=SideEffect(kind="fs_write", target="out/report.csv", caused_by="t1")
    )
    run = trace(
        exchange(1, [text("user", TASK)], TextBlock(text="hi"), tools=()),
        written,
        observation={"fs_write": "observed", "fs_delete": "observed", "http_request": "imported"},
    )
    assert suggested(run)[:2] == [
        {"assert_side_effect": {"kind": "fs_write", "target": "out/report.csv"}},
        {"assert_no_side_effect": {"kind": "fs_delete"}},
    ]
    assert suggest(run, END)[0].cites == ("e1",)


@pytest.mark.parametrize("until", ["m1", "m2", "m3", "m4"])
def test_no_outcome_with_until(until):
    assert not any("assert_outcome" in each for each in suggested(story(), Until(until)))

"""Each kind of assertion: held, failed, and not to be had."""

import base64
import json
from urllib.parse import quote

import pytest

from runwright.flow import Surroundings, evidence_of, judge
from runwright.flow.judge import judge_flow
from runwright.flow.structured import assertion_of
from runwright.trace.model import FaultRecord, SideEffect, SideEffectRecord, ToolRecord, Trace
from tests.flow.made import DONE, FIXED, GOOD, M1, M2, STORY, USER, call, flow, result, said, trace, turn


def judged(key: str, value: object, live: Trace = GOOD, **surroundings: object):
    return judge(assertion_of(key, value, "f"), evidence_of(live, Surroundings(**surroundings)))


def ran(name: str, call_id: str | None = None, **arguments: object) -> ToolRecord:
    return ToolRecord(id="t1", name=name, arguments=arguments, outcome="ok", call_id=call_id, fidelity="raw")


REFUSED = trace(
    M1,
    M2,
    turn(
        "m3",
        [
            *USER,
            said("assistant", call("c2", "issue_refund", order_id="A-1", amount=40)),
            result("c2", '{"status": "refused"}'),
        ],
        "Sorry.",
    ),
)
OK = {"status": {"equals": "refunded"}}

CALLS = [
    ("issue_refund", GOOD, "held", "m2"),
    ("issue_refund", FIXED, "held", "m2"),
    ("issue_refund", trace(M1, M2), "failed", "was requested in m2, but never answered or executed"),
    ("issue_refund", trace(M1, M2, ran("issue_refund", "c2")), "held", "m2"),
    ("issue_refund", trace(M1), "failed", "issue_refund was never called"),
    ("delete_customer", GOOD, "failed", "never called; called: issue_refund, lookup_order"),
    ("issue_refund where amount equals 40", GOOD, "held", ""),
    ("issue_refund where amount at least 41", GOOD, "failed", "amount is 40, wanted: amount is at least 41"),
    ("issue_refund where amount equals 41 or amount equals 40", GOOD, "held", ""),
    ("issue_refund where note exists", GOOD, "failed", "note is absent"),
    ({"tool": "issue_refund", "times": 1}, GOOD, "held", ""),
    ({"tool": "issue_refund", "times": 1}, STORY, "failed", "was called twice (m2, m3), exactly 1 wanted"),
    ({"tool": "issue_refund", "times": 3}, STORY, "failed", "was called twice (m2, m3), 3 wanted"),
    ({"tool": "issue_refund", "at_most": 1}, STORY, "failed", "exactly 1 wanted"),
    ({"tool": "issue_refund", "at_least": 0, "at_most": 1}, STORY, "failed", "at most 1 wanted"),
    ({"tool": "issue_refund", "at_most": 2}, STORY, "held", ""),
    ({"tool": "issue_refund", "at_most": 1}, trace(M1), "failed", "never called"),
    ({"tool": "issue_refund", "at_least": 0, "at_most": 1}, trace(M1), "held", "never called"),
    ({"tool": "issue_refund", "at_least": 2}, STORY, "held", ""),
    ({"tool": "issue_refund", "at_least": 2}, GOOD, "failed", "once"),
    ({"tool": "issue_refund", "result": OK}, GOOD, "held", ""),
    ({"tool": "issue_refund", "result": OK}, REFUSED, "failed", "the result's status is 'refused'"),
    ({"tool": "issue_refund", "result": OK}, trace(M1, M2), "failed", "status is absent"),
    ({"tool": "issue_refund", "level": "executed"}, GOOD, "capability", "cannot be told"),
]


@pytest.mark.parametrize(("value", "live", "state", "why"), CALLS)
def test_assert_tool_call(value, live, state, why) -> None:
    found = judged("assert_tool_call", value, live)
    assert (found.state, why in found.detail) == (state, True), found


NO_CALLS = [
    ("delete_customer", GOOD, "held", ""),
    ("issue_refund", GOOD, "failed", "issue_refund(order_id='A-1', amount=40) was requested in m2, answered in m3"),
    ("issue_refund", trace(M1, M2), "failed", "was requested in m2"),
    ("rm", trace(M1, ran("rm", path="/")), "failed", "was executed in t1"),
    ("issue_refund where amount greater than 40", GOOD, "held", ""),
    ("issue_refund where amount greater than 39", GOOD, "failed", "amount=40"),
    ({"tool": "issue_refund", "result": OK}, REFUSED, "held", ""),
    ({"tool": "issue_refund", "result": OK}, GOOD, "failed", ""),
    ({"tool": "issue_refund", "level": "executed"}, GOOD, "capability", ""),
    (
        {"tool": "issue_refund", "level": "executed"},
        trace(M1, M2, ran("issue_refund", "c2")),
        "failed",
        "executed in t1",
    ),
    (
        "delete_customer",
        trace(M1, FaultRecord(id="f1", kind="observer_failed", detail="d")),
        "not_judged",
        "hides tool calls",
    ),
]


@pytest.mark.parametrize(("value", "live", "state", "why"), NO_CALLS)
def test_assert_no_tool_call(value, live, state, why) -> None:
    found = judged("assert_no_tool_call", value, live)
    assert (found.state, why in found.detail) == (state, True), found


def test_execution_levels_where_tools_are_watched() -> None:
    level = {"tool": "issue_refund", "level": "executed"}
    live = trace(M1, M2, ran("issue_refund", "c2"))
    assert judged("assert_no_tool_call", level, GOOD, executions_seen=True).state == "held"
    assert judged("assert_tool_call", level, live, executions_seen=True).state == "held"
    unrun = judged("assert_tool_call", level, GOOD, executions_seen=True)
    assert (unrun.state, "never executed" in unrun.detail) == ("failed", True)


def states(*steps: object, live: Trace = GOOD, whole: bool = True, **fields: object) -> list[str]:
    spec = flow(*steps, **fields)
    return [each.state for each in judge_flow(spec, evidence_of(live, Surroundings()), live, whole=whole)]


LOOKUP, REFUND = {"assert_tool_call": "lookup_order"}, {"assert_tool_call": "issue_refund"}


@pytest.mark.parametrize(
    ("steps", "live", "expected"),
    [
        ([LOOKUP, REFUND], GOOD, ["held", "held"]),
        ([REFUND, LOOKUP], GOOD, ["held", "failed"]),
        ([REFUND, REFUND], GOOD, ["held", "failed"]),
        ([REFUND, REFUND], STORY, ["held", "held"]),
        ([LOOKUP, {"assert_no_tool_call": "x"}, REFUND], GOOD, ["held", "held", "held"]),
        ([{"assert_tool_call": {"tool": "issue_refund", "times": 2}}, REFUND], STORY, ["held", "held"]),
        ([{"assert_tool_call": {"tool": "issue_refund", "times": 1}}, LOOKUP], GOOD, ["held", "failed"]),
    ],
)
def test_calls_come_in_the_order_of_their_assertions(steps, live, expected) -> None:
    assert states(*steps, live=live) == expected


def test_a_run_cut_short_keeps_only_what_cannot_change() -> None:
    steps = [
        LOOKUP,
        {"assert_tool_call": {"tool": "issue_refund", "at_most": 1}},
        {"assert_tool_call": {"tool": "lookup_order", "times": 2}},
        {"assert_no_tool_call": "issue_refund"},
        {"assert_no_tool_call": "delete_customer"},
        {"assert_side_effect": "fs_write"},
        {"assert_outcome": "success"},
        {"assert": "reply contains refunded"},
        "assert_no_egress",
    ]
    expected = ["held", "failed", "not_judged", "failed", *["not_judged"] * 1, "capability", *["not_judged"] * 2]
    assert states(*steps, live=STORY, whole=False) == [*expected, "capability"]


def test_strict_wants_every_call_claimed() -> None:
    assert states(LOOKUP, REFUND, strict=True) == ["held", "held", "held"]
    assert states(LOOKUP, strict=True) == ["held", "failed"]
    assert states(LOOKUP, REFUND, strict=True, whole=False)[-1] == "not_judged"


# --- replies -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("value", "output", "state", "served"),
    [
        ("reply contains refunded", "It is refunded.\n", "held", False),
        ("reply contains refunded", "Done.\n", "failed", False),
        ("reply equals Done.", "Done.\n", "held", False),
        ("reply does not contain sorry", "Done.", "held", False),
        ("reply does not contain Done", "Done.", "failed", False),
        ("reply contains refunded", None, "unverified", True),
        ("reply contains nonsense", None, "failed", True),
    ],
)
def test_assert_reply(value, output, state, served) -> None:
    found = judged("assert", value, output=output)
    assert (found.state, found.served) == (state, served)


def test_a_reply_that_nobody_gave() -> None:
    assert judged("assert", "reply contains x", trace(M1)).state == "failed"
    assert judged("assert", "reply does not contain x", trace(M1)).state == "unverified"


def test_an_output_that_was_cut_shows_only_what_it_holds() -> None:
    live = trace(M1, M2, DONE, FaultRecord(id="f1", kind="truncation", detail="d", hides=("message",)))
    assert judged("assert", "reply contains Done", live, output="Done.").state == "held"
    assert judged("assert", "reply contains more", live, output="Done.").state == "not_judged"
    assert judged("assert", "reply does not contain more", live, output="Done.").state == "not_judged"


@pytest.mark.parametrize(
    ("turn_", "text", "output", "state"),
    [
        (0, "One", "One.\nTwo.\n", "held"),
        (0, "Two", "One.\nTwo.\n", "unverified"),
        (1, "Two", "Two.\n", "held"),
        (0, "One", "Two.\n", "failed"),
        (0, "One", None, "unverified"),
        (0, "Six", "One.\n", "failed"),
        (0, "Six", None, "failed"),
    ],
)
def test_a_delivery_of_several_needs_both_texts(turn_, text, output, state) -> None:
    talk = [*USER, said("assistant", "One."), said("user", "And now?")]
    live = trace(turn("m1", USER, "One."), turn("m2", talk, "Two."))
    assertion = assertion_of("assert", f"reply contains {text}", "f")
    assert judge(assertion, evidence_of(live, Surroundings(output=output)), turn=turn_).state == state


def test_output_that_is_not_divided_cannot_refute_what_more_words_would_break() -> None:
    talk = [*USER, said("assistant", "One."), said("user", "And now?")]
    live = trace(turn("m1", USER, "One."), turn("m2", talk, "Two."))
    assertion = assertion_of("assert", "reply is One.", "f")
    found = judge(assertion, evidence_of(live, Surroundings(output="One.\nTwo.\n")), turn=0)
    assert (found.state, "not divided" in found.detail) == ("unverified", True)


def test_a_delivery_has_its_own_calls() -> None:
    talk = [*USER, said("assistant", "One."), said("user", "And now?")]
    live = trace(turn("m1", USER, "One."), turn("m2", talk, call("c1", "t")))
    evidence = evidence_of(live, Surroundings())
    no_call = assertion_of("assert_no_tool_call", "t", "f")
    assert [judge(no_call, evidence, turn=n).state for n in (0, 1)] == ["held", "failed"]


# --- effects and the network -------------------------------------------------------------------------


def effects(*made: SideEffect, how: str = "observed", fault: bool = False) -> Trace:
    records = [SideEffectRecord(id=f"e{n}", side_effect=each) for n, each in enumerate(made, 1)]
    faults = [FaultRecord(id="f1", kind="observer_failed", detail="d", hides=("fs_write",))] if fault else []
    return trace(M1, *records, *faults, fs_write=how, http_request=how)


REPORT = SideEffect(kind="fs_write", target="./out/report.csv", op="open")
POST = SideEffect(kind="http_request", target="https://api.example.com/v1/refunds", op="POST")


@pytest.mark.parametrize(
    ("value", "live", "state"),
    [
        ("fs_write", effects(REPORT), "held"),
        ("fs_write out/report.csv", effects(REPORT), "held"),
        ("fs_write out/*.csv", effects(REPORT), "held"),
        ("fs_write *.csv", effects(REPORT), "failed"),
        ("fs_write **/*.csv", effects(REPORT), "held"),
        ("fs_write other.csv", effects(REPORT), "failed"),
        ("fs_write", effects(), "failed"),
        ("fs_write", effects(fault=True), "not_judged"),
        ("fs_write", effects(REPORT, how="not_observed"), "held"),
        ("fs_write", effects(how="not_observed"), "capability"),
        ("fs_write", effects(how="inferred"), "capability"),
        ("http_request POST https://api.example.com/v1/*", effects(POST), "held"),
        ("http_request https://api.example.com/**", effects(POST), "held"),
        ("http_request GET https://api.example.com/**", effects(POST), "failed"),
    ],
)
def test_assert_side_effect(value, live, state) -> None:
    assert judged("assert_side_effect", value, live).state == state


@pytest.mark.parametrize(
    ("value", "live", "state"),
    [
        ("fs_write", effects(), "held"),
        ("fs_write", effects(how="enforced"), "held"),
        ("fs_write", effects(REPORT), "failed"),
        ("fs_write", effects(REPORT, how="not_observed"), "failed"),
        ("fs_write", effects(how="not_observed"), "capability"),
        ("fs_write", effects(how="imported"), "capability"),
        ("db_change", effects(), "capability"),
        ("fs_write", effects(fault=True), "not_judged"),
        ("fs_write src/**", effects(REPORT), "held"),
        ("fs_write except out/**", effects(REPORT), "held"),
        ("fs_write except src/**", effects(REPORT), "failed"),
        ("http_request except POST https://api.example.com/v1/refunds", effects(POST), "held"),
        ("http_request except GET https://api.example.com/v1/refunds", effects(POST), "failed"),
    ],
)
def test_assert_no_side_effect(value, live, state) -> None:
    assert judged("assert_no_side_effect", value, live).state == state


@pytest.mark.parametrize(
    ("surroundings", "live", "state"),
    [
        ({"egress": "enforced"}, GOOD, "held"),
        ({"egress": "observed"}, GOOD, "capability"),
        ({}, GOOD, "capability"),
        ({"egress": "enforced", "blocked": ("1.2.3.4:443",)}, GOOD, "failed"),
        ({"egress": "enforced"}, trace(M1, FaultRecord(id="f1", kind="observer_failed", detail="d")), "not_judged"),
    ],
)
def test_assert_no_egress(surroundings, live, state) -> None:
    assert judged("assert_no_egress", None, live, **surroundings).state == state


# --- secrets -----------------------------------------------------------------------------------------

SECRET = 'tok"en/with+odd\nbits=9'
DATA = SECRET.encode()


@pytest.mark.parametrize(
    "written",
    [
        SECRET,
        json.dumps({"token": SECRET}),
        f"x={quote(SECRET)}",
        f"x={quote(SECRET, safe='').lower()}",
        base64.b64encode(DATA).decode(),
        base64.b64encode(b"user:" + DATA + b":rest").decode(),
        base64.b64encode(b"user1:" + DATA).decode(),
        base64.urlsafe_b64encode(b"ab" + DATA).decode(),
        DATA.hex(),
    ],
)
def test_a_secret_is_found_in_every_form_and_never_shown(written: str) -> None:
    live = trace(turn("m1", [said("user", f"look: {written}.")], "ok"))
    found = judged("assert_no_secret_leak", "TOKEN", live, environment={"TOKEN": SECRET})
    assert found.state == "failed"
    assert found.detail.startswith("TOKEN is in m1")
    assert SECRET not in found.detail
    printed = judged("assert_no_secret_leak", "TOKEN", GOOD, environment={"TOKEN": SECRET}, output=written)
    assert "the agent's output" in printed.detail


@pytest.mark.parametrize(
    ("environment", "state", "why"),
    [
        ({"TOKEN": SECRET}, "held", ""),
        ({}, "not_judged", "TOKEN is not set"),
        ({"TOKEN": ""}, "not_judged", "TOKEN is not set"),
        ({"TOKEN": "abc"}, "not_judged", "shorter than 4"),
    ],
)
def test_a_secret_must_be_there_to_be_kept(environment, state, why) -> None:
    found = judged("assert_no_secret_leak", "TOKEN", GOOD, environment=environment)
    assert (found.state, why in found.detail) == (state, True)


def test_a_leak_is_red_even_beside_a_variable_that_is_not_set() -> None:
    live = trace(turn("m1", [said("user", "s3cr3t")], "ok"))
    assert judged("assert_no_secret_leak", ["OTHER", "TOKEN"], live, environment={"TOKEN": "s3cr3t"}).state == "failed"


def test_a_numeric_secret_is_found_in_numbers_and_a_served_one_is_no_leak() -> None:
    live = trace(turn("m1", [*USER, said("assistant", call("c1", "t", pin=48151623))], "x"))
    assert judged("assert_no_secret_leak", "PIN", live, environment={"PIN": "48151623"}).state == "failed"
    served = trace(turn("m1", USER, "the pin is 48151623"))
    assert judged("assert_no_secret_leak", "PIN", served, environment={"PIN": "48151623"}).state == "held"


# --- outcomes ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("outcome", "live", "state"),
    [
        ("success", GOOD, "held"),
        ("success", FIXED, "failed"),
        ("tool_error", GOOD, "failed"),
        (
            "tool_error",
            trace(M1, ToolRecord(id="t1", name="t", outcome="error", fidelity="raw"), DONE),
            "held",
        ),
    ],
)
def test_assert_outcome(outcome, live, state) -> None:
    assert judged("assert_outcome", outcome, live).state == state

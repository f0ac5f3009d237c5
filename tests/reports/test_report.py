"""From a suite's results to the report: nothing lost, no secret kept."""

import json
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import xmlschema
from hypothesis import given, settings, strategies as st
from jsonschema import Draft202012Validator

from runwright.flow import AgentEnd, Control, FieldDifference, FlowResult, Judgement, MissReport, Said, Word
from runwright.reports import (
    plain_report,
    render_html,
    render_json,
    render_junit,
    render_markdown,
    render_text,
    report_of,
)
from runwright.run import CassetteUsed, FlowRun, Problem, SuiteReport

SCHEMA = json.loads((Path(__file__).parents[2] / "schema" / "run-report-v1.schema.json").read_text("utf-8"))

JUNIT = xmlschema.XMLSchema(Path(__file__).with_name("junit-ant.xsd"))

KEY = "sk-proj-" + "Zx8Qm2Lp7Vt4Kd9Wn3Rb6Hy1Jc5Gf0Ts"
WEAK = "pw1"


SEEN = {
    "file": "flows/a.flow.yaml",
    "assertions": ("assert_no_tool_call: x",),
    "ignored": ("$.request.model (model)",),
    "cassette": CassetteUsed(file="cassettes/a.jsonl", digest="blake3:00"),
    "matched": ("m1",),
}


def suite(*results: FlowResult, problems: tuple[Problem, ...] = (), interrupted: bool = False) -> SuiteReport:
    return SuiteReport(
        started_at=datetime(2025, 5, 1, 10, tzinfo=UTC),
        duration=1.25,
        runs=tuple(FlowRun(result=each, **SEEN) for each in results),
        problems=problems,
        interrupted=interrupted,
    )


def result(**fields: object) -> FlowResult:
    given = {"name": "a flow", "path": Path("flows/a.flow.yaml"), "word": Word.FAIL, "exit": 1, "summary": "FAIL"}
    return FlowResult(**{**given, **fields})


FULL = result(
    judgements=(
        Judgement(assertion="assert_no_tool_call: x", state="failed", detail="m2"),
        Judgement(
            assertion="assert_side_effect: fs_write a",
            state="failed",
            detail="seen instead",
            nearest="e1 fs_write b",
            differences=(
                FieldDifference(path="target", recorded="a", live="b"),
                FieldDifference(path="after.content", live="A-1\nPASS  refund\x1b[2K\u202e"),
            ),
        ),
    ),
    miss=MissReport(
        reason="POST /v1/chat/completions: differs",
        nearest="m2",
        differences=(
            FieldDifference(path="$.request.parameters.seed", live=3),
            FieldDifference(path="$.request.messages[0].content[0].text", recorded="a\ud83d", live=None),
        ),
    ),
    left_over=("m3",),
    not_judged=("assert: reply contains x",),
    never_compared=("$.request.tools",),
    real_tools=("x",),
    not_replayed=("t1",),
    notes=("a note",),
    control=Control(id="c", title="t"),
    duration=0.5,
    agent=AgentEnd(ended="exited", exit_code=3, status=500, stderr="odd"),
    reply=Said(text="done", source="own"),
)


def test_the_report_is_what_the_schema_describes() -> None:
    report = plain_report(report_of(suite(FULL, result(word=Word.PASS, exit=0), problems=(Problem(message="m"),))))
    assert [error.message for error in Draft202012Validator(SCHEMA).iter_errors(report)] == []
    assert report["totals"] == {"PASS": 1, "FAIL": 1}
    assert report["exit"] == 2


def test_nothing_is_lost() -> None:
    (flow,) = plain_report(report_of(suite(FULL)))["flows"]
    described = SCHEMA["$defs"]["flow"]["properties"].keys() - {
        "trace",
        "effects",
    }  # these come from the live side, which FULL has not
    assert flow.keys() == described
    assert flow["miss"]["differences"] == [
        {"path": "$.request.parameters.seed", "live": 3},
        {"path": "$.request.messages[0].content[0].text", "recorded": "a�", "live": None},
    ]
    assert flow["agent"] == {"exit_code": 3, "status": 500, "ended": "exited", "stderr": "odd"}
    assert (flow["reply"], flow["reply_source"]) == ("done", "own")


def test_an_interrupted_suite_says_so() -> None:
    report = report_of(suite(result(word=Word.PASS, exit=0), interrupted=True))
    assert (report.exit, report.interrupted) == (130, True)


SECRET = result(
    name=f"flow {KEY}",
    summary=f"FAIL: {KEY}",
    judgements=(Judgement(assertion="a", state="failed", detail=f"sent {KEY}"),),
    miss=MissReport(
        reason=f"differs {KEY}",
        differences=(
            FieldDifference(path="$.request.messages[0].content[0].text", recorded=f"use {KEY}", live="use none"),
            FieldDifference(path="$.request.parameters.password", recorded=WEAK, live=WEAK + "-new"),
        ),
    ),
    notes=(f"note {KEY}",),
    not_judged=(f"assert: reply contains {KEY}",),
    agent=AgentEnd(stderr=f"Authorization: Bearer {KEY}"),
    reply=Said(text=f"your key is {KEY}", source="own"),
)


def test_no_form_holds_a_secret() -> None:
    report = report_of(suite(SECRET, problems=(Problem(message=KEY, place=KEY, hint=KEY),)))
    for render in (render_text, render_json, render_junit, render_html, render_markdown):
        page = render(report)
        assert KEY not in page
        assert WEAK not in page
        assert "redacted:" in page


def test_the_same_secret_is_the_same_token_and_another_another() -> None:
    flow = report_of(suite(SECRET)).flows[0]
    key = flow.name.removeprefix("flow ")
    assert key.startswith("[[redacted:")
    assert flow.judgements[0].detail == f"sent {key}"
    text, password = flow.miss.differences
    assert text.recorded == f"use {key}"
    assert len({key, password.recorded, password.live}) == 3


def test_what_is_no_secret_is_left_alone() -> None:
    report = report_of(suite(FULL))
    assert "redacted" not in render_json(report)


ANYTHING = st.text(st.characters(exclude_categories=()), max_size=40)


@settings(max_examples=40, deadline=None)
@given(text=ANYTHING, key=ANYTHING)
def test_whatever_a_run_says_every_form_stays_whole(text: str, key: str) -> None:
    odd = result(
        name=text,
        summary=text,
        judgements=(Judgement(assertion=text, state="failed", detail=key),),
        miss=MissReport(reason=text, differences=(FieldDifference(path=key, recorded={key: [text]}, live=text),)),
        not_judged=(text,),
        notes=(text,),
        agent=AgentEnd(exit_code=1, stderr=text),
        reply=Said(text=text, source="own"),
    )
    report = report_of(suite(odd, problems=(Problem(message=text, place=key, hint=text),)))
    assert Draft202012Validator(SCHEMA).is_valid(json.loads(render_json(report)))
    JUNIT.validate(render_junit(report))
    for page in (render_text(report), render_html(report), render_markdown(report)):
        page.encode()
    assert sum(line.startswith(("FAIL ", "PASS ")) for line in render_text(report).split("\n")) >= 1


def test_what_came_nearest_is_shown_in_every_form_and_forges_no_line() -> None:
    judged = FULL.judgements[1]
    secret = replace(judged, differences=(*judged.differences, FieldDifference(path="after.password", live=KEY)))
    report = report_of(suite(replace(FULL, judgements=(secret,))))
    for render in (render_text, render_json, render_junit, render_markdown, render_html):
        text = render(report)
        assert "e1 fs_write b" in text.replace("\\", ""), render
        assert "after.content" in text, render
        assert KEY[:16] not in text, render
        assert not any(line.lstrip(" >").startswith("PASS ") for line in text.splitlines()), render
        assert "\x1b" not in text, render
        assert "\u202e" not in text, render
    text = render_text(report)
    assert '    nearest to assert_side_effect: fs_write a: e1 fs_write b\n      target: "a" -> "b"\n' in text

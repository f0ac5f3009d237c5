"""Suites that other tools show green: skipped flows, missing recordings, unchecked controls, commands that failed."""

import json
from pathlib import Path
from xml.etree import ElementTree

import pytest

from runwright.errors import Exit
from runwright.reports import render_json, render_junit, report_of
from runwright.run import RunOptions, SuiteReport, run_suite
from tests.run.story import Shop, shop
from tests.run.test_one import BARE


@pytest.fixture
def made(tmp_path: Path) -> Shop:
    return shop(tmp_path)


def run(made: Shop, **options: object) -> SuiteReport:
    return run_suite([made.flow.parent], RunOptions(**{"environment": BARE, "timeout": 30, **options}))


def red(report: SuiteReport, word: str) -> str:
    """That a suite of one flow is exit 2 in every form, an error in JUnit and skipped in none; its summary."""
    written = json.loads(render_json(report_of(report)))
    assert (report.exit, written["exit"], written["totals"]) == (Exit.NOT_JUDGED, 2, {word: 1})
    assert [(each["word"], each["exit"]) for each in written["flows"]] == [(word, 2)]
    junit = ElementTree.fromstring(render_junit(report_of(report)))
    (suite,) = junit.iter("testsuite")
    assert (suite.get("tests"), suite.get("errors"), suite.get("failures")) == ("1", "1", "0")
    assert [each.tag for each in suite.iter("testcase")] == ["testcase"]
    assert [each.get("type") for each in suite.iter("error")] == [word]
    assert not list(suite.iter("skipped"))
    return str(written["flows"][0]["summary"])


def test_it_is_green_to_begin_with(made: Shop) -> None:
    report = run(made)
    assert report.exit is Exit.OK
    (case,) = ElementTree.fromstring(render_junit(report_of(report))).iter("testcase")
    assert not list(case)


@pytest.mark.parametrize("environment", [BARE, {**BARE, "STAGING": ""}])
def test_a_skipped_flow_is_an_error_and_never_skipped(made: Shop, environment: dict[str, str]) -> None:
    made.spec(("steps:", "skip_unless_env: [STAGING]\nsteps:"))
    assert red(run(made, environment=environment), "UNVERIFIED") == "UNVERIFIED, skipped: STAGING is not set"
    assert run(made, environment={**BARE, "STAGING": "1"}).exit is Exit.OK


def test_a_flow_without_its_recording_is_an_error(made: Shop) -> None:
    made.cassette.unlink()
    assert "there is no cassette" in red(run(made), "UNVERIFIED")


def test_a_recording_that_cannot_be_trusted_is_an_error(made: Shop) -> None:
    made.cassette.write_bytes(made.cassette.read_bytes().replace(b"A-4471", b"A-4472", 1))
    red(run(made), "UNVERIFIED")


@pytest.mark.parametrize(
    "change",
    [
        ("- assert: reply contains refunded", "- assert: reply says refunded"),
        ("- assert: reply contains refunded", "- assert_tool_call: issue_refund where"),
        ("- assert: reply contains refunded", "- assrt: reply contains refunded"),
        ("tools: real}", 'tools: real, env: {A: "${GONE}"}}'),
    ],
)
def test_a_mistake_in_a_flow_is_an_error_not_a_failed_test(made: Shop, change: tuple[str, str]) -> None:
    made.spec(change)
    red(run(made), "INVALID")


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (("app: agent", "app: web"), "'app: web' cannot be run"),
        (("flow: 1\n", "browser: {mobile: true}\n"), "'browser' is for web flows"),
        (("flow: 1\n", "mcp: [{name: a, command: b}]\n"), "MCP"),
    ],
)
def test_what_cannot_be_run_or_seen_here_is_an_error(made: Shop, change: tuple[str, str], why: str) -> None:
    made.spec(change)
    assert why in red(run(made), "CAPABILITY")


def test_a_control_is_checked_under_one_flow_and_a_skipped_one_is_not_checked(made: Shop) -> None:
    control = ("steps:", "control: {id: one-refund}\nskip_unless_env: [STAGING]\nsteps:")
    made.spec(control)
    (flow,) = json.loads(render_json(report_of(run(made))))["flows"]
    assert (flow["control"]["id"], flow["word"], flow["exit"]) == ("one-refund", "UNVERIFIED", 2)
    made.flow.with_name("again.flow.yaml").write_text(made.flow.read_text())
    report = run(made, environment={**BARE, "STAGING": "1"})
    assert {each.result.word.value for each in report.runs} == {"PASS"}
    assert report.exit is Exit.NOT_JUDGED
    assert "2 flows have the control id 'one-refund'" in render_junit(report_of(report))


def test_an_agent_that_fails_after_it_did_everything_is_red(made: Shop) -> None:
    made.agent(("print(reply", "sys.exit(3)\nprint(reply"))
    assert run(made).exit is Exit.FAILED


def test_a_flow_that_asserts_nothing_passes_on_matching_alone_and_says_so(made: Shop) -> None:
    made.spec(
        ("  - assert_tool_call: {tool: issue_refund, times: 1}\n", ""), ("  - assert: reply contains refunded\n", "")
    )
    (found,) = run(made).runs
    assert found.result.summary == "PASS, on matching alone"
    made.agent(("reply = ask(messages)\nwhile", "reply = {'content': 'Refunded.'}\nwhile"))
    red(run(made), "UNVERIFIED")


@pytest.mark.parametrize(
    "text",
    [
        "suite: 1\nbefore_each: 'false'\n",
        "suite: 1\nafter_each: 'false'\n",
        "suite: 1\nenv_from: 'false'\n",
        "suite: 1\nenv_from: echo nonsense\n",
    ],
)
def test_a_command_of_the_suite_that_fails_is_an_error(made: Shop, text: str) -> None:
    (made.flow.parent / "suite.yaml").write_text(text)
    red(run(made), "UNVERIFIED")


@pytest.mark.parametrize("text", ["befor_each: x\n", "order: [gone.flow.yaml]\n", "env: {A: [b]}\n", "[]", ""])
def test_a_mistake_in_the_suite_file_is_an_error(made: Shop, text: str) -> None:
    (made.flow.parent / "suite.yaml").write_text(text)
    red(run(made), "INVALID")


def test_a_version_that_is_wanted_and_not_there_is_an_error(made: Shop) -> None:
    (made.flow.parent / "suite.yaml").write_text("suite: 1\nmin_version: 99.0.0\n")
    red(run(made), "CAPABILITY")

"""Every form of the report says what the model says, and stays whole whatever the run put into it."""

import json
from html.parser import HTMLParser
from pathlib import Path
from xml.etree import ElementTree

import pytest
import xmlschema
from jsonschema import Draft202012Validator
from msgspec.structs import replace

from runwright.reports.html import render_html
from runwright.reports.json import plain_report, render_json
from runwright.reports.junit import render_junit
from runwright.reports.markdown import render_markdown
from runwright.reports.model import WORDS, AgentReport, DifferenceReport, JudgementReport, MissReport
from runwright.reports.text import render_text
from tests.reports.cases import EVERYTHING, HOSTILE, MISS, flow, report

SCHEMA = json.loads((Path(__file__).parents[2] / "schema" / "run-report-v1.schema.json").read_text("utf-8"))
JUNIT = xmlschema.XMLSchema(Path(__file__).with_name("junit-ant.xsd"))

EMPTY = report()
INTERRUPTED = report(flow("PASS"), interrupted=True)
REPORTS = {"everything": EVERYTHING, "empty": EMPTY, "interrupted": INTERRUPTED, "green": report(flow("PASS"))}


# --- JSON ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", REPORTS)
def test_json_is_what_the_schema_describes(name: str) -> None:
    Draft202012Validator.check_schema(SCHEMA)
    problems = [error.message for error in Draft202012Validator(SCHEMA).iter_errors(plain_report(REPORTS[name]))]
    assert problems == []


def test_json_as_text_is_the_same_document() -> None:
    assert json.loads(render_json(INTERRUPTED)) == plain_report(INTERRUPTED)


def test_the_schema_refuses_what_it_does_not_describe() -> None:
    plain = plain_report(report(flow("PASS")))
    for broken in ({**plain, "more": 1}, {**plain, "exit": 3}, {**plain, "totals": {"OK": 1}}):
        assert not Draft202012Validator(SCHEMA).is_valid(broken)


def test_every_field_of_the_schema_is_described() -> None:
    def fields(node: object) -> list[object]:
        if not isinstance(node, dict):
            return []
        own = list(node.get("properties", {}).values())
        return own + [found for child in node.values() for found in fields(child)]

    assert len(fields(SCHEMA)) > 40
    assert [field for field in fields(SCHEMA) if not {"description", "$ref"} & field.keys()] == []


def test_an_absent_side_of_a_difference_is_left_out() -> None:
    shown = plain_report(report(flow("FAIL", miss=MISS)))["flows"][0]["miss"]["differences"]
    assert shown[0] == {"path": "$.request.parameters.temperature", "recorded": 0, "live": 0.7}
    assert shown[1] == {"path": "$.request.parameters.seed", "live": 7}


def test_a_null_is_no_absent_side() -> None:
    miss = MissReport(reason="r", later=False, differences=(DifferenceReport(path="$.a", recorded=None, live=1),))
    assert plain_report(report(flow("FAIL", miss=miss)))["flows"][0]["miss"]["differences"] == [
        {"path": "$.a", "recorded": None, "live": 1}
    ]
    assert "$.a: null -> 1" in render_text(report(flow("FAIL", miss=miss)))


# --- JUnit -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", REPORTS)
def test_junit_validates(name: str) -> None:
    JUNIT.validate(render_junit(REPORTS[name]))


def test_the_junit_schema_refuses_what_ant_would() -> None:
    good = render_junit(report(flow("FAIL")))
    for old, new in (
        ('time="0.250"', ""),
        ("<failure", "<skipped"),
        ("T10:00:00", "T10:00:00Z"),
        ("<properties />", ""),
    ):
        assert old in good
        assert not JUNIT.is_valid(
            good.replace(old, new).replace("</failure", "</" + new[1:] if "skip" in new else "</failure")
        )


@pytest.mark.parametrize("word", WORDS)
def test_junit_has_no_green_but_pass(word: str) -> None:
    suite = ElementTree.fromstring(render_junit(report(flow(word)))).find("testsuite")
    faults = [(child.tag, child.get("type")) for child in suite.find("testcase")]
    expected = {"PASS": [], "FAIL": [("failure", "FAIL")]}.get(word, [("error", word)])
    assert faults == expected
    counted = (suite.get("tests"), suite.get("failures"), suite.get("errors"))
    assert counted == ("1", str(int(word == "FAIL")), str(int(word not in ("PASS", "FAIL"))))


def test_junit_of_a_suite_with_a_problem_is_no_green() -> None:
    suite = ElementTree.fromstring(render_junit(EVERYTHING)).find("testsuite")
    assert int(suite.get("tests")) == len(suite.findall("testcase")) == len(EVERYTHING.flows) + 1
    assert int(suite.get("errors")) == len(suite.findall("testcase/error"))
    assert int(suite.get("failures")) == len(suite.findall("testcase/failure"))
    assert "a proposal waits" in {error.get("message") for error in suite.findall("testcase/error")}


def test_junit_of_an_interrupted_suite_is_no_green() -> None:
    suite = ElementTree.fromstring(render_junit(INTERRUPTED)).find("testsuite")
    assert suite.get("errors") == "1"


# --- text ------------------------------------------------------------------------------------------


def test_text_shows_a_miss_as_path_recorded_live() -> None:
    lines = render_text(report(flow("FAIL", miss=MISS))).splitlines()
    assert lines[1:4] == [
        "    miss, nearest m2: no recorded exchange answers the request",
        "      $.request.parameters.temperature: 0 -> 0.7",
        "      $.request.parameters.seed: (absent) -> 7",
    ]
    assert lines[4].endswith('xxxold" -> …xxxxxxxxxxxxxxxxnew"')
    assert max(map(len, lines)) < 250


def test_both_sides_of_a_difference_are_cut_at_the_same_place() -> None:
    recorded, live = (
        '{"id": 1, "amount": 40, "item": "teapot", "status": "' + "x" * 80,
        '{"id": 1, "amount": 40, "status": "x"}',
    )
    change = DifferenceReport(path="$.a", recorded=recorded, live=live)
    text = render_text(report(flow("FAIL", miss=MissReport(reason="r", later=False, differences=(change,)))))
    line = next(line for line in text.splitlines() if "$.a: " in line)
    one, other = line.removeprefix("      $.a: ").split(" -> ")
    assert one.startswith(r"…amount\": 40, \"item")
    assert other.startswith(r"…amount\": 40, \"status")


def test_text_says_how_often_what_happened() -> None:
    assert render_text(EVERYTHING).splitlines()[-1].startswith("8 flows: 2 PASS, 2 FAIL, 1 UNVERIFIED, 1 STALE,")
    assert render_text(EMPTY) == "0 flows: nothing was judged in 1.5 s\n"
    assert render_text(INTERRUPTED).splitlines()[-1].startswith("interrupted: 1 flow")


def test_text_qualifies_a_pass() -> None:
    text = render_text(EVERYTHING)
    assert "    PASS, not judged after m2\n    ran for real: issue_refund, lookup_order\n" in text


def test_text_of_a_red_flow_fits_a_screen() -> None:
    many = tuple(DifferenceReport(path=f"$.a[{i}]", recorded=i, live=-i) for i in range(500))
    red = flow(
        "FAIL",
        miss=MissReport(reason="r", later=False, differences=many),
        left_over=tuple(f"m{i}" for i in range(500)),
        agent=AgentReport(stderr="line\n" * 500),
    )
    text = render_text(report(red))
    assert len(text.splitlines()) < 24
    assert "and 492 more" in text


def test_text_says_nothing_twice() -> None:
    told = flow("FAIL", summary=f"FAIL, {MISS.reason}; an assertion: 2 wanted", miss=MISS)
    judged = (JudgementReport(assertion="an assertion", state="failed", detail="2 wanted"),)
    text = render_text(report(replace(told, judgements=judged)))
    assert text.count(MISS.reason) == text.count("an assertion") == 1
    assert "temperature: 0 -> 0.7" in text


def test_text_shows_stderr_where_it_may_say_why() -> None:
    words = AgentReport(exit_code=1, stderr="ValueError: no")
    assert "ValueError: no" in render_text(report(flow("FAIL", agent=words)))
    assert "ValueError: no" not in render_text(report(flow("PASS", agent=words)))


def test_text_is_coloured_on_request_only() -> None:
    assert "\x1b" not in render_text(EVERYTHING)
    assert "\x1b[31mFAIL\x1b[0m  a flow that gets FAIL" in render_text(EVERYTHING, colour=True)


@pytest.mark.parametrize("colour", [True, False])
def test_what_a_run_says_cannot_forge_a_line_or_steer_the_terminal(colour: bool) -> None:
    text = render_text(EVERYTHING, colour=colour)
    assert "\x00" not in text
    assert "\x1b[31m ]]>" not in text
    assert not any(line.startswith("PASS  forged") for line in text.splitlines())


# --- HTML ------------------------------------------------------------------------------------------


class Tags(HTMLParser):
    """Collects the tags and the addresses of a page."""

    def __init__(self) -> None:
        super().__init__()
        self.opened: list[str] = []
        self.closed: list[str] = []
        self.addresses: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.opened.append(tag)
        self.addresses += [value or "" for name, value in attrs if name in ("src", "href")]

    def handle_endtag(self, tag: str) -> None:
        self.closed.append(tag)


def test_html_is_one_page_that_fetches_nothing() -> None:
    page = render_html(EVERYTHING)
    tags = Tags()
    tags.feed(page)
    assert tags.addresses == []
    assert "script" not in tags.opened
    assert "url(" not in page
    void = {"meta", "br"}
    assert sorted(tag for tag in tags.opened if tag not in void) == sorted(tags.closed)


def test_html_opens_what_is_red_and_shows_its_fields() -> None:
    page = render_html(EVERYTHING)
    assert '<details class="FAIL" open>' in page
    assert '<details class="PASS"><summary>' in page
    assert (
        "<td><code>$.request.parameters.temperature</code></td><td><code>0</code></td><td><code>0.7</code></td>" in page
    )
    assert "&lt;script&gt;" in page


# --- Markdown --------------------------------------------------------------------------------------


def test_markdown_has_a_row_a_flow_and_a_block_where_it_is_red() -> None:
    text = render_markdown(EVERYTHING)
    rows = [line for line in text.splitlines() if line.startswith("| ")]
    assert len(rows) == len(EVERYTHING.flows) + 1
    assert "| PASS | a flow that gets PASS | PASS, not judged after m2 |" in rows
    assert "      $.request.parameters.temperature: 0 -> 0.7" in text


def test_markdown_escapes_what_a_run_says() -> None:
    row = next(line for line in render_markdown(report(flow("FAIL", name=HOSTILE))).splitlines() if "quoted" in line)
    assert "<script>" not in row.replace("\\<", "")
    assert row.replace("\\|", "").count("|") == 4

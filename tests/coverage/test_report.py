"""The verdict on a set of files, the figures as they are compared and shown, and the forms of the report."""

from __future__ import annotations

import re
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from runwright.reports.coverage import (
    CoverageReport,
    Limits,
    coverage_report,
    render_coverage_html,
    render_coverage_text,
)
from runwright.survey import coverage_of
from runwright.trace import PolicyRecord, ToolSpec, dumps_trace
from tests.coverage.made import asks, tool, trace

KEY = "sk-proj-" + "Zq3xV7bK9mT2" * 4


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def put(name: str, *records: Any) -> None:
    Path(name).write_bytes(dumps_trace(trace(*records, name=name)))


def report(*paths: str, **limits: float) -> CoverageReport:
    found = coverage_of([Path(each) for each in paths], None, timeout=60)
    return coverage_report(found, None, Limits(**limits))


def tools(count: int) -> tuple[ToolSpec, ...]:
    return tuple(ToolSpec(name=f"tool{n}") for n in range(count))


def test_a_figure_is_compared_exactly_and_rounded_down() -> None:
    put("a.jsonl", asks(1, tools=tools(3)), tool("tool0", number=1), tool("tool1", number=2, outcome="denied"))
    found = report("a.jsonl")
    assert (found.tool_coverage.percent, found.boundary_coverage.percent) == (66.6, 33.3)
    assert found.verdict == "PASS"
    for limit, verdict in ((66.6, "PASS"), (66.66, "PASS"), (66.67, "FAIL"), (0, "PASS"), (100, "FAIL")):
        judged = report("a.jsonl", tools=limit)
        assert (judged.verdict, judged.exit) == (verdict, int(verdict == "FAIL")), limit
    assert report("a.jsonl", boundary=33.3).exit == 0
    assert report("a.jsonl", boundary=33.4).exit == 1
    assert Fraction(2, 3) > Fraction("66.66") / 100


def test_almost_all_is_not_all() -> None:
    put("a.jsonl", asks(1, tools=tools(1000)), *(tool(f"tool{n}", number=n) for n in range(999)))
    found = report("a.jsonl", tools=99.95)
    assert found.tool_coverage.percent == 99.9
    assert found.exit == 1
    put("b.jsonl", tool("tool999"))
    assert report("a.jsonl", "b.jsonl", tools=100).exit == 0


def test_what_cannot_be_read_beats_what_is_not_enough() -> None:
    put("a.jsonl", asks(1, tools=tools(2)), tool("tool0"))
    Path("cut.jsonl").write_bytes(Path("a.jsonl").read_bytes()[:-30])
    found = report("a.jsonl", "cut.jsonl", tools=100)
    assert (found.verdict, found.exit) == ("UNVERIFIED", 2)
    assert [each.place for each in found.problems] == ["cut.jsonl"]
    assert found.tool_coverage.covered == 1
    assert not found.tool_coverage.met


def test_an_incomplete_trace_covers_nothing() -> None:
    put("a.jsonl", asks(1, tools=tools(1)), tool("tool0"))
    Path("a.jsonl").write_text(Path("a.jsonl").read_text().replace("tool0", "tool1"))
    found = report("a.jsonl")
    assert (found.exit, found.tools) == (2, ())


def test_nothing_is_no_pass() -> None:
    assert report("none-*.jsonl").exit == 2
    Path("empty").mkdir()
    assert report("empty").exit == 2
    put("a.jsonl", tool("tool0"))
    found = report("a.jsonl")
    assert (found.exit, found.tool_coverage.percent, found.tool_coverage.met) == (2, None, True)
    assert [each.message for each in found.problems] == ["no tool is registered: a share of none says nothing"]


def test_it_is_said_which_tools_count() -> None:
    put("a.jsonl", asks(1, tools=tools(1)), tool("tool0"))
    put("b.jsonl", asks(1, unknown=("$.request.tools",)))
    found = report("a.jsonl", "b.jsonl")
    assert found.registered_by == "traces"
    assert found.notes == (
        "registered are the tools that requests in the traces declare; --agent names those that the agent has",
        "1 of 2 traces do not know which tools were declared",
    )


def test_no_form_shows_a_secret_or_a_script() -> None:
    script = "<script>alert(1)</script>\x1b[31m"
    put(
        "a.jsonl",
        asks(
            1,
            tools=(
                ToolSpec(
                    name=script,
                    parameters={
                        "properties": {"k": {"enum": [KEY, "b"]}, KEY: {}, "password": {"const": "hunter2-Rq9"}}
                    },
                ),
            ),
        ),
        tool(script, {"k": "b", script: 1}),
        tool(KEY, number=2),
        PolicyRecord(id="p1", policy=script, verdict="deny"),
    )
    found = report("a.jsonl")
    for shown in (render_coverage_text(found), render_coverage_html(found)):
        assert KEY not in shown
        assert "hunter2" not in shown
        assert "\x1b" not in shown
    page = render_coverage_html(found)
    assert "<script" not in page
    assert "&lt;script&gt;alert(1)" in page
    assert re.findall(r'(?:src|href)="', page) == []


def test_a_page_stays_readable() -> None:
    put("a.jsonl", asks(1, tools=tools(2100)), *(tool(f"tool{n}", number=n) for n in range(2100)))
    page = render_coverage_html(report("a.jsonl"))
    assert page.count("<tr>") < 4100
    assert "and 100 more" in page

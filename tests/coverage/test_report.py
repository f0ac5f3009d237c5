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
from runwright.trace import PolicyRecord, SideEffect, SideEffectRecord, ToolSpec, dumps_trace
from tests.coverage.made import asks, tool, trace

KEY = "sk-proj-" + "Zq3xV7bK9mT2" * 4


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def put(name: str, *records: Any, **header: Any) -> None:
    Path(name).write_bytes(dumps_trace(trace(*records, name=name, **header)))


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


# --- the whole of it ----------------------------------------------------------------------------

SCHEMA: dict[str, Any] = {
    "properties": {"order": {"type": "string"}, "reason": {"enum": ["broken", "late"]}, "note": {"type": "string"}}
}
FLOW = "flow: 1\nname: {name}\napp: agent\nagent: {{command: run, tools: real}}\nsteps: [{{prompt: Hi}}]\n"


def desk() -> None:
    """Two runs of three tools, a flow that names a control, a flow that names none, and a policy that decided."""
    Path("flows").mkdir()
    Path("cassettes").mkdir()
    Path("flows/a.flow.yaml").write_text(
        FLOW.format(name="a") + "control: {id: limit, title: No more than 50}\ncassette: ../a.jsonl\n"
    )
    Path("flows/b.flow.yaml").write_text(FLOW.format(name="b") + "cassette: ../b.jsonl\n")
    declared = tuple(ToolSpec(name=name, parameters=SCHEMA) for name in ("refund", "look", "close"))
    put(
        "a.jsonl",
        asks(1, ("look", {}), tools=declared, agent="desk"),
        tool("refund", {"order": "A", "reason": "late", "x": 1}, number=2, agent="desk"),
        SideEffectRecord(id="e1", side_effect=SideEffect(kind="fs_write", target="x", caused_by="t2")),
        tool("refund", {"order": "A"}, number=3, outcome="denied", agent="desk"),
        tool("unheard", number=4, outcome="error", agent="desk"),
        PolicyRecord(id="p1", policy="grants", verdict="deny"),
        observation={"fs_write": "observed", "fs_delete": "observed"},
    )
    put("b.jsonl", tool("refund", {"order": "B"}, number=1, unknown=("$.outcome",)))


def test_the_report_as_text() -> None:
    desk()
    text = render_coverage_text(report("flows", tools=50, boundary=10))
    assert text.splitlines() == [
        "tool     calls  outcomes",
        "close        0  never called",
        "look         0  only asked for 1",
        "refund       3  ok 1, denied 1, untold 1",
        "    never given (1 of 3 fields): note",
        '    values of reason never given: "broken"',
        "    given, and not declared: x",
        "    side effects: fs_write 1",
        "unheard      1  error 1",
        "    not registered",
        "pairs seen: refund -> refund (1), refund -> unheard (1); 1 of the 9 that registered tools can make",
        "side effects seen: fs_write 1",
        "side effects watched and never seen: fs_delete",
        "control grants: no flow guards it; decided deny 1",
        "control limit: flows/a.flow.yaml",
        "flows without a control: flows/b.flow.yaml",
        "note: registered are the tools that requests in the traces declare; --agent names those that the agent has",
        "tool coverage       33.3 %  (1 of 3, below 50 %)  registered tools that were called",
        "boundary coverage   33.3 %  (1 of 3, at least 10 %)  registered tools seen to fail, denied or held back",
        "FAIL: 2 traces in 2 files",
    ]


def cells(page: str) -> list[list[str]]:
    """The rows of the page's tables, heads included."""
    rows = re.findall(r"<tr>(.*?)</tr>", page, re.DOTALL)
    return [re.findall(r"<th>(.*?)</th>|<td><pre>(.*?)</pre></td>", row, re.DOTALL) for row in rows]


def test_the_report_as_a_page() -> None:
    desk()
    page = render_coverage_html(report("flows", tools=50, boundary=10))
    rows = [["".join(cell) for cell in row] for row in cells(page)]
    assert rows == [
        ["tool", "calls", "outcomes", "never exercised"],
        ["close", "0", "never called", ""],
        ["look", "0", "only asked for 1", ""],
        [
            *("refund", "3", "ok 1, denied 1, untold 1"),
            "never given (1 of 3 fields): note\nvalues of reason never given: &quot;broken&quot;\n"
            "given, and not declared: x\nside effects: fs_write 1",
        ],
        ["unheard", "1", "error 1", "not registered"],
        ["before", "after", "times"],
        ["refund", "refund", "1"],
        ["refund", "unheard", "1"],
        ["kind", "times"],
        ["fs_write", "1"],
        ["fs_delete", "0"],
        ["control", "title", "flows", "decided"],
        ["grants", "", "no flow guards it", "deny 1"],
        ["limit", "No more than 50", "flows/a.flow.yaml", ""],
    ]
    assert re.findall(r"<h[12]>(.*?)</h[12]>", page) == [
        *("FAIL: coverage of 2 traces", "Tools", "Pairs", "Side effects", "Controls")
    ]
    assert re.findall(r'<details class="(\w+)".*?</span> (.*?)</summary>', page) == [
        ("FAIL", " 33.3 %  (1 of 3, below 50 %)"),
        ("other", " 33.3 %  (1 of 3, at least 10 %)"),
    ]
    assert re.findall(r'value="(.*?)"', page) == ["33.3", "33.3"]
    assert "registered are the tools that requests in the traces declare" in page


def test_the_page_of_nothing_and_of_all() -> None:
    page = render_coverage_html(report("none-*.jsonl"))
    assert "no trace was read: nothing was measured" in page
    assert "<table>" not in page
    assert re.findall(r'value="(.*?)"', page) == ["0", "0"]
    put("a.jsonl", asks(1, tools=tools(1)), tool("tool0", outcome="error"))
    whole = render_coverage_html(report("a.jsonl"))
    assert re.findall(r'<details class="(\w+)"', whole) == ["PASS", "PASS"]


def test_the_report_as_values() -> None:
    desk()
    found = report("flows")
    assert (found.files, found.traces) == (2, ("flows/a.flow.yaml", "flows/b.flow.yaml"))
    assert [(each.name, each.registered, each.calls, each.asked, each.untold) for each in found.tools] == [
        ("close", True, 0, 0, 0),
        ("look", True, 0, 1, 0),
        ("refund", True, 3, 0, 1),
        ("unheard", False, 1, 0, 0),
    ]
    refund = found.tools[2]
    assert (refund.outcomes, refund.fields, refund.effects) == ({"ok": 1, "denied": 1}, 3, {"fs_write": 1})
    assert [(each.field, each.values) for each in refund.never_values] == [("reason", ("broken",))]
    assert [(each.before, each.after, each.count) for each in found.pairs] == [
        ("refund", "refund", 1),
        ("refund", "unheard", 1),
    ]
    assert (found.effects, set(found.effects_watched)) == ({"fs_write": 1}, {"fs_write", "fs_delete"})
    assert [(each.id, each.title, each.flows, each.decided) for each in found.controls] == [
        ("grants", "", (), {"deny": 1}),
        ("limit", "No more than 50", ("flows/a.flow.yaml",), {}),
    ]
    assert found.flows_without_control == ("flows/b.flow.yaml",)
    assert (found.registered_by, found.agent, found.verdict, found.exit) == ("traces", None, "PASS", 0)


def test_long_lists_are_cut_in_the_text() -> None:
    put("a.jsonl", *(tool(f"t{n:02}", number=n) for n in range(20)), asks(99, tools=tools(1)))
    text = render_coverage_text(report("a.jsonl"))
    (pairs,) = (line for line in text.splitlines() if line.startswith("pairs seen"))
    assert pairs.count("->") == 12
    assert " and 7 more; 0 of the 1 that registered tools can make" in pairs


def test_a_file_named_twice_counts_once() -> None:
    put("a.jsonl", asks(1, tools=tools(1)), tool("tool0"))
    found = report("a.jsonl", "./a.jsonl", "*.jsonl", str(Path("a.jsonl").absolute()))
    assert (found.files, len(found.traces), found.tools[0].calls) == (1, 1, 1)


def test_colours_are_for_terminals() -> None:
    put("a.jsonl", asks(1, tools=tools(2)), tool("tool0"))
    for limits, colour, word in (({}, 32, "PASS"), ({"tools": 60}, 31, "FAIL")):
        last = render_coverage_text(report("a.jsonl", **limits), colour=True).splitlines()[-1]
        assert last == f"\x1b[{colour}m{word}\x1b[0m: 1 trace in 1 file"
    last = render_coverage_text(report("none-*.jsonl"), colour=True).splitlines()[-1]
    assert last == "\x1b[33mUNVERIFIED\x1b[0m: 0 traces in 0 files"


def test_which_problem_is_told() -> None:
    (nothing,) = report("none-*.jsonl").problems
    assert (nothing.message, nothing.hint) == ("no trace was read: nothing was measured", "")
    put("a.jsonl", tool("tool0"))
    (no_tool,) = report("a.jsonl").problems
    assert no_tool.hint == "--agent module:attribute names the agent whose tools count"
    text = render_coverage_text(report("a.jsonl"))
    assert "could not be judged: no tool is registered: a share of none says nothing\n    hint: --agent" in text
    Path("b.jsonl").write_text("{")
    assert [each.place for each in report("b.jsonl").problems] == ["b.jsonl", ""]

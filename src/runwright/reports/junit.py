"""The report as JUnit XML: FAIL is a failure, what could not be judged is an error, nothing is ever skipped."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from runwright.reports.effects import summary_lines
from runwright.reports.model import FlowReport, Problem, RunReport
from runwright.reports.shown import one_line, printable
from runwright.reports.text import flow_lines

SUITE = "runwright"
EXIT_FAILED = 1


def render_junit(report: RunReport) -> str:
    """One test suite with one test case a flow, and one a problem of the suite itself.

    Valid against the schema of Apache Ant's JUnit task as well as the laxer one of Jenkins. Host names and
    properties are left out on purpose: they would make two equal runs differ.
    """
    root = Element("testsuites")
    suite = SubElement(root, "testsuite", _attributes(report))
    SubElement(suite, "properties")
    for flow in report.flows:
        _flow_case(suite, flow)
    for problem in _problems(report):
        case = SubElement(suite, "testcase", {"name": "the suite", "classname": SUITE, "time": "0.000"})
        _fault(case, "error", "UNVERIFIED", problem.message, f"{problem.place}\n{problem.hint}".strip())
    SubElement(suite, "system-out").text = printable("".join(f"{each}\n" for each in _effects(report))) or None
    SubElement(suite, "system-err")
    indent(root)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + tostring(root, encoding="unicode") + "\n"


def _effects(report: RunReport) -> Iterator[str]:
    """What each agent did to the world: a case that is green has no other place for it."""
    for flow in report.flows:
        if flow.effects:
            yield one_line(f"{flow.name} ({flow.path})")
            yield from (f"    {one_line(each)}" for each in summary_lines(flow.effects))


def _problems(report: RunReport) -> list[Problem]:
    interrupted = [Problem(message="interrupted: not every flow was run")] if report.interrupted else []
    return [*report.problems, *interrupted]


def _attributes(report: RunReport) -> dict[str, str]:
    problems = len(_problems(report))
    failures = sum(flow.exit == EXIT_FAILED for flow in report.flows)
    errors = sum(flow.exit not in (0, EXIT_FAILED) for flow in report.flows)
    return {
        "name": SUITE,
        "package": SUITE,
        "id": "0",
        "hostname": "localhost",
        "timestamp": datetime.fromisoformat(report.started_at).strftime("%Y-%m-%dT%H:%M:%S"),
        "tests": str(len(report.flows) + problems),
        "failures": str(failures),
        "errors": str(errors + problems),
        "time": f"{report.duration:.3f}",
    }


def _flow_case(suite: Element, flow: FlowReport) -> None:
    name = f"{flow.control.id}: {flow.name}" if flow.control else flow.name
    attributes = {"name": _token(name), "classname": _token(flow.path), "time": f"{flow.duration:.3f}"}
    case = SubElement(suite, "testcase", attributes)
    if flow.exit:
        tag = "failure" if flow.exit == EXIT_FAILED else "error"
        _fault(case, tag, flow.word, flow.summary, "\n".join(map(one_line, flow_lines(flow))))


def _fault(case: Element, tag: str, word: str, message: str, body: str) -> None:
    fault = SubElement(case, tag, {"type": word, "message": printable(message)})
    fault.text = printable(body)


def _token(text: str) -> str:
    return " ".join(printable(text).split()) or "unnamed"

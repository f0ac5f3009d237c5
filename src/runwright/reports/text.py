"""The report for a terminal: one block a flow, the verdict first, and what is red under a screen."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from runwright.reports.effects import summary_lines
from runwright.reports.model import DifferenceReport, FlowReport, JudgementReport, MissReport, RunReport, WordName
from runwright.reports.shown import change, one_line, plural

DIFFERENCES_SHOWN = 8
LIST_SHOWN = 8
STDERR_SHOWN = 6

_COLOURS: dict[WordName, str] = {"PASS": "32", "FAIL": "31"}
_OTHER_COLOUR = "33"


def render_text(report: RunReport, *, colour: bool = False) -> str:
    """The report as plain text that ends with a newline; `colour` is for terminals only."""
    lines: list[str] = []
    for flow in report.flows:
        lines.append(f"{_word(flow.word, colour)}  {one_line(flow.name)}  ({one_line(flow.path)})")
        lines += [f"    {one_line(line)}" for line in flow_lines(flow)]
    for problem in report.problems:
        lines.append(one_line(f"{problem.place}: {problem.message}" if problem.place else problem.message))
        lines += [one_line(f"    hint: {problem.hint}")] if problem.hint else []
    return "\n".join([*lines, totals_line(report)]) + "\n"


def flow_lines(flow: FlowReport) -> Iterator[str]:
    """What there is to say about a flow below its name, the most telling first and nothing twice."""
    if flow.summary != flow.word:
        yield flow.summary
    for judgement in flow.judgements:
        told = judgement.assertion in flow.summary and judgement.detail in flow.summary
        if judgement.state not in ("held", "not_judged") and not told:
            yield f"{judgement.state}: {judgement.assertion}" + _after(judgement.detail)
        yield from _near(judgement)
    if flow.miss:
        yield from _miss(flow.miss, told=flow.miss.reason in flow.summary)
    for title, entries in lists_of(flow):
        if entries:
            yield f"{title}: {_some(entries)}"
    if flow.effects:
        yield from summary_lines(flow.effects)
    yield from flow.notes
    if flow.exit and flow.miss is None:  # after a miss it is the refusal once more
        yield from _agent(flow)


def lists_of(flow: FlowReport) -> list[tuple[str, tuple[str, ...]]]:
    """The lists that qualify a verdict, each with its title."""
    return [
        ("not reached" if flow.miss else "never asked for", flow.left_over),
        ("not judged", flow.not_judged),
        ("never compared", flow.never_compared),
        ("not replayed", flow.not_replayed),
        ("ran for real", flow.real_tools),
    ]


def totals_line(report: RunReport) -> str:
    """`3 flows: 2 PASS, 1 FAIL in 1.4 s`."""
    counted = ", ".join(f"{count} {word}" for word, count in report.totals.items()) or "nothing was judged"
    head = "interrupted: " if report.interrupted else ""
    return f"{head}{plural(len(report.flows), 'flow')}: {counted} in {report.duration:.1f} s"


def _word(word: WordName, colour: bool) -> str:
    return f"\x1b[{_COLOURS.get(word, _OTHER_COLOUR)}m{word}\x1b[0m" if colour else word


def _miss(miss: MissReport, *, told: bool) -> Iterator[str]:
    if not told:
        nearest = f", nearest {miss.nearest}" if isinstance(miss.nearest, str) else ""
        yield f"{'later ' if miss.later else ''}miss{nearest}: {miss.reason}"
    yield from _changes(miss.differences)


def _near(judgement: JudgementReport) -> Iterator[str]:
    if judgement.nearest:
        yield f"nearest to {judgement.assertion}: {judgement.nearest}"
    elif judgement.differences:
        yield f"{judgement.assertion}:"
    yield from _changes(judgement.differences)


def _changes(differences: Sequence[DifferenceReport]) -> Iterator[str]:
    for difference in differences[:DIFFERENCES_SHOWN]:
        yield f"  {change(difference)}"
    if len(differences) > DIFFERENCES_SHOWN:
        yield f"  and {len(differences) - DIFFERENCES_SHOWN} more"


def _agent(flow: FlowReport) -> Iterator[str]:
    if flow.agent is None or not flow.agent.stderr.strip():
        return
    yield "the agent's last words on stderr:"
    for line in flow.agent.stderr.strip().splitlines()[-STDERR_SHOWN:]:
        yield f"  {line[:200]}"


def _after(detail: str) -> str:
    return f" - {detail}" if detail else ""


def _some(entries: Iterable[str]) -> str:
    listed = list(entries)
    more = len(listed) - LIST_SHOWN
    return ", ".join(listed[:LIST_SHOWN]) + (f" and {more} more" if more > 0 else "")

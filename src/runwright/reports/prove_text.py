"""The report on a proof for a terminal: the word, a table by kind, what survived and what would kill it."""

from __future__ import annotations

from collections.abc import Iterator

from runwright.reports.prove_report import KindCounts, MutantReport, ProofReport
from runwright.reports.shown import one_line, plural

SHOWN = 20
_HEAD = ("killed", "survived", "not applicable", "unjudged")
_COLOURS = {0: "32", 1: "31", 2: "33"}


def render_proof_text(report: ProofReport, *, colour: bool = False) -> str:
    """The report as plain text that ends with a newline; `colour` is for terminals only."""
    word, _, rest = report.summary.partition(", ")
    shown = f"\x1b[{_COLOURS[report.exit]}m{word}\x1b[0m" if colour else word
    lines = [f"{shown}  {one_line(report.name)}  ({one_line(report.flow)})", f"    {one_line(rest)}"]
    if report.table:
        lines += [f"    unmutated: {one_line(report.unmutated)}", "", *_table(report), *_reasons(report)]
    for fate in ("survived", "unjudged"):
        lines += _listed([each for each in report.mutants if each.fate == fate], fate)
    return "\n".join([*lines, *_totals(report)]) + "\n"


def _table(report: ProofReport) -> Iterator[str]:
    wide = max(len(each.kind) for each in report.table)
    yield f"{'kind':<{wide}}  " + "  ".join(_HEAD)
    rows = [(each.kind, _counts(each)) for each in report.table]
    total = tuple(map(sum, zip(*(counts for _, counts in rows), strict=True)))
    for name, counts in (*rows, ("all", total)):
        shown = zip(_HEAD, counts, strict=True)
        yield f"{name:<{wide}}  " + "  ".join(f"{count:>{len(head)}}" for head, count in shown)


def _counts(each: KindCounts) -> tuple[int, ...]:
    return each.killed, each.survived, each.not_applicable, each.unjudged


def _reasons(report: ProofReport) -> Iterator[str]:
    if report.not_applicable:
        yield ""
        yield "not applicable:"
        yield from (f"{each.count:>6}  {one_line(each.reason)}" for each in report.not_applicable)


def _listed(mutants: list[MutantReport], title: str) -> Iterator[str]:
    if mutants:
        yield ""
    for each in mutants[:SHOWN]:
        place = " ".join(part for part in (each.exchange, each.path) if part)
        yield one_line(f"{title}: {each.kind}{f', {place}' if place else ''}: {each.what}")
        yield one_line(f"    {each.why}")
        for line in (each.remedy or "").splitlines():
            yield f"    would be killed by: {one_line(line)}"
    if len(mutants) > SHOWN:
        yield f"and {len(mutants) - SHOWN} more that {title}"


def _totals(report: ProofReport) -> Iterator[str]:
    if not report.mutants:
        return
    yield ""
    tried = len(report.mutants)
    more = f", of {report.known:,} spread evenly over the kinds" if tried < report.known else ""
    yield f"{plural(tried, 'mutant')}{more}"

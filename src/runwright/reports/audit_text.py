"""The audit for a terminal: one block a control, then what was lost, then the count."""

from __future__ import annotations

from collections.abc import Iterator

from runwright.reports.audit_model import VERDICTS, AuditReport, ControlAudit, Loss, LossKind, Since, Verdict
from runwright.reports.shown import one_line, plural

WORDS: dict[Verdict, str] = {"holds": "holds", "fails": "fails", "not_judged": "could not be judged"}
_COLOURS: dict[Verdict, str] = {"holds": "32", "fails": "31", "not_judged": "33"}

LOST: dict[LossKind, str] = {
    "control_vanished": "control vanished",
    "control_not_judged": "control no longer judged",
    "flow_vanished": "flow vanished",
    "flow_not_judged": "flow no longer judged",
    "verdict_worse": "verdict worse",
    "assertion_vanished": "assertion vanished",
    "assertion_not_judged": "assertion no longer judged",
}
DIGEST_SHOWN = 12


def render_audit_text(audit: AuditReport, *, colour: bool = False) -> str:
    """The audit as plain text that ends with a newline; `colour` is for terminals only."""
    lines = [*_since(audit.since)] if audit.since else []
    for problem in audit.problems:
        lines.append(f"{problem.place}: {problem.message}" if problem.place else problem.message)
        lines += [f"    hint: {problem.hint}"] if problem.hint else []
    shown = [*_controls(audit, colour=colour), *map(one_line, lines), _totals(audit)]
    return "".join(f"{line}\n" for line in shown)


def _controls(audit: AuditReport, *, colour: bool) -> Iterator[str]:
    width = max((len(WORDS[each.verdict]) for each in audit.controls), default=0)
    names = max((len(one_line(each.id)) for each in audit.controls), default=0)
    for control in audit.controls:
        word = WORDS[control.verdict].ljust(width)
        shown = f"\x1b[{_COLOURS[control.verdict]}m{word}\x1b[0m" if colour else word
        yield f"{shown}  {one_line(control.id).ljust(names)}  {one_line(control.title)}".rstrip()
        yield from (f"    {one_line(line)}" for line in _basis(control))


def _basis(control: ControlAudit) -> Iterator[str]:
    evidence = control.evidence
    yield f"by {control.flow}: {control.reason}"
    digest = evidence.cassette.partition(":")[2][:DIGEST_SHOWN] if evidence.cassette else "none"
    failed = f", {len(evidence.failed)} failed" if evidence.failed else ""
    yield (
        f"{plural(evidence.matched, 'exchange')} matched, {plural(evidence.held, 'assertion')} held{failed},"
        f" recording {digest}"
    )
    for title, entries in (("not judged", evidence.not_judged), ("never compared", evidence.never_compared)):
        if entries:
            yield f"{title}: {', '.join(entries)}"


def _since(since: Since) -> Iterator[str]:
    yield f"since {since.started_at}: {len(since.lost) or 'nothing'} lost"
    yield from (f"    {_loss(each)}" for each in since.lost)
    yield from (f"    changed: {each}" for each in since.changed)


def _loss(loss: Loss) -> str:
    control = f" [{loss.control}]" if loss.control else ""
    return f"{LOST[loss.kind]}: {loss.flow}{control}: {loss.detail}"


def _totals(audit: AuditReport) -> str:
    counted = [(sum(each.verdict == verdict for each in audit.controls), WORDS[verdict]) for verdict in VERDICTS]
    words = ", ".join(f"{count} {word}" for count, word in counted if count) or "nothing was audited"
    head = f"{'interrupted: ' if audit.run.interrupted else ''}{plural(len(audit.controls), 'control')}: {words}"
    return f"{head}; {plural(audit.without_control, 'flow')} without a control"

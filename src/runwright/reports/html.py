"""The report as one self-contained page: no script, nothing fetched, everything escaped."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape

from runwright.reports.effects import summary_lines
from runwright.reports.model import DifferenceReport, EffectsReport, FlowReport, JudgementReport, MissReport, RunReport
from runwright.reports.shown import printable, value
from runwright.reports.text import lists_of, totals_line

STYLE = """
body { font: 15px/1.5 system-ui, sans-serif; max-width: 62rem; margin: 2rem auto; padding: 0 1rem; color: #1c1c1c; }
h1 { font-size: 1.3rem; } h2 { font-size: 1.05rem; margin: 0; display: inline; }
details { border: 1px solid #d5d5d5; border-left-width: 6px; border-radius: 4px; margin: .6rem 0; padding: .5rem; }
.PASS { border-left-color: #2e7d32; } .FAIL { border-left-color: #c62828; } .other { border-left-color: #b26a00; }
.word { font-weight: 700; } .path, dt { color: #5f5f5f; } dd { margin: 0 0 .4rem 1.2rem; }
table { border-collapse: collapse; width: 100%; } td, th { border: 1px solid #d5d5d5; padding: .25rem .5rem;
text-align: left; vertical-align: top; } code, pre { font: 13px/1.45 ui-monospace, monospace; overflow-wrap: anywhere;
white-space: pre-wrap; }
@media (prefers-color-scheme: dark) { body { background: #161616; color: #e6e6e6; } .path, dt { color: #a5a5a5; } }
"""

POLICY = "default-src 'none'; style-src 'unsafe-inline'"


def render_html(report: RunReport) -> str:
    """The whole page; flows that did not pass are open, the others folded."""
    return "".join(f"{line}\n" for line in _page(report))


def _page(report: RunReport) -> Iterator[str]:
    title = _text(totals_line(report))
    yield "<!doctype html>"
    yield f'<html lang="en"><head><meta charset="utf-8"><title>{title}</title>'
    yield f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">'
    yield f'<meta name="viewport" content="width=device-width"><style>{STYLE}</style></head><body>'
    yield f"<h1>{title}</h1>"
    yield f'<p class="path">runwright {_text(report.tool_version)}, {_text(report.started_at)}, exit {report.exit}</p>'
    for problem in report.problems:
        hint = f"<br>hint: {_text(problem.hint)}" if problem.hint else ""
        yield f'<p class="word">{_text(problem.place)} {_text(problem.message)}{hint}</p>'
    for flow in report.flows:
        yield from _flow(flow)
    yield "</body></html>"


def _flow(flow: FlowReport) -> Iterator[str]:
    colour = flow.word if flow.word in ("PASS", "FAIL") else "other"
    yield f'<details class="{colour}"{" open" if flow.exit else ""}><summary><span class="word">{flow.word}</span>'
    yield f'<h2>{_text(flow.name)}</h2> <span class="path">{_text(flow.path)}</span></summary>'
    yield f"<p>{_text(flow.summary)}</p>"
    if flow.control:
        yield f'<p class="path">control {_text(flow.control.id)} {_text(flow.control.title)}</p>'
    if flow.judgements:
        yield "<table><tr><th>assertion</th><th>state</th><th>found</th></tr>"
        for judged in flow.judgements:
            cells = (judged.assertion, judged.state.replace("_", " "), judged.detail)
            yield "<tr>" + "".join(f"<td>{_text(cell)}</td>" for cell in cells) + "</tr>"
        yield "</table>"
        for judged in flow.judgements:
            yield from _near(judged)
    if flow.miss:
        yield from _miss(flow.miss)
    if flow.effects:
        yield from _effects(flow.effects)
    yield from _rest(flow)
    yield "</details>"


def _effects(effects: EffectsReport) -> Iterator[str]:
    """The counts, and below them every effect that the report lists."""
    title, *_ = summary_lines(effects)
    yield f"<p>{_text(title)}</p>"
    more = [f"and {effects.more} more"] if effects.more else []
    lines = [
        *effects.seen,
        *more,
        *(f"not seen: {each}" for each in effects.not_seen),
        *(f"refused: {each}" for each in effects.refused),
    ]
    if lines:
        yield "<ul>" + "".join(f"<li><code>{_text(each)}</code></li>" for each in lines) + "</ul>"


def _miss(miss: MissReport) -> Iterator[str]:
    nearest = f" Nearest recorded exchange: {_text(miss.nearest)}." if isinstance(miss.nearest, str) else ""
    yield f"<p>{'Later miss' if miss.later else 'Miss'}: {_text(miss.reason)}.{nearest}</p>"
    yield from _differences(miss.differences, "recorded")


def _near(judged: JudgementReport) -> Iterator[str]:
    if judged.nearest:
        yield f"<p>Nearest to {_text(judged.assertion)}: {_text(judged.nearest)}</p>"
    elif judged.differences:
        yield f"<p>{_text(judged.assertion)}</p>"
    yield from _differences(judged.differences, "wanted" if judged.nearest else "recorded")


def _differences(differences: Sequence[DifferenceReport], wanted: str) -> Iterator[str]:
    if differences:
        yield f"<table><tr><th>field</th><th>{wanted}</th><th>live</th></tr>"
        for difference in differences:
            cells = (difference.path, value(difference.recorded), value(difference.live))
            yield "<tr>" + "".join(f"<td><code>{_text(cell)}</code></td>" for cell in cells) + "</tr>"
        yield "</table>"


def _rest(flow: FlowReport) -> Iterator[str]:
    yield "<dl>"
    for title, entries in lists_of(flow):
        if entries:
            yield f"<dt>{title}</dt><dd>{_text(', '.join(entries))}</dd>"
    for note in flow.notes:
        yield f"<dt>note</dt><dd>{_text(note)}</dd>"
    if flow.agent and flow.agent.exit_code is not None:
        yield f"<dt>agent's exit status</dt><dd>{flow.agent.exit_code}</dd>"
    if flow.reply is not None:
        yield f"<dt>reply ({flow.reply_source or 'own'})</dt><dd><pre>{_text(flow.reply)}</pre></dd>"
    if flow.agent and flow.agent.stderr:
        yield f"<dt>standard error, its end</dt><dd><pre>{_text(flow.agent.stderr)}</pre></dd>"
    yield "</dl>"


def _text(text: str) -> str:
    return escape(printable(text))

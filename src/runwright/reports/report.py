"""From what a suite found to what a report says: with every secret taken out, whatever form it gets."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import chain

import msgspec
from msgspec import UNSET, UnsetType

from runwright import __version__
from runwright.flow import AgentEnd, Control, FieldDifference, FlowResult, Judgement, MissReport, Word
from runwright.reports import model
from runwright.reports.effects import effects_of
from runwright.reports.json import plain_report
from runwright.reports.model import RunReport
from runwright.run import CassetteUsed, FlowRun, SuiteReport, known_secrets
from runwright.secrets import redact_value
from runwright.trace.model import JSON

_SURROGATE = re.compile("[\ud800-\udfff]")


def report_of(suite: SuiteReport) -> RunReport:
    """The report on a suite, redacted as a whole: the same secret is the same token wherever the report names it."""
    flows = tuple(map(_flow, suite.runs))
    totals = {word.value: sum(flow.word == word.value for flow in flows) for word in Word}
    return _redacted(
        RunReport(
            tool_version=__version__,
            started_at=suite.started_at.isoformat(),
            duration=round(suite.duration, 3),
            exit=int(suite.exit),
            interrupted=suite.interrupted,
            totals={word: totals[word] for word in model.WORDS if totals[word]},
            problems=tuple(
                model.Problem(message=_text(each.message), place=_text(each.place), hint=_text(each.hint))
                for each in suite.problems
            ),
            flows=flows,
        ),
        tuple(dict.fromkeys(each for run in suite.runs for each in known_secrets(run.known))),
    )


def _flow(run: FlowRun) -> model.FlowReport:
    result: FlowResult = run.result
    return model.FlowReport(
        name=_text(result.name),
        path=_text(str(result.path)),
        file=_text(run.file),
        word=result.word.value,
        exit=result.exit,
        summary=_text(result.summary),
        duration=round(result.duration, 3),
        control=_control(result.control) if result.control else None,
        assertions=None if run.assertions is None else tuple(map(_text, run.assertions)),
        ignored=tuple(map(_text, run.ignored)),
        cassette=_cassette(run.cassette) if run.cassette else None,
        matched=run.matched,
        judgements=tuple(map(_judgement, result.judgements)),
        miss=_miss(result.miss) if result.miss else None,
        left_over=result.left_over,
        not_judged=tuple(map(_text, result.not_judged)),
        never_compared=result.never_compared,
        real_tools=tuple(map(_text, result.real_tools)),
        not_replayed=result.not_replayed,
        effects=effects_of(run.trace) if run.trace else None,
        notes=tuple(map(_text, result.notes)),
        agent=_agent(result.agent) if result.agent else None,
        reply=_text(result.reply.text) if result.reply else None,
        reply_source=result.reply.source if result.reply else None,
        trace=str(run.kept) if run.kept else None,
    )


def _control(control: Control) -> model.ControlReport:
    return model.ControlReport(id=control.id, title=_text(control.title), description=_text(control.description))


def _cassette(cassette: CassetteUsed) -> model.CassetteReport:
    return model.CassetteReport(file=_text(cassette.file), digest=cassette.digest)


def _agent(agent: AgentEnd) -> model.AgentReport:
    return model.AgentReport(
        exit_code=agent.exit_code, status=agent.status, ended=agent.ended, stderr=_text(agent.stderr)
    )


def _miss(miss: MissReport) -> model.MissReport:
    return model.MissReport(
        reason=_text(miss.reason),
        later=miss.later,
        nearest=UNSET if miss.nearest is None else miss.nearest,
        differences=tuple(map(_difference, miss.differences)),
    )


def _judgement(judgement: Judgement) -> model.JudgementReport:
    return model.JudgementReport(
        assertion=_text(judgement.assertion),
        state=judgement.state,
        detail=_text(judgement.detail),
        nearest=_text(judgement.nearest),
        differences=tuple(map(_difference, judgement.differences)),
    )


def _difference(each: FieldDifference) -> model.DifferenceReport:
    return model.DifferenceReport(path=_text(each.path), recorded=_side(each.recorded), live=_side(each.live))


def _text(text: str) -> str:
    """Text that has an encoding: what an agent sends may hold half a character."""
    return _SURROGATE.sub("�", text)


def _side(value: JSON | UnsetType) -> JSON | UnsetType:
    if isinstance(value, str):
        return _text(value)
    if isinstance(value, list):
        return [_known(each) for each in value]
    if isinstance(value, dict):
        return {_text(key): _known(each) for key, each in value.items()}
    return value


def _known(value: JSON) -> JSON:
    side = _side(value)
    return None if isinstance(side, UnsetType) else side


# --- secrets ---------------------------------------------------------------------------------------


def _redacted(report: RunReport, known: Sequence[str]) -> RunReport:
    """Both sides of a difference are read under their field's own name: a password is known by its key."""
    named: list[JSON] = [{_field(path): value} for path, value in _sides(report)]
    clean = redact_value([plain_report(report), named], known=known)
    if not isinstance(clean, list) or not isinstance(clean[1], list):
        raise TypeError("redaction keeps a list a list")
    sides = iter([next(iter(each.values())) for each in clean[1] if isinstance(each, dict)])
    redacted = msgspec.convert(clean[0], RunReport)
    flows = tuple(_with_sides(flow, sides) for flow in redacted.flows)
    return msgspec.structs.replace(redacted, flows=flows)


def _sides(report: RunReport) -> Iterator[tuple[str, JSON]]:
    for flow in report.flows:
        for each in chain(flow.miss.differences if flow.miss else (), *(of.differences for of in flow.judgements)):
            yield from ((each.path, side) for side in (each.recorded, each.live) if not isinstance(side, UnsetType))


def _with_sides(flow: model.FlowReport, sides: Iterator[JSON]) -> model.FlowReport:
    """The flow with its sides in place: those of the miss, then of each judgement."""

    def side(given: JSON | UnsetType) -> JSON | UnsetType:
        return given if isinstance(given, UnsetType) else next(sides)

    def replaced(differences: tuple[model.DifferenceReport, ...]) -> tuple[model.DifferenceReport, ...]:
        return tuple(
            msgspec.structs.replace(each, recorded=side(each.recorded), live=side(each.live)) for each in differences
        )

    miss = flow.miss and msgspec.structs.replace(flow.miss, differences=replaced(flow.miss.differences))
    judgements = tuple(
        msgspec.structs.replace(each, differences=replaced(each.differences)) for each in flow.judgements
    )
    return msgspec.structs.replace(flow, miss=miss, judgements=judgements)


def _field(path: str) -> str:
    """The last name in a path: `$.a.password[0]` is about a password."""
    names = re.findall(r"[A-Za-z_][\w-]*", path)
    return names[-1] if names else "value"

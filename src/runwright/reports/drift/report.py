"""From what drifted to what may be said of it: secrets taken out, long values cut around the place where they part."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any

import msgspec

from runwright.drift import Comparison, Difference, Member, Verdict
from runwright.errors import Exit, RunwrightError
from runwright.fingerprint import Agreement
from runwright.reports.diff.window import windowed
from runwright.reports.drift.model import (
    AgentDriftReport,
    BehaviourDrift,
    DriftField,
    SetDriftReport,
    TraceDrift,
)
from runwright.reports.model import Problem
from runwright.secrets import clean_text, redact_value
from runwright.survey import AgentSurvey, SetSurvey, Surveyed
from runwright.trace import JSON, parse_path

_DIGEST = re.compile(r"blake3:[0-9a-f]{64}")
EXITS: dict[Verdict, Exit] = {"SAME": Exit.OK, "DRIFTED": Exit.FAILED, "UNVERIFIED": Exit.NOT_JUDGED}
NOTHING = "nothing of its prompt, its tools and its policies is known on both sides"
NO_TRACE = "no trace was read: nothing was compared"
LEFT = "{} facts were not compared"


def agent_drift_report(found: AgentSurvey, agent: str, *, strict: bool = False) -> AgentDriftReport:
    """The report on traces that were compared with an agent."""
    traces = tuple(_trace(name, each, strict=strict) for name, each in found.judged)
    problems = _problems(found.surveyed) or (() if traces else (Problem(message=NO_TRACE),))
    verdict = worst([each.verdict for each in traces], problems)
    return AgentDriftReport(
        verdict=verdict,
        exit=int(EXITS[verdict]),
        agent=clean_text(agent),
        traces=traces,
        problems=problems,
        notes=_clean(found.surveyed.notes),
    )


def set_drift_report(found: SetSurvey, names: tuple[str, str], *, strict: bool = False) -> SetDriftReport:
    """The report on two sets of traces; `names` are what they are called."""
    baseline, current, drift = found.baseline, found.current, found.drift
    problems = (*_problems(baseline), *_problems(current))
    for side, name in zip((baseline, current), names, strict=True):
        problems += () if side.traces else (Problem(message=NO_TRACE, place=clean_text(name)),)
    left = sum(len(each.not_compared) for each in drift.specifications)
    notes = (*baseline.notes, *current.notes, *drift.notes)
    verdict = worst([drift.verdict], problems)
    if strict and left:
        verdict, notes = "UNVERIFIED", (*notes, LEFT.format(left))
    return SetDriftReport(
        verdict=verdict,
        exit=int(EXITS[verdict]),
        baseline=clean_text(names[0]),
        baseline_traces=len(baseline.traces),
        current=clean_text(names[1]),
        current_traces=len(current.traces),
        behaviours=tuple(_member(each, _behaviour(each.against)) for each in drift.behaviours),
        specifications=tuple(map(_specification, drift.specifications)),
        problems=problems,
        notes=_clean(notes),
    )


def worst(verdicts: Iterable[Verdict], problems: Sequence[Problem]) -> Verdict:
    """The verdict on all of them: what could not be judged beats what drifted."""
    found = set(verdicts)
    if problems or "UNVERIFIED" in found:
        return "UNVERIFIED"
    return "DRIFTED" if "DRIFTED" in found else "SAME"


def _trace(name: str, found: Comparison, *, strict: bool) -> TraceDrift:
    verdict, reason = found.verdict, ""
    if verdict == "UNVERIFIED":
        reason = NOTHING
    elif strict and found.not_compared:
        verdict, reason = "UNVERIFIED", LEFT.format(len(found.not_compared))
    return TraceDrift(
        trace=clean_text(name),
        verdict=verdict,
        reason=reason,
        differences=_fields(found.differences),
        compared=_clean(found.compared),
        not_compared=_clean(found.not_compared),
        notes=_clean(found.notes),
    )


def _fields(differences: Sequence[Difference]) -> tuple[DriftField, ...]:
    """The differences as they may be shown. Secrets go before anything is cut: half of one is not known as one."""
    whole: Any = redact_value([_document(each) for each in differences])
    return tuple(_field(each, clean) for each, clean in zip(differences, whole, strict=True))


def _document(difference: Difference) -> JSON:
    """A difference with each value under the name of its field, which may be all that gives a secret away."""
    name = next((part for part in reversed(parse_path(difference.path)) if isinstance(part, str)), "")
    sides = {"recorded": difference.recorded, "current": difference.current}
    told: dict[str, JSON] = {
        side: {"digest" if difference.digest_only and is_digest(value) else name: value}
        for side, value in sides.items()
        if not isinstance(value, msgspec.UnsetType)
    }
    return {"path": difference.path, "tool": difference.tool, **told}


def is_digest(value: JSON) -> bool:
    """Whether a value is a digest of ours."""
    return isinstance(value, str) and _DIGEST.fullmatch(value) is not None


def _field(difference: Difference, clean: dict[str, Any]) -> DriftField:
    sides = (next(iter(clean[side].values())) if side in clean else msgspec.UNSET for side in ("recorded", "current"))
    before, after, cut = windowed(*sides)
    tool = clean["tool"]
    return DriftField(
        path=str(clean["path"]),
        tool=None if tool is None else str(tool),
        recorded=before,
        current=after,
        digest_only=difference.digest_only,
        cut=cut,
    )


def _behaviour(against: Agreement | None) -> tuple[DriftField, ...]:
    return tuple(
        DriftField(path=f"$.{each.field}", recorded=clean_text(each.recorded), current=clean_text(each.live))
        for each in (against.differences if against else ())
    )


def _specification(member: Member[Comparison]) -> BehaviourDrift:
    made = _member(member, () if member.against is None else _fields(member.against.differences))
    silent = member.state == "not_judged" and not member.not_compared
    return msgspec.structs.replace(made, not_compared=(NOTHING,)) if silent else made


def _member(member: Member[Any], differences: tuple[DriftField, ...]) -> BehaviourDrift:
    return BehaviourDrift(
        state=member.state,
        baseline=_clean(member.baseline),
        current=_clean(member.current),
        nearest=_clean(member.nearest),
        differences=differences,
        not_compared=_clean(member.not_compared),
    )


def _problems(surveyed: Surveyed) -> tuple[Problem, ...]:
    return tuple(problem_of(each.error, each.name) for each in surveyed.unread)


def problem_of(error: RunwrightError, name: str) -> Problem:
    """An error as a problem of the report."""
    place = error.place if error.place.startswith(name) else f"{name}: {error.place}".rstrip(": ")
    return Problem(message=clean_text(error.message), place=clean_text(place), hint=clean_text(error.hint))


def _clean(texts: Iterable[str]) -> tuple[str, ...]:
    return tuple(map(clean_text, texts))

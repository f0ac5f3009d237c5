"""What a report on a proof may say, as values, with every secret taken out (schema/prove-report-v1.schema.json)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import msgspec
from msgspec.structs import replace

from runwright import __version__
from runwright.perturb import Kind
from runwright.reports.model import Part
from runwright.run.prove import Fate, ProveReport, Tried
from runwright.secrets import redact_value


class KindCounts(Part, frozen=True, kw_only=True):
    """How many mutants of a kind met each fate."""

    kind: Kind
    killed: int
    survived: int
    not_applicable: int
    unjudged: int


class ReasonCount(Part, frozen=True, kw_only=True):
    """Why mutants do not apply, and how many."""

    reason: str
    count: int


class MutantReport(Part, frozen=True, kw_only=True):
    """A mutant and its fate."""

    kind: Kind
    what: str
    fate: Fate
    why: str
    exchange: str | None = None
    path: str | None = None
    remedy: str | None = None


class ProofReport(Part, frozen=True, kw_only=True):
    """The whole report; `known` counts the mutants there are, `mutants` are those that were tried."""

    tool_version: str
    name: str
    flow: str
    exit: int
    summary: str
    unmutated: str
    known: int
    table: tuple[KindCounts, ...]
    not_applicable: tuple[ReasonCount, ...]
    mutants: tuple[MutantReport, ...]


def proof_report_of(report: ProveReport) -> ProofReport:
    """The report on a proof, redacted as a whole."""
    reasons = Counter(each.why for each in report.of("not_applicable"))
    made = ProofReport(
        tool_version=__version__,
        name=report.unmutated.name,
        flow=str(report.unmutated.path),
        exit=int(report.exit),
        summary=report.summary,
        unmutated=report.unmutated.summary,
        known=report.known,
        table=tuple(KindCounts(kind=kind, **counts) for kind, counts in report.table().items()),
        not_applicable=tuple(ReasonCount(reason=reason, count=count) for reason, count in reasons.most_common()),
        mutants=tuple(map(_mutant, report.tried)),
    )
    return _redacted(made, report.known_secrets)


class _Texts(msgspec.Struct, frozen=True):
    """What a report says in its own words; kinds and fates are none of these."""

    head: tuple[str, str, str, str]
    reasons: tuple[str, ...]
    mutants: tuple[tuple[str, str, str | None, str | None], ...]


def _redacted(report: ProofReport, known: Sequence[str]) -> ProofReport:
    texts = _Texts(
        head=(report.name, report.flow, report.summary, report.unmutated),
        reasons=tuple(each.reason for each in report.not_applicable),
        mutants=tuple((each.what, each.why, each.path, each.remedy) for each in report.mutants),
    )
    clean = msgspec.convert(redact_value(msgspec.to_builtins(texts), known=known), _Texts)
    name, flow, summary, unmutated = clean.head
    reasons = zip(report.not_applicable, clean.reasons, strict=True)
    return replace(
        report,
        name=name,
        flow=flow,
        summary=summary,
        unmutated=unmutated,
        not_applicable=tuple(replace(each, reason=reason) for each, reason in reasons),
        mutants=tuple(
            replace(each, what=what, why=why, path=path, remedy=remedy)
            for each, (what, why, path, remedy) in zip(report.mutants, clean.mutants, strict=True)
        ),
    )


def render_proof_json(report: ProofReport) -> str:
    """The report as an indented JSON document that ends with a newline."""
    return msgspec.json.format(msgspec.json.encode(report), indent=2).decode() + "\n"


def _mutant(tried: Tried) -> MutantReport:
    mutant = tried.mutant
    return MutantReport(
        kind=mutant.kind,
        what=mutant.what,
        fate=tried.fate,
        why=tried.why,
        exchange=mutant.exchange,
        path=mutant.path or None,
        remedy=tried.remedy or None,
    )

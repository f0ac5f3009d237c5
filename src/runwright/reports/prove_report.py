"""What a report on a proof may say, as values, with every secret taken out (schema/prove-report-v1.schema.json)."""

from __future__ import annotations

from collections import Counter

import msgspec

from runwright import __version__
from runwright.perturb import Kind
from runwright.reports.model import Part
from runwright.run.prove import Fate, ProveReport, Tried
from runwright.secrets import redact_value
from runwright.trace.model import JSON


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
    plain: JSON = msgspec.json.decode(msgspec.json.encode(made))
    return msgspec.convert(redact_value(plain), ProofReport)


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

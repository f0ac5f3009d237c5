"""What a report may say, as values: the one model that every form renders (schema/run-report-v1.schema.json)."""

from __future__ import annotations

from typing import Literal

import msgspec

from runwright.trace.model import JSON

WordName = Literal["PASS", "FAIL", "UNVERIFIED", "STALE", "CAPABILITY", "INVALID"]
WORDS: tuple[WordName, ...] = ("PASS", "FAIL", "UNVERIFIED", "STALE", "CAPABILITY", "INVALID")
State = Literal["held", "failed", "not_judged", "capability", "invalid", "unverified"]
Ended = Literal["exited", "timeout", "interrupted", "not_started"]


class Part(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, kw_only=True):
    """Base of every value of a report: frozen, strict, written without its defaults."""


class Problem(Part, frozen=True, kw_only=True):
    message: str
    place: str = ""
    hint: str = ""


class ControlReport(Part, frozen=True, kw_only=True):
    id: str
    title: str = ""
    description: str = ""


class DifferenceReport(Part, frozen=True, kw_only=True):
    """A field that differs; a side without the field is UNSET."""

    path: str
    recorded: JSON | msgspec.UnsetType = msgspec.UNSET
    live: JSON | msgspec.UnsetType = msgspec.UNSET


class JudgementReport(Part, frozen=True, kw_only=True):
    """`nearest` is what came closest, and `differences` how it differs from what was wanted (`recorded`)."""

    assertion: str
    state: State
    detail: str = ""
    nearest: str = ""
    differences: tuple[DifferenceReport, ...] = ()


class MissReport(Part, frozen=True, omit_defaults=False, kw_only=True):
    reason: str
    later: bool
    differences: tuple[DifferenceReport, ...]
    nearest: str | msgspec.UnsetType = msgspec.UNSET


class AgentReport(Part, frozen=True, kw_only=True):
    exit_code: int | None = None
    status: int | None = None
    ended: Ended | None = None
    stderr: str = ""


class CassetteReport(Part, frozen=True, kw_only=True):
    file: str
    digest: str


class EffectsReport(Part, frozen=True, kw_only=True):
    """What the agent did to the world: effects by kind, the first of them a line each, and what is beside them."""

    counts: dict[str, int] = {}
    seen: tuple[str, ...] = ()
    more: int = 0
    watched: tuple[str, ...] = ()
    unchanged: int = 0
    left_out: dict[str, int] = {}
    not_seen: tuple[str, ...] = ()
    refused: tuple[str, ...] = ()


class FlowReport(Part, frozen=True, kw_only=True):
    name: str
    path: str
    file: str = ""
    word: WordName
    exit: int
    summary: str
    duration: float
    control: ControlReport | None = None
    assertions: tuple[str, ...] | None = None
    ignored: tuple[str, ...] = ()
    judgements: tuple[JudgementReport, ...] = ()
    cassette: CassetteReport | None = None
    matched: tuple[str, ...] = ()
    miss: MissReport | None = None
    left_over: tuple[str, ...] = ()
    not_judged: tuple[str, ...] = ()
    never_compared: tuple[str, ...] = ()
    real_tools: tuple[str, ...] = ()
    not_replayed: tuple[str, ...] = ()
    effects: EffectsReport | None = None
    notes: tuple[str, ...] = ()
    agent: AgentReport | None = None
    reply: str | None = None
    reply_source: Literal["own", "recorded"] | None = None
    trace: str | None = None


class RunReport(Part, frozen=True, omit_defaults=False, kw_only=True):
    format: Literal["runwright.run-report"] = "runwright.run-report"
    version: Literal[1] = 1
    tool_version: str
    started_at: str
    duration: float
    exit: int
    interrupted: bool
    totals: dict[WordName, int]
    problems: tuple[Problem, ...]
    flows: tuple[FlowReport, ...]

"""The first line of a trace: where it came from, what it could not keep, what the agent was built from."""

from __future__ import annotations

from typing import Literal

from runwright.trace.content import JSON, Value

Kind = Literal["run", "cassette", "finding"]
Observation = Literal["enforced", "observed", "imported", "inferred", "not_observed"]
LossKind = Literal[
    "not_captured", "not_representable", "truncated", "duplicate", "malformed", "unsupported", "dropped", "inexact"
]


class Loss(Value, frozen=True, kw_only=True):
    """Something a reader or a capture could not keep; `where` is the source's own place for it."""

    kind: LossKind
    detail: str
    where: str | None = None
    count: int = 1


class Origin(Value, frozen=True, kw_only=True):
    """Where a trace came from: the foreign format, the tool that wrote it, the blake3 of the input bytes."""

    format: str
    tool: str | None = None
    version: str | None = None
    digest: str | None = None


class AgentInfo(Value, frozen=True, kw_only=True):
    name: str | None = None
    version: str | None = None
    command: str | None = None


class ToolDigest(Value, frozen=True, kw_only=True):
    description: str | None = None
    parameters: str | None = None


class Specification(Value, frozen=True, kw_only=True):
    """c1 digests of what the agent was built from; absent means the trace could not know it."""

    system_prompt: str | None = None
    tools: dict[str, ToolDigest] | None = None
    model: str | None = None
    parameters: str | None = None
    policies: dict[str, str] | None = None


class Lineage(Value, frozen=True, kw_only=True):
    parent: str
    divergence: str | None = None


class Header(Value, frozen=True, kw_only=True):
    """Line 1, less the format's name and version. `started_at` is RFC 3339 in UTC, `duration` seconds."""

    kind: Kind
    trace_id: str
    started_at: str | None = None
    duration: float | None = None
    source: Origin | None = None
    losses: tuple[Loss, ...] = ()
    agent: AgentInfo | None = None
    specification: Specification | None = None
    observation: dict[str, Observation] = {}
    lineage: Lineage | None = None
    ext: dict[str, JSON] = {}

"""The live side of a replay as a trace: what the agent was told, asked for and said."""

from __future__ import annotations

import math
import shlex
import uuid
from collections.abc import Iterator, Sequence
from typing import Literal

import msgspec

from runwright.flow import Flow
from runwright.record.observe import Observed
from runwright.record.watch import UNWATCHED, Watched
from runwright.replay.session import RECORDED
from runwright.run.agent import AgentRun
from runwright.trace import with_edges
from runwright.trace.model import (
    EFFECT_KINDS,
    AgentInfo,
    FaultRecord,
    Header,
    MessageRecord,
    ModelRecord,
    PolicyRecord,
    Record,
    TextBlock,
    Trace,
)

STDOUT = "stdout"
ANSWER = "http"
"""The channels on which an agent says something of its own."""


def live_trace(
    flow: Flow, exchanges: Sequence[ModelRecord], agent: AgentRun, watched: Watched = UNWATCHED, began: float = 0.0
) -> Trace:
    """The run as a trace. A refused request is in it without an answer: the refusal was the replay's, not a model's.

    The times of the exchanges count from `began`, on the monotonic clock.
    """
    told = [_message(f"u{number}", "user", text) for number, text in enumerate(flow.turns, 1)]
    said = [_message(f"u{number}", "agent", text, channel) for number, (text, channel) in _said(agent, len(told) + 1)]
    did = _in_time([*map(_unanswered, exchanges), *_effects(watched, began)])
    records: list[Record] = [*told, *did, *said, *_faults(agent, watched.observed)]
    return Trace(header=_header(flow, agent, watched.observed), records=with_edges(records))


def _effects(watched: Watched, began: float) -> Iterator[Record]:
    """The effects, and what was refused, with their times on the clock of the exchanges."""
    observed = watched.observed
    for number, place in enumerate(watched.contained.blocked, 1):
        yield PolicyRecord(
            id=f"b{number}", policy="contain", verdict="deny", reason=f"reach {place}: it is not allowed"
        )
    if observed is None:
        return
    later = observed.began - began
    for each in observed.trace.records:
        if not isinstance(each, FaultRecord):
            yield each if each.t is None else msgspec.structs.replace(each, t=round(each.t + later, 6))


def _in_time(records: Sequence[Record]) -> list[Record]:
    """Exchanges and effects in the order they happened; what has no time comes after all that has one."""
    return sorted(records, key=lambda each: math.inf if each.t is None else each.t)


def _said(agent: AgentRun, first: int) -> Iterator[tuple[int, tuple[str, str]]]:
    """What the agent said and on which channel, numbered; nothing is no message."""
    by_http = [(text, ANSWER) for text in agent.said]
    texts = by_http or [(agent.stdout, STDOUT)]
    return enumerate(((text, channel) for text, channel in texts if text), first)


def _message(id: str, role: Literal["user", "agent"], text: str, channel: str | None = None) -> MessageRecord:
    return MessageRecord(id=id, role=role, content=(TextBlock(text=text),), channel=channel)


def _unanswered(exchange: ModelRecord) -> ModelRecord:
    refused = exchange.error is not None and RECORDED not in exchange.ext
    return msgspec.structs.replace(exchange, error=None) if refused else exchange


def _faults(agent: AgentRun, observed: Observed | None) -> list[FaultRecord]:
    faults = []
    if agent.stdout_cut:
        faults.append(FaultRecord(id="f1", kind="truncation", detail="what the agent said was cut", hides=("message",)))
    if agent.ended in ("timeout", "interrupted"):
        detail = f"the agent was ended after {agent.duration:.1f} s: {agent.ended}"
        faults.append(FaultRecord(id="f2", kind="interruption", detail=detail))
    hidden = [each for each in observed.trace.records if isinstance(each, FaultRecord)] if observed else []
    return [*faults, *(msgspec.structs.replace(each, id=f"f{n}") for n, each in enumerate(hidden, 3))]


def _header(flow: Flow, agent: AgentRun, observed: Observed | None) -> Header:
    command = shlex.join(flow.agent.command) if flow.agent and flow.agent.command else None
    return Header(
        kind="run",
        trace_id=uuid.uuid4().hex,
        started_at=agent.started_at.isoformat().replace("+00:00", "Z"),
        duration=round(agent.duration, 6),
        agent=AgentInfo(command=command),
        observation=observed.trace.header.observation if observed else dict.fromkeys(EFFECT_KINDS, "not_observed"),
        ext=observed.trace.header.ext if observed else {},
    )

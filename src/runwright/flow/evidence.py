"""What a run proves about the agent: gathered from its live side alone."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from runwright.flow.matchers import ABSENT, Found
from runwright.trace.model import JSON, Observation, SideEffect
from runwright.trace.outcome import OutcomeClass

ReplySource: TypeAlias = Literal["own", "recorded"]


@dataclass(frozen=True, kw_only=True)
class Call:
    """A tool call.

    `requested`, `answered` and `executed` name the records that show it: the recorded exchange that was served, or
    `live m3` where none was. `result` is the answer, parsed where it is JSON text. `turn` is the delivery it belongs
    to, None where that is unknown; `server` is set for a call seen on MCP. A `provided` call is one of the provider's
    own, such as a search of the web: it ran within the reply.
    """

    tool: str
    arguments: JSON = None
    call_id: str | None = None
    requested: str | None = None
    answered: str | None = None
    executed: str | None = None
    result: Found = ABSENT
    turn: int | None = 0
    server: str | None = None
    provided: bool = False

    @property
    def happened(self) -> bool:
        """Whether the agent did more than be asked for it."""
        return self.answered is not None or self.executed is not None


@dataclass(frozen=True, kw_only=True)
class Said:
    """A reply: the agent's `own` output, or the text that the cassette served (`recorded`), which proves nothing."""

    text: str
    source: ReplySource


@dataclass(frozen=True, kw_only=True)
class Sent:
    """A text that left the agent, and the live record (or channel) it left in."""

    place: str
    text: str


@dataclass(frozen=True, kw_only=True)
class Effect:
    """A live side effect and its record's id."""

    id: str
    effect: SideEffect


@dataclass(frozen=True, kw_only=True)
class Surroundings:
    """What the run knows beside the live trace.

    `output` is the agent's stdout or declared channel, None where it has none. `said` is the same divided among the
    deliveries, where the channel keeps them apart, and `answers` is all that left the agent with it. `environment` is
    what the agent was given (for `assert_no_secret_leak`; values are never printed). `executions_seen` says that the
    tool or MCP boundary was observed, so a tool that does not show there did not run. `egress` is how far the network
    was held, `enforced_by` what held the agent; `blocked` are destinations that it was kept from, `refused` protected
    paths that it tried to change, and `lost` those that were changed all the same, each with how.
    """

    output: str | None = None
    said: tuple[str, ...] = ()
    answers: tuple[str, ...] = field(default=(), repr=False)
    environment: Mapping[str, str] = field(default_factory=dict, repr=False)
    executions_seen: bool = False
    egress: Observation = "not_observed"
    enforced_by: tuple[str, ...] = ()
    blocked: tuple[str, ...] = ()
    refused: tuple[str, ...] = ()
    lost: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Evidence:
    """`replies` are the served texts of the deliveries, in turn, and `reply` is the last thing said.

    `deliveries` is how many the live requests show.

    `hidden` names the lanes, effect kinds and records that a fault may hide. `servers` are the databases of servers
    that were observed, as their rows are told.
    """

    calls: tuple[Call, ...] = ()
    reply: Said | None = None
    replies: tuple[str, ...] = ()
    deliveries: int = 0
    effects: tuple[Effect, ...] = ()
    observation: Mapping[str, Observation] = field(default_factory=dict)
    servers: tuple[str, ...] = ()
    outcome: OutcomeClass = "unknown"
    sent: tuple[Sent, ...] = ()
    surroundings: Surroundings = Surroundings()
    hidden: tuple[str, ...] = ()

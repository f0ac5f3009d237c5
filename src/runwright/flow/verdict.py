"""The verdict on one flow, and the facts that it is made from."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import Literal, TypeAlias

from runwright.flow.difference import FieldDifference
from runwright.flow.evidence import Evidence, Said
from runwright.flow.judge import Judgement
from runwright.flow.spec import Control, IgnoreSpec
from runwright.flow.strict_effects import EffectsCompared
from runwright.trace.model import Trace

Ended: TypeAlias = Literal["exited", "timeout", "interrupted", "not_started"]


class Word(Enum):
    """The verdict's words; PASS is exit 0, FAIL exit 1, all others exit 2."""

    PASS = "PASS"  # noqa: S105 - a verdict, no password
    FAIL = "FAIL"
    UNVERIFIED = "UNVERIFIED"
    STALE = "STALE"
    CAPABILITY = "CAPABILITY"
    INVALID = "INVALID"


@dataclass(frozen=True, kw_only=True)
class MissReport:
    """A live request that no recorded exchange answers; `later` where everything up to `until` was served."""

    reason: str
    later: bool = False
    nearest: str | None = None
    differences: tuple[FieldDifference, ...] = ()


@dataclass(frozen=True, kw_only=True)
class AgentEnd:
    """How the agent ended. `exit_code` is negative for a signal, None unless it exited by itself.

    An agent that is reached by HTTP has no exit code but the `status` of its last answer; neither where it gave no
    whole answer, and then `error` says why.
    """

    ended: Ended = "exited"
    exit_code: int | None = None
    status: int | None = None
    error: str = ""
    stderr: str = ""


@dataclass(frozen=True, kw_only=True)
class Facts:
    """What one run of the flow found, for `decide`.

    `matched` are the ids of the exchanges served, in order; `real_tools` names tools known to have run beside those
    that the evidence shows; `lacking` says what the flow needs and this machine or version cannot do; `faults` tell
    what the cassette or an observer did not see. `effects` is what comparing the side effects found, None where the
    flow does not ask for it.
    """

    evidence: Evidence
    cassette: Trace
    agent: AgentEnd | None = None
    matched: tuple[str, ...] = ()
    miss: MissReport | None = None
    left_over: tuple[str, ...] = ()
    stale_ignores: tuple[IgnoreSpec, ...] = ()
    never_compared: tuple[str, ...] = ()
    real_tools: tuple[str, ...] = ()
    not_replayed: tuple[str, ...] = ()
    effects: EffectsCompared | None = None
    lacking: tuple[str, ...] = ()
    faults: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    strict: bool = False
    recording_only: bool = False
    duration: float = 0.0


@dataclass(frozen=True, kw_only=True)
class FlowResult:
    """The verdict and everything a report may say about it. `summary` is one line that begins with the word."""

    name: str
    path: Path
    word: Word
    exit: int
    summary: str
    judgements: tuple[Judgement, ...] = ()
    miss: MissReport | None = None
    left_over: tuple[str, ...] = ()
    not_judged: tuple[str, ...] = ()
    never_compared: tuple[str, ...] = ()
    real_tools: tuple[str, ...] = ()
    not_replayed: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    control: Control | None = None
    duration: float = 0.0
    agent: AgentEnd | None = None
    reply: Said | None = None

    @property
    def agent_exit(self) -> int | None:
        """The agent's exit code, where it had one."""
        return self.agent.exit_code if self.agent else None

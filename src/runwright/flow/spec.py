"""A flow as a value: what its YAML says, checked, with every variable resolved and every assertion parsed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, TypeAlias

from runwright.flow.assertions import Assertion
from runwright.trace.model import JSON

Tools: TypeAlias = Literal["real", "served"]
Expect: TypeAlias = Literal["pass", "fail"]
Dialect: TypeAlias = Literal["runwright", "flowproof"]
Compare: TypeAlias = Literal["strict"]
Http: TypeAlias = Literal["hooks", "proxy", "none"]

DEFAULT_TIMEOUT = 300.0


@dataclass(frozen=True, kw_only=True)
class AgentSpec:
    """How to reach the agent: a command to start, or the address of one that runs already.

    `command` is an argument vector, empty with `url`. `env` holds the flow's own values, in which `${runwright.…}` and
    `${flowproof.…}` handles wait for the spawn. `env_allow` names the caller's variables that the agent gets too.

    With `contain` it reaches nothing but the replay, `allow_egress` off this machine and the ports `allow_local` on it;
    `protect` are paths, as the repository root sees them, that it cannot change.
    """

    command: tuple[str, ...] = ()
    url: str | None = None
    proxy_port: int | None = None
    headers: Mapping[str, str] = field(default_factory=dict)
    tools: Tools = "real"
    env: Mapping[str, str] = field(default_factory=dict)
    env_allow: tuple[str, ...] = ()
    cwd: str | None = None
    allow_egress: tuple[str, ...] = ()
    allow_local: tuple[int, ...] = ()
    protect: tuple[str, ...] = ()
    contain: bool = False


@dataclass(frozen=True, kw_only=True)
class Replay:
    """`until` is the exchange up to which matching is strict; `split` streams inside multi-byte characters too."""

    until: str | None = None
    split: bool = False


@dataclass(frozen=True, kw_only=True)
class ToolStub:
    """A tool result that replaces the live one before matching; without `has_result` the tool is only declared."""

    name: str
    result: JSON = None
    has_result: bool = False


@dataclass(frozen=True, kw_only=True)
class McpSpec:
    """An MCP server that the replay stands in for; exactly one of `command` and `url`."""

    name: str
    command: tuple[str, ...] = ()
    url: str | None = None
    port: int | None = None
    tools: tuple[ToolStub, ...] = ()


@dataclass(frozen=True, kw_only=True)
class IgnoreSpec:
    """A field that may differ: `shape` is what both sides must look like there, None for anything."""

    lane: str
    path: str
    shape: str | None = None


@dataclass(frozen=True, kw_only=True)
class EffectsSpec:
    """How side effects are observed, and whether the replay's must be the recorded ones.

    `workspace` is as the repository root sees it, None for that root itself; `ignore` are globs over targets that are
    not compared. `databases` may hold credentials.
    """

    compare: Compare | None = None
    http: Http = "hooks"
    workspace: str | None = None
    ignore: tuple[str, ...] = ()
    databases: tuple[str, ...] = field(default=(), repr=False)


@dataclass(frozen=True, kw_only=True)
class Control:
    id: str
    title: str = ""
    description: str = ""


@dataclass(frozen=True, kw_only=True)
class Step:
    """An assertion; `turn` is the conversation's delivery (from 0) that it is about, None for the whole run."""

    assertion: Assertion
    turn: int | None = None


@dataclass(frozen=True, kw_only=True)
class Flow:
    """One test. `turns` are what the user says, one text a delivery: several prompts are one text, joined by newlines.

    `cassette` is as the flow's folder sees it, joined to that folder.
    """

    path: Path
    name: str
    agent: AgentSpec | None
    cassette: Path
    replay: Replay = Replay()
    expect: Expect = "pass"
    tools: tuple[ToolStub, ...] = ()
    mcp: tuple[McpSpec, ...] = ()
    ignore: tuple[IgnoreSpec, ...] = ()
    effects: EffectsSpec | None = None
    control: Control | None = None
    turns: tuple[str, ...] = ()
    steps: tuple[Step, ...] = ()
    skip_unless_env: tuple[str, ...] = ()
    strict: bool = False
    timeout: float = DEFAULT_TIMEOUT
    declared_by: Dialect = "runwright"
    notes: tuple[str, ...] = ()

    @property
    def prompt(self) -> str:
        """The first thing the user says; empty where the flow gives none."""
        return self.turns[0] if self.turns else ""

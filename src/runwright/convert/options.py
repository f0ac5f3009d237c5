"""What a conversion is told, and the file names that follow from it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Literal

from runwright.errors import UsageError
from runwright.secrets import Allowlist
from runwright.trace.model import Trace

Tools = Literal["real", "served"]

FLOW = ".flow.yaml"
CASSETTE = ".cassette.jsonl"
PROPOSAL = ".proposal.json"
NEW = ".new"


@dataclass(frozen=True, kw_only=True)
class ConvertOptions:
    """What the caller decides.

    `out` is the flow's path in the repository without its suffix; `until` is an exchange's id, "end", or None to let
    a denied, failed or violated record decide; `asserts` are YAML snippets such as
    `assert_tool_call: {tool: issue_refund, times: 1}`; `accepted` are the accepted cassettes by their flow's path.
    """

    out: str
    name: str | None = None
    agent_command: str | None = None
    tools: Tools | None = None
    until: str | None = None
    asserts: tuple[str, ...] = ()
    prompt: str | None = None
    strict: bool = False
    redact: bool = False
    allow: Allowlist | None = None
    accepted: tuple[tuple[str, Trace], ...] = ()


@dataclass(frozen=True, kw_only=True)
class Paths:
    """A proposal's files, relative to the repository root, with forward slashes."""

    flow: str
    cassette: str
    proposal: str

    @property
    def flow_new(self) -> str:
        """The proposed flow."""
        return self.flow + NEW

    @property
    def cassette_new(self) -> str:
        """The proposed cassette."""
        return self.cassette + NEW


def paths_for(out: str) -> Paths:
    """The files of the flow `out` (with or without its suffix); a UsageError unless it lies under a flows/ folder."""
    path = PurePosixPath(out.replace("\\", "/").removesuffix(FLOW))
    parts = path.parts
    if path.is_absolute() or ".." in parts or any(":" in part for part in parts):
        raise UsageError(f"{out!r} is not a path inside the repository", hint="give it relative, without '..'")
    if "flows" not in parts[:-1]:
        raise UsageError(f"{out!r} is not under a flows/ folder", hint=f"try --out flows/{path.name or 'regressions'}")
    at = parts.index("flows")
    mirrored = PurePosixPath(*parts[:at], "cassettes", *parts[at + 1 :])
    return Paths(flow=f"{path}{FLOW}", cassette=f"{mirrored}{CASSETTE}", proposal=f"{path}{PROPOSAL}")


def check(options: ConvertOptions) -> None:
    """A UsageError where options contradict each other."""
    if (options.agent_command is None) != (options.tools is None):
        given, wanted = (
            ("--agent", "--tools real or --tools served") if options.tools is None else ("--tools", "--agent")
        )
        raise UsageError(
            f"{given} without {wanted.split()[0]}: replay must know whether the agent's tools really run",
            hint=f"add {wanted}",
        )

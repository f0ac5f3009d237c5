"""What an agent says that it is built from, as it is now: the value that every adapter gives."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from runwright.trace.model import JSON, Value


class AgentTool(Value, frozen=True, kw_only=True):
    """A tool as the agent declares it to its model.

    UNSET is not known, and then not compared; None is that the tool has none. `extra` holds the further fields of the
    declaration, such as `strict`.
    """

    name: str
    description: str | None | msgspec.UnsetType = msgspec.UNSET
    parameters: JSON | msgspec.UnsetType = msgspec.UNSET
    extra: dict[str, JSON] | msgspec.UnsetType = msgspec.UNSET


class AgentSpec(Value, frozen=True, kw_only=True):
    """What an agent is built from. None is not known, and then not compared.

    `parameters` are the request's further fields by their wire names, null for one that is not sent. `policies` holds
    whatever else must not change unseen, by a name of its own: grants, limits, digests of code. `server` says that
    these are the tools of an MCP server of that name rather than of a whole agent.
    """

    system_prompt: str | None = None
    tools: tuple[AgentTool, ...] | None = None
    model: str | None = None
    provider: str | None = None
    parameters: Mapping[str, JSON] | None = None
    policies: Mapping[str, JSON] | None = None
    server: str | None = None

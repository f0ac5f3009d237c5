"""What an agent says of itself, as facts."""

from __future__ import annotations

import msgspec

from runwright.drift.agent_spec import AgentSpec, AgentTool
from runwright.drift.built import Built, BuiltTool
from runwright.drift.grants import normal_policy
from runwright.drift.schema import normal_schema
from runwright.drift.terms import Terms
from runwright.errors import AgentSpecError
from runwright.match.normal import NOT_CONDITIONING
from runwright.trace import JSON, digest
from runwright.trace.model import Specification, ToolDigest


def stated(spec: AgentSpec, terms: Terms) -> Built:
    """The facts of a specification; AgentSpecError where two tools have one name."""
    return Built(
        system_prompt=None if spec.system_prompt is None else terms.text(spec.system_prompt),
        model=terms.value(spec.model) if spec.model else None,
        provider=terms.value(spec.provider) if spec.provider else None,
        parameters=None
        if spec.parameters is None
        else {name: terms.value(value) for name, value in spec.parameters.items() if name not in NOT_CONDITIONING},
        all_parameters=None if spec.parameters is None else terms.value(dict(spec.parameters)),
        tools=None if spec.tools is None else {tool.name: _tool(tool, terms) for tool in distinct(spec.tools)},
        policies=None
        if spec.policies is None
        else {name: terms.policy(policy) for name, policy in spec.policies.items()},
    )


def distinct(tools: tuple[AgentTool, ...]) -> tuple[AgentTool, ...]:
    """The tools; AgentSpecError where two have one name."""
    names = [tool.name for tool in tools]
    twice = [name for at, name in enumerate(names) if name in names[:at]]
    if twice:
        raise AgentSpecError(f"two tools are called {twice[0]!r}")
    return tools


def specification_of(spec: AgentSpec) -> Specification:
    """The digests that a recording keeps of what its agent is built from.

    Schemas and policies are digested in their normal form, so that digests alone tell no order of sets for a change.
    """
    return Specification(
        system_prompt=None if spec.system_prompt is None else digest(spec.system_prompt),
        tools=None if spec.tools is None else {tool.name: _digests(tool) for tool in distinct(spec.tools)},
        model=digest(spec.model) if spec.model else None,
        parameters=None if spec.parameters is None else digest(dict(spec.parameters)),
        policies=None
        if spec.policies is None
        else {name: digest(normal_policy(policy)) for name, policy in spec.policies.items()},
    )


def _digests(tool: AgentTool) -> ToolDigest:
    taken = tool.parameters if isinstance(tool.parameters, msgspec.UnsetType) else normal_schema(tool.parameters)
    return ToolDigest(description=_digest(tool.description), parameters=_digest(taken))


def _digest(value: JSON | msgspec.UnsetType) -> str | None:
    return None if isinstance(value, msgspec.UnsetType) or value is None else digest(value)


def _tool(tool: AgentTool, terms: Terms) -> BuiltTool:
    return BuiltTool(
        description=None if isinstance(tool.description, msgspec.UnsetType) else terms.text(tool.description),
        parameters=None if isinstance(tool.parameters, msgspec.UnsetType) else terms.schema(tool.parameters),
        extra=None if isinstance(tool.extra, msgspec.UnsetType) else terms.further(tool.extra),
    )

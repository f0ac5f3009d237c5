"""Tools as model APIs have them on the wire: Chat Completions, Responses, Messages, Gemini, and MCP's list."""

from __future__ import annotations

from runwright.dialects.anthropic_messages.calls import decode_tools as of_messages
from runwright.dialects.openai_chat.calls import decode_tools as of_chat
from runwright.dialects.openai_responses.calls import decode_tools as of_responses
from runwright.drift import AgentTool
from runwright.errors import AgentSpecError, DialectError
from runwright.spec.adapter import Adapter
from runwright.trace import JSON, ToolSpec


def tool_of_wire(given: dict[str, JSON], place: str) -> AgentTool:
    """The tool that a mapping declares, decoded as it would be from a request; AgentSpecError for what is none."""
    if "inputSchema" in given:
        return tool_of_list(given, place)
    try:
        (spec,) = _decoded(given, place)
    except DialectError as error:
        where = (error.place or place).replace(f"{place}[0]", place, 1)
        raise AgentSpecError(error.message, place=where, hint=_HINT) from error
    if not _SAYS_MORE.intersection(given) and not spec.extra:
        return AgentTool(name=spec.name, description=spec.description, parameters=spec.parameters)
    extra = spec.extra if spec.kind == "function" else {**spec.extra, "kind": spec.kind}
    return AgentTool(name=spec.name, description=spec.description, parameters=spec.parameters, extra=extra)


def tool_of_list(given: dict[str, JSON], place: str) -> AgentTool:
    """A tool as MCP's `tools/list` has it."""
    name, description = given.get("name"), given.get("description")
    if not isinstance(name, str):
        raise AgentSpecError("a tool without a name", place=place)
    kept = {key: value for key, value in given.items() if key in ("annotations", "outputSchema", "title")}
    told = description if isinstance(description, str) else None
    return AgentTool(name=name, description=told, parameters=given["inputSchema"], extra=kept)


_SAYS_MORE = frozenset({"type", "function", "input_schema"})
"""What tells a declaration as it is sent, where a field that is not there is not sent, from a description of a tool."""

_HINT = "a mapping is a tool of Chat Completions, Responses, Messages or MCP's tools/list, or {name, parameters}"


def _decoded(given: dict[str, JSON], place: str) -> tuple[ToolSpec, ...]:
    if "function" in given or "custom" in given:
        return of_chat([given], place)
    if "input_schema" in given or ("type" in given and given["type"] not in ("function", "custom")):
        return of_messages([given], place)
    return of_responses([{"type": "function", **given}], place)


WIRE = Adapter(
    name="mappings as model APIs have them",
    tried_with="the official `openai` and `anthropic` clients",
    proof="every change",
    gives="tools: Chat Completions, Responses, Messages, MCP's `tools/list`, or bare `{name, description, parameters}`",
    leaves="prompt, model and parameters, which a list of tools does not say",
)

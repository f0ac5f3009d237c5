"""What a trace knows of how its agent is built: the digests of its header, and what its requests declare."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TypeVar

from runwright.drift.built import Built, BuiltTool, Fact
from runwright.drift.schema import normal_schema
from runwright.drift.terms import Terms, of_digest
from runwright.flow.threads import primary_thread
from runwright.trace import JSON, Part, Wild, canonical, covers, digest, parse_path
from runwright.trace.model import McpRecord, ModelRecord, Specification, ToolDigest, ToolSpec, Trace, text_of

T = TypeVar("T")
_SYSTEM = ("system", "developer")
_BLAKE3 = "blake3:"
FUNCTION = "function"


def recorded(trace: Trace, terms: Terms, *, server: str | None = None) -> Built:
    """What the trace says of its primary thread's agent, or of the tools of an MCP server.

    The header's digest decides, and a value of the requests is shown where it is the one that was digested; what the
    header does not tell is taken from the first request of the thread.
    """
    if server is not None:
        return Built(tools=_of_server(trace, terms, server))
    exchanges = trace.models
    thread = [exchanges[at] for at in primary_thread(exchanges)]
    told = trace.header.specification or Specification()
    first = thread[0] if thread else None
    return Built(
        system_prompt=_prompt(thread, told, terms),
        model=_model(first, told),
        provider=terms.value(first.request.provider) if first and first.request.provider else None,
        parameters=_parameters(first, told, terms),
        every_parameter=first is not None and _knows(first, "$.request.parameters.any"),
        hidden_parameters=_hidden_parameters(first),
        all_parameters=None if told.parameters is None else of_digest(told.parameters),
        tools=_tools(thread, told, terms),
        policies=None if told.policies is None else {name: of_digest(each) for name, each in told.policies.items()},
        notes=tuple(_notes(trace, thread)),
    )


def _prompt(thread: Sequence[ModelRecord], told: Specification, terms: Terms) -> Fact | None:
    known = [each for each in thread if _knows_prompt(each)]
    texts = [_system(each) for each in known]
    if told.system_prompt is None:
        return terms.text(texts[0]) if texts else None
    meant = next((text for text in texts if digest(text) == told.system_prompt), None)
    return of_digest(told.system_prompt) if meant is None else terms.text(meant, told.system_prompt)


def _system(exchange: ModelRecord) -> str:
    return "\n".join(text_of(each.content) for each in exchange.request.messages if each.role in _SYSTEM)


def _model(first: ModelRecord | None, told: Specification) -> Fact | None:
    """The model that was asked for: the header has its name or the digest of it."""
    name = first.request.model if first is not None else ""
    if told.model is not None and not told.model.startswith(_BLAKE3):
        name = told.model
    elif told.model is not None and digest(name) != told.model:
        return of_digest(told.model)
    return Fact(frozenset({digest(name)}), name) if name else None


def _parameters(first: ModelRecord | None, told: Specification, terms: Terms) -> dict[str, Fact] | None:
    """The parameters of the first request, as far as it knows them and they are those that were digested."""
    if first is None or not _knows(first, "$.request.parameters"):
        return None
    given: dict[str, JSON] = dict(first.request.parameters)
    if told.parameters not in (None, digest(given)):
        return None
    hidden = _hidden_parameters(first)
    return terms.parameters({name: value for name, value in given.items() if name not in hidden})


def _hidden_parameters(exchange: ModelRecord | None) -> frozenset[str]:
    """The parameters that a request had, or may have had, with a value that is not known."""
    below = parse_path("$.request.parameters")
    paths = [parse_path(each) for each in (exchange.unknown if exchange is not None else ())]
    named = (each[len(below)] for each in paths if len(each) > len(below) and each[: len(below)] == below)
    return frozenset(each for each in named if isinstance(each, str))


def _tools(thread: Sequence[ModelRecord], told: Specification, terms: Terms) -> dict[str, BuiltTool] | None:
    known = [each for each in thread if _knows(each, "$.request.tools")]
    if told.tools is None:
        return _declared(known[0], terms) if known else None
    return {name: _tool(name, one, known, terms) for name, one in told.tools.items()}


def _declared(exchange: ModelRecord, terms: Terms) -> dict[str, BuiltTool]:
    """The tools of a request, without what is unknown of each."""
    made = {}
    for at, tool in enumerate(exchange.request.tools):
        where = f"$.request.tools[{at}]"
        made[tool.name] = BuiltTool(
            description=terms.text(tool.description) if _knows(exchange, f"{where}.description") else None,
            parameters=terms.schema(tool.parameters) if _knows(exchange, f"{where}.parameters") else None,
            extra=terms.further(_extra(tool)) if _knows(exchange, f"{where}.extra") else None,
        )
    return made


def _extra(tool: ToolSpec) -> dict[str, JSON]:
    return tool.extra if tool.kind == FUNCTION else {**tool.extra, "kind": tool.kind}


def _tool(name: str, told: ToolDigest, known: Sequence[ModelRecord], terms: Terms) -> BuiltTool:
    """A tool of the header: each digest with its value, from the first request that declares it so."""
    pairs = [
        (exchange, at, tool)
        for exchange in known
        for at, tool in enumerate(exchange.request.tools)
        if tool.name == name
    ]
    meant = next((each for each in pairs if _is(told, each[2])), None)
    if meant is None:
        return BuiltTool(
            description=None if told.description is None else of_digest(told.description),
            parameters=None if told.parameters is None else of_digest(told.parameters),
        )
    return _declared(meant[0], terms)[name]


def _is(told: ToolDigest, tool: ToolSpec) -> bool:
    description = tool.description is not None and told.description == digest(tool.description)
    forms = [tool.parameters, normal_schema(tool.parameters)]
    return (told.description is None or description) and told.parameters in (None, *map(digest, forms))


def _of_server(trace: Trace, terms: Terms, server: str) -> dict[str, BuiltTool] | None:
    """The tools that the server listed; else those that a request declares with the server's name before theirs."""
    if (listed := _listed(trace, terms, server)) is not None:
        return listed
    declared = recorded(trace, terms).tools or {}
    prefixes = tuple(f"{start}{server}{mark}" for start, mark in (("mcp__", "__"), ("", "__"), ("", "."), ("", "/")))
    found = {
        name.removeprefix(each): tool for name, tool in declared.items() for each in prefixes if name.startswith(each)
    }
    return {name: replace(tool, extra=None) for name, tool in found.items()} or None


def _listed(trace: Trace, terms: Terms, server: str) -> dict[str, BuiltTool] | None:
    """The tools that an MCP server of this name said it has; of any server where none has the name."""
    records = [each for each in trace.records if isinstance(each, McpRecord) and each.method == "tools/list"]
    lists = [(each.server, tools) for each in records if (tools := _tools_in(each)) is not None]
    mine = [tools for name, tools in lists if name == server] or [tools for _, tools in lists]
    found: dict[str, BuiltTool] = {}
    for tool in (tool for tools in mine for tool in tools):
        found.setdefault(str(tool["name"]), listed_tool(tool, terms))
    return found if mine else None


def _tools_in(record: McpRecord) -> list[dict[str, JSON]] | None:
    """The tools of an answer to `tools/list`; None where it is none."""
    tools = record.result.get("tools") if isinstance(record.result, dict) else None
    if not isinstance(tools, list) or _unknown(record, "$.result"):
        return None
    named = [each for each in tools if isinstance(each, dict) and isinstance(each.get("name"), str)]
    return named if len(named) == len(tools) else None


def listed_tool(tool: Mapping[str, JSON], terms: Terms) -> BuiltTool:
    """A tool as MCP's `tools/list` has it."""
    description = tool.get("description")
    return BuiltTool(
        description=terms.text(description if isinstance(description, str) else None),
        parameters=terms.schema(tool.get("inputSchema")),
        extra=terms.values({name: value for name, value in tool.items() if name in LISTED}),
    )


LISTED = ("annotations", "outputSchema", "title")
"""Further fields of a tool of MCP that are compared."""


def _notes(trace: Trace, thread: Sequence[ModelRecord]) -> Iterator[str]:
    others = len(trace.models) - len(thread)
    if others:
        yield f"{others} exchanges of other agents or nested runs were not compared"
    if thread and _knows(thread[0], "$.request.tools"):
        later = _first(thread[1:], lambda each: _names(each) != _names(thread[0]))
        if later is not None:
            yield f"the run declares other tools from {later.id} on; the first request was compared"


def _names(exchange: ModelRecord) -> list[tuple[str, bytes]]:
    return sorted((tool.name, canonical([tool.description, tool.parameters])) for tool in exchange.request.tools)


def _first(values: Sequence[T], wanted: Callable[[T], bool]) -> T | None:
    return next((each for each in values if wanted(each)), None)


def _knows(exchange: ModelRecord, path: str) -> bool:
    return not _unknown(exchange, path)


def _unknown(record: ModelRecord | McpRecord, path: str) -> bool:
    """Whether the record does not know what lies at the path."""
    return any(covers(each, path) for each in record.unknown)


def _knows_prompt(exchange: ModelRecord) -> bool:
    """Whether no part of the system messages is unknown; their names are no part of a prompt."""
    unknown = [parse_path(each) for each in exchange.unknown if not each.endswith(".name")]
    messages = parse_path("$.request.messages")
    said = [(*messages, at) for at, each in enumerate(exchange.request.messages) if each.role in _SYSTEM]
    return not any(len(each) <= len(messages) and _meet(each, messages) for each in unknown) and not any(
        _meet(each, one) for each in unknown for one in said
    )


def _meet(one: Sequence[Part], other: Sequence[Part]) -> bool:
    """Whether one path leads to, or into, what the other leads to."""
    return all(a == b or isinstance(a, Wild) or isinstance(b, Wild) for a, b in zip(one, other, strict=False))

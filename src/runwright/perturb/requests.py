"""A request with everything but its messages changed: model, parameters, tools, how it is streamed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec
from msgspec.structs import replace

from runwright.perturb.mutant import Kind, Mutant, Request
from runwright.perturb.side import Sent
from runwright.perturb.unsaid import TRANSPORT, says_nothing, unmarked
from runwright.perturb.values import ADDED, MARK, Steps, changes, swaps
from runwright.trace import format_path
from runwright.trace.model import JSON, ModelRequest, ToolSpec


def request_mutants(sent: Sent) -> Iterator[Mutant]:
    """Another model, another API, streamed or not, and each parameter changed, left out and added."""
    request = sent.request
    yield _mutant(sent, "model", ("model",), "changed", replace(request, model=f"{request.model}{MARK}"))
    yield _mutant(sent, "model", ("api",), "changed", replace(request, api=f"{request.api}{MARK}"))
    how = "not streamed" if sent.streamed else "streamed"
    change = Request(request, not sent.streamed)
    yield Mutant(kind="streaming", what=how, change=change, exchange=sent.of, path="$.streamed")
    conditioning = {name: each for name, each in request.parameters.items() if name not in TRANSPORT}
    for where, what, value, swapped in (*((*each, "") for each in changes(conditioning)), *swaps(conditioning)):
        absent = what == "left out" and len(where) == 1 and conditioning[str(where[0])] is None
        if isinstance(value, dict) and not absent:
            parameters = {**{n: v for n, v in request.parameters.items() if n in TRANSPORT}, **value}
            made = replace(request, parameters=parameters)
            yield _mutant(sent, "value" if swapped else "parameter", ("parameters", *where), what, made, swapped)


def tool_mutants(sent: Sent, picked: Sequence[int] | None = None) -> Iterator[Mutant]:
    """Each tool changed in every field, left out, and one added; of the tools `picked` only the first changes."""
    tools = sent.request.tools
    for index, tool in enumerate(tools):
        if picked is None:
            yield from _of_tool(sent, index, tool)
        elif index in picked:
            kinds = {each.kind: each for each in reversed(list(_of_tool(sent, index, tool)))}
            yield from reversed(kinds.values())
    spare = ToolSpec(name=ADDED, description=MARK, parameters={"type": "object"})
    yield _tools(sent, "tool_set", (len(tools),), "added", (*tools, spare))


def _of_tool(sent: Sent, index: int, tool: ToolSpec) -> Iterator[Mutant]:
    tools = sent.request.tools
    plain = _plain(tool)
    for where, what, value in (*changes(plain), *_added(tool, plain)):
        made = _tool(value)
        if made is not None and made != tool and not _same(plain, where, what):
            changed = (*tools[:index], made, *tools[index + 1 :])
            yield _tools(sent, _kind(where), (index, *where), what, changed)
    yield _tools(sent, "tool_set", (index,), "left out", (*tools[:index], *tools[index + 1 :]))


def _plain(tool: ToolSpec) -> JSON:
    plain: JSON = msgspec.json.decode(msgspec.json.encode(tool))
    if not isinstance(plain, dict) or "extra" not in plain:
        return plain
    return {**plain, "extra": unmarked(plain["extra"])}


def _added(tool: ToolSpec, plain: JSON) -> Iterator[tuple[Steps, str, JSON]]:
    """Fields that a tool lacks."""
    present = plain if isinstance(plain, dict) else {}
    if tool.description is None:
        yield ("description",), "added", {**present, "description": MARK}
    if tool.parameters is None:
        yield ("parameters",), "added", {**present, "parameters": {ADDED: True}}
    if not tool.extra:
        yield ("extra",), "added", {**present, "extra": {ADDED: True}}
    yield ("kind",), "changed", {**present, "kind": f"{tool.kind}{MARK}"}


def _same(plain: JSON, where: Steps, what: str) -> bool:
    """Whether leaving out a further field leaves nothing out."""
    if what != "left out" or where[:1] != ("extra",) or len(where) > 3:
        return False
    value = plain
    for step in where:
        value = value[str(step)] if isinstance(value, dict) else None
    return says_nothing(str(where[-1]), value) and (len(where) < 3 or where[1] == "outer")


def _tool(value: JSON) -> ToolSpec | None:
    try:
        return msgspec.convert(value, ToolSpec)
    except msgspec.ValidationError:
        return None


def _kind(where: Steps) -> Kind:
    if where[:1] == ("description",):
        return "tool_description"
    return "tool_set" if where[:1] in (("name",), ("kind",)) else "tool_schema"


def _tools(sent: Sent, kind: Kind, where: Steps, what: str, tools: tuple[ToolSpec, ...]) -> Mutant:
    return _mutant(sent, kind, ("tools", *where), what, replace(sent.request, tools=tools))


def _mutant(sent: Sent, kind: Kind, where: Steps, what: str, request: ModelRequest, swapped: str = "") -> Mutant:
    path = format_path(("request", *where))
    change = Request(request, sent.streamed)
    return Mutant(kind=kind, what=what, change=change, exchange=sent.of, path=path, swapped=swapped)

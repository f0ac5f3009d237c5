"""Traces of tool calls, made in code."""

from __future__ import annotations

from typing import Any

from runwright.coverage import Coverage, Registered, ToolCoverage, coverage
from runwright.trace import (
    Header,
    Message,
    ModelRecord,
    ModelRequest,
    ModelResponse,
    Record,
    TextBlock,
    ToolCallBlock,
    ToolRecord,
    ToolResultBlock,
    ToolSpec,
    Trace,
)


def trace(*records: Record, name: str = "t", **header: Any) -> Trace:
    return Trace(header=Header(kind="run", trace_id=name, **header), records=records)


def tool(name: str, arguments: Any = None, *, number: int = 1, **fields: Any) -> ToolRecord:
    """A call that ran."""
    more = {"outcome": "ok", "fidelity": "raw", **fields}
    return ToolRecord(id=f"t{number}", name=name, arguments={} if arguments is None else arguments, **more)


def asks(number: int, *calls: tuple[str, Any], tools: tuple[ToolSpec, ...] = (), **fields: Any) -> ModelRecord:
    """An exchange whose reply asks for calls, with the ids c1, c2 and so on of the exchange's number."""
    blocks = tuple(
        ToolCallBlock(id=f"c{number}{at}", name=name, arguments=arguments) for at, (name, arguments) in enumerate(calls)
    )
    return exchange(number, (), blocks or (TextBlock(text="Done."),), tools=tools, **fields)


def exchange(
    number: int,
    results: tuple[ToolResultBlock, ...],
    reply: tuple[Any, ...],
    tools: tuple[ToolSpec, ...] = (),
    **fields: Any,
) -> ModelRecord:
    said = (Message(role="user", content=(TextBlock(text="Go on."),)), Message(role="tool", content=results))
    request = ModelRequest(api="openai.chat_completions", model="m", messages=said, tools=tools)
    return ModelRecord(
        id=f"m{number}", request=request, response=ModelResponse(content=reply), fidelity="raw", **fields
    )


def measured(*traces: Trace, **schemas: Any) -> Coverage:
    """What the traces show of tools, each registered with a schema, or with none where that is None."""
    tools = {name: () if schema is None else (schema,) for name, schema in schemas.items()}
    return coverage(traces, Registered("agent", tools))


def of(found: Coverage, name: str) -> ToolCoverage:
    return next(each for each in found.tools if each.name == name)

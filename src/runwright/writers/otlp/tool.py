"""A tool call as the attributes of its span, and what is held of it."""

from __future__ import annotations

import msgspec

from runwright.trace import JSON, ToolError, ToolRecord
from runwright.writers.otlp.attributes import plainly, text
from runwright.writers.otlp.exchange import SURE, Failure
from runwright.writers.writing import Writing


class Ran(msgspec.Struct, frozen=True, kw_only=True):
    """A span's own part: its name, attributes and failure, and the record that is held of it."""

    name: str
    attributes: dict[str, JSON]
    held: ToolRecord
    failure: Failure | None = None


def ran_tool(record: ToolRecord, writing: Writing) -> Ran:
    """The span of a tool call; any outcome but `ok` is a failure."""
    name = record.name or "tool"
    failed = record.error is not None or record.outcome != "ok"
    error = record.error or ToolError(message=record.outcome)
    message = error.message or error.type or "failed"
    for path in ("fidelity", "unknown"):
        writing.lose("inexact", SURE, record.id, f"$.{path}")
    if not record.call_id:
        writing.lose("inexact", "the id of its call is looked for in the replies", record.id, "$.call_id")
    result = plainly(record.result)
    held = msgspec.structs.replace(
        record,
        name=name,
        result=result,
        error=ToolError(message=message, type=error.type or None) if failed else None,
        outcome="error" if failed else "ok",
    )
    told: dict[str, JSON] = {
        "gen_ai.operation.name": "execute_tool",
        "gen_ai.tool.name": name,
        "gen_ai.tool.call.id": record.call_id or None,
        "gen_ai.tool.call.arguments": None if "$.arguments" in record.unknown else text(record.arguments),
        "gen_ai.tool.call.result": result,
        "error.type": (error.type or None) if failed else None,
    }
    if "$.arguments" in record.unknown:
        held = msgspec.structs.replace(held, arguments=None)
    failure = Failure(message, error.type) if failed else None
    return Ran(name=f"execute_tool {name}", attributes=told, held=held, failure=failure)

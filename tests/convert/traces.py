"""Traces built by hand: the story of the order that was refunded twice, and its pieces."""

from collections.abc import Sequence
from typing import Any

import msgspec

from runwright.trace import with_edges
from runwright.trace.model import (
    JSON,
    Block,
    Header,
    HttpRecord,
    HttpRequest,
    HttpResponse,
    Message,
    ModelError,
    ModelRecord,
    ModelRequest,
    ModelResponse,
    Origin,
    Record,
    TextBlock,
    ToolCallBlock,
    ToolRecord,
    ToolResultBlock,
    ToolSpec,
    Trace,
)

TASK = "Order A-4471 arrived broken. Please refund it."
SYSTEM = "You are the support agent of a small shop."
TOOLS = tuple(
    ToolSpec(name=name, description=f"{name}.", parameters={"type": "object"})
    for name in ("lookup_order", "issue_refund", "delete_customer")
)


def text(role: str, words: str) -> Message:
    return Message(role=role, content=(TextBlock(text=words),))


def asks(call_id: str, name: str, arguments: JSON) -> Message:
    return Message(role="assistant", content=(ToolCallBlock(id=call_id, name=name, arguments=arguments),))


def result(call_id: str, words: str) -> Message:
    return Message(role="tool", content=(ToolResultBlock(call_id=call_id, content=(TextBlock(text=words),)),))


def exchange(
    number: int, messages: Sequence[Message], *answer: Block, error: ModelError | None = None, **fields: Any
) -> ModelRecord:
    """Exchange m<number>: a second long, two seconds after the one before."""
    tools = fields.pop("tools", TOOLS)
    parameters = fields.pop("parameters", {"temperature": 0})
    request = ModelRequest(
        api="openai.chat_completions", model="gpt-4o-mini", parameters=parameters, messages=tuple(messages), tools=tools
    )
    calls = any(isinstance(block, ToolCallBlock) for block in answer)
    response = ModelResponse(
        content=answer, stop_reason="tool_calls" if calls else "end_turn", id=f"chatcmpl-{number}", model="gpt-4o-mini"
    )
    given = {"id": f"m{number}", "t": 2.0 * number, "duration": 1.0, "fidelity": "raw", **fields}
    return ModelRecord(request=request, response=None if error or not answer else response, error=error, **given)


def tool(number: int, name: str, arguments: JSON, value: JSON, call_id: str, **fields: Any) -> ToolRecord:
    """Tool record t<number>, between exchanges m<number> and m<number + 1>."""
    given = {"outcome": "ok", "t": 2.0 * number + 1.2, "duration": 0.1, "fidelity": "raw", **fields}
    return ToolRecord(id=f"t{number}", name=name, arguments=arguments, result=value, call_id=call_id, **given)


def http(number: int, method: str, url: str, status: int = 200, **fields: Any) -> HttpRecord:
    return HttpRecord(
        id=f"h{number}",
        request=HttpRequest(method=method, url=url),
        response=HttpResponse(status=status),
        fidelity="raw",
        **fields,
    )


def story() -> Trace:
    """m1 looks the order up, m2 refunds it, m3 refunds it again because the first result was empty, m4 replies."""
    order, refund = {"order_id": "A-4471"}, {"order_id": "A-4471", "amount": 40}
    talk = [text("system", SYSTEM), text("user", TASK)]
    after_lookup = [*talk, asks("call_1", "lookup_order", order), result("call_1", '{"amount": 40}')]
    after_first = [*after_lookup, asks("call_2", "issue_refund", refund), result("call_2", "{}")]
    after_second = [*after_first, asks("call_3", "issue_refund", refund), result("call_3", '{"refunded": 40}')]
    return trace(
        exchange(1, talk, *asks("call_1", "lookup_order", order).content),
        tool(1, "lookup_order", order, {"amount": 40}, "call_1"),
        exchange(2, after_lookup, *asks("call_2", "issue_refund", refund).content),
        tool(2, "issue_refund", refund, {}, "call_2"),
        exchange(3, after_first, *asks("call_3", "issue_refund", refund).content),
        tool(3, "issue_refund", refund, {"refunded": 40}, "call_3"),
        exchange(4, after_second, TextBlock(text="I have refunded 40 for the broken teapot.")),
    )


def trace(*records: Record, **header: Any) -> Trace:
    """A complete run of these records, with its edges."""
    given = {"kind": "run", "trace_id": "trace-1", "started_at": "2026-05-04T10:00:00Z", **header}
    source = given.pop("source", Origin(format="otlp", tool="openai-v2", digest="blake3:" + "a" * 64))
    return Trace(header=Header(source=source, **given), records=with_edges(records))


def replaced(run: Trace, record_id: str, **fields: Any) -> Trace:
    """The run with some fields of one record changed."""
    records = tuple(
        msgspec.structs.replace(record, **fields) if record.id == record_id else record for record in run.records
    )
    assert records != run.records, f"{record_id} is unchanged"
    return msgspec.structs.replace(run, records=records)

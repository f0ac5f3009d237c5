"""How a run ended: the first class that applies."""

import pytest
from msgspec.structs import replace

from runwright.trace import (
    FaultRecord,
    Header,
    McpError,
    McpRecord,
    ModelError,
    ModelRecord,
    ModelRequest,
    ModelResponse,
    PolicyRecord,
    Record,
    RefusalBlock,
    TextBlock,
    ToolCallBlock,
    ToolRecord,
    Trace,
    outcome_class,
)

REQUEST = ModelRequest(api="a", model="m")


def reply(*blocks: object, stop: str = "end_turn") -> ModelRecord:
    return ModelRecord(
        id="m", request=REQUEST, response=ModelResponse(content=blocks, stop_reason=stop), fidelity="raw"
    )  # type: ignore[arg-type]


def failed(**error: object) -> ModelRecord:
    return ModelRecord(id="m", request=REQUEST, error=ModelError(message="no", **error), fidelity="raw")  # type: ignore[arg-type]


def tool(outcome: str) -> ToolRecord:
    return ToolRecord(id="t", name="x", outcome=outcome, fidelity="raw")  # type: ignore[arg-type]


def mcp(method: str = "tools/call", **ended: object) -> McpRecord:
    return McpRecord(id="c", server="s", method=method, fidelity="raw", **ended)  # type: ignore[arg-type]


DONE = reply(TextBlock(text="done"))

CASES: list[tuple[str, list[Record]]] = [
    ("success", [DONE]),
    ("success", [tool("ok"), DONE]),
    ("success", [failed(status=429), DONE]),
    ("unknown", []),
    ("unknown", [reply(ToolCallBlock(id="c", name="x"), stop="tool_calls")]),
    ("unknown", [reply()]),
    ("refused", [reply(RefusalBlock(text="no"))]),
    ("refused", [reply(TextBlock(text="no"), stop="content_filter")]),
    ("tool_error", [tool("error"), DONE]),
    ("tool_error", [tool("throttled"), DONE]),
    ("tool_error", [mcp(error=McpError(code=-32000, message="no")), DONE]),
    ("tool_error", [mcp(result={"content": [], "isError": True}), DONE]),
    ("success", [mcp(result={"content": [], "isError": False}), DONE]),
    ("success", [mcp(method="ping", error=McpError(code=-32601, message="no such method")), DONE]),
    ("success", [tool("ok"), DONE, replace(failed(status=500), id="n", parent="t")]),
    ("model_error", [tool("ok"), replace(failed(status=500), parent="t")]),
    ("denied", [tool("denied"), tool("error"), DONE]),
    ("denied", [PolicyRecord(id="p", policy="x", verdict="deny"), DONE]),
    ("model_error", [tool("denied"), failed(status=500)]),
    ("timeout", [failed(status=504)]),
    ("timeout", [failed(kind="APITimeoutError")]),
    ("interrupted", [failed(status=500), FaultRecord(id="f", kind="interruption", detail="")]),
    (
        "truncated",
        [FaultRecord(id="f", kind="interruption", detail=""), FaultRecord(id="g", kind="truncation", detail="")],
    ),
    ("truncated", [reply(TextBlock(text="half"), stop="length")]),
]


@pytest.mark.parametrize(("expected", "records"), CASES)
def test_the_first_class_that_applies(expected: str, records: list[Record]) -> None:
    trace = Trace(header=Header(kind="run", trace_id="x"), records=tuple(records))
    assert outcome_class(trace) == expected


def test_an_incomplete_trace_was_interrupted() -> None:
    trace = Trace(header=Header(kind="run", trace_id="x"), records=(DONE,))
    assert outcome_class(replace(trace, complete=False)) == "interrupted"

"""Small traces and specifications, made in code."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from runwright.drift import AgentSpec, AgentTool, Comparison, agent_drift
from runwright.trace import (
    JSON,
    Header,
    Message,
    ModelRecord,
    ModelRequest,
    ModelResponse,
    Specification,
    TextBlock,
    ToolSpec,
    Trace,
)

PROMPT = "You run the refund desk."
SCHEMA: dict[str, JSON] = {
    "type": "object",
    "properties": {"order": {"type": "string"}, "amount": {"type": "number"}},
    "required": ["order", "amount"],
}
NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)
REFUND = ToolSpec(name="refund", description="Pays an order back.", parameters=SCHEMA)


def trace(
    prompt: str | None = PROMPT,
    tools: Sequence[ToolSpec] = (REFUND,),
    model: str = "gpt-desk",
    parameters: Mapping[str, JSON] | None = None,
    unknown: Sequence[str] = (),
    specification: Specification | None = None,
    started_at: str | None = None,
    complete: bool = True,
) -> Trace:
    """A run of one exchange."""
    system = [Message(role="system", content=(TextBlock(text=prompt),))] if prompt is not None else []
    request = ModelRequest(
        api="openai.chat_completions",
        model=model,
        provider="openai",
        parameters={"temperature": 0.5} if parameters is None else dict(parameters),
        messages=(*system, Message(role="user", content=(TextBlock(text="Refund A-17."),))),
        tools=tuple(tools),
    )
    exchange = ModelRecord(
        id="m1",
        request=request,
        response=ModelResponse(content=(TextBlock(text="Done."),), stop_reason="end_turn"),
        fidelity="raw",
        unknown=tuple(unknown),
    )
    header = Header(kind="run", trace_id="t1", specification=specification, started_at=started_at)
    return Trace(header=header, records=(exchange,), complete=complete)


def bare(specification: Specification | None) -> Trace:
    """A run of which nothing but its header is known."""
    return Trace(header=Header(kind="run", trace_id="t1", specification=specification))


def tool(**changed: Any) -> AgentTool:
    """The tool of the trace as the agent declares it."""
    same = {"name": "refund", "description": "Pays an order back.", "parameters": SCHEMA}
    return AgentTool(**{**same, **changed})


def spec(**changed: Any) -> AgentSpec:
    """The agent of the trace."""
    same = {"system_prompt": PROMPT, "tools": (tool(),), "model": "gpt-desk", "parameters": {"temperature": 0.5}}
    return AgentSpec(**{**same, **changed})


def drift(recorded: Trace, current: AgentSpec, *, now: datetime = NOW, ignore_whitespace: bool = False) -> Comparison:
    return agent_drift(recorded, current, now, ignore_whitespace=ignore_whitespace)


def told(found: Comparison) -> dict[str, tuple[object, object]]:
    """What differs, by path."""
    return {each.path: (each.recorded, each.current) for each in found.differences}

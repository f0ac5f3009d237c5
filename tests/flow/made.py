"""Small live traces, flows and facts, made by hand."""

from __future__ import annotations

from pathlib import Path

from runwright.flow import AgentEnd, AgentSpec, Facts, Flow, Step, Surroundings, evidence_of
from runwright.flow.structured import assertion_of
from runwright.trace.model import (
    JSON,
    Block,
    Header,
    Message,
    ModelRecord,
    ModelRequest,
    ModelResponse,
    Record,
    TextBlock,
    ToolCallBlock,
    ToolResultBlock,
    Trace,
)

SYSTEM = "You are the shop's support."
PROMPT = "Refund order A-1."


def said(role: str, *content: Block | str) -> Message:
    return Message(
        role=role, content=tuple(TextBlock(text=each) if isinstance(each, str) else each for each in content)
    )


def call(id: str, tool: str, **arguments: JSON) -> ToolCallBlock:
    return ToolCallBlock(id=id, name=tool, arguments=arguments)


def result(id: str, text: str) -> Message:
    return said("tool", ToolResultBlock(call_id=id, content=(TextBlock(text=text),)))


def turn(
    id: str, messages: list[Message], *answer: Block | str, system: str = SYSTEM, ext: dict[str, JSON] | None = None
) -> ModelRecord:
    """A live exchange; without an answer it is a missed request."""
    blocks = tuple(TextBlock(text=each) if isinstance(each, str) else each for each in answer)
    stop = "tool_calls" if any(isinstance(each, ToolCallBlock) for each in blocks) else "end_turn"
    request = ModelRequest(api="openai.chat_completions", model="m", messages=(said("system", system), *messages))
    response = ModelResponse(content=blocks, stop_reason=stop) if blocks else None
    return ModelRecord(id=id, request=request, response=response, fidelity="raw", ext=ext or {})


def trace(*records: Record, **observation: str) -> Trace:
    return Trace(header=Header(kind="run", trace_id="t", observation=observation), records=records)


LOOKUP = call("c1", "lookup_order", order_id="A-1")
REFUND = call("c2", "issue_refund", order_id="A-1", amount=40)
AGAIN = call("c3", "issue_refund", order_id="A-1", amount=40)
USER = [said("user", PROMPT)]
LOOKED = [*USER, said("assistant", LOOKUP), result("c1", '{"amount": 40}')]
REFUNDED = [*LOOKED, said("assistant", REFUND), result("c2", '{"status": "refunded"}')]
TWICE = [*REFUNDED, said("assistant", AGAIN), result("c3", '{"status": "refunded"}')]

M1 = turn("m1", USER, LOOKUP)
M2 = turn("m2", LOOKED, REFUND)
M3 = turn("m3", REFUNDED, AGAIN)
M4 = turn("m4", TWICE, "Your money is refunded.")
DONE = turn("m3", REFUNDED, "Your 40 are refunded.")
MISSED = turn("m3", REFUNDED)

STORY = trace(M1, M2, M3, M4)
"""The bug: the refund is asked for, and answered, twice."""

GOOD = trace(M1, M2, DONE)
"""One look-up, one refund, one answer."""

FIXED = trace(M1, M2, MISSED)
"""The repaired agent against the story's cassette: it diverges after m2."""


def flow(*steps: object, agent: AgentSpec | None = None, **fields: object) -> Flow:
    """A flow of assertions written as in YAML: a mapping of one key, or a bare key."""
    parsed = []
    for each in steps:
        key, value = (each, None) if isinstance(each, str) else next(iter(each.items()))
        parsed.append(Step(assertion=assertion_of(key, value, "flow:1")))
    spec: dict[str, object] = {
        "path": Path("flows/refund.flow.yaml"),
        "name": "refund",
        "agent": agent or AgentSpec(command=("python", "agent.py"), tools="real"),
        "cassette": Path("cassettes/refund.cassette.jsonl"),
        "turns": (PROMPT,),
        "steps": tuple(parsed),
    }
    return Flow(**{**spec, **fields})


def facts(live: Trace = GOOD, *, output: str | None = "Your 40 are refunded.\n", **fields: object) -> Facts:
    """What a run found; all went well unless told otherwise."""
    given: dict[str, object] = {
        "evidence": evidence_of(live, Surroundings(output=output)),
        "cassette": live,
        "agent": AgentEnd(ended="exited", exit_code=0),
        "matched": tuple(each.id for each in live.models if each.response is not None),
    }
    return Facts(**{**given, **fields})

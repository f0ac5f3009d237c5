"""Mutants proved per second: flows of 10, 40 and 160 exchanges in one growing conversation, four tools each.

python scripts/bench/prove.py [--sizes 10,40,160] [--mutants 1000] [--until]
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path

from runwright.flow import AgentSpec, Flow, Replay, Step, Word
from runwright.flow.structured import assertion_of
from runwright.run import RunOptions
from runwright.run.prove import ProveOptions, prove
from runwright.trace import with_edges
from runwright.trace.model import (
    Header,
    Message,
    ModelRecord,
    ModelRequest,
    ModelResponse,
    TextBlock,
    ToolCallBlock,
    ToolResultBlock,
    ToolSpec,
    Trace,
)

PROMPT = "Close the month."
NOTE = "booked, and nothing is left open " * 10
TOOLS = tuple(
    ToolSpec(
        name=f"tool_{n}",
        description=f"Looks ledger {n} up.",
        parameters={
            "type": "object",
            "properties": {"id": {"type": "string", "description": "which"}, "limit": {"type": "integer"}},
            "required": ["id"],
        },
    )
    for n in range(4)
)


def said(role: str, text: str) -> Message:
    return Message(role=role, content=(TextBlock(text=text),))


def cassette(size: int) -> Trace:
    """A conversation in which every reply but the last asks for one tool."""
    messages = [said("system", "You keep the books. " * 20), said("user", PROMPT)]
    records = []
    for n in range(1, size + 1):
        call = ToolCallBlock(id=f"call_{n}", name=f"tool_{n % 4}", arguments={"id": f"A-{n}", "limit": n})
        content = (call,) if n < size else (TextBlock(text="The month is closed."),)
        request = ModelRequest(
            api="openai.chat_completions",
            model="gpt-5",
            parameters={"temperature": 0},
            messages=tuple(messages),
            tools=TOOLS,
        )
        stop = "tool_calls" if n < size else "end_turn"
        response = ModelResponse(content=content, stop_reason=stop)
        records.append(ModelRecord(id=f"m{n}", request=request, response=response, streamed=False, fidelity="raw"))
        result = ToolResultBlock(call_id=call.id, content=(TextBlock(text=f'{{"rows": {n}, "note": "{NOTE}"}}'),))
        messages += [Message(role="assistant", content=content), Message(role="tool", content=(result,))]
    return Trace(header=Header(kind="cassette", trace_id="bench"), records=with_edges(records))


def flow(until: bool) -> Flow:
    asserted = ("assert_tool_call", {"tool": "tool_1", "times": 1}) if until else ("assert", "reply contains closed")
    return Flow(
        path=Path("month.flow.yaml"),
        name="month",
        agent=AgentSpec(command=("agent",), tools="real"),
        cassette=Path("month.cassette.jsonl"),
        turns=(PROMPT,),
        replay=Replay(until="m3" if until else None),
        steps=(Step(assertion=assertion_of(*asserted, "bench")),),
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sizes", default="10,40,160")
    parser.add_argument("--mutants", type=int, default=1_000)
    parser.add_argument("--until", action="store_true", help="flows that are strict up to their third exchange")
    given = parser.parse_args()
    print(f"{'exchanges':>9} {'known':>7} {'tried':>6} {'killed':>7} {'seconds':>8} {'mutants/s':>10}")
    for size in map(int, given.sizes.split(",")):
        trace, options = cassette(size), ProveOptions(run=RunOptions(environment={}), limit=given.mutants)
        began = time.perf_counter()
        report = prove(flow(given.until), trace, options)
        spent = time.perf_counter() - began
        if report.unmutated.word is not Word.PASS or report.of("survived") or report.of("unjudged"):
            raise SystemExit(f"{size}: {report.summary}")
        tried = len(report.tried)
        rate = tried / spent
        print(f"{size:>9} {report.known:>7,} {tried:>6,} {len(report.of('killed')):>7,} {spent:>8.1f} {rate:>10,.0f}")


if __name__ == "__main__":
    main()

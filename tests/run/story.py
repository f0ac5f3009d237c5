"""A small shop in a folder: an agent that uses only the standard library, a flow, and a cassette built by hand."""

import textwrap
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from msgspec.structs import replace

from runwright.trace import dumps_trace
from runwright.trace.model import (
    Header,
    Message,
    ModelRecord,
    ModelRequest,
    ModelResponse,
    Record,
    TextBlock,
    ToolCallBlock,
    ToolResultBlock,
    ToolSpec,
    Trace,
    Usage,
)

PROMPT = "Order A-4471 arrived broken. Please refund it."

AGENT = """
    import json, os, sys, urllib.error, urllib.request

    BASE = os.environ["OPENAI_BASE_URL"]
    PARAMETERS = {"type": "object", "properties": {"order_id": {"type": "string"}}, "required": ["order_id"]}
    TOOL = {"name": "issue_refund", "description": "Pay an order back.", "parameters": PARAMETERS}

    def ask(messages, path="/chat/completions", **more):
        body = {"model": "gpt-4o-mini", "messages": messages, "temperature": 0,
                "tools": [{"type": "function", "function": TOOL}], **more}
        head = {"content-type": "application/json", "authorization": "Bearer " + os.environ["OPENAI_API_KEY"]}
        request = urllib.request.Request(BASE + path, json.dumps(body).encode(), head)
        try:
            with urllib.request.urlopen(request) as answer:
                return json.load(answer)["choices"][0]["message"]
        except urllib.error.HTTPError as error:
            print(error.code, error.read().decode(), file=sys.stderr)
            return {"role": "assistant", "content": "no answer"}

    def issue_refund(order_id):
        return {"order_id": order_id, "refunded": 40}

    messages = [{"role": "system", "content": "You are the shop's support."},
                {"role": "user", "content": os.environ["RUNWRIGHT_PROMPT"]}]
    reply = ask(messages)
    while reply.get("tool_calls"):
        messages.append(reply)
        for call in reply["tool_calls"]:
            result = issue_refund(**json.loads(call["function"]["arguments"]))
            messages.append({"role": "tool", "tool_call_id": call["id"], "content": json.dumps(result)})
        reply = ask(messages)
    print(reply["content"])
"""

FLOW = """
    flow: 1
    name: the refund is paid
    app: agent
    agent: {command: python agent.py, tools: real}
    cassette: ../cassettes/refund.cassette.jsonl
    steps:
      - prompt: Order A-4471 arrived broken. Please refund it.
      - assert_tool_call: {tool: issue_refund, times: 1}
      - assert: reply contains refunded
"""

CALL = ToolCallBlock(id="call_1", name="issue_refund", arguments={"order_id": "A-4471"})
RESULT = '{"order_id": "A-4471", "refunded": 40}'


def said(role: str, text: str) -> Message:
    return Message(role=role, content=(TextBlock(text=text),))


def exchange(
    id: str, messages: Sequence[Message], answer: Sequence[TextBlock | ToolCallBlock], **more: object
) -> ModelRecord:
    """One recorded exchange of the shop's agent."""
    schema = {"type": "object", "properties": {"order_id": {"type": "string"}}, "required": ["order_id"]}
    request = ModelRequest(
        api="openai.chat_completions",
        provider="openai",
        model="gpt-4o-mini",
        parameters={"temperature": 0},
        messages=tuple(messages),
        tools=(ToolSpec(name="issue_refund", description="Pay an order back.", parameters=schema),),
    )
    stop = "tool_calls" if isinstance(answer[0], ToolCallBlock) else "end_turn"
    response = ModelResponse(
        content=tuple(answer), stop_reason=stop, usage=Usage(input_tokens=9, output_tokens=3), id=f"r-{id}"
    )
    given = {"id": id, "request": request, "response": response, "streamed": False, "fidelity": "raw"}
    return ModelRecord(**{**given, **more})  # type: ignore[arg-type]


START = (said("system", "You are the shop's support."), said("user", PROMPT))
ANSWERED = (
    *START,
    Message(role="assistant", content=(CALL,)),
    Message(role="tool", content=(ToolResultBlock(call_id="call_1", content=(TextBlock(text=RESULT),)),)),
)
EXCHANGES: tuple[ModelRecord, ...] = (
    exchange("m1", START, (CALL,)),
    exchange("m2", ANSWERED, (TextBlock(text="Your 40 are refunded."),), after=("m1",)),
)


def _refunded(*answered: str) -> tuple[Message, ...]:
    """The conversation in which these refunds were asked for one by one, and each was answered `{}`."""
    turns: list[Message] = []
    for id in answered:
        turns.append(Message(role="assistant", content=(replace(CALL, id=id),)))
        turns.append(Message(role="tool", content=(ToolResultBlock(call_id=id, content=(TextBlock(text="{}"),)),)))
    return (*START, *turns)


TWICE: tuple[ModelRecord, ...] = (
    exchange("m1", START, (CALL,)),
    exchange("m2", _refunded("call_1"), (replace(CALL, id="call_2"),), after=("m1",)),
    exchange("m3", _refunded("call_1", "call_2"), (TextBlock(text="Refunded."),), after=("m2",)),
)


def cassette_of(*records: Record) -> bytes:
    """A sealed cassette of these records."""
    return dumps_trace(Trace(header=Header(kind="cassette", trace_id="story"), records=records))


@dataclass(frozen=True)
class Shop:
    """The folder, with ways to change what lies in it."""

    root: Path

    @property
    def flow(self) -> Path:
        return self.root / "flows" / "refund.flow.yaml"

    @property
    def cassette(self) -> Path:
        return self.root / "cassettes" / "refund.cassette.jsonl"

    def agent(self, *changes: tuple[str, str]) -> None:
        """Write the agent, with each old text (which must be there once) replaced by the new one."""
        self._write(self.root / "agent.py", AGENT, changes)

    def spec(self, *changes: tuple[str, str]) -> None:
        """Write the flow, changed in the same way."""
        self._write(self.flow, FLOW, changes)

    def _write(self, path: Path, source: str, changes: Sequence[tuple[str, str]]) -> None:
        text = textwrap.dedent(source)
        for old, new in changes:
            assert text.count(old) == 1, f"{old!r} is there {text.count(old)} times"
            text = text.replace(old, new)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text.lstrip(), encoding="utf-8")


def shop(root: Path) -> Shop:
    """The shop as it should be: its flow is green."""
    made = Shop(root)
    (root / "pyproject.toml").write_text("[project]\nname = 'shop'\n")
    made.agent()
    made.spec()
    made.cassette.parent.mkdir()
    made.cassette.write_bytes(cassette_of(*EXCHANGES))
    return made

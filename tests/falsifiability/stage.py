"""A folder with a flow, a cassette, and an agent that does what a script says; `perform` runs the flow."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from runwright.cli.app import main
from runwright.dialects import DIALECTS, path_of
from runwright.trace import dumps_trace
from runwright.trace.model import (
    JSON,
    Block,
    Header,
    Message,
    ModelRecord,
    ModelRequest,
    ModelResponse,
    Observation,
    Record,
    TextBlock,
    ToolCallBlock,
    ToolResultBlock,
    ToolSpec,
    Trace,
)

API = "openai.chat_completions"
PROMPT = "Refund order A-4471."
SAID = "Refunded 40."

AGENT = """
import http.client, json, os, socket, sys, time
from urllib.parse import urlsplit

script = json.load(open("script.json"))
at = urlsplit(os.environ["RUNWRIGHT_BASE_URL"])
for path, body in script["requests"]:
    server = http.client.HTTPConnection(at.hostname, at.port)
    server.request("POST", path, json.dumps(body), {"content-type": "application/json"})
    server.getresponse().read()
for what, path, *given in script["does"]:
    if what == "write":
        open(path, "wb").write(given[0].encode("latin-1"))
    elif what == "delete":
        os.remove(path)
    elif what == "rename":
        os.rename(path, given[0])
    elif what == "truncate":
        os.truncate(path, given[0])
    elif what == "chmod":
        os.chmod(path, given[0])
    elif what == "mkdir":
        os.mkdir(path)
    elif what == "connect":
        try:
            socket.create_connection((path, given[0]), 1).close()
        except OSError:
            pass
print(script["say"].format(**os.environ))
sys.stdout.flush()
time.sleep(script["sleep"])
sys.exit(script["exit"])
"""

TOOLS = tuple(
    ToolSpec(name=name, description=f"The tool {name}.", parameters={"type": "object", "properties": {}})
    for name in ("look_up", "refund")
)


@dataclass(frozen=True, kw_only=True)
class Asked:
    """What the agent of a case sends: requests in order, or bodies to other paths as they are."""

    request: ModelRequest
    streamed: bool = False


@dataclass(frozen=True, kw_only=True)
class Case:
    """One run. `live` is what the agent asks, by default what is recorded; `says` is a part of the verdict.

    `check` names the one thing in `guts.py` that makes it red. Without an agent the recording is judged alone.
    `does` is what the agent does to the world, `files` are those that are there before.
    """

    name: str
    check: str
    says: str
    recorded: tuple[Record, ...]
    live: tuple[Asked, ...] | None = None
    say: str = SAID
    status: int = 0
    sleep: float = 0
    steps: Sequence[JSON] = ()
    flow: Mapping[str, JSON] = field(default_factory=dict)
    environment: Mapping[str, str] = field(default_factory=dict)
    observation: Mapping[str, Observation] = field(default_factory=dict)
    agent: bool = True
    does: Sequence[Sequence[JSON]] = ()
    files: Mapping[str, str] = field(default_factory=dict)

    def __str__(self) -> str:
        return self.name


def said(role: str, text: str) -> Message:
    return Message(role=role, content=(TextBlock(text=text),))


def call(tool: str, number: int = 1, **arguments: JSON) -> ToolCallBlock:
    return ToolCallBlock(id=f"call_{number}", name=tool, arguments=dict(arguments))


def result(of: ToolCallBlock, value: JSON) -> Message:
    block = ToolResultBlock(call_id=of.id, content=(TextBlock(text=json.dumps(value)),))
    return Message(role="tool", content=(block,))


START = (said("system", "You are the shop's support."), said("user", PROMPT))


def asking(messages: Sequence[Message], **more: object) -> ModelRequest:
    given = {"api": API, "provider": "openai", "model": "gpt-5", "parameters": {"temperature": 0}, "tools": TOOLS}
    return ModelRequest(messages=tuple(messages), **{**given, **more})  # type: ignore[arg-type]


def exchange(id: str, request: ModelRequest, answer: Sequence[Block], **more: object) -> ModelRecord:
    stop = "tool_calls" if any(isinstance(block, ToolCallBlock) for block in answer) else "end_turn"
    response = ModelResponse(content=tuple(answer), stop_reason=stop)
    given = {"id": id, "request": request, "response": response, "streamed": False, "fidelity": "raw", **more}
    return ModelRecord(**given)  # type: ignore[arg-type]


def conversation(*turns: Sequence[tuple[ToolCallBlock, JSON]], end: str = SAID) -> tuple[ModelRecord, ...]:
    """Exchanges in which each turn's calls are asked for at once and then answered; a last one that says `end`."""
    messages, records = list(START), []
    for number, turn in enumerate(turns, 1):
        calls = tuple(each for each, _ in turn)
        after = (f"m{number - 1}",) if number > 1 else ()
        records.append(exchange(f"m{number}", asking(messages), calls, after=after))
        messages += [Message(role="assistant", content=calls), *(result(each, value) for each, value in turn)]
    number = len(turns) + 1
    after = (f"m{number - 1}",) if turns else ()
    return (*records, exchange(f"m{number}", asking(messages), (TextBlock(text=end),), after=after))


def perform(root: Path, case: Case, capsys: pytest.CaptureFixture[str]) -> tuple[int, str]:
    """Run the case's flow as the command line does; its exit status and what it printed."""
    (root / "pyproject.toml").write_text("[project]\nname = 'stage'\n")
    (root / "agent.py").write_text(AGENT)
    header = Header(kind="cassette", trace_id="stage", observation=dict(case.observation))
    (root / "case.cassette.jsonl").write_bytes(dumps_trace(Trace(header=header, records=case.recorded)))
    (root / "script.json").write_text(json.dumps(_script(case)))
    (root / "case.flow.yaml").write_text(json.dumps(_flow(case)))
    for name, text in case.files.items():
        (root / name).write_bytes(text.encode("latin-1"))
        (root / name).chmod(0o644)
    before = Path.cwd()
    os.chdir(root)
    try:
        status = main(["run", "case.flow.yaml", *([] if case.agent else ["--recording-only"])])
    finally:
        os.chdir(before)
    return status, capsys.readouterr().out


def requests_of(records: Iterable[Record]) -> tuple[Asked, ...]:
    """What an agent asks that does as recorded."""
    models = (record for record in records if isinstance(record, ModelRecord))
    return tuple(Asked(request=record.request, streamed=record.streamed is True) for record in models)


def _script(case: Case) -> dict[str, JSON]:
    live = requests_of(case.recorded) if case.live is None else case.live
    sent: list[JSON] = []
    for each in live:
        dialect = DIALECTS[each.request.api]
        path = path_of(dialect, each.request.model, streamed=each.streamed)
        path = path if path.startswith("/v1") else f"/v1{path}"
        sent.append([path, dialect.encode_request(each.request, each.streamed)])
    return {
        "requests": sent,
        "say": case.say,
        "sleep": case.sleep,
        "exit": case.status,
        "does": [list(each) for each in case.does],
    }


def _flow(case: Case) -> dict[str, JSON]:
    agent: JSON = {"command": f"{sys.executable} -S agent.py", "tools": "real", "env": dict(case.environment)}
    whole: dict[str, JSON] = {"flow": 1, "name": case.name, "app": "agent", "cassette": "case.cassette.jsonl"}
    whole |= {"agent": agent} if case.agent else {}
    return {**whole, "steps": [{"prompt": PROMPT}, *case.steps], **case.flow}

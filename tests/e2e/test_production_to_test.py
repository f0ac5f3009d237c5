"""The whole way: a production run that did something to the world becomes a test that guards it, by a person's hand."""

from __future__ import annotations

import json
import subprocess
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from runwright.record.observe import cannot_observe
from tests.e2e.recording_server import recording
from tests.e2e.replaying import OWN_AGENT, changed, model_log, record, runwright

pytestmark = pytest.mark.skipif(bool(cannot_observe()), reason=cannot_observe())

PROMPT = "Write the report of October."
REPORT = "orders,total\n17,680\n"
AGENT = """
import json
from pathlib import Path

from openai import OpenAI

SYSTEM = "You keep the books of a small shop."
PARAMETERS = {
    "type": "object",
    "properties": {"path": {"type": "string"}, "content": {"type": "string"}},
    "required": ["path", "content"],
}
TOOL = {"name": "write_file", "description": "Write a file.", "parameters": PARAMETERS}


def write_file(path: str, content: str) -> str:
    Path(path).parent.mkdir(exist_ok=True)
    Path(path).write_text(content)
    return f"{len(content)} bytes written"


client = OpenAI()
messages = [{"role": "system", "content": SYSTEM}, {"role": "user", "content": "Write the report of October."}]
while True:
    tools = [{"type": "function", "function": TOOL}]
    completion = client.chat.completions.create(model="gpt-4o-mini", messages=messages, tools=tools, temperature=0)
    reply = completion.choices[0].message
    if not reply.tool_calls:
        break
    messages.append(reply.model_dump(exclude_none=True))
    for call in reply.tool_calls:
        result = write_file(**json.loads(call.function.arguments))
        messages.append({"role": "tool", "tool_call_id": call.id, "content": result})
print(reply.content)
"""
PERTURBED = {
    "the file holds something else": (".write_text(content)", '.write_text(content.replace("17", "16"))'),
    "it is another file, and not the one": ("Path(path).write_text", 'Path(path).with_suffix(".txt").write_text'),
    "the tool tells the model something else": ('bytes written"', 'bytes were written"'),
    "the model is told something else": ("of a small shop", "of a shop"),
}
CALL = {"path": "out/october.csv", "content": REPORT}


def production(request: dict[str, Any]) -> dict[str, Any]:
    """What production's model says: write the report, then that it is there."""
    if request["messages"][-1]["role"] == "tool":
        return {"role": "assistant", "content": "The report is in out/october.csv."}
    call = {"id": "call_1", "type": "function", "function": {"name": "write_file", "arguments": json.dumps(CALL)}}
    return {"role": "assistant", "content": None, "tool_calls": [call]}


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The repository of an agent whose production run has become a committed flow."""
    folder = tmp_path_factory.mktemp("books")
    git(folder, "init", "-q")
    said, lines = record(folder, AGENT, partial(recording, production), "OPENAI")
    assert said == "The report is in out/october.csv.\n"
    (folder / "out" / "october.csv").unlink()
    (folder / "production.jsonl").write_text(model_log(lines))
    git(folder, "add", "agent.py", "pyproject.toml")
    commit(folder, "the agent")
    runwright(
        folder, "convert", "production.jsonl", "--out", "flows/regressions/report", "--prompt", PROMPT, *OWN_AGENT
    )
    assert runwright(folder, "run", "flows/", status=2).stdout.count("PASS") == 0, "a proposal is no test yet"
    review(folder)
    git(folder, "add", "flows", "cassettes")
    commit(folder, "a regression test of the report of October")
    return folder


def review(folder: Path) -> None:
    """A person reads what would change, asks for the effect, and accepts."""
    proposed = next(folder.glob("flows/regressions/*.new*"))
    text = proposed.read_text()
    suggested = next(line for line in text.splitlines() if "assert_side_effect" in line)
    assert "out/october.csv" in suggested, text
    proposed.write_text(text.replace(suggested, suggested.replace("# - ", "- ", 1)))
    listed = runwright(folder, "review", "--list").stdout
    assert "report" in listed
    runwright(folder, "review", "--accept", "report")
    new = git(folder, "status", "--short", "--untracked-files=all", "flows", "cassettes").split()
    assert new == ["??", "cassettes/regressions/report.cassette.jsonl", "??", "flows/regressions/report.flow.yaml"]


def git(folder: Path, *words: str) -> str:
    given = ["git", "-c", "user.name=a", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false", *words]
    return subprocess.run(given, cwd=folder, capture_output=True, text=True, check=True).stdout


def commit(folder: Path, message: str) -> None:
    git(folder, "commit", "-q", "-m", message)


def replayed(folder: Path, agent: str) -> tuple[int, str]:
    """The exit status and the report of the committed flow, with this agent and with no report there yet."""
    (folder / "agent.py").write_text(agent)
    (folder / "out" / "october.csv").unlink(missing_ok=True)
    (folder / "out" / "october.txt").unlink(missing_ok=True)
    done = runwright(folder, "run", "flows/", status=None)
    return done.returncode, done.stdout


def test_green_as_recorded_and_the_effect_was_seen(project: Path) -> None:
    status, report = replayed(project, AGENT)
    assert (status, "PASS" in report, "out/october.csv" in report) == (0, True, True), report
    assert (project / "out" / "october.csv").read_text() == REPORT


@pytest.mark.parametrize("how", PERTURBED)
def test_red_where_the_behaviour_changed(project: Path, how: str) -> None:
    status, report = replayed(project, changed(AGENT, PERTURBED[how]))
    assert (status, "FAIL" in report) == (1, True), report

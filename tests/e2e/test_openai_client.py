"""The official openai client, recorded, converted, accepted, replayed: green as it is, red for every change."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.recording_server import recording

AGENT = (Path(__file__).parent / "openai_agent.py").read_text()
PROBE = """    import os
    import urllib.request

    try:
        urllib.request.urlopen(os.environ["OPENAI_BASE_URL"] + "/embeddings", b"{}")
    except OSError:
        pass
"""
IGNORES_MISS = """def main() -> None:
    try:
        ask_with_tools(OpenAI())
    except Exception:
        pass
    print("It rains in both.")
"""


@pytest.fixture(scope="module")
def accepted(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A project whose flow and cassette were made from a recorded run of the agent, and accepted."""
    project = tmp_path_factory.mktemp("project")
    (project / "pyproject.toml").write_text("")
    (project / "agent.py").write_text(AGENT)
    with recording() as (url, lines):
        environment = {**os.environ, "OPENAI_BASE_URL": url, "OPENAI_API_KEY": "stands-for-a-key"}
        done = subprocess.run(
            [sys.executable, "agent.py"], cwd=project, env=environment, capture_output=True, text=True, check=True
        )
        assert "It rains in both." in done.stdout
        assert len(lines) == 12
        (project / "run.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    asserts = ("assert_tool_call: {tool: get_weather, times: 2}", "assert: reply contains It rains in both")
    given = [word for each in asserts for word in ("--assert", each)]
    agent = ("--agent", f"{sys.executable} agent.py", "--tools", "real")
    prompt = ("--prompt", "Is it raining? I am customer 6f1c2b7e-9d1a-4c52-8f3e-0a6b5d4c3e21.")
    runwright(project, "convert", "run.jsonl", "--out", "flows/rain", *prompt, *agent, *given)
    runwright(project, "review", "--accept", "rain")
    return project


def runwright(project: Path, *words: str, status: int | None = 0) -> subprocess.CompletedProcess[str]:
    """A finished command line, without a key; its exit status is asserted unless it is None."""
    hidden = ("OPENAI_API_KEY", "OPENAI_BASE_URL", "CI")
    environment = {name: value for name, value in os.environ.items() if name not in hidden}
    environment["PATH"] = f"{Path(sys.executable).parent}{os.pathsep}{environment['PATH']}"
    command = [sys.executable, "-m", "runwright", *words]
    done = subprocess.run(command, cwd=project, env=environment, capture_output=True, text=True, check=False)
    assert status is None or done.returncode == status, f"exit {done.returncode}\n{done.stdout}\n{done.stderr}"
    return done


def replay(project: Path, *changes: tuple[str, str]) -> dict[str, Any]:
    """The flow's report after replaying the agent with these parts of it changed."""
    source = AGENT
    for old, new in changes:
        assert old in source, old
        source = source.replace(old, new)
    (project / "agent.py").write_text(source)
    done = runwright(project, "run", "flows/", "--json", status=None)
    report: dict[str, Any] = json.loads(done.stdout)
    assert done.returncode == report["exit"] == report["flows"][0]["exit"]
    flow: dict[str, Any] = report["flows"][0]
    return flow


def test_green_with_no_key(accepted: Path) -> None:
    flow = replay(accepted)
    assert (flow["word"], flow["exit"], flow["summary"]) == ("PASS", 0, "PASS")


def test_the_mere_order_of_two_parallel_results_is_no_difference(accepted: Path) -> None:
    assert replay(accepted, ("messages += answers", "messages += answers[::-1]"))["word"] == "PASS"


def test_a_string_is_one_text_block(accepted: Path) -> None:
    changed = ('"content": "Is 7 prime?"', '"content": [{"type": "text", "text": "Is 7 prime?"}]')
    assert replay(accepted, changed)["word"] == "PASS"


CHANGES = {
    "another word in a list-form content block": ("Is it raining?", "Is it snowing?", "content[0].text"),
    "temperature": (
        "temperature=0.2",
        "temperature=0.3",
        "parameters.temperature",
    ),
    "a tool's description": ("The weather of a city.", "The weather of a town.", "description"),
    "a tool's schema": ('"required": ["city"]', '"required": []', "parameters.required"),
    "the response format": ('"name": "verdict"', '"name": "ruling"', "response_format"),
    "the model": ('"gpt-4o-mini", messages=messages, stream', '"gpt-4o", messages=messages, stream', "$.request.model"),
    "streamed or not": ("response_format=VERDICT)", "response_format=VERDICT, stream=True)", "$.streamed"),
    "an extra call": ("print(judge(client))", "print(judge(client), judge(client))", ""),
    "results exchanged between their ids": (
        "for id, result in results.items()]",
        "for id, result in zip(results, reversed(results.values()))]",
        "content",
    ),
    "another customer's UUID": ("6f1c2b7e-9d1a-4c52", "7e2d3c8f-9d1a-4c52", "content[1].text"),
    "a 404 path": ("    client = OpenAI()\n    print(ask", f"{PROBE}    client = OpenAI()\n    print(ask", ""),
}


@pytest.mark.parametrize("name", CHANGES)
def test_red_for(name: str, accepted: Path) -> None:
    old, new, path = CHANGES[name]
    flow = replay(accepted, (old, new))
    assert (flow["word"], flow["exit"]) == ("FAIL", 1)
    assert not flow["miss"]["later"]
    if path:
        assert any(path in difference["path"] for difference in flow["miss"]["differences"])


def test_red_for_a_missing_call(accepted: Path) -> None:
    flow = replay(accepted, ("range(8)", "range(7)"))
    assert (flow["word"], len(flow["left_over"])) == ("FAIL", 1)


def test_red_for_exit_3(accepted: Path) -> None:
    flow = replay(
        accepted,
        ("    print(asyncio.run(eight_at_once()))", "    print(asyncio.run(eight_at_once()))\n    raise SystemExit(3)"),
    )
    assert (flow["word"], flow["agent"]["exit_code"]) == ("FAIL", 3)


def test_red_for_an_agent_that_ignores_the_miss_and_says_the_right_thing(accepted: Path) -> None:
    start = AGENT.index("def main()")
    flow = replay(
        accepted, ("Is it raining?", "Is it snowing?"), (AGENT[start : AGENT.index("\n\nif __name__")], IGNORES_MISS)
    )
    assert (flow["word"], flow["agent"]["exit_code"]) == ("FAIL", 0)
    assert "It rains in both." in flow["reply"]


def test_a_reply_that_the_agent_does_not_give_is_red(accepted: Path) -> None:
    flow = replay(
        accepted, ("    print(ask_with_tools(client))", "    ask_with_tools(client)\n    print('no word of it')")
    )
    assert flow["word"] == "FAIL"
    assert [each["state"] for each in flow["judgements"]] == ["held", "failed"]

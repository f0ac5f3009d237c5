"""An agent's run, recorded at a scripted server, made a flow, accepted, and replayed with parts of it changed."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

Json = dict[str, Any]
Recording = Callable[[], AbstractContextManager[tuple[str, list[Json]]]]
KEYS = ("ANTHROPIC_API_KEY", "ANTHROPIC_BASE_URL", "OPENAI_API_KEY", "OPENAI_BASE_URL")
ASSERTS = ("assert_tool_call: {tool: get_weather, times: 2}", "assert: reply contains It rains in both")
PROMPT = "Is it raining? I am customer 6f1c2b7e-9d1a-4c52-8f3e-0a6b5d4c3e21."
OWN_AGENT = ("--agent", f"{sys.executable} agent.py", "--tools", "real")


def environment() -> dict[str, str]:
    """The caller's environment without a key, in which `python` is this interpreter."""
    kept = {name: value for name, value in os.environ.items() if name not in (*KEYS, "CI")}
    return {**kept, "PATH": f"{Path(sys.executable).parent}{os.pathsep}{kept['PATH']}"}


def runwright(project: Path, *words: str, status: int | None = 0) -> subprocess.CompletedProcess[str]:
    """A finished command line, without a key; its exit status is asserted unless it is None."""
    command = [sys.executable, "-m", "runwright", *words]
    done = subprocess.run(command, cwd=project, env=environment(), capture_output=True, text=True, check=False)
    assert status is None or done.returncode == status, f"exit {done.returncode}\n{done.stdout}\n{done.stderr}"
    return done


def record(project: Path, agent: str, recording: Recording, provider: str) -> tuple[str, list[Json]]:
    """What the agent prints when it runs with this server for its provider, and the lines of the model log."""
    (project / "pyproject.toml").write_text("")
    (project / "agent.py").write_text(agent)
    with recording() as (url, lines):
        given = {**os.environ, f"{provider}_BASE_URL": url, f"{provider}_API_KEY": "stands-for-a-key"}
        command = [sys.executable, "agent.py"]
        done = subprocess.run(command, cwd=project, env=given, capture_output=True, text=True, check=True)
    return done.stdout, lines


def model_log(lines: list[Json]) -> str:
    """The lines as a file."""
    return "".join(json.dumps(line) + "\n" for line in lines)


def accept(project: Path, source: str, *options: str, prompt: str = PROMPT) -> None:
    """Convert a recorded run into the flow `rain`, and accept it."""
    given = [word for each in ASSERTS for word in ("--assert", each)]
    runwright(project, "convert", source, "--out", "flows/rain", "--prompt", prompt, *options, *given)
    runwright(project, "review", "--accept", "rain")


def changed(source: str, *changes: tuple[str, str]) -> str:
    """The text with these parts of it changed, each of which must be there."""
    for old, new in changes:
        assert old in source, old
        source = source.replace(old, new)
    return source


def replay(agent: str, project: Path, *changes: tuple[str, str]) -> Json:
    """The flow's report after replaying the agent with these parts of it changed."""
    (project / "agent.py").write_text(changed(agent, *changes))
    return report(project)


def report(project: Path) -> Json:
    """The flow's report of a run of the project's flow."""
    done = runwright(project, "run", "flows/", "--json", status=None)
    found: Json = json.loads(done.stdout)
    flow: Json = found["flows"][0]
    assert done.returncode == found["exit"] == flow["exit"]
    return flow


def assert_red(flow: Json, path: str = "") -> None:
    """The flow is red at once, and for what differs at this place where one is given."""
    assert (flow["word"], flow["exit"]) == ("FAIL", 1)
    assert not flow["miss"]["later"]
    if path:
        assert any(path in difference["path"] for difference in flow["miss"]["differences"]), flow["miss"]


def ignoring_the_miss(agent: str, client: str) -> tuple[str, str]:
    """The change that makes the agent ask with this client, swallow what comes, and say the right thing."""
    start = agent.index("def main()")
    swallowing = (
        f"def main() -> None:\n    try:\n        ask_with_tools({client}())\n    except Exception:\n        pass\n"
        '    print("It rains in both.")\n'
    )
    return agent[start : agent.index("\n\nif __name__")], swallowing


def assert_red_though_the_miss_is_ignored(flow: Json) -> None:
    """The flow is red although the agent ended well and its reply is the right one."""
    assert (flow["word"], flow["agent"]["exit_code"]) == ("FAIL", 0)
    assert "It rains in both." in flow["reply"]

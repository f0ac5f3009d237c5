"""A service with the official openai client, recorded, converted, accepted, and replayed where it runs."""

from __future__ import annotations

import json
import urllib.request
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.recording_server import recording
from tests.e2e.replaying import accept, assert_red, model_log, report
from tests.run.service import free_port, serving

SERVICE = (Path(__file__).parent / "url_agent.py").read_text()
PROMPT = "Is it raining?"


@pytest.fixture(scope="module")
def accepted(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A project whose cassette was made from a recorded run of the service; its flow reaches the service by HTTP."""
    project = tmp_path_factory.mktemp("project")
    (project / "pyproject.toml").write_text("")
    with recording() as (url, lines), serving(project, 0, source=SERVICE, env={"OPENAI_BASE_URL": url}) as port:
        asked = urllib.request.Request(
            f"http://127.0.0.1:{port}/task",
            json.dumps({"prompt": PROMPT}).encode(),
            {"content-type": "application/json"},
        )
        with urllib.request.urlopen(asked, timeout=60) as answer:
            assert json.load(answer)["reply"] == "It rains in both."
        (project / "run.jsonl").write_text(model_log(lines))
    accept(project, "run.jsonl", "--agent", "python none.py", "--tools", "real", prompt=PROMPT)
    return project


def replay(project: Path, *changes: tuple[str, str]) -> dict[str, Any]:
    """The flow's report after replaying the running service with these parts of it changed."""
    proxy_port, flow = free_port(), project / "flows" / "rain.flow.yaml"
    accepted_text = flow.read_text()
    with serving(project, proxy_port, *changes, source=SERVICE) as port:
        head, _, rest = accepted_text.partition("agent:")
        block = f'agent: {{url: "http://127.0.0.1:{port}/task", proxy_port: {proxy_port}, tools: real}}\n'
        flow.write_text(head + block + "cassette:" + rest.partition("cassette:")[2])
        try:
            return report(project)
        finally:
            flow.write_text(accepted_text)


def test_green(accepted: Path) -> None:
    flow = replay(accepted)
    assert (flow["word"], flow["exit"]) == ("PASS", 0), flow["summary"]
    assert (flow["reply"], flow["reply_source"], flow["agent"]) == (
        "It rains in both.",
        "own",
        {"status": 200, "ended": "exited"},
    )
    assert flow["real_tools"] == ["get_weather"]


CHANGES = {
    "the temperature": ("temperature=0.2", "temperature=0.3", "parameters.temperature"),
    "the prompt": ('"content": prompt}', '"content": prompt + "?"}', "content[0].text"),
    "a tool's schema": ('"required": ["city"]', '"required": []', "parameters.required"),
    "a result": ('"sky": "rain"', '"sky": "snow"', "content"),
    "an extra call": ("    reply = await weather(prompt)", "    reply = await weather(prompt)\n    await ask()", ""),
    "calls in another order": (
        "    reply = await ask()\n    for",
        "    messages.append({'role': 'assistant', 'content': 'It rains.'})\n    await ask()\n"
        "    del messages[2:]\n    reply = await ask()\n    for",
        "",
    ),
}


@pytest.mark.parametrize("name", CHANGES)
def test_red_for(name: str, accepted: Path) -> None:
    old, new, path = CHANGES[name]
    assert_red(replay(accepted, (old, new)), path)


def test_red_for_a_service_that_swallows_the_miss_and_says_the_right_words(accepted: Path) -> None:
    swallow = (
        "    reply = await weather(prompt)\n",
        "    try:\n        reply = await weather(prompt)\n    except Exception:\n        reply = 'It rains in both.'\n",
    )
    flow = replay(accepted, swallow, ("temperature=0.2", "temperature=0.3"))
    assert (flow["word"], flow["reply"], flow["agent"]["status"]) == ("FAIL", "It rains in both.", 200)


def test_red_for_another_reply(accepted: Path) -> None:
    flow = replay(accepted, ('"reply": reply', '"reply": "No idea."'))
    assert (flow["word"], [each["state"] for each in flow["judgements"]]) == ("FAIL", ["held", "failed"])


def test_red_for_500_after_the_right_calls(accepted: Path) -> None:
    broken = ("    reply = await weather(prompt)\n", "    reply = await weather(prompt)\n    raise RuntimeError\n")
    flow = replay(accepted, broken)
    assert (flow["word"], flow["agent"]["status"]) == ("FAIL", 500)
    assert "left_over" not in flow
    assert "miss" not in flow


def test_red_for_a_dropped_call(accepted: Path) -> None:
    flow = replay(accepted, ("    return (await ask()).content", '    return "It rains in both."'))
    assert (flow["word"], flow["left_over"]) == ("FAIL", ["m2"])


def test_no_verdict_for_a_service_that_calls_no_model(accepted: Path) -> None:
    flow = replay(accepted, ("    reply = await weather(prompt)", '    reply = "It rains in both."'))
    assert (flow["word"], flow["exit"]) == ("UNVERIFIED", 2)

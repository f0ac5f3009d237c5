"""The official openai client, recorded, converted, accepted, replayed: green as it is, red for every change."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest

from tests.e2e import replaying
from tests.e2e.recording_server import recording
from tests.e2e.replaying import (
    OWN_AGENT,
    accept,
    assert_red,
    assert_red_though_the_miss_is_ignored,
    ignoring_the_miss,
    model_log,
    record,
)

AGENT = (Path(__file__).parent / "openai_agent.py").read_text()
PROBE = """    import os
    import urllib.request

    try:
        urllib.request.urlopen(os.environ["OPENAI_BASE_URL"] + "/embeddings", b"{}")
    except OSError:
        pass
"""
replay = partial(replaying.replay, AGENT)


@pytest.fixture(scope="module")
def accepted(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A project whose flow and cassette were made from a recorded run of the agent, and accepted."""
    project = tmp_path_factory.mktemp("project")
    printed, lines = record(project, AGENT, recording, "OPENAI")
    assert "It rains in both." in printed
    assert len(lines) == 12
    (project / "run.jsonl").write_text(model_log(lines))
    accept(project, "run.jsonl", *OWN_AGENT)
    return project


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
    assert_red(replay(accepted, (old, new)), path)


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
    ignoring = ignoring_the_miss(AGENT, "OpenAI")
    assert_red_though_the_miss_is_ignored(replay(accepted, ("Is it raining?", "Is it snowing?"), ignoring))


def test_a_reply_that_the_agent_does_not_give_is_red(accepted: Path) -> None:
    flow = replay(
        accepted, ("    print(ask_with_tools(client))", "    ask_with_tools(client)\n    print('no word of it')")
    )
    assert flow["word"] == "FAIL"
    assert [each["state"] for each in flow["judgements"]] == ["held", "failed"]

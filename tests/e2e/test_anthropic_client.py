"""The official anthropic client, recorded, converted, accepted, replayed: green as it is, red for every change."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest

from tests.e2e import replaying
from tests.e2e.anthropic_server import recording
from tests.e2e.replaying import (
    OWN_AGENT,
    accept,
    assert_red,
    assert_red_though_the_miss_is_ignored,
    ignoring_the_miss,
    model_log,
    record,
)

AGENT = (Path(__file__).parent / "anthropic_agent.py").read_text()
CUSTOMER = "6f1c2b7e-9d1a-4c52-8f3e-0a6b5d4c3e21"
MAIN = "    client = Anthropic()\n"
replay = partial(replaying.replay, AGENT)


@pytest.fixture(scope="module")
def accepted(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A project whose flow and cassette were made from a recorded run of the agent, and accepted."""
    project = tmp_path_factory.mktemp("project")
    printed, lines = record(project, AGENT, recording, "ANTHROPIC")
    (project / "recorded.txt").write_text(printed)
    assert len(lines) == 23
    (project / "run.jsonl").write_text(model_log(lines))
    accept(project, "run.jsonl", *OWN_AGENT, prompt=f"Is it raining? I am {CUSTOMER}.")
    return project


def test_green_with_no_key_and_word_for_word(accepted: Path) -> None:
    flow = replay(accepted)
    assert (flow["word"], flow["exit"], flow["summary"]) == ("PASS", 0, "PASS")
    assert flow["reply"].strip() == (accepted / "recorded.txt").read_text().strip()


MEANS_THE_SAME = {
    "two parallel results in another order": ("[*answers, {", "[*answers[::-1], {"),
    "a string as one text block": (
        '"content": "Is 7 prime?"',
        '"content": [{"type": "text", "text": "Is 7 prime?"}]',
    ),
    "is_error left out": (', "is_error": False', ""),
    "a result's text as a block": (
        '"content": json.dumps(result)',
        '"content": [{"type": "text", "text": json.dumps(result)}]',
    ),
    "a cache mark moved": ("SYSTEM[1]", "SYSTEM[0]"),
    "a cache mark on a tool": (
        '"name": "get_weather",',
        '"name": "get_weather", "cache_control": {"type": "ephemeral"},',
    ),
    "a tool's type spelt out": ('"name": "get_weather",', '"type": "custom", "name": "get_weather",'),
    "the beta client": (
        "client.messages.create(model=MODEL, max_tokens=100, messages=[",
        "client.beta.messages.create(model=MODEL, max_tokens=100, messages=[",
    ),
}


def test_green_for_all_that_means_the_same_at_once(accepted: Path) -> None:
    assert replay(accepted, *MEANS_THE_SAME.values())["word"] == "PASS"


CHANGES = {
    "another word of the prompt": ("Is it raining?", "Is it snowing?", "messages[1].content[0].text"),
    "a system block's text": ("You know the weather.", "You guess the weather.", "messages[0].content[1].text"),
    "temperature": ('"temperature": 0.2', '"temperature": 0.3', "parameters.temperature"),
    "max_tokens": ('"max_tokens": 500', '"max_tokens": 501', "parameters.max_tokens"),
    "a tool's description": ("The weather of a city.", "The weather of a town.", "description"),
    "a tool's schema": ('"required": ["city"]', '"required": []', "parameters.required"),
    "the tool choice": ('{"type": "auto"}', '{"type": "any"}', "parameters.tool_choice"),
    "the thinking budget": ('"budget_tokens": 1024', '"budget_tokens": 2048', "parameters.thinking.budget_tokens"),
    "the model": (
        "create(model=MODEL, max_tokens=100, messages=[",
        "create(model='other', max_tokens=100, messages=[",
        "$.request.model",
    ),
    "a picture's bytes": ("iVBORw0KGgo=", "iVBORw0KGgp=", "messages[1].content[1].source.data"),
    "a picture's type": ("image/png", "image/gif", "messages[1].content[1].source.media_type"),
    "a failed result": ('"is_error": False', '"is_error": True', "content[0].is_error"),
    "a result's text": ('"sky": "rain"', '"sky": "sun"', "content[0].content[0].text"),
    "results exchanged between their ids": (
        "for id, result in results.items()\n",
        "for id, result in zip(results, reversed(results.values()))\n",
        "content[0].content[0].text",
    ),
    "text before the results": (
        '[*answers, {"type": "text", "text": "Sum it up."}]',
        '[{"type": "text", "text": "Sum it up."}, *answers]',
        "messages[3].content[0]",
    ),
    "one result left out": (
        "for id, result in results.items()\n",
        "for id, result in list(results.items())[1:]\n",
        "content[0]",
    ),
    "another customer's UUID": ("6f1c2b7e-9d1a-4c52", "7e2d3c8f-9d1a-4c52", "content[2].text"),
    "streamed or not": ("messages=messages, stream=True))", "messages=messages).content)", "$.streamed"),
    "a reply that is not passed on whole": (
        '"content": reply.content}',
        '"content": reply.content[1:]}',
        "messages[2].content",
    ),
    "an extra call": ("    print(asyncio.run", "    print(judge(client))\n    print(asyncio.run", ""),
    "the repeated request once more": ("for _ in range(2)", "for _ in range(3)", ""),
    "tokens counted at another endpoint": (
        MAIN,
        f"{MAIN}    messages = [{{'role': 'user', 'content': 'x'}}]\n"
        "    try:\n        client.messages.count_tokens(model=MODEL, messages=messages)\n"
        "    except anthropic.APIError:\n        pass\n",
        "",
    ),
    "a batch": (
        MAIN,
        f"{MAIN}    try:\n        client.messages.batches.list()\n    except anthropic.APIError:\n        pass\n",
        "",
    ),
}


@pytest.mark.parametrize("name", CHANGES)
def test_red_for(name: str, accepted: Path) -> None:
    old, new, path = CHANGES[name]
    assert_red(replay(accepted, (old, new)), path)


@pytest.mark.parametrize("calls", [("range(8)", "range(7)"), ("for _ in range(2)", "for _ in range(1)")])
def test_red_for_a_missing_call(calls: tuple[str, str], accepted: Path) -> None:
    flow = replay(accepted, calls)
    assert (flow["word"], len(flow["left_over"])) == ("FAIL", 1)


def test_red_for_exit_3(accepted: Path) -> None:
    last = "    print(asyncio.run(eight_at_once()))\n"
    flow = replay(accepted, (last, f"{last}    raise SystemExit(3)\n"))
    assert (flow["word"], flow["agent"]["exit_code"]) == ("FAIL", 3)


def test_a_reply_that_the_agent_does_not_give_is_red(accepted: Path) -> None:
    flow = replay(accepted, ("        print(part(client))", "        part(client)\n        print('no word of it')"))
    assert flow["word"] == "FAIL"
    assert [each["state"] for each in flow["judgements"]] == ["held", "failed"]


def test_red_for_an_agent_that_ignores_the_miss_and_says_the_right_thing(accepted: Path) -> None:
    ignoring = ignoring_the_miss(AGENT, "Anthropic")
    assert_red_though_the_miss_is_ignored(replay(accepted, ("Is it raining?", "Is it snowing?"), ignoring))


def test_red_for_a_result_that_is_never_given(accepted: Path) -> None:
    start = AGENT.index("    with client.messages.stream(messages=messages, **settings)")
    last = AGENT[start : AGENT.index("\n\n\ndef call_in_a_stream")]
    flow = replay(accepted, (last, "    return 'It rains in both.'"))
    assert flow["word"] == "FAIL"
    assert [each["state"] for each in flow["judgements"]] == ["failed", "held"]

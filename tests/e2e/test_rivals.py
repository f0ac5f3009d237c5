"""Where other tools were seen to answer green or red wrongly: each case through a real agent, client and server.

tests/match/test_conformance.py lists which case is tested where.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import pytest

from runwright.flow import FlowResult, Word
from runwright.run import RunOptions, run_flow
from runwright.trace import dumps_trace, with_edges
from runwright.trace.model import JSON
from tests.replay.cassettes import body, call, cassette, exchange, reply

AGENT = (Path(__file__).parent / "planned_agent.py").read_text()
FLOW = f"""
flow: 1
name: planned
app: agent
agent: {{command: {sys.executable} agent.py, tools: real}}
cassette: planned.cassette.jsonl
steps:
  - prompt: Do as planned.
"""
Request = Mapping[str, JSON]
Step = Sequence[Request]


class Recorded(NamedTuple):
    """A request and what it was answered: words, or tool calls."""

    request: Request
    answer: str | list[dict[str, JSON]]


class Replayed(NamedTuple):
    """The verdict and the answers that the agent printed, none where it broke off."""

    result: FlowResult
    said: list[str]


def replay(folder: Path, recorded: Sequence[Recorded], steps: Sequence[Step], way: str = "threads") -> Replayed:
    """What becomes of an agent that takes these steps against this recording."""
    records = []
    for number, (request, answer) in enumerate(recorded, 1):
        said = reply(answer, number=number) if isinstance(answer, str) else reply(calls=answer, number=number)
        records.append(exchange(number, request, said))
    (folder / "planned.cassette.jsonl").write_bytes(dumps_trace(cassette(*with_edges(records))))
    (folder / "pyproject.toml").touch()
    (folder / "agent.py").write_text(AGENT)
    (folder / "planned.flow.yaml").write_text(FLOW)
    (folder / "plan.json").write_text(json.dumps({"way": way, "steps": list(map(list, steps))}))
    result = run_flow(folder / "planned.flow.yaml", RunOptions(environment={}, timeout=60))
    return Replayed(result, json.loads(result.reply.text) if result.reply and result.reply.source == "own" else [])


def one_by_one(*requests: Request) -> list[Step]:
    return [[each] for each in requests]


def green(done: Replayed) -> list[str]:
    assert done.result.word is Word.PASS, done.result
    return done.said


def red(done: Replayed) -> str:
    """Why, with the paths that differ."""
    assert (done.result.word, done.result.exit) == (Word.FAIL, 1), done.result
    differences = done.result.miss.differences if done.result.miss else ()
    return "\n".join([done.result.summary, *(f"{each.path}: {each.recorded} -> {each.live}" for each in differences)])


# --- requests ------------------------------------------------------------------------------------

NUMBERS = [Recorded(body(f"Number {n}, please."), f"It is {n}.") for n in range(8)]
DICE = [Recorded(body("Throw the dice."), f"A {eyes}.") for eyes in (3, 6, 1)]
BOTH_WAYS = [Recorded(body("Hello."), "All at once."), Recorded(body("Hello.", stream=True), "Bit by bit.")]


def summarise(document: int) -> Request:
    said = [("system", f"The document: {'page ' * 200}{document}."), ("user", "Summarise the document.")]
    return {"model": "gpt-4o", "messages": [{"role": role, "content": text} for role, text in said]}


def tool(name: str, description: str = "Looks it up.", **properties: JSON) -> dict[str, JSON]:
    parameters: JSON = {"type": "object", "properties": properties}
    return {"type": "function", "function": {"name": name, "description": description, "parameters": parameters}}


TOOLS = [tool("order", id={"type": "string"}), tool("customer"), tool("stock")]
WITH_TOOLS = [
    Recorded(body("Where is it?", tools=TOOLS, metadata={"run": "3f2b8c1e-5d7a-4b9c-8e1f-0a2b3c4d5e6f"}), "On.")
]


def where(**changed: JSON) -> Request:
    return {**WITH_TOOLS[0].request, **changed}


CALLS = [call(f"call_{n}", "look_up", json.dumps({"order": n})) for n in (1, 2, 3)]


def answered(*numbers: int, calls: Sequence[dict[str, JSON]] = CALLS, text: str = "") -> Request:
    """The request in which these calls of one reply were answered, in this order."""
    asked: list[JSON] = [{"role": "user", "content": "Look up all orders."}]
    asked.append({"role": "assistant", "content": None, "tool_calls": list(calls)})
    results = [{"role": "tool", "tool_call_id": f"call_{n}", "content": text or f"order {n} is on"} for n in numbers]
    return {"model": "gpt-4o", "messages": [*asked, *results]}


def in_turn(*numbers: int) -> Request:
    """The request after calls that were made one after the other, each answered."""
    said: list[JSON] = [{"role": "user", "content": "Look up all orders."}]
    for n in numbers:
        said.append({"role": "assistant", "content": None, "tool_calls": [CALLS[n - 1]]})
        said.append({"role": "tool", "tool_call_id": f"call_{n}", "content": f"order {n} is on"})
    return {"model": "gpt-4o", "messages": said}


PARALLEL = [Recorded(body("Look up all orders."), CALLS), Recorded(answered(1, 2, 3), "All on.")]
SEQUENTIAL = [
    Recorded(in_turn(), [CALLS[0]]),
    Recorded(in_turn(1), [CALLS[1]]),
    Recorded(in_turn(1, 2), "Both on."),
]
LONG = "You are the shop's support. " * 150 + "Never refund twice. " + "Be polite. " * 150


def drifted(text: str) -> Request:
    return body(f"{text} Today is a good day for it.")


# --- green, and everyone gets the right answer ---------------------------------------------------

GREEN: dict[str, tuple[Sequence[Recorded], Sequence[Step], list[str]]] = {
    "1: thirty requests told apart by the system prompt alone, in reverse": (
        [Recorded(summarise(n), f"Summary {n}.") for n in range(30)],
        one_by_one(*(summarise(n) for n in reversed(range(30)))),
        [f"Summary {n}." for n in reversed(range(30))],
    ),
    "2: a near match first, the exact one later": (
        [Recorded(body("Is it on or off?"), "Near."), Recorded(body("Is it on?"), "Exact.")],
        one_by_one(body("Is it on?"), body("Is it on or off?")),
        ["Exact.", "Near."],
    ),
    "8: tools declared in another order, another id of the run": (
        WITH_TOOLS,
        one_by_one(where(tools=TOOLS[::-1], metadata={"run": "a91d7e42-0c3b-4f58-9d6e-7f8091a2b3c4"})),
        ["On."],
    ),
    "9: another transport time-out": (WITH_TOOLS, one_by_one(where(timeout=7)), ["On."]),
    "10: three parallel results in another order": (
        PARALLEL,
        one_by_one(PARALLEL[0].request, answered(3, 1, 2)),
        ['{"order": 1},{"order": 2},{"order": 3}', "All on."],
    ),
    "18: one request, three answers, in their order": (
        DICE,
        one_by_one(*(each.request for each in DICE)),
        ["A 3.", "A 6.", "A 1."],
    ),
    "20: one body streamed and not": (
        BOTH_WAYS,
        one_by_one(BOTH_WAYS[1].request, BOTH_WAYS[0].request),
        ["Bit by bit.", "All at once."],
    ),
    "22: a text and one text block": (
        [Recorded(body("Hello."), "Hi.")],
        one_by_one(
            {"model": "gpt-4o", "messages": [{"role": "user", "content": [{"type": "text", "text": "Hello."}]}]}
        ),
        ["Hi."],
    ),
}


@pytest.mark.parametrize("name", GREEN)
def test_green(name: str, tmp_path: Path) -> None:
    recorded, steps, said = GREEN[name]
    assert green(replay(tmp_path, recorded, steps)) == said


@pytest.mark.parametrize("way", ["threads", "asyncio"])
def test_eight_at_once_in_another_order_each_get_their_own_answer(way: str, tmp_path: Path) -> None:
    order = (5, 2, 7, 0, 3, 6, 1, 4)
    done = replay(tmp_path, NUMBERS, [[NUMBERS[n].request for n in order]], way)
    assert green(done) == [f"It is {n}." for n in order]


def test_threads_stream_and_do_not_at_once(tmp_path: Path) -> None:
    requests = [each.request for each in BOTH_WAYS] * 3
    done = replay(tmp_path, BOTH_WAYS * 3, [requests])
    assert green(done) == ["All at once.", "Bit by bit."] * 3


# --- red -----------------------------------------------------------------------------------------

RED: dict[str, tuple[Sequence[Recorded], Sequence[Step], str]] = {
    "3: all drifted a little, the last one first": (
        [Recorded(body(text), text) for text in ("Who is it?", "What is it?", "Why is it?")],
        one_by_one(drifted("Why is it?"), drifted("Who is it?"), drifted("What is it?")),
        "the nearest is m3",
    ),
    "3: and one of them only": (
        [Recorded(body(text), text) for text in ("Who is it?", "What is it?")],
        one_by_one(body("Who is it?"), drifted("What is it?")),
        "$.request.messages[0].content[0].text: What is it? -> What is it? Today is a good day for it.",
    ),
    "4: a start-up probe that is not made": (
        [Recorded(body("ping"), "pong"), Recorded(body("Hello."), "Hi.")],
        one_by_one(body("Hello.")),
        "never asked for: m1",
    ),
    "9: temperature": (WITH_TOOLS, one_by_one(where(temperature=0.3)), "$.request.parameters.temperature"),
    "9: a tool's schema": (
        WITH_TOOLS,
        one_by_one(where(tools=[tool("order", id={"type": "integer"}), *TOOLS[1:]])),
        "$.request.tools[0].parameters.properties.id.type",
    ),
    "9: a tool's description": (
        WITH_TOOLS,
        one_by_one(where(tools=[TOOLS[0], tool("customer", "Looks them up."), TOOLS[2]])),
        "$.request.tools[1].description",
    ),
    "10: a fourth parallel result": (
        PARALLEL,
        one_by_one(PARALLEL[0].request, answered(1, 2, 3, calls=[*CALLS, call("call_4", "look_up", "{}")])),
        "$.request.messages[1].content[3]",
    ),
    "10: the same results once more": (
        PARALLEL,
        one_by_one(PARALLEL[0].request, answered(3, 2, 1), answered(1, 2, 3)),
        "already served as often",
    ),
    "10: two of the results exchanged": (
        PARALLEL,
        one_by_one(PARALLEL[0].request, answered(1, 2, 3, text="order 1 is on")),
        "$.request.messages[3].content[0].content[0].text",
    ),
    "11: two sequential tools exchanged": (
        SEQUENTIAL,
        one_by_one(in_turn(), in_turn(2), in_turn(2, 1)),
        "$.request.messages[1].content[0]",
    ),
    "15: an edit deep in a long prompt": (
        [Recorded(body(LONG), "Yes.")],
        one_by_one(body(LONG.replace("refund twice", "refund thrice"))),
        "refund twice. Be polite.",
    ),
    "18: a fourth time": (
        DICE,
        one_by_one(*[DICE[0].request] * 4),
        "recorded 3 times (m1, m2, m3) and was already served as often",
    ),
    "18: twice only": (DICE, one_by_one(*[DICE[0].request] * 2), "never asked for: m3"),
    "19: the last call is not made": (NUMBERS, one_by_one(*(each.request for each in NUMBERS[:-1])), "asked for: m8"),
    "20: streamed twice": (BOTH_WAYS, one_by_one(*[BOTH_WAYS[1].request] * 2), "already served"),
    "another word": (
        [Recorded(body("Hello."), "Hi.")],
        one_by_one(body("Hullo.")),
        "$.request.messages[0].content[0].text",
    ),
    "another model": (
        [Recorded(body("Hello."), "Hi.")],
        one_by_one(body("Hello.", model="gpt-4o-mini")),
        "$.request.model: gpt-4o -> gpt-4o-mini",
    ),
    "a call more": (NUMBERS[:1], one_by_one(NUMBERS[0].request, body("And now?")), "no recorded request agrees"),
}


@pytest.mark.parametrize("name", RED)
def test_red(name: str, tmp_path: Path) -> None:
    recorded, steps, told = RED[name]
    assert told in red(replay(tmp_path, recorded, steps))


def test_eight_at_once_of_which_one_differs(tmp_path: Path) -> None:
    requests = [each.request for each in NUMBERS[:-1]]
    assert "Number 9" in red(replay(tmp_path, NUMBERS, [[*requests, body("Number 9, please.")]]))

"""An agent that uses the official anthropic client in every way that the replay must follow.

It prints what it found. The tests break one line of it at a time.
"""

import asyncio
import json
from concurrent.futures import ThreadPoolExecutor

import anthropic
from anthropic import Anthropic, AsyncAnthropic

MODEL = "claude-test-1"
CUSTOMER = "6f1c2b7e-9d1a-4c52-8f3e-0a6b5d4c3e21"
PICTURE = "iVBORw0KGgo="
SYSTEM = [{"type": "text", "text": "You are terse."}, {"type": "text", "text": "You know the weather."}]
SYSTEM[1]["cache_control"] = {"type": "ephemeral"}
TOOLS = [
    {
        "name": "get_weather",
        "description": "The weather of a city.",
        "input_schema": {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]},
    }
]


def ask_with_tools(client: Anthropic) -> str:
    """Two tool calls of one reply, answered in one message, then the words."""
    picture = {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": PICTURE}}
    parts = [{"type": "text", "text": "Is it raining?"}, picture, {"type": "text", "text": f"I am {CUSTOMER}."}]
    messages = [{"role": "user", "content": parts}]
    settings = {"model": MODEL, "max_tokens": 500, "system": SYSTEM, "tools": TOOLS}
    settings["extra_body"] = {"temperature": 0.2}
    settings["tool_choice"] = {"type": "auto"}
    reply = client.messages.create(messages=messages, **settings)
    messages.append({"role": "assistant", "content": reply.content})
    calls = [block for block in reply.content if block.type == "tool_use"]
    results = {call.id: {"city": call.input["city"], "sky": "rain"} for call in calls}
    answers = [
        {"type": "tool_result", "tool_use_id": id, "content": json.dumps(result), "is_error": False}
        for id, result in results.items()
    ]
    messages.append({"role": "user", "content": [*answers, {"type": "text", "text": "Sum it up."}]})
    with client.messages.stream(messages=messages, **settings) as stream:
        return stream.get_final_message().content[0].text


def call_in_a_stream(client: Anthropic) -> str:
    """A tool call whose input comes in pieces."""
    messages = [{"role": "user", "content": "Where does it rain?"}]
    with client.messages.stream(model=MODEL, max_tokens=100, messages=messages, tools=TOOLS) as stream:
        pieces = [event.partial_json for event in stream if event.type == "input_json"]
        inputs = [block.input for block in stream.get_final_message().content if block.type == "tool_use"]
    return f"{len(pieces)} pieces: {inputs}"


def think(client: Anthropic) -> str:
    """A reply with its reasoning, streamed, and its signature."""
    messages = [{"role": "user", "content": "Say it slowly: naïve café."}]
    thinking = {"type": "enabled", "budget_tokens": 1024}
    with client.messages.stream(model=MODEL, max_tokens=2000, messages=messages, thinking=thinking) as stream:
        words = "".join(stream.text_stream)
        thought = stream.get_final_message().content[0]
    return f"{words} ({thought.thinking}, {thought.signature})"


def raw_stream(client: Anthropic) -> str:
    """The events themselves."""
    messages = [{"role": "user", "content": "Count."}]
    events = list(client.messages.create(model=MODEL, max_tokens=100, messages=messages, stream=True))
    return f"{events[0].type} ... {events[-1].type}"


def judge(client: Anthropic) -> str:
    """A short answer."""
    done = client.messages.create(model=MODEL, max_tokens=100, messages=[{"role": "user", "content": "Is 7 prime?"}])
    return done.content[0].text


def throw(client: Anthropic) -> list[str]:
    """The same request twice, answered differently."""
    messages = [{"role": "user", "content": "Throw the dice."}]
    replies = [client.messages.create(model=MODEL, max_tokens=10, messages=messages) for _ in range(2)]
    return [reply.content[0].text for reply in replies]


def overloaded(client: Anthropic) -> str:
    """An error that the client gets over by itself."""
    messages = [{"role": "user", "content": "Are you overloaded?"}]
    return client.messages.create(model=MODEL, max_tokens=10, messages=messages).content[0].text


def broken_off(client: Anthropic) -> str:
    """A stream that ends in an error."""
    heard = ""
    try:
        with client.messages.stream(
            model=MODEL, max_tokens=10, messages=[{"role": "user", "content": "Please break off."}]
        ) as stream:
            for text in stream.text_stream:
                heard += text
    except anthropic.APIStatusError as error:
        return f"{heard!r}, then {error.body['error']['type']}"
    return heard


def in_threads(client: Anthropic) -> list[str]:
    """Four calls from four threads."""

    def one(number: int) -> str:
        messages = [{"role": "user", "content": f"Thread {number}, please."}]
        return client.messages.create(model=MODEL, max_tokens=10, messages=messages).content[0].text

    with ThreadPoolExecutor(4) as pool:
        return list(pool.map(one, range(4)))


async def eight_at_once() -> list[str]:
    """Eight calls under way together, each with its own answer, half of them streamed."""

    async def one(number: int) -> str:
        settings = {"model": MODEL, "max_tokens": 10}
        settings["messages"] = [{"role": "user", "content": f"Number {number}, please."}]
        if number % 2:
            return (await client.messages.create(**settings)).content[0].text
        async with client.messages.stream(**settings) as stream:
            return await stream.get_final_text()

    async with AsyncAnthropic() as client:
        return await asyncio.gather(*(one(number) for number in range(8)))


def main() -> None:
    client = Anthropic()
    for part in (ask_with_tools, call_in_a_stream, think, raw_stream, judge, throw, overloaded, broken_off, in_threads):
        print(part(client))
    print(asyncio.run(eight_at_once()))


if __name__ == "__main__":
    main()

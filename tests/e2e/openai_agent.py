"""An agent that uses the official openai client in every way that the replay must follow.

It prints what it found. The tests break one line of it at a time.
"""

import asyncio
import json

from openai import AsyncOpenAI, OpenAI

CUSTOMER = "6f1c2b7e-9d1a-4c52-8f3e-0a6b5d4c3e21"
TOOLS = [
    {
        "type": "function",
        "function": {
            "name": "get_weather",
            "description": "The weather of a city.",
            "parameters": {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]},
        },
    }
]
VERDICT = {"type": "json_schema", "json_schema": {"name": "verdict", "schema": {"type": "object"}}}


def ask_with_tools(client: OpenAI) -> str:
    """Two tool calls of one reply, answered, then the words."""
    parts = [{"type": "text", "text": "Is it raining?"}, {"type": "text", "text": f"I am customer {CUSTOMER}."}]
    messages = [{"role": "system", "content": "You are terse."}, {"role": "user", "content": parts}]
    reply = (
        client.chat.completions.create(model="gpt-4o-mini", messages=messages, tools=TOOLS, temperature=0.2)
        .choices[0]
        .message
    )
    messages.append(reply.model_dump(exclude_none=True))
    results = {
        call.id: {"city": json.loads(call.function.arguments)["city"], "sky": "rain"} for call in reply.tool_calls
    }
    answers = [{"role": "tool", "tool_call_id": id, "content": json.dumps(result)} for id, result in results.items()]
    messages += answers
    return (
        client.chat.completions.create(model="gpt-4o-mini", messages=messages, tools=TOOLS, temperature=0.2)
        .choices[0]
        .message.content
    )


def stream(client: OpenAI) -> str:
    """The same kind of call, streamed."""
    messages = [{"role": "user", "content": "Say it slowly: naïve café."}]
    chunks = client.chat.completions.create(model="gpt-4o-mini", messages=messages, stream=True)
    return "".join(chunk.choices[0].delta.content or "" for chunk in chunks if chunk.choices)


def judge(client: OpenAI) -> str:
    """A reply in a response format."""
    messages = [{"role": "user", "content": "Is 7 prime?"}]
    done = client.chat.completions.create(model="gpt-4o-mini", messages=messages, response_format=VERDICT)
    return done.choices[0].message.content


async def eight_at_once() -> list[str]:
    """Eight calls under way together, each with its own answer."""

    async def one(number: int) -> str:
        messages = [{"role": "user", "content": f"Number {number}, please."}]
        done = await client.chat.completions.create(model="gpt-4o-mini", messages=messages)
        return done.choices[0].message.content

    async with AsyncOpenAI() as client:
        return await asyncio.gather(*(one(number) for number in range(8)))


def main() -> None:
    client = OpenAI()
    print(ask_with_tools(client))
    print(stream(client))
    print(judge(client))
    print(asyncio.run(eight_at_once()))


if __name__ == "__main__":
    main()

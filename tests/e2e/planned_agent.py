"""An agent that asks the official openai client for what a plan says, and prints the answers in the plan's order.

The plan is a list of steps; a step is a list of requests that are under way together, begun in the order of the list.
"""

import asyncio
import json
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from openai import AsyncOpenAI, OpenAI


def once(client: OpenAI, request: dict) -> str:
    """One request, streamed through the client's helper where it is to be; what was said, or the calls."""
    request = dict(request)
    client = client.with_options(timeout=request.pop("timeout", 60))
    if request.pop("stream", False):
        with client.chat.completions.stream(**request) as stream:
            message = stream.get_final_completion().choices[0].message
    else:
        message = client.chat.completions.create(**request).choices[0].message
    return message.content or ",".join(call.function.arguments for call in message.tool_calls)


async def at_once(requests: list[dict]) -> list[str]:
    """All of them under way in one thread."""
    async with AsyncOpenAI() as client:
        done = await asyncio.gather(*(client.chat.completions.create(**request) for request in requests))
    return [each.choices[0].message.content for each in done]


def main() -> None:
    plan = json.loads(Path("plan.json").read_text())
    said = []
    with OpenAI() as client:
        for step in plan["steps"]:
            if len(step) == 1:
                said.append(once(client, step[0]))
            elif plan["way"] == "threads":
                with ThreadPoolExecutor(len(step)) as pool:
                    said += list(pool.map(lambda request: once(client, request), step))
            else:
                said += asyncio.run(at_once(step))
    json.dump(said, sys.stdout)


if __name__ == "__main__":
    main()

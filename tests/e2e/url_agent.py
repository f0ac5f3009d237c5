"""A weather service that answers with the official openai client: starlette, its conversation kept between requests.

It is started as `python url_agent.py PORT`; the tests break one line of it at a time.
"""

import json
import sys

import uvicorn
from openai import AsyncOpenAI
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route

SYSTEM = {"role": "system", "content": "You are terse."}
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
client = AsyncOpenAI()
messages: list = []


async def ask() -> object:
    done = await client.chat.completions.create(model="gpt-4o-mini", messages=messages, tools=TOOLS, temperature=0.2)
    reply = done.choices[0].message
    messages.append(reply.model_dump(exclude_none=True))
    return reply


async def weather(prompt: str) -> str:
    messages[:] = [SYSTEM, {"role": "user", "content": prompt}]
    reply = await ask()
    for call in reply.tool_calls:
        city = json.loads(call.function.arguments)["city"]
        messages.append({"role": "tool", "tool_call_id": call.id, "content": json.dumps({"city": city, "sky": "rain"})})
    return (await ask()).content


async def task(request: Request) -> JSONResponse:
    prompt = (await request.json())["prompt"]
    reply = await weather(prompt)
    return JSONResponse({"reply": reply, "model": "gpt-4o-mini"})


if __name__ == "__main__":
    uvicorn.run(
        Starlette(routes=[Route("/task", task, methods=["POST"])]),
        host="127.0.0.1",
        port=int(sys.argv[1]),
        log_level="critical",
    )

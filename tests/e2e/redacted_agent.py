"""An agent that says secrets to its model through the official openai client: in its prompt, and in tools' results."""

import json
import sys
from pathlib import Path

from openai import OpenAI

GIVEN = json.loads(Path("given.json").read_text())
FUNCTION = {"name": "get_weather", "description": "The weather.", "parameters": {"type": "object", "properties": {}}}


def main() -> None:
    client = OpenAI()
    messages = [
        {"role": "system", "content": f"Use {GIVEN['key']} when you ask the weather service."},
        {"role": "user", "content": "Is it raining?"},
    ]
    tools = [{"type": "function", "function": FUNCTION}]
    asked = client.chat.completions.create(model="gpt-4o-mini", messages=messages, tools=tools).choices[0].message
    messages.append(asked.model_dump(exclude_none=True))
    for call, password in zip(asked.tool_calls, GIVEN["passwords"], strict=True):
        result = {"run_id": "r-1", "sky": "rain", "password": password, "headers": [["Authorization", GIVEN["echo"]]]}
        messages.append({"role": "tool", "tool_call_id": call.id, "content": json.dumps(result)})
    done = client.chat.completions.create(model="gpt-4o-mini", messages=messages, tools=tools).choices[0].message
    said = f"I know {GIVEN['key']} and {GIVEN['passwords'][0]}."
    with client.chat.completions.stream(model="gpt-4o-mini", messages=[{"role": "user", "content": said}]) as stream:
        stream.get_final_completion()
    print(done.content)


if __name__ == "__main__":
    sys.exit(main())

"""A support agent: the official openai SDK and two tools. It reads its task from RUNWRIGHT_PROMPT."""

import json
import os

from openai import OpenAI

SYSTEM = "You are the support agent of a small shop. Look an order up before you refund it."
TASK = "Order A-4471 arrived broken. Please refund it."

ORDERS = {"A-4471": {"order_id": "A-4471", "item": "teapot", "amount": 40, "status": "delivered"}}
LEDGER: dict[str, dict[str, object]] = {}


def lookup_order(order_id: str) -> dict[str, object]:
    return ORDERS[order_id]


def issue_refund(order_id: str, amount: int) -> dict[str, object]:
    LEDGER[order_id] = {"order_id": order_id, "refunded": amount}
    return LEDGER[order_id]


TOOLS = {"lookup_order": lookup_order, "issue_refund": issue_refund}
ORDER_ID = {"type": "string", "description": "The order's number, such as A-4471."}
SCHEMAS = [
    {
        "type": "function",
        "function": {
            "name": "lookup_order",
            "description": "Look an order up by its number.",
            "parameters": {"type": "object", "properties": {"order_id": ORDER_ID}, "required": ["order_id"]},
        },
    },
    {
        "type": "function",
        "function": {
            "name": "issue_refund",
            "description": "Pay an order's amount back to the customer.",
            "parameters": {
                "type": "object",
                "properties": {"order_id": ORDER_ID, "amount": {"type": "integer"}},
                "required": ["order_id", "amount"],
            },
        },
    },
]


def run(task: str) -> str:
    """Let the model and the tools work on the task; the model's last words."""
    client = OpenAI()
    messages: list = [{"role": "system", "content": SYSTEM}, {"role": "user", "content": task}]
    while True:
        reply = (
            client.chat.completions.create(model="gpt-4o-mini", messages=messages, tools=SCHEMAS, temperature=0)
            .choices[0]
            .message
        )
        if not reply.tool_calls:
            return reply.content or ""
        messages.append(reply.model_dump(exclude_none=True))
        for call in reply.tool_calls:
            result = TOOLS[call.function.name](**json.loads(call.function.arguments))
            messages.append({"role": "tool", "tool_call_id": call.id, "content": json.dumps(result)})


if __name__ == "__main__":
    print(run(os.environ.get("RUNWRIGHT_PROMPT", TASK)))

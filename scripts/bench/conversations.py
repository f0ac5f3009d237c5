"""Conversations of a usual size, as the instrumentations write them: every call repeats all that was said before it.

An agent with a long prompt and six tools looks something up in each of 20 turns; no two conversations share a text but
for the prompt and the tools.
"""

from __future__ import annotations

import base64
import json
import random
import uuid
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any, NamedTuple

import orjson

TURNS = 20
NAMES = ("order", "refund", "customer", "parcel", "invoice", "ledger")
WORDS = (
    *NAMES,
    "account",
    "ticket",
    "delivery",
    "please",
    "confirm",
    "the",
    "status",
    "of",
    "and",
    "tell",
    "me",
    "when",
)
START = datetime(2026, 11, 30, 10, tzinfo=UTC)
MODEL = "gpt-5-mini"


class Call(NamedTuple):
    """One model call: what it was told, what it answered, and what the tool that it asked for gave back."""

    told: list[dict[str, Any]]
    answer: dict[str, Any]
    result: str
    start: datetime


def prose(luck: random.Random, words: int) -> str:
    """A text with line ends and quotes, as people and tools write them."""
    said = luck.choices(WORDS, k=words)
    return " ".join(f'"{each}"\n' if at % 23 == 22 else each for at, each in enumerate(said))


SHARED = random.Random(0)
SYSTEM = {"role": "system", "content": prose(SHARED, 300)}
TOOLS = [
    {
        "type": "function",
        "function": {
            "name": f"look_up_{name}",
            "description": prose(SHARED, 40),
            "parameters": {
                "type": "object",
                "properties": {
                    key: {"type": "string", "description": prose(SHARED, 8)} for key in ("id", "region", "since")
                },
                "required": ["id"],
            },
        },
    }
    for name in NAMES
]


def calls(number: int) -> Iterator[Call]:
    """The model calls of one conversation, in order."""
    luck = random.Random(number)
    told: list[dict[str, Any]] = [SYSTEM]
    for turn in range(TURNS):
        told.append({"role": "user", "content": prose(luck, 40)})
        identity = f"call_{number:06}{turn:02}{luck.randrange(16**8):08x}"
        arguments = json.dumps({"id": f"A-{luck.randrange(10**6)}", "region": luck.choice(WORDS)})
        function = {"name": f"look_up_{luck.choice(NAMES)}", "arguments": arguments}
        asks = {"id": identity, "type": "function", "function": function}
        answer = {"role": "assistant", "content": prose(luck, 30), "tool_calls": [asks]}
        result = json.dumps({"found": [{"id": n, "note": prose(luck, 30)} for n in range(10)]})
        yield Call(list(told), answer, result, START + timedelta(hours=number, seconds=10 * turn))
        told += [answer, {"role": "tool", "tool_call_id": identity, "content": result}]


def conversation(format: str, number: int) -> str:
    """One conversation as a line of this format, or several."""
    luck = random.Random(f"ids {number}")
    trace = f"{luck.getrandbits(128):032x}"
    spans = [span for call in calls(number) for span in WRITERS[format](call, trace, luck)]
    return JOINS.get(format, _lines)(spans, trace)


def _lines(spans: list[Any], _trace: str) -> str:
    return "\n".join(map(_compact, spans))


def _compact(value: Any) -> str:
    """As collectors and services write it; what stands in attributes is spelt as Python does."""
    return orjson.dumps(value).decode()


def _body(call: Call) -> dict[str, Any]:
    return {"model": MODEL, "messages": call.told, "tools": TOOLS, "temperature": 0}


def _reply(call: Call) -> dict[str, Any]:
    choice = {"index": 0, "message": call.answer, "finish_reason": "tool_calls"}
    return {
        "id": f"chatcmpl-{call.answer['tool_calls'][0]['id'][5:]}",
        "object": "chat.completion",
        "created": int(call.start.timestamp()),
        "model": MODEL,
        "choices": [choice],
        "usage": {"prompt_tokens": 900, "completion_tokens": 90, "total_tokens": 990},
    }


def _parts(message: dict[str, Any]) -> dict[str, Any]:
    """A message as the semantic conventions write it."""
    if message["role"] == "tool":
        part = {"type": "tool_call_response", "id": message["tool_call_id"], "response": message["content"]}
        return {"role": "tool", "parts": [part]}
    asked = [
        {
            "type": "tool_call",
            "id": each["id"],
            **each["function"],
            "arguments": json.loads(each["function"]["arguments"]),
        }
        for each in message.get("tool_calls", ())
    ]
    return {"role": message["role"], "parts": [{"type": "text", "content": message["content"]}, *asked]}


def _gen_ai(call: Call) -> dict[str, Any]:
    output = {**_parts(call.answer), "finish_reason": "tool_call"}
    return {
        "gen_ai.operation.name": "chat",
        "gen_ai.provider.name": "openai",
        "gen_ai.request.model": MODEL,
        "gen_ai.input.messages": json.dumps([_parts(each) for each in call.told]),
        "gen_ai.output.messages": json.dumps([output]),
        "gen_ai.tool.definitions": json.dumps([{"type": "function", **each["function"]} for each in TOOLS]),
        "gen_ai.response.id": _reply(call)["id"],
        "gen_ai.response.model": MODEL,
        "gen_ai.response.finish_reasons": ["tool_calls"],
        "gen_ai.usage.input_tokens": 900,
        "gen_ai.usage.output_tokens": 90,
    }


def _gen_ai_tool(call: Call) -> dict[str, Any]:
    asked = call.answer["tool_calls"][0]
    return {
        "gen_ai.operation.name": "execute_tool",
        "gen_ai.tool.name": asked["function"]["name"],
        "gen_ai.tool.call.id": asked["id"],
        "gen_ai.tool.call.arguments": asked["function"]["arguments"],
        "gen_ai.tool.call.result": call.result,
    }


def _openinference(call: Call) -> dict[str, Any]:
    """The flattened messages, and the bodies beside them."""
    flat: dict[str, Any] = {}
    for root, messages in (("llm.input_messages", call.told), ("llm.output_messages", [call.answer])):
        for at, each in enumerate(messages):
            place = f"{root}.{at}.message"
            flat |= {f"{place}.{key}": each[key] for key in ("role", "content", "tool_call_id") if key in each}
            for n, asked in enumerate(each.get("tool_calls", ())):
                inner = f"{place}.tool_calls.{n}.tool_call"
                flat |= {f"{inner}.id": asked["id"], f"{inner}.function.name": asked["function"]["name"]}
                flat[f"{inner}.function.arguments"] = asked["function"]["arguments"]
    flat |= {f"llm.tools.{at}.tool.json_schema": json.dumps(each) for at, each in enumerate(TOOLS)}
    return {
        "openinference.span.kind": "LLM",
        "llm.provider": "openai",
        "llm.system": "openai",
        "llm.model_name": MODEL,
        "input.value": json.dumps(_body(call)),
        "output.value": json.dumps(_reply(call)),
        "llm.invocation_parameters": json.dumps({"model": MODEL, "temperature": 0}),
        "llm.token_count.prompt": 900,
        "llm.token_count.completion": 90,
        **flat,
    }


def _openinference_tool(call: Call) -> dict[str, Any]:
    asked = call.answer["tool_calls"][0]["function"]
    return {
        "openinference.span.kind": "TOOL",
        "tool.name": asked["name"],
        "input.value": asked["arguments"],
        "output.value": call.result,
    }


def _any(value: Any) -> dict[str, Any]:
    if isinstance(value, list):
        return {"arrayValue": {"values": [_any(each) for each in value]}}
    return {"intValue": str(value)} if isinstance(value, int) else {"stringValue": value}


def _otlp(call: Call, trace: str, luck: random.Random, *shown: dict[str, Any]) -> list[dict[str, Any]]:
    spans = []
    for at, values in enumerate(shown or (_gen_ai(call), _gen_ai_tool(call))):
        began = round((call.start + timedelta(seconds=4 * at)).timestamp()) * 10**9
        spans.append(
            {
                "traceId": trace,
                "spanId": f"{luck.getrandbits(64):016x}",
                "parentSpanId": trace[:16],
                "name": f"chat {MODEL}",
                "kind": 3,
                "startTimeUnixNano": str(began),
                "endTimeUnixNano": str(began + 3 * 10**9),
                "attributes": [{"key": key, "value": _any(each)} for key, each in values.items()],
                "status": {},
            }
        )
    return spans


def _exported(spans: list[Any], _trace: str) -> str:
    scope = {"name": "opentelemetry.instrumentation.openai_v2", "version": "2.3"}
    service = {"attributes": [{"key": "service.name", "value": {"stringValue": "desk"}}]}
    batches = [spans[at : at + 8] for at in range(0, len(spans), 8)]
    groups = [{"resource": service, "scopeSpans": [{"scope": scope, "spans": each}]} for each in batches]
    return "\n".join(_compact({"resourceSpans": [each]}) for each in groups)


def _phoenix(call: Call, trace: str, luck: random.Random) -> list[dict[str, Any]]:
    return [
        {
            "name": "ChatCompletion",
            "context": {"trace_id": trace, "span_id": f"{luck.getrandbits(64):016x}"},
            "span_kind": values["openinference.span.kind"],
            "parent_id": None,
            "start_time": (call.start + timedelta(seconds=4 * at)).isoformat(),
            "end_time": (call.start + timedelta(seconds=4 * at + 3)).isoformat(),
            "status_code": "OK",
            "status_message": "",
            "attributes": values,
            "events": [],
        }
        for at, values in enumerate((_openinference(call), _openinference_tool(call)))
    ]


def _langfuse(call: Call, trace: str, luck: random.Random) -> list[dict[str, Any]]:
    asked = call.answer["tool_calls"][0]["function"]
    times = [(call.start + timedelta(seconds=each)).isoformat() for each in (0, 3, 4, 7)]
    generation = {
        "id": str(uuid.UUID(int=luck.getrandbits(128))),
        "traceId": trace,
        "type": "GENERATION",
        "name": "OpenAI-generation",
        "startTime": times[0],
        "endTime": times[1],
        "model": MODEL,
        "modelParameters": {"temperature": "0"},
        "input": json.dumps({"messages": call.told, "tools": TOOLS}),
        "output": json.dumps(call.answer),
        "usageDetails": {"input": 900, "output": 90, "total": 990},
        "metadata": "{}",
        "level": "DEFAULT",
        "parentObservationId": None,
    }
    tool = {
        "id": str(uuid.UUID(int=luck.getrandbits(128))),
        "traceId": trace,
        "type": "TOOL",
        "name": asked["name"],
        "startTime": times[2],
        "endTime": times[3],
        "input": asked["arguments"],
        "output": call.result,
        "metadata": "{}",
        "level": "DEFAULT",
        "parentObservationId": None,
    }
    return [generation, tool]


def _downloaded(spans: list[Any], trace: str) -> str:
    head = {"id": trace, "projectId": "p", "name": "desk", "timestamp": spans[0]["startTime"], "bookmarked": False}
    return _compact({"trace": head, "observations": spans})


def _langsmith(call: Call, trace: str, luck: random.Random) -> list[dict[str, Any]]:
    root = str(uuid.UUID(trace))
    asked = call.answer["tool_calls"][0]["function"]
    shown = (
        ("llm", _body(call), _reply(call)),
        ("tool", {"input": asked["arguments"]}, {"output": call.result}),
    )
    runs = []
    for at, (kind, inputs, outputs) in enumerate(shown):
        began = call.start + timedelta(seconds=4 * at)
        own = str(uuid.UUID(int=luck.getrandbits(128)))
        runs.append(
            {
                "id": own,
                "trace_id": root,
                "dotted_order": f"{START:%Y%m%dT%H%M%S}000000Z{root}.{began:%Y%m%dT%H%M%S}000000Z{own}",
                "name": "ChatOpenAI" if kind == "llm" else asked["name"],
                "run_type": kind,
                "start_time": began.isoformat(),
                "end_time": (began + timedelta(seconds=3)).isoformat(),
                "inputs": inputs,
                "outputs": outputs,
                "extra": {"metadata": {"ls_provider": "openai", "ls_model_name": MODEL, "ls_temperature": 0}},
            }
        )
    return runs


def _mlflow(call: Call, trace: str, luck: random.Random) -> list[dict[str, Any]]:
    asked = call.answer["tool_calls"][0]["function"]
    shown = (("CHAT_MODEL", _body(call), _reply(call)), ("TOOL", json.loads(asked["arguments"]), call.result))
    spans = []
    for at, (kind, inputs, outputs) in enumerate(shown):
        began = round((call.start + timedelta(seconds=4 * at)).timestamp()) * 10**9
        values = {
            "mlflow.traceRequestId": f"tr-{trace}",
            "mlflow.spanType": kind,
            "mlflow.spanInputs": inputs,
            "mlflow.spanOutputs": outputs,
            **({"mlflow.message.format": "openai", "mlflow.chat.tools": TOOLS} if kind == "CHAT_MODEL" else {}),
        }
        spans.append(
            {
                "trace_id": base64.b64encode(bytes.fromhex(trace)).decode(),
                "span_id": base64.b64encode(luck.randbytes(8)).decode(),
                "parent_span_id": None,
                "name": "Completions" if kind == "CHAT_MODEL" else asked["name"],
                "start_time_unix_nano": began,
                "end_time_unix_nano": began + 3 * 10**9,
                "events": [],
                "status": {"code": "STATUS_CODE_OK", "message": ""},
                "attributes": {key: json.dumps(each) for key, each in values.items()},
            }
        )
    return spans


def _logged(spans: list[Any], trace: str) -> str:
    return json.dumps({"info": {"trace_id": f"tr-{trace}", "state": "OK"}, "data": {"spans": spans}})


def _agents(call: Call, trace: str, luck: random.Random) -> list[dict[str, Any]]:
    asked = call.answer["tool_calls"][0]["function"]
    told = {"type": "generation", "input": call.told, "output": [call.answer], "model": MODEL, "usage": None}
    ran = {"type": "function", "name": asked["name"], "input": asked["arguments"], "output": call.result}
    return [
        {
            "object": "trace.span",
            "id": f"span_{luck.getrandbits(96):024x}",
            "trace_id": f"trace_{trace}",
            "parent_id": None,
            "started_at": (call.start + timedelta(seconds=4 * at)).isoformat(),
            "ended_at": (call.start + timedelta(seconds=4 * at + 3)).isoformat(),
            "span_data": data,
            "error": None,
        }
        for at, data in enumerate((told, ran))
    ]


def _litellm(call: Call, trace: str, luck: random.Random) -> list[dict[str, Any]]:
    began = call.start.timestamp()
    return [
        {
            "id": _reply(call)["id"],
            "trace_id": trace,
            "call_type": "acompletion",
            "status": "success",
            "stream": False,
            "response_cost": 0.001,
            "custom_llm_provider": "openai",
            "startTime": began,
            "endTime": began + 3 + luck.random(),
            "model": MODEL,
            "metadata": {},
            "messages": call.told,
            "response": _reply(call),
            "model_parameters": {"tools": TOOLS, "temperature": 0},
        }
    ]


def _chat_list(call: Call, trace: str, _: random.Random) -> list[dict[str, Any]]:
    return [{"id": trace, "model": MODEL, "tools": TOOLS, "messages": [*call.told, call.answer]}]


def _last(spans: list[Any], _trace: str) -> str:
    """The line of the last call, which has the whole conversation."""
    return _compact(spans[-1])


WRITERS = {
    "otlp": _otlp,
    "otlp openinference": lambda call, trace, luck: _otlp(
        call, trace, luck, _openinference(call), _openinference_tool(call)
    ),
    "phoenix": _phoenix,
    "langfuse": _langfuse,
    "langsmith": _langsmith,
    "mlflow": _mlflow,
    "openai_agents": _agents,
    "litellm": _litellm,
    "chat_list": _chat_list,
}
JOINS = {
    "otlp": _exported,
    "otlp openinference": _exported,
    "langfuse": _downloaded,
    "mlflow": _logged,
    "chat_list": _last,
}

"""Each export of the run answers the requests that crossed the wire, and no others: what it claims to know is true."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from functools import cache
from typing import Any

import msgspec
import pytest

from runwright.dialects import DIALECTS
from runwright.match import Matcher, Miss, Served
from runwright.readers.known import CHAT
from runwright.trace.model import Message, ModelRequest, TextBlock, text_of
from tests.readers.one_run import ANSWER, FIXTURES, OTHERS, SILENT, traces

PLAIN = (
    "openai-v2",
    "semconv-span",
    "semconv-event",
    "semconv-both",
    "genai-span",
    "genai-event",
    "traceloop",
    "openinference",
    "langfuse",
    "langfuse-2",
    "langsmith",
    "langsmith-multipart",
    "mlflow",
    "litellm",
    "vcr-yaml",
    "vcr-json",
    "vcr-gzip",
    "mitmproxy",
    "mitmproxy-gzip",
    "har",
    "har-gzip",
    "wire",
    "written as vcr",
    "written as har",
    "written as otlp",
    "written as atif",
)
STREAMED = (
    "vcr-streamed-yaml",
    "vcr-streamed-json",
    "vcr-gzip-streamed",
    "mitmproxy-streamed",
    "har-streamed",
    "litellm-streamed",
)
"""The exports of the official client; agents of frameworks send requests of their own."""


@cache
def sent(streamed: bool) -> tuple[ModelRequest, ...]:
    """What the client sent, from the bytes of a log, without any reader."""
    folder = FIXTURES / "order_desk"
    if streamed:
        interactions = json.loads((folder / "vcr-streamed.json").read_text(encoding="utf-8"))["interactions"]
        bodies = [json.loads(each["request"]["body"]) for each in interactions]
    else:
        lines = (folder / "wire.jsonl").read_text(encoding="utf-8").splitlines()
        bodies = [json.loads(line)["request"] for line in lines]
    return tuple(DIALECTS[CHAT].decode_request(body)[0] for body in bodies)


def matcher(name: str, api: str = "chat") -> Matcher:
    now = datetime.now(UTC)
    return Matcher(traces(api)[name], flag=lambda _: [], live_window=lambda: (now, now))


@pytest.mark.parametrize("name", [*PLAIN, *STREAMED])
def test_both_requests_are_answered(name: str) -> None:
    live = matcher(name)
    first, second = (live.serve(request, name in STREAMED) for request in sent(name in STREAMED))
    assert isinstance(first, Served), first
    assert isinstance(second, Served), second
    assert second.record.response is not None
    assert text_of(second.record.response.content) == ANSWER
    assert live.left_over() == ()


def in_a_message(request: ModelRequest, at: int) -> ModelRequest:
    said = Message(role=request.messages[at].role, content=(TextBlock(text="Something else."),))
    return msgspec.structs.replace(request, messages=(*request.messages[:at], said, *request.messages[at + 1 :]))


CHANGES: dict[str, Any] = {
    "another system prompt": lambda request: in_a_message(request, 0),
    "another question": lambda request: in_a_message(request, 1),
    "a message more": lambda request: msgspec.structs.replace(
        request, messages=(*request.messages, Message(role="user", content=(TextBlock(text="And C-1?"),)))
    ),
    "a message less": lambda request: msgspec.structs.replace(request, messages=request.messages[:-1]),
}


@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize("name", [*PLAIN, *STREAMED])
def test_no_other_request_is_answered(name: str, change: str) -> None:
    """Messages are known to every export that has content, so none of them answers for other messages."""
    first, _ = sent(name in STREAMED)
    found = matcher(name).serve(CHANGES[change](first), name in STREAMED)
    assert isinstance(found, Miss)
    assert found.nearest == "m1"


@pytest.mark.parametrize("name", [*PLAIN, *STREAMED])
def test_another_result_of_a_tool_is_not_answered(name: str) -> None:
    live = matcher(name)
    first, second = sent(name in STREAMED)
    assert isinstance(live.serve(first, name in STREAMED), Served)
    other = text_replaced(second, '{"state": "waiting"}', '{"state": "lost"}')
    assert isinstance(live.serve(other, name in STREAMED), Miss)


def text_replaced(request: ModelRequest, old: str, new: str) -> ModelRequest:
    data = msgspec.json.encode(request)
    escaped = (json.dumps(old)[1:-1].encode(), json.dumps(new)[1:-1].encode())
    assert data.count(escaped[0]) == 1
    return msgspec.json.decode(data.replace(*escaped), type=ModelRequest)


@pytest.mark.parametrize("name", [*PLAIN, *STREAMED])
def test_what_is_known_of_the_rest_is_true(name: str) -> None:
    """Each field that an export does not call unknown is the one that was sent."""
    for record, truth in zip(traces()[name].models, sent(name in STREAMED), strict=True):
        unknown = " ".join(record.unknown)
        if "$.request.model" not in record.unknown:
            assert record.request.model == truth.model
        if "$.request.tools" not in record.unknown:
            assert [tool.name for tool in record.request.tools] == [tool.name for tool in truth.tools]
            assert [tool.parameters for tool in record.request.tools] == [tool.parameters for tool in truth.tools]
        assert record.request.parameters.items() <= truth.parameters.items()
        if "$.request.parameters" not in unknown:
            assert record.request.parameters == truth.parameters
        if "$.streamed" not in record.unknown:
            assert record.streamed is (name in STREAMED)


# --- other APIs ----------------------------------------------------------------------------------

APIS = {"messages": "anthropic.messages", "responses": "openai.responses"}
OF_THE_CLIENT = [
    (api, name)
    for api in APIS
    for name in (*OTHERS[api], "written as vcr", "written as har", "written as otlp")
    if not name.startswith("inspect")
]
"""Inspect sends requests of its own, and trajectories are read as Chat Completions."""


def asked(api: str) -> dict[str, Any]:
    """The body that the client sent first."""
    line = (FIXTURES / "order_desk" / api / "wire.jsonl").read_text(encoding="utf-8").splitlines()[0]
    body: dict[str, Any] = json.loads(line)["request"]
    return body


def going_on(api: str, body: dict[str, Any], reply: dict[str, Any]) -> dict[str, Any]:
    """What the agent sends once it got a reply: what it got, and what its tool found."""
    if api == "messages":
        results = [
            {"type": "tool_result", "tool_use_id": each["id"], "content": found(each["input"]["order"])}
            for each in reply["content"]
            if each["type"] == "tool_use"
        ]
        more = [{"role": "assistant", "content": reply["content"]}, {"role": "user", "content": results}]
        return {**body, "messages": [*body["messages"], *more]}
    results = [
        {
            "type": "function_call_output",
            "call_id": each["call_id"],
            "output": found(json.loads(each["arguments"])["order"]),
        }
        for each in reply["output"]
        if each["type"] == "function_call"
    ]
    return {**body, "input": [*body["input"], *reply["output"], *results]}


def found(order: str) -> str:
    return json.dumps({"state": {"A-17": "sent", "B-4": "waiting"}[order]})


@pytest.mark.parametrize(("api", "name"), OF_THE_CLIENT)
def test_an_agent_that_echoes_what_it_is_served_gets_to_the_end(api: str, name: str) -> None:
    """The reply is encoded from the recording, as a replay does it, and comes back in the next request."""
    dialect = DIALECTS[APIS[api]]
    live, streamed, body = matcher(name, api), "streamed" in name, asked(api)
    first = live.serve(dialect.decode_request(body)[0], streamed)
    assert isinstance(first, Served), first
    assert first.record.response is not None
    reply = dialect.encode_response(first.record.response, first.record.request)
    for change in (lost, going_on):
        request = dialect.decode_request(change(api, body, reply))[0]
        second = live.fork().serve(request, streamed)
        assert isinstance(second, Miss if change is lost else Served), (change, second)


def lost(api: str, body: dict[str, Any], reply: dict[str, Any]) -> dict[str, Any]:
    """The same, but for another result."""
    text = json.dumps(going_on(api, body, reply))
    assert text.count("waiting") == 1
    changed: dict[str, Any] = json.loads(text.replace("waiting", "lost"))
    return changed


def test_an_export_without_content_cannot_be_served() -> None:
    for name in SILENT:
        with pytest.raises(Exception, match="its answer was not captured"):
            matcher(name)

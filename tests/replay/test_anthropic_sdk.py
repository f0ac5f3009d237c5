"""The official anthropic client against the replay server: no key, no network."""

from __future__ import annotations

import asyncio
import time
from functools import partial

import anthropic
import pytest

from runwright.dialects import DIALECTS
from runwright.replay.miss import MISS_TYPE
from runwright.trace.model import ModelRecord
from tests.replay.cassettes import exchange as recorded_exchange, replayed

MESSAGES = DIALECTS["anthropic.messages"]
exchange = partial(recorded_exchange, dialect=MESSAGES)
CONTENT = [
    {"type": "thinking", "thinking": "naïve, slowly", "signature": "c2lnbmVk"},
    {"type": "redacted_thinking", "data": "b3BhcXVl"},
    {"type": "server_tool_use", "id": "srvtoolu_1", "name": "web_search", "input": {"query": "q"}},
    {"type": "web_search_tool_result", "tool_use_id": "srvtoolu_1", "content": []},
    {
        "type": "text",
        "text": "Grüße \U0001f600 dir",
        "citations": [
            {
                "type": "web_search_result_location",
                "cited_text": "x",
                "encrypted_index": "e",
                "title": "t",
                "url": "https://x.test",
            }
        ],
    },
    {"type": "tool_use", "id": "toolu_1", "name": "f", "input": {"city": "Zürich", "n": 1.5}},
    {"type": "tool_use", "id": "toolu_2", "name": "g", "input": {}},
]
USAGE = {"input_tokens": 9, "output_tokens": 4, "cache_creation_input_tokens": 2, "cache_read_input_tokens": 1}
OVERLOADED = {"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}}


def body(text="hello", **fields):
    return {"model": "claude-test-1", "max_tokens": 9, "messages": [{"role": "user", "content": text}], **fields}


def reply(*content, stop="tool_use", **fields):
    return {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "model": "claude-test-1-20261101",
        "content": list(content or CONTENT),
        "stop_reason": stop,
        "stop_sequence": None,
        "usage": USAGE,
        **fields,
    }


def client(origin, **options) -> anthropic.Anthropic:
    return anthropic.Anthropic(base_url=origin, api_key="none", **options)


def test_a_buffered_reply_with_every_block():
    with replayed(exchange(1, body(), reply())) as (session, origin), client(origin) as model:
        answer = model.messages.create(**body())
    assert answer.to_dict() == reply()
    assert [block.type for block in answer.content] == [block["type"] for block in CONTENT]
    assert session.miss is None


@pytest.mark.parametrize("split", [None, 1, 7])
def test_the_stream_helper_makes_of_it_what_was_buffered(split):
    recorded = exchange(1, body(stream=True), reply())
    with (
        replayed(recorded, split=split) as (session, origin),
        client(origin) as model,
        model.messages.stream(**body()) as stream,
    ):
        events = list(stream)
        final = stream.get_final_message()
    assert final.to_dict() == {**reply(), "stop_details": None}
    assert "".join(each.text for each in events if each.type == "text") == "Grüße \U0001f600 dir"
    assert "".join(each.thinking for each in events if each.type == "thinking") == "naïve, slowly"
    assert [each.signature for each in events if each.type == "signature"] == ["c2lnbmVk"]
    assert [each.citation.cited_text for each in events if each.type == "citation"] == ["x"]
    assert [each.snapshot for each in events if each.type == "input_json"][-1] == {}
    assert {"city": "Zürich", "n": 1.5} in [each.snapshot for each in events if each.type == "input_json"]
    assert session.miss is None


def test_recorded_boundaries_reach_the_client():
    text = {"type": "text", "text": "Grüße \U0001f600 dir"}
    recorded = exchange(1, body(stream=True), reply(text, stop="end_turn"), chunks=((0, 3), (0, 8)))
    with replayed(recorded) as (_, origin), client(origin) as model:
        events = list(model.messages.create(**body(stream=True)))
    assert [each.delta.text for each in events if each.type == "content_block_delta"] == ["Grü", "ße \U0001f600 dir"]
    assert [each.type for each in events] == [
        "message_start",
        "content_block_start",
        "content_block_delta",
        "content_block_delta",
        "content_block_stop",
        "message_delta",
        "message_stop",
    ]


def test_the_beta_client_and_its_query():
    with replayed(exchange(1, body(), reply())) as (session, origin), client(origin) as model:
        answer = model.beta.messages.create(**body(), betas=["context-1m-2025-08-07"])
    assert answer.content[4].text == "Grüße \U0001f600 dir"
    assert session.miss is None


def test_parallel_results_in_another_order_and_an_echoed_reply():
    calls = [{"type": "tool_use", "id": f"toolu_{at}", "name": "f", "input": {"n": at}} for at in (1, 2)]
    results = [{"type": "tool_result", "tool_use_id": f"toolu_{at}", "content": f"r{at}"} for at in (1, 2)]
    asked = [{"role": "user", "content": "hello"}, {"role": "assistant", "content": calls}]
    second = {**body(), "messages": [*asked, {"role": "user", "content": results}]}
    done = reply({"type": "text", "text": "done"}, stop="end_turn")
    records = [exchange(1, body(), reply(*calls)), exchange(2, second, done)]
    with replayed(*records) as (session, origin), client(origin) as model:
        first = model.messages.create(**body())
        said = [asked[0], first.to_param(), {"role": "user", "content": results[::-1]}]
        answer = model.messages.create(**{**body(), "messages": said})
    assert answer.content[0].text == "done"
    assert session.miss is None


def test_async_clients_at_once():
    records = [
        exchange(n, body(f"q{n}", stream=bool(n % 2)), reply({"type": "text", "text": f"a{n}"}, stop="end_turn"))
        for n in range(20)
    ]

    async def run(origin):
        async with anthropic.AsyncAnthropic(base_url=origin, api_key="none") as model:

            async def one(number):
                if number % 2 == 0:
                    return (await model.messages.create(**body(f"q{number}"))).content[0].text
                async with model.messages.stream(**body(f"q{number}")) as stream:
                    return await stream.get_final_text()

            return await asyncio.gather(*map(one, range(20)))

    with replayed(*records) as (session, origin):
        assert asyncio.run(run(origin)) == [f"a{n}" for n in range(20)]
    assert session.miss is None


# --- errors -------------------------------------------------------------------------------------


@pytest.mark.parametrize("status", [408, 409, 429, 500, 529])
def test_a_recorded_error_is_served_and_its_wait_is_not(status):
    failed = exchange(1, body(), error=(status, OVERLOADED))
    with replayed(failed, exchange(2, body(), reply())) as (session, origin), client(origin) as model:
        start = time.monotonic()
        answer = model.messages.create(**body())
        waited = time.monotonic() - start
    assert answer.id == "msg_1"
    assert waited < 0.3, "the client's own back-off starts at 0.375 seconds"
    assert [live.error.status if live.error else None for live in session.live_records()] == [status, None]


def test_an_error_that_the_agent_saw_reaches_it_as_it_was():
    said = {"type": "error", "error": {"type": "not_found_error", "message": "model: x"}, "request_id": "req_1"}
    with (
        replayed(exchange(1, body(), error=(404, said))) as (session, origin),
        client(origin) as model,
        pytest.raises(anthropic.NotFoundError) as caught,
    ):
        model.messages.create(**body())
    assert (caught.value.body, caught.value.type) == (said, "not_found_error")
    assert session.miss is None


@pytest.mark.parametrize("heard", ["Grü", ""])
def test_a_stream_that_broke_off_breaks_off_again(heard):
    began = reply({"type": "text", "text": heard}, stop=None) if heard else None
    recorded = exchange(1, body(stream=True), began, error=(200, OVERLOADED), chunks=((0, 3),) if heard else None)
    texts = []
    with (
        replayed(recorded) as (session, origin),
        client(origin) as model,
        pytest.raises(anthropic.APIStatusError) as caught,
        model.messages.stream(**body()) as stream,
    ):
        texts.extend(stream.text_stream)
    assert texts == ([heard] if heard else [])
    assert caught.value.body == OVERLOADED
    assert session.miss is None


# --- misses -------------------------------------------------------------------------------------


def test_a_miss_names_what_differs_and_is_never_retried():
    with (
        replayed(exchange(1, body(), reply())) as (session, origin),
        client(origin, max_retries=3) as model,
        pytest.raises(anthropic.UnprocessableEntityError) as caught,
    ):
        model.messages.create(**body("hallo"))
    assert "$.request.messages[0].content[0].text" in str(caught.value)
    assert '"hello" -> "hallo"' in caught.value.body["error"]["message"]
    assert (caught.value.body["type"], caught.value.type) == ("error", MISS_TYPE)
    assert len(session.misses) == 1


def test_a_buffered_call_of_what_was_streamed_is_a_miss():
    with (
        replayed(exchange(1, body(stream=True), reply())) as (session, origin),
        client(origin) as model,
        pytest.raises(anthropic.UnprocessableEntityError),
    ):
        model.messages.create(**body())
    assert session.miss is not None
    assert [each.path for each in session.miss.differences] == ["$.streamed"]


@pytest.mark.parametrize(
    ("name", "call"),
    [
        ("count_tokens", lambda model: model.messages.count_tokens(model="m", messages=body()["messages"])),
        ("batches", lambda model: model.messages.batches.create(requests=[])),
    ],
)
def test_other_endpoints_are_refused_by_name(name, call):
    with (
        replayed(exchange(1, body(), reply())) as (session, origin),
        client(origin) as model,
        pytest.raises(anthropic.NotFoundError) as caught,
    ):
        call(model)
    assert f"POST /v1/messages/{name}" in caught.value.body["error"]["message"]
    assert session.unknown_paths == (f"POST /v1/messages/{name}",)


def test_a_request_that_cannot_be_read_is_refused_by_its_place():
    with (
        replayed(exchange(1, body(), reply())) as (_, origin),
        client(origin) as model,
        pytest.raises(anthropic.UnprocessableEntityError, match=r"messages\[0\].role: unknown role"),
    ):
        model.messages.create(**{**body(), "messages": [{"role": "tool", "content": "x"}]})


def test_a_reply_that_has_no_form_is_refused_and_taken_back():
    short = exchange(1, body(stream=True), reply())
    cut = MESSAGES.decode_stream(
        [
            {"type": "message_start", "message": {}},
            {
                "type": "content_block_start",
                "index": 0,
                "content_block": {"type": "tool_use", "id": "a", "name": "f", "input": {}},
            },
            {
                "type": "content_block_delta",
                "index": 0,
                "delta": {"type": "input_json_delta", "partial_json": '{"a'},
            },
        ]
    )[0]
    record = ModelRecord(id="m1", request=short.request, response=cut, streamed=False, fidelity="raw")
    with (
        replayed(record) as (session, origin),
        client(origin) as model,
        pytest.raises(anthropic.UnprocessableEntityError, match="cannot be served"),
    ):
        model.messages.create(**body())
    assert session.miss is not None
    assert session.miss.kind == "unservable"


def test_the_models_are_those_of_the_cassette():
    with replayed(exchange(1, body(), reply())) as (_, origin), client(origin) as model:
        [found] = model.models.list()
    assert (found.id, found.display_name, found.type) == ("claude-test-1", "claude-test-1", "model")

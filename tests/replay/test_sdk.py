"""The official client against the replay server: no key, no network."""

from __future__ import annotations

import asyncio
import time

import openai
import pytest

from tests.replay.cassettes import body, call, exchange, replayed, reply

HELLO = exchange(1, body("hello"), reply("Grüße \U0001f600 dir"))


def client(origin, **options) -> openai.OpenAI:
    return openai.OpenAI(base_url=f"{origin}/v1", api_key="none", **options)


def ask(model, text="hello", **fields):
    return model.chat.completions.create(**body(text, **fields))


def refused(model, text="hello", **fields) -> openai.APIStatusError:
    with pytest.raises(openai.APIStatusError) as caught:
        ask(model, text, **fields)
    return caught.value


def test_chat():
    with replayed(HELLO) as (session, origin), client(origin) as model:
        answer = ask(model)
    assert answer.choices[0].message.content == "Grüße \U0001f600 dir"
    assert (answer.id, answer.created, answer.usage.total_tokens) == ("chatcmpl-1", 7, 13)
    assert session.miss is None
    [live] = session.live_records()
    assert (live.id, live.request, live.response, live.ext) == (
        "m1",
        HELLO.request,
        HELLO.response,
        {"recorded": "m1"},
    )


@pytest.mark.parametrize("split", [None, 1, 7])
def test_streaming(split):
    recorded = exchange(1, body("hello", stream=True), reply("Grüße \U0001f600 dir"), chunks=((0, 3), (0, 8)))
    with replayed(recorded, split=split) as (session, origin), client(origin) as model:
        stream = ask(model, stream=True, stream_options={"include_usage": True})
        chunks = list(stream)
    texts = [each.choices[0].delta.content for each in chunks if each.choices and each.choices[0].delta.content]
    if split is None:
        assert texts == ["Grü", "ße \U0001f600 dir"]
    assert "".join(texts) == "Grüße \U0001f600 dir"
    assert chunks[-1].usage.total_tokens == 13
    assert session.miss is None


def test_the_sdk_accumulates_a_streamed_tool_call():
    recorded = exchange(1, body("hello", stream=True), reply(calls=[call("c1", "look_up", '{"city": "Zürich"}')]))
    with (
        replayed(recorded, split=3) as (_, origin),
        client(origin) as model,
        model.chat.completions.stream(**body("hello")) as stream,
    ):
        final = stream.get_final_completion()
    [made] = final.choices[0].message.tool_calls
    assert (made.id, made.function.name, made.function.arguments) == ("c1", "look_up", '{"city": "Zürich"}')
    assert final.choices[0].finish_reason == "tool_calls"


def test_parallel_tool_calls_whose_results_come_in_another_order():
    calls = [call("a", "look_up", '{"order":1}'), call("b", "look_up", '{"order":2}')]
    asked = [{"role": "user", "content": "both"}, {"role": "assistant", "content": None, "tool_calls": calls}]
    results = [{"role": "tool", "tool_call_id": id_, "content": text} for id_, text in [("a", "one"), ("b", "two")]]
    second = {"model": "gpt-4o", "messages": asked + results}
    records = [exchange(1, body("both"), reply(calls=calls)), exchange(2, second, reply("done"))]
    with replayed(*records) as (session, origin), client(origin) as model:
        first = ask(model, "both").choices[0].message
        echoed = [{"role": "user", "content": "both"}, first.model_dump(), *reversed(results)]
        answer = model.chat.completions.create(model="gpt-4o", messages=echoed)
    assert answer.choices[0].message.content == "done"
    assert session.miss is None


def test_eight_at_once():
    records = [exchange(n + 1, body(f"q{n}"), reply(f"a{n}")) for n in range(40)]

    async def run(origin):
        async with openai.AsyncOpenAI(base_url=f"{origin}/v1", api_key="none") as model:
            gate = asyncio.Semaphore(8)

            async def one(number):
                async with gate:
                    return (await ask(model, f"q{number}")).choices[0].message.content

            return await asyncio.gather(*map(one, range(40)))

    with replayed(*records) as (session, origin):
        assert asyncio.run(run(origin)) == [f"a{n}" for n in range(40)]
    assert session.miss is None
    assert {live.ext["recorded"] for live in session.live_records()} == {each.id for each in records}


@pytest.mark.parametrize("status", [408, 409, 429, 500, 503])
def test_a_recorded_error_is_served_and_its_wait_is_not(status):
    said = {"error": {"message": "slow down", "type": "rate_limit", "code": None, "param": None}}
    failed = exchange(1, body("hello"), error=(status, said))
    with replayed(failed, exchange(2, body("hello"), reply("hi"))) as (session, origin), client(origin) as model:
        start = time.monotonic()
        answer = ask(model)
        waited = time.monotonic() - start
    assert answer.choices[0].message.content == "hi"
    assert waited < 0.3, "the client's own back-off starts at 0.375 seconds"
    assert [live.error.status if live.error else None for live in session.live_records()] == [status, None]


def test_an_error_that_the_agent_saw_reaches_it_as_it_was():
    said = {"error": {"message": "no such model", "type": "invalid_request_error", "code": "model_not_found"}}
    with replayed(exchange(1, body("hello"), error=(404, said))) as (session, origin), client(origin) as model:
        error = refused(model)
    assert (type(error), error.code, error.body) == (openai.NotFoundError, "model_not_found", said["error"])
    assert session.miss is None


def test_a_miss_names_what_differs_and_is_never_retried():
    with replayed(HELLO) as (session, origin), client(origin, max_retries=5) as model:
        error = refused(model, temperature=0.7)
        again = refused(model)
    assert isinstance(error, openai.UnprocessableEntityError)
    assert "$.request.parameters.temperature: (absent) -> 0.7" in error.message
    assert "m1" in error.message
    assert again.message == error.message, "after the first miss everything is refused the same way"
    assert [miss.kind for miss in session.misses] == ["differs", "stopped"], "no retry reached the server"
    assert session.miss.nearest == "m1"
    assert [live.error.kind for live in session.live_records()] == ["runwright_miss", "runwright_miss"]
    assert [live.response for live in session.live_records()] == [None, None]


def test_an_extra_call_is_a_miss():
    with replayed(HELLO) as (session, origin), client(origin) as model:
        ask(model)
        refused(model)
    assert session.miss.kind == "exhausted"


def test_a_streamed_request_is_not_served_a_buffered_recording():
    with replayed(HELLO) as (session, origin), client(origin) as model:
        error = refused(model, stream=True)
    assert "$.streamed: false -> true" in error.message
    assert session.miss.kind == "differs"


def test_another_path_is_a_miss_that_stops_the_replay():
    with replayed(HELLO) as (session, origin), client(origin) as model:
        with pytest.raises(openai.NotFoundError) as caught:
            model.embeddings.create(model="text-embedding-3-small", input="x")
        refused_after = refused(model)
    assert "POST /v1/embeddings" in caught.value.message
    assert refused_after.status_code == 404
    assert session.unknown_paths == ("POST /v1/embeddings",)
    assert [miss.kind for miss in session.misses] == ["unknown_path", "stopped"]


def test_the_model_list_is_the_cassettes_own():
    records = [HELLO, exchange(2, body("x", model="gpt-4o-mini"), reply("y")), exchange(3, body("z"), reply("y"))]
    with replayed(*records) as (session, origin), client(origin) as model:
        assert [each.id for each in model.models.list()] == ["gpt-4o", "gpt-4o-mini"]
        with pytest.raises(openai.NotFoundError):
            model.models.retrieve("gpt-5")
        with pytest.raises(openai.NotFoundError):
            model.models.list()
    assert session.unknown_paths == ("GET /v1/models/gpt-5",)


def test_what_the_dialect_cannot_represent_is_a_miss():
    with replayed(HELLO) as (session, origin), client(origin) as model:
        error = refused(model, n=2)
    assert "$.n: expected 1, found 2" in error.message
    assert (session.miss.kind, session.live_records()) == ("unreadable", ())

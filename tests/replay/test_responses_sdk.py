"""The official openai client's `responses` against the replay server: no key, no network."""

from __future__ import annotations

from functools import partial

import openai
import pytest

from runwright.dialects import DIALECTS
from runwright.replay.miss import MISS_TYPE
from tests.replay.cassettes import exchange as recorded_exchange, replayed

RESPONSES = DIALECTS["openai.responses"]
exchange = partial(recorded_exchange, dialect=RESPONSES)
TEXT = "Grüße \U0001f600 dir"
NOTE = {"type": "url_citation", "url": "https://x.test", "title": "t", "start_index": 0, "end_index": 5}
OUTPUT = [
    {
        "id": "rs_1",
        "type": "reasoning",
        "summary": [{"type": "summary_text", "text": "naïve, slowly"}, {"type": "summary_text", "text": "then fast"}],
        "encrypted_content": "c2VjcmV0",
    },
    {"id": "ws_1", "type": "web_search_call", "status": "completed", "action": {"type": "search", "query": "q"}},
    {
        "id": "msg_1",
        "type": "message",
        "status": "completed",
        "role": "assistant",
        "content": [
            {"type": "output_text", "text": TEXT, "annotations": [NOTE], "logprobs": []},
            {"type": "refusal", "refusal": "not that, though"},
        ],
    },
    {
        "id": "fc_1",
        "type": "function_call",
        "status": "completed",
        "call_id": "call_1",
        "name": "f",
        "arguments": '{"city": "Zürich", "n": 1.5}',
    },
    {"id": "fc_2", "type": "function_call", "status": "completed", "call_id": "call_2", "name": "g", "arguments": "{}"},
    {"id": "ct_1", "type": "custom_tool_call", "status": "completed", "call_id": "call_3", "name": "h", "input": "a b"},
]
USAGE = {
    "input_tokens": 9,
    "input_tokens_details": {"cached_tokens": 2},
    "output_tokens": 4,
    "output_tokens_details": {"reasoning_tokens": 1},
    "total_tokens": 13,
}


def body(text="hello", **fields):
    return {"model": "gpt-test", "input": text, **fields}


def reply(*output, **fields):
    return {
        "id": "resp_1",
        "object": "response",
        "created_at": 7,
        "status": "completed",
        "error": None,
        "incomplete_details": None,
        "instructions": None,
        "metadata": {},
        "model": "gpt-test-2026-11-01",
        "output": list(output or OUTPUT),
        "parallel_tool_calls": True,
        "temperature": 1.0,
        "tool_choice": "auto",
        "tools": [],
        "top_p": None,
        "usage": USAGE,
        **fields,
    }


def message(text):
    return {
        "id": "msg_1",
        "type": "message",
        "status": "completed",
        "role": "assistant",
        "content": [{"type": "output_text", "text": text, "annotations": [], "logprobs": []}],
    }


def client(origin, **options) -> openai.OpenAI:
    return openai.OpenAI(base_url=f"{origin}/v1", api_key="none", **options)


def test_a_buffered_reply_with_every_item():
    with replayed(exchange(1, body(), reply())) as (session, origin), client(origin) as model:
        answer = model.responses.create(**body())
    assert answer.to_dict() == reply()
    assert answer.output_text == TEXT
    assert session.miss is None


@pytest.mark.parametrize("split", [None, 1, 7])
def test_the_stream_helper_makes_of_it_what_was_buffered(split):
    recorded = exchange(1, body(stream=True), reply())
    with (
        replayed(recorded, split=split) as (session, origin),
        client(origin) as model,
        model.responses.stream(**body()) as stream,
    ):
        events = list(stream)
        final = stream.get_final_response()
    kinds = [each.type for each in events]
    assert unparsed(final.to_dict()) == reply()
    assert final.output_text == TEXT
    assert "".join(each.delta for each in events if each.type == "response.output_text.delta") == TEXT
    assert "".join(each.delta for each in events if each.type == "response.refusal.delta") == "not that, though"
    thoughts = [each for each in events if each.type == "response.reasoning_summary_text.delta"]
    assert "".join(each.delta for each in thoughts) == "naïve, slowlythen fast"
    assert [each.snapshot for each in events if each.type == "response.function_call_arguments.delta"][-1] == "{}"
    assert "".join(each.delta for each in events if each.type == "response.custom_tool_call_input.delta") == "a b"
    [noted] = [each for each in events if each.type == "response.output_text.annotation.added"]
    assert noted.to_dict()["annotation"] == NOTE
    assert kinds[:2] == ["response.created", "response.in_progress"]
    assert kinds[-1] == "response.completed"
    assert "response.web_search_call.searching" in kinds
    assert [each.sequence_number for each in events] == list(range(len(events)))
    assert session.miss is None


def unparsed(value):
    """The value without what the client's own parser adds."""
    if isinstance(value, list):
        return [unparsed(each) for each in value]
    if not isinstance(value, dict):
        return value
    return {key: unparsed(each) for key, each in value.items() if key not in ("parsed", "parsed_arguments")}


def test_recorded_boundaries_reach_the_client():
    recorded = exchange(1, body(stream=True), reply(message(TEXT)), chunks=((0, 3), (0, 8)))
    with replayed(recorded) as (_, origin), client(origin) as model:
        events = list(model.responses.create(**body(stream=True)))
    assert [each.delta for each in events if each.type == "response.output_text.delta"] == ["Grü", "ße \U0001f600 dir"]
    assert [each.type for each in events] == [
        "response.created",
        "response.in_progress",
        "response.output_item.added",
        "response.content_part.added",
        "response.output_text.delta",
        "response.output_text.delta",
        "response.output_text.done",
        "response.content_part.done",
        "response.output_item.done",
        "response.completed",
    ]


@pytest.mark.parametrize("reason", ["max_output_tokens", "content_filter"])
def test_a_stream_that_was_not_completed_says_so(reason):
    answer = reply(message("Gr"), status="incomplete", incomplete_details={"reason": reason})
    recorded = exchange(1, body(stream=True), answer)
    with replayed(recorded) as (_, origin), client(origin) as model:
        last = list(model.responses.create(**body(stream=True)))[-1]
    assert (last.type, last.response.to_dict()) == ("response.incomplete", answer)


@pytest.mark.parametrize("streamed", [False, True])
def test_a_loop_sends_back_what_it_was_given(streamed):
    """The client's own objects, with the fields and nulls that it adds, are the recorded items."""
    asked = [{"role": "user", "content": "hello"}]
    told = {"type": "function_call_output", "call_id": "call_1", "output": "sunny"}
    records = (
        exchange(1, body(asked, stream=streamed), reply()),
        exchange(2, body([*asked, *OUTPUT, told], stream=streamed), reply(message("done"), id="resp_2")),
    )
    with replayed(*records) as (session, origin), client(origin) as model:
        for _ in range(2):
            if streamed:
                with model.responses.stream(**body(asked)) as stream:
                    answer = stream.get_final_response()
            else:
                answer = model.responses.create(**body(asked))
            asked = [*asked, *answer.output, told]
    assert session.miss is None
    assert answer.output_text == "done"


def test_what_the_provider_stores_is_asked_for_by_its_recorded_name():
    records = (
        exchange(1, body(store=True), reply()),
        exchange(2, body("and now?", previous_response_id="resp_1"), reply(message("done"))),
    )
    with replayed(*records) as (session, origin), client(origin) as model:
        first = model.responses.create(**body(store=True))
        assert model.responses.create(**body("and now?", previous_response_id=first.id)).output_text == "done"
        assert session.miss is None
    with replayed(*records) as (session, origin), client(origin) as model:
        model.responses.create(**body(store=True))
        with pytest.raises(openai.UnprocessableEntityError):
            model.responses.create(**body("and now?", previous_response_id="resp_0"))
        assert [each.path for each in session.miss.differences] == ["$.request.parameters.previous_response_id"]


@pytest.mark.parametrize(
    ("items", "path"),
    [
        ([{"role": "user", "content": "helo"}], "$.request.messages[0].content[0].text"),
        ([{"role": "user", "content": "hello"}, {"type": "item_reference", "id": "x"}], "$.request.messages[1]"),
    ],
)
def test_another_input_is_a_miss_that_no_client_retries(items, path):
    with replayed(exchange(1, body(), reply())) as (session, origin), client(origin) as model:
        with pytest.raises(openai.UnprocessableEntityError) as caught:
            model.responses.create(**body(items))
        assert caught.value.type == MISS_TYPE
    assert [each.path for each in session.miss.differences] == [path]


QUOTA = {"error": {"message": "no quota", "type": "insufficient_quota", "param": None, "code": "insufficient_quota"}}


def test_an_error_comes_as_it_was():
    with replayed(exchange(1, body(), error=(429, QUOTA))) as (_, origin), client(origin, max_retries=0) as model:
        with pytest.raises(openai.RateLimitError) as caught:
            model.responses.create(**body())
        assert (caught.value.code, caught.value.body) == ("insufficient_quota", QUOTA["error"])


BROKEN = {"type": "error", "sequence_number": 9, **QUOTA}
FAILED = {"type": "response.failed", "response": reply(status="failed", error={"code": "server_error", "message": "x"})}


def heard(model):
    """The events that reach the client before it is told of an error, and the error."""
    seen = []
    try:
        for each in model.responses.create(**body(stream=True)):
            seen.append(each)
    except openai.APIError as error:
        return seen, error.body
    return seen[:-1], seen[-1].response.error.to_dict()


@pytest.mark.parametrize(
    ("event", "kind", "told"),
    [
        (BROKEN, "insufficient_quota", QUOTA["error"]),
        (FAILED, "server_error", {"code": "server_error", "message": "x"}),
    ],
    ids=["error", "failed"],
)
def test_a_stream_that_broke_off_breaks_off_again(event, kind, told):
    """After as much text as was recorded, before the item's end."""
    recorded = exchange(1, body(stream=True), reply(message("half a")), error=(200, event))
    assert recorded.error.kind == kind
    with replayed(recorded) as (_, origin), client(origin, max_retries=0) as model:
        seen, error = heard(model)
    assert error == told
    assert "".join(each.delta for each in seen if each.type == "response.output_text.delta") == "half a"
    assert seen[-1].type == "response.output_text.delta"


@pytest.mark.parametrize(("method", "path"), [("GET", "/responses/resp_1"), ("POST", "/conversations")])
def test_what_the_provider_stores_itself_is_not_served(method, path):
    with replayed(exchange(1, body(), reply())) as (session, origin), client(origin) as model:
        with pytest.raises(openai.NotFoundError):
            getattr(model, method.lower())(path, cast_to=object)
        assert session.unknown_paths == (f"{method} /v1{path}",)

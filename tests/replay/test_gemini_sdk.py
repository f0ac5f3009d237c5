"""The official google-genai client against the replay server: no key, no network."""

from __future__ import annotations

from contextlib import contextmanager
from functools import partial

import pytest
from google import genai
from google.genai import errors, types

from runwright.dialects import DIALECTS
from runwright.replay.miss import MISS_TYPE
from tests.replay.cassettes import exchange as recorded_exchange, replayed

GEMINI = DIALECTS["gemini.generate_content"]
exchange = partial(recorded_exchange, dialect=GEMINI)
TEXT = "Grüße \U0001f600 dir"
PARTS = [
    {"text": "naïve, slowly", "thought": True, "thoughtSignature": "c2lnbmVk"},
    {"text": TEXT, "thoughtSignature": "c2lnbmVk"},
    {"functionCall": {"name": "f", "args": {"city": "Zürich", "n": 1.5}}, "thoughtSignature": "c2lnbmVk"},
    {"functionCall": {"name": "f", "args": {}}},
    {"functionCall": {"id": "call-1", "name": "g", "args": {"x": [None]}}},
    {"inlineData": {"mimeType": "image/png", "data": "aGVsbG8="}},
    {"executableCode": {"language": "PYTHON", "code": "print(1)"}},
]
USAGE = {"promptTokenCount": 9, "candidatesTokenCount": 4, "totalTokenCount": 15, "thoughtsTokenCount": 2}
USER = {"role": "user", "parts": [{"text": "hello"}]}


def body(*contents, **fields):
    return {"model": "gemini-test", "contents": list(contents or [USER]), **fields}


def reply(*parts, stop="STOP", **fields):
    content = {"parts": list(parts or PARTS), "role": "model"}
    return {
        "candidates": [{"content": content, "finishReason": stop, "index": 0}],
        "usageMetadata": USAGE,
        "modelVersion": "gemini-test-001",
        "responseId": "r1",
        **fields,
    }


@contextmanager
def served(*records, version="v1beta", **options):
    """The session, and the models of a client that is connected to its replay."""
    once = types.HttpRetryOptions(attempts=1)
    with replayed(*records, **options) as (session, origin):
        http = types.HttpOptions(base_url=origin, api_version=version, retry_options=once)
        with genai.Client(api_key="none", http_options=http) as client:
            yield session, client.models


def wire_of(answer):
    """What the client made of an answer, as it would send it."""
    return answer.model_dump(mode="json", by_alias=True, exclude_none=True)


def said(answer):
    """A body as the client holds it: without what it adds, and with base64 in its URL-safe form."""
    return wire_of(types.GenerateContentResponse.model_validate(answer))


def test_a_buffered_reply_with_every_part():
    with served(exchange(1, body(), reply())) as (session, models):
        answer = models.generate_content(model="gemini-test", contents="hello")
    assert wire_of(answer.candidates[0]) == said(reply())["candidates"][0]
    assert wire_of(answer.usage_metadata) == USAGE
    assert (answer.response_id, answer.model_version, answer.text) == ("r1", "gemini-test-001", TEXT)
    assert [each.args for each in answer.function_calls] == [{"city": "Zürich", "n": 1.5}, {}, {"x": [None]}]
    assert session.miss is None


@pytest.mark.parametrize("split", [None, 1, 7])
def test_a_streamed_reply_comes_in_events_that_add_up(split):
    with served(exchange(1, body(stream=True), reply()), split=split) as (session, models):
        events = list(models.generate_content_stream(model="gemini-test", contents="hello"))
    parts = [part for each in events for part in each.candidates[0].content.parts]
    assert "".join(part.text for part in parts if part.text and part.thought) == "naïve, slowly"
    assert "".join(part.text for part in parts if part.text and not part.thought) == TEXT
    assert [part.function_call.name for part in parts if part.function_call] == ["f", "f", "g"]
    assert [bool(part.thought_signature) for part in parts] == [False, True, False, False, True, True, *[False] * 4]
    assert [each.candidates[0].finish_reason for each in events] == [None] * 9 + [types.FinishReason.STOP]
    assert wire_of(events[-1].usage_metadata) == USAGE
    assert session.miss is None


def test_recorded_boundaries_reach_the_client():
    answer = reply({"text": TEXT, "thoughtSignature": "c2lnbmVk"})
    recorded = exchange(1, body(stream=True), answer, chunks=((0, 3), (0, 8), (0, 0)))
    with served(recorded) as (_, models):
        events = list(models.generate_content_stream(model="gemini-test", contents="hello"))
    [*first, last] = [each.candidates[0].content.parts[0] for each in events]
    assert [part.text for part in first] == ["Grü", "ße \U0001f600 dir"]
    assert (last.text, last.thought_signature) == ("", b"signed")


def test_a_loop_sends_back_what_it_was_given():
    told = {"role": "user", "parts": [{"functionResponse": {"name": "f", "response": {"result": "sunny"}}}]}
    call = {"role": "model", "parts": PARTS[:3]}
    records = (
        exchange(1, body(), reply(*PARTS[:3])),
        exchange(2, body(USER, call, told), reply({"text": "done"})),
    )
    with served(*records) as (session, models):
        first = models.generate_content(model="gemini-test", contents="hello")
        history = [types.Content.model_validate(USER), first.candidates[0].content, types.Content.model_validate(told)]
        answer = models.generate_content(model="gemini-test", contents=history)
    assert session.miss is None
    assert answer.text == "done"


def test_the_client_s_configuration_is_compared():
    wire = body(
        systemInstruction={"role": "user", "parts": [{"text": "Be short."}]},
        generationConfig={"temperature": 0.5},
        tools=[{"functionDeclarations": [{"name": "f", "parametersJsonSchema": {"type": "object"}}]}],
    )
    declared = types.FunctionDeclaration(name="f", parameters_json_schema={"type": "object"})

    def ask(models, **changes):
        config = {"temperature": 0.5, "system_instruction": "Be short.", "tools": [_tool(declared)], **changes}
        options = types.GenerateContentConfig(**config)
        return models.generate_content(model="gemini-test", contents="hello", config=options)

    with served(exchange(1, wire, reply({"text": "done"}))) as (session, models):
        assert ask(models).text == "done"
        assert session.miss is None
    for changes, path in (
        ({"temperature": 0.6}, "$.request.parameters.generationConfig.temperature"),
        ({"system_instruction": "Be long."}, "$.request.messages[0].content[0].text"),
        ({"tools": [_tool(declared, google_search=types.GoogleSearch())]}, "$.request.tools[0]"),
    ):
        with served(exchange(1, wire, reply())) as (session, models), pytest.raises(errors.ClientError):
            ask(models, **changes)
        assert [each.path for each in session.miss.differences] == [path]


def _tool(declared, **fields):
    return types.Tool(function_declarations=[declared], **fields)


def test_another_model_is_a_miss():
    with served(exchange(1, body(), reply())) as (session, models):
        with pytest.raises(errors.ClientError) as caught:
            models.generate_content(model="gemini-other", contents="hello")
        assert (caught.value.code, MISS_TYPE in str(caught.value.details)) == (422, True)
    assert [each.path for each in session.miss.differences] == ["$.request.model"]


QUOTA = {"error": {"code": 429, "message": "no quota", "status": "RESOURCE_EXHAUSTED"}}


def test_an_error_comes_as_it_was():
    with (
        served(exchange(1, body(), error=(429, QUOTA))) as (_, models),
        pytest.raises(errors.ClientError) as caught,
    ):
        models.generate_content(model="gemini-test", contents="hello")
    assert (caught.value.code, caught.value.status, caught.value.message) == (429, "RESOURCE_EXHAUSTED", "no quota")


def test_a_stream_that_broke_off_breaks_off_again():
    recorded = exchange(1, body(stream=True), reply({"text": "half a"}), error=(200, QUOTA))
    seen = []
    with served(recorded) as (_, models), pytest.raises(errors.APIError) as caught:
        seen.extend(models.generate_content_stream(model="gemini-test", contents="hello"))
    assert caught.value.code == 429
    assert ("".join(each.text for each in seen), {each.candidates[0].finish_reason for each in seen}) == (
        "half a",
        {None},
    )


def test_a_blocked_prompt_has_no_candidate():
    answer = {
        "promptFeedback": {"blockReason": "SAFETY"},
        "usageMetadata": USAGE,
        "responseId": "r",
        "modelVersion": "m",
    }
    for streamed in (False, True):
        with served(exchange(1, body(stream=streamed), answer)) as (_, models):
            ask = models.generate_content_stream if streamed else models.generate_content
            told = ask(model="gemini-test", contents="hello")
            [told] = told if streamed else [told]
        assert (told.candidates, told.prompt_feedback.block_reason) == (None, types.BlockedReason.SAFETY)


@pytest.mark.parametrize("version", ["v1", "v1beta", "v1/projects/p/locations/l/publishers/google"])
def test_the_path_names_the_model_whatever_comes_before_it(version):
    with served(exchange(1, body(), reply({"text": "done"})), version=version) as (session, models):
        assert models.generate_content(model="gemini-test", contents="hello").text == "done"
    assert session.miss is None

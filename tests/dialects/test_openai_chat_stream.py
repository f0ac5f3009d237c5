"""Chat Completions streams: deltas merged, boundaries kept and made again."""

from __future__ import annotations

import pytest

from runwright.dialects import DIALECTS, parse_stream_body
from runwright.errors import DialectError
from runwright.trace.model import (
    ModelResponse,
    RefusalBlock,
    TextBlock,
    ThinkingBlock,
    ToolCallBlock,
    Usage,
)

CHAT = DIALECTS["openai.chat_completions"]
USAGE = {"stream_options": {"include_usage": True}}


def chunk(delta=None, *, finish=None, **fields):
    choices = [] if delta is None else [{"index": 0, "delta": delta, "finish_reason": finish}]
    return {"id": "chatcmpl-1", "object": "chat.completion.chunk", "model": "m-1", "choices": choices, **fields}


def call(index, text, **head):
    name = {"name": head.pop("name")} if "name" in head else {}
    return {"tool_calls": [{"index": index, **head, "function": {**name, "arguments": text}}]}


def sent(response, body=USAGE, chunks=None):
    """What a client receives, through the bytes."""
    stream = parse_stream_body(b"".join(CHAT.encode_stream(response, body, chunks)))
    assert stream.done
    return list(stream.values)


TEXT = [
    chunk({"role": "assistant", "content": "", "refusal": None}),
    chunk({"content": "Héllo"}),
    chunk({"content": " \U0001f600"}),
    chunk({}, finish="stop"),
    chunk(usage={"prompt_tokens": 1, "completion_tokens": 2, "total_tokens": 3}),
]

CALLS = [
    chunk({"role": "assistant", "content": None}),
    chunk(call(0, "", id="c0", type="function", name="f")),
    chunk(call(0, '{"a"')),
    chunk(call(1, '{"b', id="c1", type="function", name="g")),
    chunk(call(0, ":1}")),
    chunk(call(1, '": 2}')),
    chunk({}, finish="tool_calls"),
]


def test_text_and_usage():
    response, chunks = CHAT.decode_stream(TEXT)
    assert response == ModelResponse(
        content=(TextBlock(text="Héllo \U0001f600"),),
        stop_reason="end_turn",
        usage=Usage(input_tokens=1, output_tokens=2),
        id="chatcmpl-1",
        model="m-1",
    )
    assert chunks == ((0, 5), (0, 2))
    assert CHAT.decode_stream(sent(response, chunks=chunks)) == (with_created(response), chunks)


def test_interleaved_fragments_of_parallel_calls():
    response, chunks = CHAT.decode_stream(CALLS)
    assert response.content == (
        ToolCallBlock(id="c0", name="f", arguments={"a": 1}),
        ToolCallBlock(id="c1", name="g", arguments={"b": 2}, arguments_text='{"b": 2}'),
    )
    assert response.stop_reason == "tool_calls"
    assert chunks == ((0, 0), (0, 4), (1, 3), (0, 3), (1, 5))
    again = sent(response, {}, chunks)
    assert CHAT.decode_stream(again) == (with_created(response), chunks)
    assert again[2]["choices"][0]["delta"] == {"tool_calls": [{"index": 0, "function": {"arguments": '{"a"'}}]}


def with_created(response):
    """The response as a client sees it: `created` is always there."""
    return ModelResponse(
        content=response.content,
        stop_reason=response.stop_reason,
        usage=response.usage,
        id=response.id,
        model=response.model,
        extra={"created": 0, **response.extra},
    )


def test_refusal_and_reasoning_deltas():
    response, chunks = CHAT.decode_stream(
        [chunk({"reasoning_content": "hm"}), chunk({"refusal": "I "}), chunk({"refusal": "won't"}, finish="stop")]
    )
    assert response.content == (ThinkingBlock(text="hm"), RefusalBlock(text="I won't"))
    assert chunks == ((0, 2), (1, 2), (1, 5))


def test_a_stream_without_a_finish_has_no_stop_reason():
    response, _ = CHAT.decode_stream(TEXT[:2])
    assert (response.stop_reason, response.content) == (None, (TextBlock(text="Héllo"),))


def test_other_deltas_grow():
    events = [
        chunk({"audio": {"id": "a", "data": "Ukl"}}, obfuscation="x1"),
        chunk({"audio": {"data": "GRg", "transcript": "h"}}, system_fingerprint="fp"),
        chunk({"audio": {"transcript": "i", "expires_at": 9}}, finish="stop"),
    ]
    events[0]["choices"][0]["logprobs"] = {"content": [{"token": "a"}], "refusal": None}
    events[1]["choices"][0]["logprobs"] = {"content": [{"token": "b"}], "refusal": None}
    response, _ = CHAT.decode_stream(events)
    assert response.extra == {
        "system_fingerprint": "fp",
        "message": {"audio": {"id": "a", "data": "UklGRg", "transcript": "hi", "expires_at": 9}},
        "logprobs": {"content": [{"token": "a"}, {"token": "b"}], "refusal": None},
    }
    assert events[0]["choices"][0]["delta"] == {"audio": {"id": "a", "data": "Ukl"}}, "the input is left alone"
    assert CHAT.decode_stream(sent(response, {}))[0] == with_created(response)


def test_servers_that_leave_the_index_out():
    one = {"tool_calls": [{"id": "a", "type": "function", "function": {"name": "f", "arguments": "{}"}}]}
    two = {"tool_calls": [{"id": "b", "type": "function", "function": {"name": "g", "arguments": "{"}}]}
    more = {"tool_calls": [{"function": {"arguments": "}"}}]}
    response, _ = CHAT.decode_stream([chunk(one), chunk(two), chunk(more, finish="tool_calls")])
    assert [(each.id, each.name, each.arguments) for each in response.content] == [("a", "f", {}), ("b", "g", {})]


def test_custom_tool_calls():
    opening = {"tool_calls": [{"index": 0, "id": "c", "type": "custom", "custom": {"name": "sql", "input": "sel"}}]}
    more = {"tool_calls": [{"index": 0, "custom": {"input": "ect 1"}}]}
    response, chunks = CHAT.decode_stream([chunk(opening), chunk(more, finish="tool_calls")])
    assert response.content == (ToolCallBlock(id="c", name="sql", kind="custom", arguments="select 1"),)
    assert CHAT.decode_stream(sent(response, {}, chunks)) == (with_created(response), chunks)


def test_synthesised_boundaries():
    response = ModelResponse(
        content=(TextBlock(text="two  words\n"), ToolCallBlock(id="c", name="f", arguments={"city": "Zürich"}))
    )
    _, chunks = CHAT.decode_stream(sent(response, {}))
    assert chunks == ((0, 3), (0, 7), (0, 1), (1, 0), (1, 12), (1, 5))


@pytest.mark.parametrize("chunks", [((0, 3),), ((0, 4), (0, 9)), ((5, 1),), ((0, -1), (0, 6)), ((1, 2), (0, 5)), ()])
def test_boundaries_that_do_not_fit_the_text_are_set_aside(chunks):
    response = ModelResponse(content=(TextBlock(text="ab cd"),))
    assert CHAT.decode_stream(sent(response, {}, chunks))[1] == ((0, 2), (0, 3))


def test_a_call_that_no_boundary_opens_is_still_sent():
    response = ModelResponse(content=(ToolCallBlock(id="c", name="f", arguments_text=""),))
    assert CHAT.decode_stream(sent(response, {}, ()))[0].content == response.content


def test_usage_comes_only_when_asked_for():
    response = ModelResponse(content=(TextBlock(text="x"),), usage=Usage(input_tokens=1, output_tokens=2))
    assert all("usage" not in each for each in sent(response, {"stream_options": {"include_usage": False}}))
    *before, last = sent(response, USAGE)
    assert all(each["usage"] is None for each in before)
    assert (last["choices"], last["usage"]["total_tokens"]) == ([], 3)


@pytest.mark.parametrize(
    ("event", "place"),
    [
        ({"error": {"message": "overloaded"}}, "chunk 1: $.error"),
        (chunk({"function_call": {"name": "f"}}), "chunk 1: $.choices[0].delta.function_call"),
        (chunk({}) | {"choices": [{"index": 1, "delta": {}}]}, "chunk 1: $.choices[0].index"),
        (chunk({"content": ["x"]}), "chunk 1: $.choices[0].delta.content"),
        (chunk({"tool_calls": [{"index": 0, "type": "mcp"}]}), "chunk 1: $.choices[0].delta.tool_calls[0].type"),
        (chunk(call(0, "", id="other")), "chunk 1: $.choices[0].delta.tool_calls[0].id"),
        (chunk({}, message="x"), "chunk 1: $.message"),
    ],
)
def test_what_it_cannot_represent_is_refused_by_path(event, place):
    with pytest.raises(DialectError) as caught:
        CHAT.decode_stream([chunk(call(0, "", id="c0", name="f")), event])
    assert caught.value.place == place

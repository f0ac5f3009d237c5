"""Messages streams: deltas merged, boundaries kept and made again."""

from __future__ import annotations

import json

import pytest

from runwright.dialects import DIALECTS, parse_stream_body
from runwright.errors import DialectError
from runwright.trace.model import (
    AudioBlock,
    ModelError,
    ModelRequest,
    ModelResponse,
    OtherBlock,
    RefusalBlock,
    Source,
    TextBlock,
    ThinkingBlock,
    ToolCallBlock,
    Usage,
)

MESSAGES = DIALECTS["anthropic.messages"]
REQUEST = ModelRequest(api="anthropic.messages", model="m")
PING = {"type": "ping"}


def start(**fields):
    message = {"id": "msg_1", "type": "message", "role": "assistant", "model": "m-1", "content": []}
    ending = {"stop_reason": None, "stop_sequence": None, "usage": {"input_tokens": 9, "output_tokens": 1}}
    return {"type": "message_start", "message": {**message, **ending, **fields}}


def opened(index, **block):
    return {"type": "content_block_start", "index": index, "content_block": block}


def delta(index, kind, **fields):
    return {"type": "content_block_delta", "index": index, "delta": {"type": kind, **fields}}


def text(index, *pieces):
    return [
        opened(index, type="text", text=""),
        *(delta(index, "text_delta", text=each) for each in pieces),
        stopped(index),
    ]


def stopped(index):
    return {"type": "content_block_stop", "index": index}


def end(reason="end_turn", *, usage=None, beside=None, **fields):
    told = {"stop_reason": reason, "stop_sequence": None, **fields}
    last = {"type": "message_delta", "delta": told, "usage": usage or {"output_tokens": 7}, **(beside or {})}
    return [last, {"type": "message_stop"}]


def sent(response, chunks=None):
    """What a client receives, through the bytes; every event goes by its own name."""
    raw = b"".join(MESSAGES.encode_stream(response, {"model": "m"}, chunks))
    for event in raw.decode().split("\n\n")[:-1]:
        name, data = event.split("\n")
        assert name == f"event: {json.loads(data.removeprefix('data: '))['type']}"
    return list(parse_stream_body(raw).values)


def again(response, chunks):
    return MESSAGES.decode_stream(sent(response, chunks))


def test_text_and_usage():
    events = [start(), *text(0, "Héllo", " \U0001f600")[:2], PING, *text(0, "Héllo", " \U0001f600")[2:], *end()]
    response, chunks = MESSAGES.decode_stream(events)
    assert response == ModelResponse(
        content=(TextBlock(text="Héllo \U0001f600"),),
        stop_reason="end_turn",
        usage=Usage(input_tokens=9, output_tokens=7),
        id="msg_1",
        model="m-1",
    )
    assert chunks == ((0, 5), (0, 2))
    assert again(response, chunks) == (response, chunks)


def test_the_events_that_are_served_are_the_ones_that_came():
    events = [start(usage={"input_tokens": 9, "output_tokens": 0}), *text(0, "a", "b"), *text(1, "c"), *end()]
    events[-2]["usage"]["input_tokens"] = 9
    response, chunks = MESSAGES.decode_stream(events)
    assert sent(response, chunks) == events


def test_thinking_its_signature_and_what_is_redacted():
    events = [
        start(),
        opened(0, type="thinking", thinking="", signature=""),
        delta(0, "thinking_delta", thinking="h"),
        delta(0, "thinking_delta", thinking="m"),
        delta(0, "signature_delta", signature="c2ln"),
        stopped(0),
        opened(1, type="redacted_thinking", data="b3BhcXVl"),
        stopped(1),
        *text(2, "so"),
        *end(),
    ]
    response, chunks = MESSAGES.decode_stream(events)
    assert response.content == (
        ThinkingBlock(text="hm", signature="c2ln"),
        ThinkingBlock(text="b3BhcXVl", redacted=True),
        TextBlock(text="so"),
    )
    assert chunks == ((0, 1), (0, 1), (2, 2))
    assert sent(response, chunks)[1:-2] == events[1:-2]


def test_a_signature_alone_and_none_at_all():
    for block, deltas, signature in (
        ({"signature": ""}, [delta(0, "signature_delta", signature="c2ln")], "c2ln"),
        ({"signature": ""}, [], ""),
        ({}, [], None),
    ):
        events = [start(), opened(0, type="thinking", thinking="", **block), *deltas, stopped(0), *end()]
        response, chunks = MESSAGES.decode_stream(events)
        assert response.content == (ThinkingBlock(text="", signature=signature),)
        assert sent(response, chunks)[1:-2] == events[1:-2]


def test_parallel_calls_and_the_text_of_their_input():
    events = [
        start(),
        opened(0, type="tool_use", id="toolu_1", name="f", input={}, caller={"type": "direct"}),
        delta(0, "input_json_delta", partial_json=""),
        delta(0, "input_json_delta", partial_json='{"city": "Zü'),
        delta(0, "input_json_delta", partial_json='rich"}'),
        stopped(0),
        opened(1, type="tool_use", id="toolu_2", name="g", input={}),
        delta(1, "input_json_delta", partial_json=""),
        delta(1, "input_json_delta", partial_json='{"b":1}'),
        stopped(1),
        *end("tool_use"),
    ]
    response, chunks = MESSAGES.decode_stream(events)
    assert response.content == (
        ToolCallBlock(
            id="toolu_1",
            name="f",
            arguments={"city": "Zürich"},
            arguments_text='{"city": "Zürich"}',
            extra={"caller": {"type": "direct"}},
        ),
        ToolCallBlock(id="toolu_2", name="g", arguments={"b": 1}),
    )
    assert response.stop_reason == "tool_calls"
    assert chunks == ((0, 0), (0, 12), (0, 6), (1, 0), (1, 7))
    assert sent(response, chunks)[1:-2] == events[1:-2]


@pytest.mark.parametrize(
    ("block", "pieces", "value", "sizes"),
    [
        ({"input": {}}, [], {}, (0,)),
        ({"input": {}}, ["{}"], {}, (0, 2)),
        ({"input": {"a": 1}}, [], {"a": 1}, (0, 7)),
        ({"input": {"a": 1}}, ['{"b"', ":2}"], {"b": 2}, (0, 4, 3)),
    ],
)
def test_the_input_is_its_pieces_and_without_any_what_the_start_said(block, pieces, value, sizes):
    deltas = [delta(0, "input_json_delta", partial_json=each) for each in pieces]
    events = [start(), opened(0, type="tool_use", id="a", name="f", **block), *deltas, stopped(0), *end("tool_use")]
    response, chunks = MESSAGES.decode_stream(events)
    assert response.content == (ToolCallBlock(id="a", name="f", arguments=value),)
    assert chunks == tuple((0, size) for size in sizes)
    assert again(response, chunks) == (response, chunks)


def test_an_input_that_stops_short_is_kept_as_the_text_that_came():
    events = [
        start(),
        opened(0, type="tool_use", id="a", name="f", input={}),
        delta(0, "input_json_delta", partial_json='{"a'),
        stopped(0),
        *end("max_tokens"),
    ]
    response, chunks = MESSAGES.decode_stream(events)
    assert response.content == (ToolCallBlock(id="a", name="f", arguments_text='{"a'),)
    assert again(response, chunks) == (response, chunks)


def test_citations_come_with_their_text():
    cited = [{"type": "char_location", "cited_text": each} for each in "ab"]
    events = [
        start(),
        opened(0, type="text", text="", citations=[]),
        *(delta(0, "citations_delta", citation=each) for each in cited),
        delta(0, "text_delta", text="so"),
        stopped(0),
        *end(),
    ]
    response, chunks = MESSAGES.decode_stream(events)
    assert response.content == (TextBlock(text="so", extra={"citations": cited}),)
    assert sent(response, chunks)[1:-2] == events[1:-2]


def test_the_provider_s_own_blocks():
    events = [
        start(),
        opened(0, type="server_tool_use", id="srvtoolu_1", name="web_search", input={}),
        delta(0, "input_json_delta", partial_json='{"query":'),
        delta(0, "input_json_delta", partial_json='"q"}'),
        stopped(0),
        opened(1, type="web_search_tool_result", tool_use_id="srvtoolu_1", content=[{"url": "u"}]),
        stopped(1),
        opened(2, type="compaction", content=None),
        delta(2, "compaction_delta", content="what was said"),
        stopped(2),
        *text(3, "so"),
        *end(),
    ]
    response, chunks = MESSAGES.decode_stream(events)
    assert response.content == (
        OtherBlock(kind="server_tool_use", extra={"id": "srvtoolu_1", "name": "web_search", "input": {"query": "q"}}),
        OtherBlock(kind="web_search_tool_result", extra={"tool_use_id": "srvtoolu_1", "content": [{"url": "u"}]}),
        OtherBlock(kind="compaction", extra={"content": "what was said"}),
        TextBlock(text="so"),
    )
    served = sent(response, chunks)
    assert [each for each in served[1:-2] if each.get("delta", {}).get("type") != "input_json_delta"] == [
        each for each in events[1:-2] if each.get("delta", {}).get("type") != "input_json_delta"
    ]
    assert MESSAGES.decode_stream(served) == (response, chunks)


def test_a_stream_says_what_the_buffered_body_says():
    body = {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "model": "m-1",
        "content": [{"type": "text", "text": "hi"}],
        "stop_reason": "stop_sequence",
        "stop_sequence": "END",
        "container": {"id": "c"},
        "context_management": {"applied_edits": []},
        "usage": {"input_tokens": 9, "output_tokens": 7, "cache_read_input_tokens": 4, "service_tier": "standard"},
    }
    usage = {"input_tokens": 9, "cache_read_input_tokens": 0, "service_tier": "standard", "output_tokens": 1}
    told = {"output_tokens": 7, "cache_read_input_tokens": 4, "server_tool_use": None}
    context = {"context_management": {"applied_edits": []}}
    events = [
        start(usage=usage),
        *text(0, "hi"),
        *end("stop_sequence", usage=told, beside=context, stop_sequence="END", container={"id": "c"}),
    ]
    response, chunks = MESSAGES.decode_stream(events)
    buffered = MESSAGES.decode_response(body)
    assert response.usage.details == {**buffered.usage.details, "server_tool_use": None}
    assert response.extra == buffered.extra
    assert (response.content, response.stop_reason) == (buffered.content, buffered.stop_reason)
    assert again(buffered, chunks) == (buffered, chunks)
    last = sent(buffered)[-2]
    assert last["delta"] == {"stop_reason": "stop_sequence", "stop_sequence": "END", "container": {"id": "c"}}
    assert last["context_management"] == {"applied_edits": []}


def test_a_message_that_starts_with_content():
    held = {"type": "tool_use", "id": "toolu_1", "name": "f", "input": {"a": 1}}
    response, chunks = MESSAGES.decode_stream([start(content=[held]), *text(1, "hi"), *end("tool_use")])
    assert response.content == (ToolCallBlock(id="toolu_1", name="f", arguments={"a": 1}), TextBlock(text="hi"))
    assert again(response, chunks)[0] == response


def test_a_stream_that_was_cut_has_no_stop_reason():
    response, chunks = MESSAGES.decode_stream([start(), *text(0, "Héllo")[:2]])
    assert (response.stop_reason, response.content, chunks) == (None, (TextBlock(text="Héllo"),), ((0, 5),))
    assert MESSAGES.decode_stream([PING]) == (ModelResponse(), ())


def test_synthesised_boundaries():
    response = ModelResponse(
        content=(TextBlock(text="two  words\n"), ToolCallBlock(id="c", name="f", arguments={"city": "Zürich"}))
    )
    _, chunks = MESSAGES.decode_stream(sent(response))
    assert chunks == ((0, 3), (0, 7), (0, 1), (1, 0), (1, 12), (1, 5))


@pytest.mark.parametrize(
    "chunks", [((0, 3),), ((0, 4), (0, 9)), ((5, 1),), ((0, -1), (0, 6)), ((1, 2), (0, 5)), (), ((0, 5), (-1, 0))]
)
def test_boundaries_that_do_not_fit_the_text_are_set_aside(chunks):
    response = ModelResponse(content=(TextBlock(text="ab cd"),))
    assert MESSAGES.decode_stream(sent(response, chunks))[1] == ((0, 2), (0, 3))


def test_boundaries_must_fit_every_block():
    response = ModelResponse(content=(TextBlock(text="ab cd"), TextBlock(text="ef")))
    assert MESSAGES.decode_stream(sent(response, ((0, 5), (1, 1))))[1] == ((0, 2), (0, 3), (1, 2))
    assert MESSAGES.decode_stream(sent(response, ((0, 5), (1, 1), (1, 1))))[1] == ((0, 5), (1, 1), (1, 1))


def test_what_has_no_form_is_refused_before_the_first_byte():
    for block in (RefusalBlock(text="x"), AudioBlock(source=Source(kind="url", data="x"))):
        with pytest.raises(DialectError):
            MESSAGES.encode_stream(ModelResponse(content=(block,)), {}, None)


# --- streams that break off ---------------------------------------------------------------------

OVERLOADED = {"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}}


def broken(response, chunks=None):
    error = ModelError(message="Overloaded", status=200, kind="overloaded_error", body=OVERLOADED)
    assert MESSAGES.encode_break is not None
    return list(parse_stream_body(b"".join(MESSAGES.encode_break(response, error, {"model": "m"}, chunks))).values)


def test_what_came_before_the_error_and_the_error():
    events = [start(usage={"input_tokens": 9, "output_tokens": 0}), *text(0, "a", "b")[:3]]
    response, chunks = MESSAGES.decode_stream(events)
    assert broken(response, chunks) == [*events, OVERLOADED]


def test_an_error_before_any_content_and_before_everything():
    response, chunks = MESSAGES.decode_stream([start(usage={"input_tokens": 9, "output_tokens": 0})])
    assert [each["type"] for each in broken(response, chunks)] == ["message_start", "error"]
    assert broken(None) == [OVERLOADED]


# --- what is refused ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("event", "place"),
    [
        (OVERLOADED, "event 2: $.error"),
        (start(), "event 2: $.type"),
        ({"type": "message_middle"}, "event 2: $.type"),
        ({"index": 0}, "event 2: $.type"),
        (opened(2, type="text", text=""), "event 2: $.index"),
        (opened("1", type="text", text=""), "event 2: $.index"),
        (opened(1, type="text"), "event 2: $.content_block.text"),
        ({"type": "content_block_start", "index": 1}, "event 2: $.content_block"),
        (delta(1, "text_delta", text="x"), "event 2: $.index"),
        (stopped(1), "event 2: $.index"),
        (delta(0, "text_delta", text=["x"]), "event 2: $.delta.text"),
        (delta(0, "text_delta", text="x", tone="odd"), "event 2: $.delta.tone"),
        (delta(0, "thinking_delta", thinking="x"), "event 2: $.delta.type"),
        (delta(0, "input_json_delta", partial_json="x"), "event 2: $.delta.type"),
        (delta(0, "delta_of_next_year"), "event 2: $.delta.type"),
        ({"type": "message_delta", "delta": None}, "event 2: $.delta"),
        ({"type": "message_delta", "delta": {}, "usage": 3}, "event 2: $.usage"),
    ],
)
def test_what_it_cannot_represent_is_refused_by_path(event, place):
    with pytest.raises(DialectError) as caught:
        MESSAGES.decode_stream([start(), opened(0, type="text", text=""), event])
    assert caught.value.place == place


def test_content_before_the_message_or_after_its_block_is_refused():
    with pytest.raises(DialectError, match="before the message starts"):
        MESSAGES.decode_stream([opened(0, type="text", text="")])
    with pytest.raises(DialectError, match="block 0 is not open"):
        MESSAGES.decode_stream([start(), *text(0, "a"), delta(0, "text_delta", text="b")])


def test_a_provider_s_input_that_stops_short_is_refused():
    with pytest.raises(DialectError, match="no JSON"):
        MESSAGES.decode_stream(
            [
                start(),
                opened(0, type="server_tool_use", id="a", name="f", input={}),
                delta(0, "input_json_delta", partial_json='{"a'),
            ]
        )

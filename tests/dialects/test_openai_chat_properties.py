"""Chat Completions: what is encoded decodes to the same, for any value the model can hold."""

from __future__ import annotations

import json

from hypothesis import given, settings, strategies as st

from runwright.dialects import DIALECTS
from runwright.dialects.openai_chat.calls import call_of
from runwright.trace.model import (
    AudioBlock,
    FileBlock,
    ImageBlock,
    Message,
    ModelRequest,
    ModelResponse,
    RefusalBlock,
    Source,
    TextBlock,
    ThinkingBlock,
    ToolCallBlock,
    ToolResultBlock,
    ToolSpec,
    Usage,
)
from tests.dialects.properties import (
    COUNTS,
    FIELDS,
    JSON,
    NAME,
    TEXT,
    assert_a_request_comes_back,
    assert_a_response_comes_back,
    assert_a_stream_comes_back,
)

CHAT = DIALECTS["openai.chat_completions"]
CACHE = st.none() | st.just({"type": "ephemeral"}) | st.just({"prompt_cache_breakpoint": {"mode": "explicit"}})

texts = st.builds(TextBlock, text=TEXT, cache=CACHE, extra=FIELDS)
images = st.builds(
    ImageBlock,
    source=st.builds(Source, kind=st.just("url"), data=TEXT.filter(lambda text: not text.startswith("data:")))
    | st.builds(Source, kind=st.just("base64"), data=TEXT, media_type=st.just("image/png")),
    detail=st.none() | st.sampled_from(["low", "auto"]),
    cache=CACHE,
)
audio = st.builds(AudioBlock, source=st.builds(Source, kind=st.just("base64"), data=TEXT), format=st.none() | NAME)
files = st.builds(
    FileBlock,
    source=st.builds(Source, kind=st.just("file_id"), data=NAME)
    | st.builds(Source, kind=st.just("base64"), data=TEXT, media_type=st.none() | st.just("text/csv")).filter(
        lambda source: not (source.media_type is None and source.data.startswith("data:"))
    ),
    name=st.none() | TEXT,
    cache=CACHE,
    extra=FIELDS,
)
refusals = st.builds(RefusalBlock, text=TEXT)
calls = st.builds(ToolCallBlock, id=NAME, name=NAME, arguments=JSON) | st.builds(
    call_of, NAME, st.sampled_from(["function", "custom"]), NAME, TEXT
)
marked_calls = st.builds(
    lambda call, cache: call_of(call.id, "custom", call.name, "x", cache), calls, st.just({"type": "ephemeral"})
)
results = st.builds(
    lambda call_id, content, cache: ToolResultBlock(call_id=call_id, content=tuple(content), cache=cache),
    NAME,
    st.lists(texts | images, max_size=3),
    st.none() | st.just({"type": "ephemeral"}),
)


@st.composite
def turns(draw):
    """The content of an assistant message in normal order: reasoning, content, refusal, audio reference, calls."""
    blocks = draw(st.lists(st.builds(ThinkingBlock, text=TEXT), max_size=1))
    blocks += draw(st.lists(texts | refusals, max_size=3))
    blocks += draw(
        st.lists(st.builds(AudioBlock, source=st.builds(Source, kind=st.just("file_id"), data=NAME)), max_size=1)
    )
    return (*blocks, *draw(st.lists(calls | marked_calls, max_size=3)))


def spoken(role):
    content = st.lists(texts | images | audio | files | refusals, max_size=3).map(tuple)
    return st.builds(Message, role=st.just(role), content=content, name=st.none() | NAME)


messages = st.one_of(
    spoken("system"),
    spoken("developer"),
    spoken("user"),
    st.builds(Message, role=st.just("assistant"), content=turns(), name=st.none() | NAME),
    st.builds(Message, role=st.just("tool"), content=st.tuples(results), name=st.none() | NAME),
)
tools = st.builds(ToolSpec, name=NAME, description=st.none() | TEXT, parameters=JSON, extra=FIELDS) | st.builds(
    ToolSpec, name=NAME, kind=st.just("custom"), description=st.none() | TEXT, extra=FIELDS
)
requests = st.builds(
    ModelRequest,
    api=st.just("openai.chat_completions"),
    provider=st.just("openai"),
    model=NAME,
    parameters=FIELDS,
    messages=st.lists(messages, max_size=4).map(tuple),
    tools=st.lists(tools, max_size=2).map(tuple),
)
usages = st.builds(
    Usage,
    **COUNTS,
    details=st.dictionaries(st.just("prompt_tokens_details"), FIELDS, max_size=1),
)


def responses(content):
    extra = st.fixed_dictionaries(
        {"created": st.integers(0, 9)},
        optional={
            "system_fingerprint": NAME,
            "logprobs": st.just({"content": [{"token": "x"}]}),
            "choice": st.just({"content_filter_results": {"hate": False}}),
            "message": st.just({"reasoning_details": [{"text": "y"}]}),
        },
    )
    return st.builds(
        ModelResponse,
        content=content,
        stop_reason=st.sampled_from(["end_turn", "tool_calls", "length", "content_filter"]),
        usage=usages,
        id=NAME,
        model=NAME,
        extra=extra,
    )


@given(requests, st.booleans())
@settings(max_examples=200)
def test_a_request_comes_back(request, streamed):
    assert_a_request_comes_back(CHAT, request, streamed)


@given(
    responses(
        st.lists(texts | refusals, max_size=3).flatmap(
            lambda head: st.lists(calls, max_size=2).map(lambda tail: (*head, *tail))
        )
    )
)
def test_a_response_comes_back(response):
    assert_a_response_comes_back(CHAT, response)


@st.composite
def streamable(draw):
    """What deltas can carry: at most one block of each kind of text."""
    blocks = draw(st.lists(st.builds(ThinkingBlock, text=TEXT), max_size=1))
    blocks += draw(st.lists(st.builds(TextBlock, text=TEXT), max_size=1))
    blocks += draw(st.lists(refusals, max_size=1))
    return (*blocks, *draw(st.lists(calls, max_size=3)))


@given(responses(streamable()))
@settings(max_examples=200)
def test_a_stream_comes_back_and_so_do_its_boundaries(response):
    assert_a_stream_comes_back(CHAT, response, {"stream_options": {"include_usage": True}})


@given(st.text(max_size=20) | JSON.map(json.dumps))
def test_any_argument_text_comes_back_exactly(text):
    wire = {"id": "c", "type": "function", "function": {"name": "f", "arguments": text}}
    body = {"model": "m", "messages": [{"role": "assistant", "content": None, "tool_calls": [wire]}]}
    request, _ = CHAT.decode_request(body)
    assert CHAT.encode_request(request, False) == body

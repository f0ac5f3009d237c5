"""Messages: what is encoded decodes to the same, for any value the model can hold; no body breaks the reader."""

from __future__ import annotations

import contextlib
import json
from itertools import pairwise

from hypothesis import given, settings, strategies as st

from runwright.dialects import DIALECTS
from runwright.dialects.arguments import arguments_of
from runwright.errors import DialectError
from runwright.trace.model import (
    FileBlock,
    ImageBlock,
    Message,
    ModelRequest,
    ModelResponse,
    OtherBlock,
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
    NOT_NULL,
    OBJECT,
    SAID,
    TEXT,
    anything,
    assert_a_request_comes_back,
    assert_a_response_comes_back,
    assert_a_stream_comes_back,
    assert_an_error_has_a_status,
    assert_streams_are_read_or_refused,
    assert_what_is_read_of_requests_comes_back,
    events_of,
    mixed,
)

MESSAGES = DIALECTS["anthropic.messages"]
CACHE = st.none() | st.sampled_from([{"type": "ephemeral"}, {"type": "ephemeral", "ttl": "1h"}])


def source(kind, *media):
    return st.builds(Source, kind=st.just(kind), data=TEXT, media_type=st.sampled_from([None, *media]))


LINKED = source("url") | source("file_id") | source("base64", "image/png")
texts = st.builds(TextBlock, text=TEXT, cache=CACHE, extra=SAID)
images = st.builds(ImageBlock, source=LINKED, cache=CACHE, extra=SAID)
documents = st.builds(
    FileBlock,
    source=LINKED | source("text", "text/plain"),
    name=st.none() | TEXT,
    cache=CACHE,
    extra=SAID,
)
of_content = st.builds(
    lambda name, extra, content: FileBlock(
        source=Source(kind="text", data=""), name=name, extra={**extra, "content": content}
    ),
    st.none() | TEXT,
    SAID,
    st.lists(OBJECT, max_size=2),
)
searches = st.builds(
    lambda where, name, extra, content: FileBlock(
        source=where, name=name, extra={"type": "search_result", **extra, "content": content}
    ),
    source("url"),
    st.none() | TEXT,
    SAID,
    st.lists(OBJECT, max_size=2),
)
uploads = st.builds(FileBlock, source=source("file_id"), cache=CACHE, extra=st.just({"type": "container_upload"}))
others = st.builds(
    OtherBlock,
    kind=st.sampled_from(["server_tool_use", "web_search_tool_result", "fallback", "block_of_next_year"]),
    cache=CACHE,
    extra=FIELDS,
)
thinking = st.builds(ThinkingBlock, text=TEXT, signature=st.none() | TEXT) | st.builds(
    ThinkingBlock, text=TEXT, redacted=st.just(True)
)
calls = st.builds(ToolCallBlock, id=NAME, name=NAME, arguments=OBJECT, cache=CACHE, extra=SAID)
told = st.lists(texts | images | documents | of_content | searches | others, max_size=3).map(tuple)
results = st.builds(
    ToolResultBlock, call_id=NAME, content=told, is_error=st.none() | st.booleans(), cache=CACHE, extra=SAID
)
blocks = texts | images | documents | of_content | searches | uploads | others | thinking | calls | results
messages = st.builds(
    Message,
    role=st.sampled_from(["user", "assistant", "system"]),
    content=st.lists(blocks, max_size=4).map(tuple),
)
tools = st.builds(ToolSpec, name=NAME, description=st.none() | TEXT, parameters=JSON, extra=FIELDS) | st.builds(
    ToolSpec, name=NAME, kind=st.just("web_search_20250305"), extra=FIELDS
)


@st.composite
def requests(draw):
    """A request whose first message is the system prompt, or no system message."""
    said = draw(st.lists(messages, max_size=4))
    prompt = draw(st.lists(texts, min_size=1, max_size=2) | st.none())
    if prompt or (said and said[0].role == "system"):
        said.insert(0, Message(role="system", content=tuple(prompt or ())))
    return ModelRequest(
        api="anthropic.messages",
        provider="anthropic",
        model=draw(NAME),
        parameters=draw(FIELDS),
        messages=tuple(said),
        tools=tuple(draw(st.lists(tools, max_size=2))),
    )


def responses(content):
    return st.builds(
        ModelResponse,
        content=content,
        stop_reason=st.sampled_from(["end_turn", "tool_calls", "length", "stop_sequence", "pause", "refusal"]),
        usage=st.builds(
            Usage,
            **COUNTS,
            details=st.dictionaries(
                st.sampled_from(["cache_read_input_tokens", "service_tier", "server_tool_use"]), JSON, max_size=2
            ),
        ),
        id=NAME,
        model=NAME,
        extra=st.dictionaries(
            st.sampled_from(["stop_sequence", "container", "context_management", "stop_details", "diagnostics"]),
            NOT_NULL,
            max_size=2,
        ),
    )


@given(requests(), st.booleans())
@settings(max_examples=200)
def test_a_request_comes_back(request, streamed):
    assert_a_request_comes_back(MESSAGES, request, streamed)


@given(responses(st.lists(texts | thinking | others | calls | uploads, max_size=4).map(tuple)))
def test_a_response_comes_back(response):
    assert_a_response_comes_back(MESSAGES, response)


@st.composite
def streamed_calls(draw):
    """A call whose input came as any text; the empty one says `{}`."""
    text = draw(TEXT.filter(bool) | JSON.map(json.dumps))
    value, kept = arguments_of(text)
    return ToolCallBlock(id=draw(NAME), name=draw(NAME), arguments=value, arguments_text=kept, extra=draw(SAID))


@given(responses(st.lists(texts | thinking | others | calls | streamed_calls(), max_size=4).map(tuple)))
@settings(max_examples=200)
def test_a_stream_comes_back_and_so_do_its_boundaries(response):
    assert_a_stream_comes_back(MESSAGES, response, {"model": "m"})


@given(st.text(st.characters(exclude_categories=["Cs"]), min_size=1), st.data())
def test_any_boundaries_that_fit_are_kept(text, data):
    cuts = sorted([0, len(text), *data.draw(st.lists(st.integers(1, len(text)), unique=True, max_size=6))])
    chunks = tuple((0, there - here) for here, there in pairwise(cuts) if there > here)
    response = ModelResponse(content=(TextBlock(text=text),), stop_reason="end_turn")
    assert MESSAGES.decode_stream(events_of(MESSAGES, response, {"model": "m"}, chunks))[1] == chunks


# --- bodies that nobody sends -------------------------------------------------------------------

VOCABULARY = (
    "type text image document tool_use tool_result thinking redacted_thinking search_result container_upload source "
    "base64 url file content data input id name tool_use_id is_error cache_control system user assistant role model "
    "messages tools stream usage stop_reason citations index delta content_block message message_start ping error "
    "content_block_start content_block_delta content_block_stop message_delta text_delta thinking_delta "
    "input_json_delta signature_delta citations_delta compaction compaction_delta partial_json input_tokens"
)
WORDS = st.sampled_from(VOCABULARY.split())
ANYTHING = anything(WORDS)
BLOCKS = st.fixed_dictionaries(
    {"type": WORDS},
    optional={
        **dict.fromkeys(["text", "id", "name", "tool_use_id", "thinking", "data"], TEXT),
        **dict.fromkeys(["input", "source", "content", "is_error", "title", "cache_control"], ANYTHING),
    },
)
BODIES = st.dictionaries(WORDS, ANYTHING, max_size=6)


@given(BODIES, st.lists(st.dictionaries(st.sampled_from(["role", "content"]), ANYTHING, max_size=2), max_size=3))
@settings(max_examples=300)
def test_no_request_breaks_the_reader_and_what_it_reads_comes_back(body, said):
    assert_what_is_read_of_requests_comes_back(
        MESSAGES, body, {"model": "m", "messages": said}, {**body, "model": "m", "messages": said}
    )


@given(st.lists(BLOCKS, max_size=3))
@settings(max_examples=300)
def test_no_block_breaks_the_reader_and_what_it_reads_comes_back(content):
    asked = {"model": "m", "messages": [{"role": "user", "content": content}]}
    assert_what_is_read_of_requests_comes_back(MESSAGES, asked)


@given(BODIES, ANYTHING)
@settings(max_examples=300)
def test_no_response_and_no_error_breaks_the_reader(body, content):
    for wire in (body, {**body, "type": "message", "role": "assistant", "content": content}):
        with contextlib.suppress(DialectError):
            read = MESSAGES.decode_response(wire)
            MESSAGES.encode_response(read, ModelRequest(api="anthropic.messages", model="m"))
    assert_an_error_has_a_status(MESSAGES, content)


@given(st.lists(BODIES, max_size=5), st.randoms(use_true_random=False))
@settings(max_examples=300)
def test_no_stream_breaks_the_reader(events, random):
    known = [
        {"type": "message_start", "message": {}},
        {"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}},
        {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": "x"}},
        {"type": "content_block_stop", "index": 0},
        {"type": "message_delta", "delta": {"stop_reason": "end_turn"}},
    ]
    some = mixed(known, events, random)
    assert_streams_are_read_or_refused(MESSAGES, events, some, [known[0], *some])

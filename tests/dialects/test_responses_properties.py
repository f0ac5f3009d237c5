"""Responses: what is encoded decodes to the same, for any value the wire can say; no body breaks the reader."""

from __future__ import annotations

import contextlib
import json

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

RESPONSES = DIALECTS["openai.responses"]
ITEM = st.fixed_dictionaries({"item": SAID})
CACHE = st.none() | st.just({"prompt_cache_breakpoint": {"mode": "explicit"}})
NAMED = st.builds(Source, kind=st.just("file_id"), data=NAME)

texts = st.builds(TextBlock, text=TEXT, cache=CACHE, extra=SAID)
refusals = st.builds(RefusalBlock, text=TEXT, extra=SAID)
images = st.builds(ImageBlock, source=NAMED, detail=st.none() | NAME, cache=CACHE, extra=SAID)
files = st.builds(FileBlock, source=NAMED, name=st.none() | TEXT, cache=CACHE, extra=SAID)
strange = st.builds(lambda kind, extra: OtherBlock(kind=kind, extra={**extra, "item": None}), st.just("annex"), FIELDS)
parts = texts | refusals | images | files | strange


@st.composite
def said(draw, roles=("user", "assistant", "developer"), *, output=False):
    """The role and the blocks of a message: the first holds its fields, always in an output."""
    blocks = draw(st.lists(parts, min_size=1, max_size=3))
    if output or isinstance(blocks[0], OtherBlock) or draw(st.booleans()):
        fields = draw(SAID if output or isinstance(blocks[0], OtherBlock) else SAID.filter(bool))
        fields = {"id": "msg_1", "status": "completed", **fields} if output else fields
        blocks[0] = type(blocks[0])(**{**_fields(blocks[0]), "extra": {**blocks[0].extra, "item": fields}})
    return draw(st.sampled_from(roles)), tuple(blocks)


def _fields(block):
    return {name: getattr(block, name) for name in block.__struct_fields__}


@st.composite
def thoughts(draw):
    fields = {"id": "rs_1", **draw(SAID)}
    summary = [(text, {} if text else {"type": "summary_text"}) for text in draw(st.lists(TEXT, max_size=2))]
    content = [(text, {"type": "reasoning_text"}) for text in draw(st.lists(TEXT, max_size=2))]
    [(text, kind), *more] = [*summary, *content] or [("", {})]
    first = ThinkingBlock(text=text, signature=draw(st.none() | TEXT), extra={**kind, "item": fields})
    return (first, *(ThinkingBlock(text=text, extra=kind) for text, kind in more))


@st.composite
def calls(draw):
    """A call whose arguments came as any text."""
    if draw(st.booleans()):
        return (ToolCallBlock(id=draw(NAME), name=draw(NAME), kind="custom", arguments=draw(TEXT), extra=draw(SAID)),)
    value, kept = arguments_of(draw(TEXT | JSON.map(json.dumps)))
    return (ToolCallBlock(id=draw(NAME), name=draw(NAME), arguments=value, arguments_text=kept, extra=draw(SAID)),)


results = st.builds(
    ToolResultBlock,
    call_id=NAME,
    content=st.lists(texts | images | files, max_size=2).map(tuple),
    extra=SAID | SAID.map(lambda extra: {"type": "custom_tool_call_output", **extra}),
)
own = st.builds(OtherBlock, kind=st.sampled_from(["web_search_call", "mcp_call", "item_of_next_year"]), extra=FIELDS)
messages = (
    said().map(lambda each: Message(role=each[0], content=each[1]))
    | (thoughts() | calls() | own.map(lambda block: (block,))).map(lambda each: Message(role="assistant", content=each))
    | results.map(lambda block: Message(role="tool", content=(block,)))
)
tools = st.builds(ToolSpec, name=NAME, description=st.none() | TEXT, parameters=JSON, extra=FIELDS) | st.builds(
    lambda extra: ToolSpec(name="mcp", kind="mcp", extra={"name": None, **extra}), FIELDS
)


@st.composite
def requests(draw):
    asked = draw(st.lists(messages, max_size=4))
    prompt = draw(st.none() | TEXT)
    if prompt is not None:
        asked.insert(0, Message(role="system", content=(TextBlock(text=prompt),)))
    return ModelRequest(
        api="openai.responses",
        provider="openai",
        model=draw(NAME),
        parameters=draw(FIELDS),
        messages=tuple(asked),
        tools=tuple(draw(st.lists(tools, max_size=2))),
    )


@st.composite
def responses(draw):
    items = said(("assistant",), output=True).map(lambda each: each[1]) | thoughts() | calls()
    content = tuple(
        block for item in draw(st.lists(items | own.map(lambda block: (block,)), max_size=4)) for block in item
    )
    ended = "tool_calls" if any(isinstance(block, ToolCallBlock) for block in content) else "end_turn"
    return ModelResponse(
        content=content,
        stop_reason=draw(st.sampled_from([ended, "length", "content_filter"])),
        usage=draw(st.none() | st.builds(Usage, **COUNTS)),
        id=draw(NAME),
        model=draw(NAME),
        extra=draw(SAID),
    )


@given(requests(), st.booleans())
@settings(max_examples=200)
def test_a_request_comes_back(request, streamed):
    assert_a_request_comes_back(RESPONSES, request, streamed)


@given(responses())
@settings(max_examples=200)
def test_a_response_comes_back_buffered_and_streamed_and_so_do_its_boundaries(response):
    assert_a_response_comes_back(RESPONSES, response)
    for chunks in (None, assert_a_stream_comes_back(RESPONSES, response, {"model": "m"})):
        cut = RESPONSES.decode_stream(events_of(RESPONSES, response, {"model": "m"}, chunks)[:-1])[0]
        assert cut.content == response.content, "the events alone say as much"


# --- bodies that nobody sends -------------------------------------------------------------------

VOCABULARY = (
    "type role content text input_text output_text refusal input_image image_url file_id detail input_file file_data "
    "file_url filename input_audio data format message reasoning summary summary_text reasoning_text encrypted_content "
    "function_call custom_tool_call arguments input call_id name function_call_output output id status item "
    "annotations logprobs user assistant system model tools stream instructions function custom mcp usage "
    "input_tokens object "
    "response completed incomplete incomplete_details reason output_index content_index summary_index delta part "
    "response.created response.output_item.added response.output_item.done response.output_text.delta error event"
)
WORDS = st.sampled_from(VOCABULARY.split())
ANYTHING = anything(WORDS)
ITEMS = st.fixed_dictionaries(
    {"type": WORDS},
    optional={
        **dict.fromkeys(["id", "call_id", "name", "arguments", "input", "encrypted_content"], TEXT),
        **dict.fromkeys(["content", "summary", "output", "status", "role"], ANYTHING),
    },
)
BODIES = st.dictionaries(WORDS, ANYTHING, max_size=6)


@given(
    BODIES, st.lists(ITEMS | st.dictionaries(st.sampled_from(["role", "content"]), ANYTHING, max_size=2), max_size=3)
)
@settings(max_examples=400)
def test_no_request_breaks_the_reader_and_what_it_reads_comes_back(body, items):
    assert_what_is_read_of_requests_comes_back(
        RESPONSES, body, {"model": "m", "input": items}, {**body, "model": "m", "input": items}
    )


@given(BODIES, st.lists(ITEMS, max_size=3), ANYTHING)
@settings(max_examples=400)
def test_no_response_and_no_error_breaks_the_reader(body, items, wrong):
    request = ModelRequest(api="openai.responses", model="m")
    for wire in (body, {**body, "object": "response", "output": items}, {"output": items, "status": "completed"}):
        with contextlib.suppress(DialectError):
            read = RESPONSES.decode_response(wire)
            again = RESPONSES.decode_response(RESPONSES.encode_response(read, request))
            assert again.content == read.content or any("id" not in item for item in items), "ids are filled in"
            b"".join(RESPONSES.encode_stream(read, {}))
    assert_an_error_has_a_status(RESPONSES, wrong)


@given(st.lists(BODIES, max_size=6), st.randoms(use_true_random=False))
@settings(max_examples=400)
def test_no_stream_breaks_the_reader(events, random):
    item = {"type": "message", "id": "m", "role": "assistant", "content": []}
    known = [
        {"type": "response.created", "response": {}},
        {"type": "response.output_item.added", "output_index": 0, "item": item},
        {
            "type": "response.content_part.added",
            "output_index": 0,
            "content_index": 0,
            "part": {"type": "output_text", "text": ""},
        },
        {"type": "response.output_text.delta", "output_index": 0, "content_index": 0, "delta": "x"},
        {"type": "response.function_call_arguments.delta", "output_index": 0, "delta": "{"},
        {"type": "response.output_item.done", "output_index": 0, "item": item},
        {"type": "response.completed", "response": {"output": [item]}},
    ]
    some = mixed(known, events, random)
    assert_streams_are_read_or_refused(RESPONSES, events, some, [*known[:2], *some])

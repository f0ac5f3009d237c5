"""Gemini: what is encoded decodes to the same, for any value the wire can say; no body breaks the reader."""

from __future__ import annotations

import contextlib
import json
from itertools import pairwise

from hypothesis import given, settings, strategies as st

from runwright.dialects import DIALECTS
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
    NAME,
    NOT_NULL,
    OBJECT,
    TEXT,
    anything,
    assert_a_request_comes_back,
    assert_a_response_comes_back,
    assert_a_stream_comes_back,
    assert_an_error_has_a_status,
    assert_streams_are_read_or_refused,
    assert_what_is_read_of_requests_comes_back,
    events_of,
)

GEMINI = DIALECTS["gemini.generate_content"]
FIELDS = st.dictionaries(st.text("pqr", min_size=1, max_size=4), NOT_NULL, max_size=3)
SIGNED = st.just({}) | st.just({"thoughtSignature": "c2ln"})

texts = st.builds(TextBlock, text=TEXT, extra=SIGNED)
thoughts = st.builds(ThinkingBlock, text=TEXT, signature=st.none() | TEXT)
images = st.builds(
    ImageBlock, source=st.builds(Source, kind=st.just("base64"), data=TEXT, media_type=st.just("image/png"))
)
files = st.builds(
    FileBlock,
    source=st.builds(Source, kind=st.just("url"), data=TEXT, media_type=st.none() | st.just("video/mp4")),
    name=st.none() | TEXT,
    extra=st.just({}) | st.just({"videoMetadata": {"fps": 2}}),
)
calls = st.builds(ToolCallBlock, id=NAME, name=NAME, arguments=OBJECT, extra=SIGNED)
others = st.builds(lambda held: OtherBlock(kind="executableCode", extra={"executableCode": held}), NOT_NULL)
spoken = st.lists(texts | thoughts | images | files | calls | others, max_size=4)


@st.composite
def turns(draw):
    """What the model says, calls without an id numbered in it, and what it is told."""
    said, counts, told = draw(spoken), {}, []
    for name in draw(st.lists(st.sampled_from(["f", "g"]), max_size=3)):
        counts[name] = counts.get(name, 0) + 1
        id_ = name if counts[name] == 1 else f"{name}#{counts[name]}"
        said.append(ToolCallBlock(id=id_, name=name, arguments=draw(OBJECT), extra={"id": None, **draw(SIGNED)}))
        text = TextBlock(
            text=json.dumps(
                draw(st.dictionaries(NAME, st.integers(-9, 9), max_size=2)), separators=(",", ":"), sort_keys=True
            )
        )
        told.append(ToolResultBlock(call_id=id_, content=(text,), extra={"id": None, "name": name}))
    return Message(role="assistant", content=tuple(said)), Message(role="user", content=tuple(told))


tools = (
    st.builds(ToolSpec, name=NAME, description=st.none() | TEXT, parameters=st.none() | OBJECT, extra=FIELDS)
    | st.builds(
        lambda name, schema: ToolSpec(name=name, parameters=schema, extra={"parametersJsonSchema": True}), NAME, OBJECT
    )
    | st.builds(lambda extra: ToolSpec(name="googleSearch", kind="googleSearch", extra=extra), FIELDS)
)


@st.composite
def requests(draw):
    said = [message for turn in draw(st.lists(turns(), max_size=3)) for message in turn]
    if draw(st.booleans()):
        said.insert(0, Message(role="system", content=tuple(draw(st.lists(texts, max_size=2)))))
    return ModelRequest(
        api="gemini.generate_content",
        provider="google",
        model=draw(NAME),
        parameters=draw(FIELDS),
        messages=tuple(said),
        tools=tuple(draw(st.lists(tools, max_size=3))),
    )


@st.composite
def responses(draw):
    content = draw(turns())[0].content
    ended = "tool_calls" if any(isinstance(block, ToolCallBlock) for block in content) else "end_turn"
    usage = st.builds(Usage, **COUNTS)
    return ModelResponse(
        content=content,
        stop_reason=draw(st.sampled_from([ended, "length", "content_filter"])),
        usage=draw(st.none() | usage),
        id=draw(NAME),
        model=draw(NAME),
        extra=draw(FIELDS),
    )


def joined(content):
    """Whether texts stand side by side that a stream makes one of."""
    for one, other in pairwise(content):
        plain = isinstance(one, TextBlock | ThinkingBlock) and not one.extra
        if plain and type(one) is type(other) and getattr(one, "signature", None) is None:
            return True
    return False


@given(requests(), st.booleans())
@settings(max_examples=200)
def test_a_request_comes_back(request, streamed):
    assert_a_request_comes_back(GEMINI, request, streamed)


@given(responses())
@settings(max_examples=200)
def test_a_response_comes_back_buffered_and_streamed_and_so_do_its_boundaries(response):
    assert_a_response_comes_back(GEMINI, response)
    if not joined(response.content):
        for chunks in (None, assert_a_stream_comes_back(GEMINI, response, {"model": "m"})):
            assert GEMINI.is_end(events_of(GEMINI, response, {"model": "m"}, chunks)[-1])


# --- bodies that nobody sends -------------------------------------------------------------------

VOCABULARY = (
    "contents parts role text thought thoughtSignature thought_signature inlineData fileData mimeType data fileUri "
    "functionCall functionResponse name args id response willContinue partialArgs jsonPath stringValue numberValue "
    "boolValue nullValue executableCode user model function system systemInstruction tools functionDeclarations "
    "googleSearch parameters parametersJsonSchema generationConfig candidateCount candidates content finishReason "
    "index STOP MAX_TOKENS usageMetadata promptTokenCount promptFeedback blockReason error message status code"
)
WORDS = st.sampled_from(VOCABULARY.split())
ANYTHING = anything(WORDS)
BODIES = st.dictionaries(WORDS, ANYTHING, max_size=6)
CALLS = st.fixed_dictionaries({"name": WORDS}, optional={"args": ANYTHING, "id": WORDS, "response": OBJECT})
PARTS = st.lists(
    st.dictionaries(WORDS, ANYTHING, max_size=3)
    | st.builds(lambda call: {"functionCall": call}, CALLS)
    | st.builds(lambda call: {"functionResponse": call}, CALLS)
    | st.builds(lambda text: {"text": text}, TEXT),
    max_size=3,
)


@given(BODIES, PARTS, st.sampled_from(["user", "model", None, "function", "critic"]))
@settings(max_examples=400)
def test_no_request_breaks_the_reader_and_what_it_reads_comes_back(body, parts, role):
    contents = [{"role": role, "parts": parts}]
    assert_what_is_read_of_requests_comes_back(
        GEMINI, body, {"model": "m", "contents": contents}, {**body, "model": "m", "contents": contents}
    )


@given(BODIES, PARTS, ANYTHING)
@settings(max_examples=400)
def test_no_response_and_no_error_breaks_the_reader(body, parts, wrong):
    request = ModelRequest(api="gemini.generate_content", model="m")
    candidates = [{"content": {"parts": parts}, "finishReason": "STOP"}]
    for wire in (body, {**body, "candidates": candidates}, {"candidates": candidates}, {"candidates": [body]}):
        with contextlib.suppress(DialectError):
            read = GEMINI.decode_response(wire)
            assert GEMINI.decode_response(GEMINI.encode_response(read, request)).content == read.content
            b"".join(GEMINI.encode_stream(read, {}))
            b"".join(GEMINI.encode_break(read, GEMINI.decode_error(200, wrong), {}))
    assert_an_error_has_a_status(GEMINI, wrong)


PIECES = st.fixed_dictionaries(
    {
        "jsonPath": st.sampled_from(
            ["$.a", "$.a[0]", "$.a[7]", "$.a.b", "$", "$[0]", "x", "$.*", "$.a[99999999999999999999]"]
        )
    },
    optional={"stringValue": TEXT, "numberValue": st.integers(), "nullValue": st.none(), "willContinue": st.booleans()},
)


@given(st.lists(PARTS | st.lists(PIECES, max_size=2), max_size=5), st.booleans())
@settings(max_examples=400)
def test_no_stream_breaks_the_reader(bits, goes_on):
    parts = [
        bit
        if not bit or "jsonPath" not in bit[0]
        else [{"functionCall": {"partialArgs": bit, "willContinue": goes_on}}]
        for bit in bits
    ]
    begun = [{"functionCall": {"name": "f", "willContinue": True}}]
    events = [{"candidates": [{"content": {"parts": each}}]} for each in (begun, *parts)]
    assert_streams_are_read_or_refused(GEMINI, events, events[1:])

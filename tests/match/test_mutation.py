"""Every leaf of a known request is compared: change one, whichever, and the miss names it."""

from __future__ import annotations

import re

import hypothesis.strategies as st
import msgspec
from hypothesis import given, settings

from runwright.match import Miss, Served
from runwright.match.volatile import _SHAPES, template
from runwright.trace import find, format_path
from runwright.trace.model import (
    JSON,
    AudioBlock,
    FileBlock,
    ImageBlock,
    Message,
    ModelRequest,
    RefusalBlock,
    Source,
    TextBlock,
    ThinkingBlock,
    ToolCallBlock,
    ToolResultBlock,
    ToolSpec,
)
from tests.match.build import A, asks, exchange, matcher

words = st.text(st.sampled_from('ab cdé\n"\\{}[]:…😀'), min_size=1, max_size=12)
names = st.sampled_from(["look", "stock", "refund", "close"])
leaves = st.one_of(words, st.integers(-5, 5), st.booleans(), st.floats(0.125, 4.0, width=16))
values = st.recursive(
    leaves,
    lambda inner: st.one_of(
        st.lists(inner, min_size=1, max_size=3), st.dictionaries(words, inner, min_size=1, max_size=3)
    ),
    max_leaves=6,
)
objects = st.dictionaries(words, values, min_size=1, max_size=3)
sources = st.builds(Source, kind=st.just("base64"), data=words, media_type=words)
texts = st.builds(TextBlock, text=words)
blocks = st.one_of(
    texts,
    st.builds(ImageBlock, source=sources, detail=words),
    st.builds(AudioBlock, source=sources, format=words),
    st.builds(FileBlock, source=sources, name=words),
    st.builds(ThinkingBlock, text=words, signature=words),
    st.builds(RefusalBlock, text=words),
    st.builds(ToolCallBlock, id=words, name=names, arguments=objects),
    st.builds(ToolResultBlock, call_id=words, content=st.lists(texts, min_size=1, max_size=2).map(tuple)),
)
messages = st.builds(
    Message,
    role=st.sampled_from(["system", "user", "assistant", "tool"]),
    content=st.lists(blocks, min_size=1, max_size=3).map(tuple),
    name=st.none() | words,
)
tools = st.builds(ToolSpec, name=names, description=words, parameters=objects)
requests = st.builds(
    ModelRequest,
    api=st.just("openai.chat_completions"),
    model=words,
    parameters=st.dictionaries(words, values, max_size=3),
    messages=st.lists(messages, min_size=1, max_size=5).map(tuple),
    tools=st.lists(tools, max_size=3, unique_by=lambda each: each.name).map(tuple),
)

TAGS = {"type", "kind"}
"""Closed sets of the model: another word there is no request."""


def plain(request: ModelRequest) -> dict[str, JSON]:
    made: dict[str, JSON] = msgspec.json.decode(msgspec.json.encode(request))
    return made


def steps(value: JSON, where: tuple[str | int, ...] = ()) -> list[tuple[str | int, ...]]:
    """The places of all leaves."""
    if isinstance(value, dict):
        return [each for key, inner in value.items() for each in steps(inner, (*where, key))]
    if isinstance(value, list):
        return [each for at, inner in enumerate(value) for each in steps(inner, (*where, at))]
    return [where]


def open_to_change(where: tuple[str | int, ...]) -> bool:
    """Whether a leaf is data: not a tag, nor the api (which has its own answer)."""
    return not (where[-1] in TAGS and "arguments" not in where and "parameters" not in where) and where != ("api",)


def other(leaf: JSON) -> JSON:
    if isinstance(leaf, bool):
        return not leaf
    if isinstance(leaf, (int, float)):
        return leaf + 1
    return f"{leaf}x" if leaf else "x"


def put(value: JSON, where: tuple[str | int, ...], leaf: JSON) -> JSON:
    if not where:
        return leaf
    if isinstance(value, dict):
        return {key: put(inner, where[1:], leaf) if key == where[0] else inner for key, inner in value.items()}
    assert isinstance(value, list)
    return [put(inner, where[1:], leaf) if at == where[0] else inner for at, inner in enumerate(value)]


@settings(max_examples=60)
@given(requests)
def test_the_identity_matches(request: ModelRequest) -> None:
    assert isinstance(matcher(exchange("m1", request)).serve(request, False), Served)


@settings(max_examples=150)
@given(requests, st.data())
def test_any_one_leaf_changed_is_a_miss_that_names_it(request: ModelRequest, data: st.DataObject) -> None:
    value = plain(request)
    where = data.draw(st.sampled_from([each for each in steps(value) if each and open_to_change(each)]))
    leaf = find(value, format_path(where))[0][1]
    live = msgspec.convert(put(value, where, other(leaf)), ModelRequest)
    miss = matcher(exchange("m1", request)).serve(live, False)
    assert isinstance(miss, Miss)
    path = format_path(("request", *where))
    shown = [each.path for each in miss.differences]
    # a renamed tool is one tool gone and one more; a result under another id may stand elsewhere
    moved = (where[0] == "tools" and where[-1] == "name") or where[-1] in ("call_id", "id", "role")
    assert path in shown or (
        moved and any(path.startswith(each) or each.startswith("$.request.messages") for each in shown)
    )


@settings(max_examples=60)
@given(requests, st.data())
def test_any_message_or_tool_left_out_is_a_miss(request: ModelRequest, data: st.DataObject) -> None:
    pieces = [("messages", at) for at in range(len(request.messages))] + [
        ("tools", at) for at in range(len(request.tools))
    ]
    field, at = data.draw(st.sampled_from(pieces))
    kept = getattr(request, field)
    live = msgspec.structs.replace(request, **{field: (*kept[:at], *kept[at + 1 :])})
    assert isinstance(matcher(exchange("m1", request)).serve(live, False), Miss)


tokens = st.sampled_from(
    [
        A,
        "2026-11-30",
        "2026-11-30 10:00:07.5Z",
        "Mon, 30 Nov 2026 10:00:07 GMT",
        "call_9f8Ee7d6C5b4A3f2",
        "7",
        "x",
        "GMT",
        "/tmp/tmpabcdefgh",
        "localhost:8080",
        "01JDX3KZ8M0000000000000000",
        " ",
        "\n",
        "-",
        "é",
        "word " * 20,
    ]
)


@settings(max_examples=150)
@given(st.lists(tokens, max_size=8).map("".join))
def test_looking_only_around_digits_finds_what_looking_everywhere_finds(text: str) -> None:
    everywhere = [(found.group(), found.start()) for found in re.finditer(_SHAPES, text)]
    assert [(token.value, token.start) for token in template(text).tokens] == everywhere


def test_two_messages_exchanged_is_a_miss() -> None:
    one, two = (Message(role="user", content=(TextBlock(text=each),)) for each in ("one", "two"))
    assert isinstance(matcher(exchange("m1", asks(one, two))).serve(asks(two, one), False), Miss)

"""Every field of the model is compared and told with its path, or is named among those that are not."""

from __future__ import annotations

import types
import typing
from collections.abc import Iterator
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from runwright.diff import diff
from runwright.diff.compared import LINKS, NOT_COMPARED
from runwright.diff.fields import differences
from runwright.diff.header import COMPARED
from runwright.trace import (
    AgentInfo,
    AudioBlock,
    BlobRecord,
    EffectState,
    FaultRecord,
    FileBlock,
    Header,
    HttpBody,
    HttpRecord,
    HttpRequest,
    HttpResponse,
    ImageBlock,
    McpError,
    McpRecord,
    Message,
    MessageRecord,
    ModelError,
    ModelRecord,
    ModelRequest,
    ModelResponse,
    OtherBlock,
    PolicyRecord,
    Record,
    RefusalBlock,
    SideEffect,
    SideEffectRecord,
    Source,
    Specification,
    TextBlock,
    ThinkingBlock,
    ToolCallBlock,
    ToolDigest,
    ToolError,
    ToolRecord,
    ToolResultBlock,
    ToolSpec,
    Trace,
    Usage,
)

SOURCE = Source(kind="text", data="x", media_type="text/plain")
PLAIN_BLOCKS: tuple[Any, ...] = (
    TextBlock(text="x"),
    ImageBlock(source=SOURCE, detail="low"),
    AudioBlock(source=SOURCE, format="wav"),
    FileBlock(source=SOURCE, name="f"),
    ThinkingBlock(text="x", signature="s"),
    RefusalBlock(text="x"),
    OtherBlock(kind="search"),
    ToolCallBlock(id="c1", name="x", arguments={"a": [1]}),
    ToolResultBlock(call_id="c1", content=(TextBlock(text="x"),), is_error=False),
)
BLOCKS = tuple(
    replace(block, extra={"a": 1}) if "extra" in type(block).__struct_fields__ else block for block in PLAIN_BLOCKS
)
TEXT_CALL = ToolCallBlock(id="c2", name="x", arguments_text="{not json")
BODY = HttpBody(text="x", base64="eA==", size=1)
STATE = EffectState(digest="d", size=1, content="x")
COMMON: dict[str, Any] = {"agent": "a"}
RECORDS: tuple[Record, ...] = (
    MessageRecord(id="u1", role="user", content=BLOCKS, channel="stdout", **COMMON),
    ModelRecord(
        id="m1",
        request=ModelRequest(
            api="a", model="m", provider="p", parameters={"t": 0, "nested": {"a": [1]}},
            messages=(Message(role="user", content=(*BLOCKS, TEXT_CALL), name="n"),),
            tools=(ToolSpec(name="t", description="d", parameters={"type": "object"}, extra={"a": 1}),),
        ),
        response=ModelResponse(
            content=(*BLOCKS, TEXT_CALL), stop_reason="end_turn", model="m",
            usage=Usage(input_tokens=1, output_tokens=1, details={"a": 1}), extra={"a": 1},
        ),
        error=ModelError(message="x", status=500, kind="k", body={"a": 1}, retry_after=1.0),
        streamed=False, fidelity="raw", **COMMON,
    ),
    ToolRecord(
        id="t1", name="x", arguments={"a": [1, {"b": 2}]}, result={"a": 1}, error=ToolError(message="x", type="T"),
        outcome="error", fidelity="raw", **COMMON,
    ),
    McpRecord(
        id="c1", server="s", method="m", transport="stdio", params={"a": 1}, result={"a": 1},
        error=McpError(code=1, message="x", data={"a": 1}), fidelity="raw", **COMMON,
    ),
    HttpRecord(
        id="h1", request=HttpRequest(method="GET", url="u", headers=(("a", "b"),), body=BODY),
        response=HttpResponse(status=200, headers=(("a", "b"),), body=BODY), error="x", fidelity="raw", **COMMON,
    ),
    SideEffectRecord(
        id="e1",
        side_effect=SideEffect(
            kind="fs_write", target="t", op="o", before=STATE, after=STATE, diff="x", detail={"a": 1}
        ),
        **COMMON,
    ),
    PolicyRecord(id="p1", policy="p", verdict="deny", reason="r", cycles=1, **COMMON),
    BlobRecord(id="b1", digest="d", size=1, text="x", **COMMON),
    FaultRecord(id="f1", kind="truncation", detail="x", **COMMON),
)  # fmt: skip
HEADER = Header(
    kind="run",
    trace_id="x",
    agent=AgentInfo(name="n", version="v", command="c"),
    specification=Specification(
        system_prompt="d",
        tools={"t": ToolDigest(description="d", parameters="d")},
        model="d",
        parameters="d",
        policies={"p": "d"},
    ),
)


def skipped(kind: type, name: str) -> bool:
    return any(name in LINKS.get(parent, ()) or name in NOT_COMPARED.get(parent, ()) for parent in kind.__mro__)


def changes(value: Any, hint: Any, path: str) -> Iterator[tuple[str, Any]]:
    """Every value that differs from this one in one leaf, with the leaf's path."""
    if isinstance(value, msgspec.Struct):
        hints = typing.get_type_hints(type(value))
        for name in type(value).__struct_fields__:
            if not skipped(type(value), name):
                for where, other in changes(getattr(value, name), hints[name], f"{path}.{name}"):
                    yield where, replace(value, **{name: other})
    elif isinstance(value, tuple) and value and isinstance(value[0], str):  # a header
        yield f"{path}.{value[0]}", (value[0], value[1] + "!")
    elif isinstance(value, tuple):
        inner = typing.get_args(hint)[0]
        for at, each in enumerate(value):
            place = path if isinstance(each, tuple) else f"{path}[{at}]"
            for where, other in changes(each, inner, place):
                yield where, (*value[:at], other, *value[at + 1 :])
    elif isinstance(value, dict):
        for key, each in value.items():
            for where, other in changes(each, Any, f"{path}.{key}"):
                yield where, {**value, key: other}
    elif isinstance(value, list):
        for at, each in enumerate(value):
            for where, other in changes(each, Any, f"{path}[{at}]"):
                yield where, [*value[:at], other, *value[at + 1 :]]
    else:
        yield path, another(value, hint)


def another(value: Any, hint: Any) -> Any:
    """Another value of the leaf's type."""
    options = (
        [hint, *typing.get_args(hint)]
        if isinstance(hint, types.UnionType) or typing.get_origin(hint) is typing.Union
        else [hint]
    )
    for option in options:
        if typing.get_origin(option) is typing.Literal:
            return next(word for word in typing.get_args(option) if word != value)
    if isinstance(value, bool):
        return not value
    return value + ("!" if isinstance(value, str) else 1) if value is not None else "there"


def test_nothing_else_is_left_out() -> None:
    """A field that stops being compared is a decision, written here as well as in the docs."""
    run_or_recording = {
        "id", "t", "duration", "after_inferred", "ext", "fidelity", "unknown", "reconstructed", "adopted", "chunks"
    }  # fmt: skip
    assert {kind.__name__: set(names) for kind, names in NOT_COMPARED.items()} == {
        "RecordBase": run_or_recording,
        "ModelResponse": {"id"},
        "ToolCallBlock": {"id"},
        "Value": {"cache"},
    }
    assert {kind.__name__: set(names) for kind, names in LINKS.items()} == {
        "RecordBase": {"parent", "after"},
        "ToolRecord": {"call_id"},
        "McpRecord": {"call_id"},
        "SideEffect": {"caused_by"},
        "PolicyRecord": {"on"},
        "FaultRecord": {"hides"},
        "ToolResultBlock": {"call_id"},
    }


CASES = [
    pytest.param(record, where, other, id=f"{type(record).__name__}{where[1:]}")
    for record in RECORDS
    for where, other in changes(record, Record, "$")
    if not where.endswith((".arguments_text", ".arguments"))  # below: one of the two counts
]


def test_every_record_and_block_of_the_model_is_among_the_cases() -> None:
    assert {type(record) for record in RECORDS} == set(typing.get_args(Record))
    empty = [
        (type(record).__name__, name)
        for record in RECORDS
        for name in type(record).__struct_fields__
        if getattr(record, name) in (None, (), {}) and not skipped(type(record), name)
    ]
    assert not empty, "a new field needs a value here, so that it is seen to be compared"


@pytest.mark.parametrize(("record", "path", "other"), CASES)
def test_a_changed_field_is_told_with_its_path(record: Record, path: str, other: Record) -> None:
    left, right = Trace(header=HEADER, records=(record,)), Trace(header=HEADER, records=(other,))
    found = diff(left, right)
    assert diff(right, left) == found.mirrored()
    assert [change.kind for change in found.changes] == ["changed"]
    assert [field.path for field in found.changes[0].fields] == [path]
    assert (found.changes[0].left, found.changes[0].right) == (record, other)


def test_the_cases_reach_every_compared_field() -> None:
    """Walks the types, not the values: a field that no case fills in is missed here."""
    reached = {pair for value in (*RECORDS, HEADER, SOURCE, BODY, TEXT_CALL) for pair in filled(value)}
    wanted = {
        (kind.__name__, name)
        for kind in {*kinds(Record), *typing.get_args(Record)}
        for name in kind.__struct_fields__
        if not skipped(kind, name)
    }
    assert wanted - reached == set()


def filled(value: Any) -> Iterator[tuple[str, str]]:
    """The fields that hold something, by the name of their type."""
    if isinstance(value, msgspec.Struct):
        for name in type(value).__struct_fields__:
            member = getattr(value, name)
            if member not in (None, (), {}):
                yield type(value).__name__, name
            yield from filled(member)
    elif isinstance(value, tuple):
        for each in value:
            yield from filled(each)


def kinds(hint: Any) -> Iterator[type[msgspec.Struct]]:
    for part in typing.get_args(hint):
        yield from kinds(part)
    if isinstance(hint, type) and issubclass(hint, msgspec.Struct):
        yield hint
        for each in typing.get_type_hints(hint).values():
            if each != hint and hint is not ToolResultBlock:
                yield from kinds(each)


def test_arguments_count_as_text_only_where_they_are_not_json() -> None:
    def said(**fields: Any) -> Trace:
        block = ToolCallBlock(id="c", name="x", **fields)
        return Trace(header=HEADER, records=(MessageRecord(id="u", role="agent", content=(block,)),))

    spaced = said(arguments={"a": 1}, arguments_text='{"a": 1 }')
    assert diff(said(arguments={"a": 1}), spaced).is_same
    found = diff(said(arguments_text="{a"), said(arguments_text="{b"))
    assert [field.path for field in found.changes[0].fields] == ["$.content[0].arguments_text"]
    found = diff(said(arguments={"a": 1}), said(arguments={"a": 2}))
    assert [field.path for field in found.changes[0].fields] == ["$.content[0].arguments.a"]
    assert not diff(said(arguments={}), said(arguments=None)).is_same


@pytest.mark.parametrize("record", RECORDS, ids=lambda record: type(record).__name__)
def test_what_is_not_compared_is_no_difference(record: Record) -> None:
    fields = type(record).__struct_fields__
    other: dict[str, Any] = {"id": "other", "t": 1.0, "duration": 2.0, "ext": {"span": 1}, "after_inferred": ("z",)}
    other |= {"fidelity": "partial"} if "fidelity" in fields else {}
    other |= {"chunks": ((0, 1),), "adopted": ("$.x",)} if "chunks" in fields else {}
    left, right = Trace(header=HEADER, records=(record,)), Trace(header=HEADER, records=(replace(record, **other),))
    assert diff(left, right).is_same


def test_volatile_headers_and_times_of_an_answer_are_no_difference() -> None:
    http = RECORDS[4]
    assert isinstance(http, HttpRecord)
    other = replace(http, request=replace(http.request, headers=(("Date", "today"), ("A", "b"))))
    assert diff(Trace(header=HEADER, records=(http,)), Trace(header=HEADER, records=(other,))).is_same
    other = replace(http, request=replace(http.request, headers=(("a", "b"), ("a", "c"))))
    found = diff(Trace(header=HEADER, records=(http,)), Trace(header=HEADER, records=(other,)))
    assert [field.path for field in found.changes[0].fields] == ["$.request.headers.a"]
    model = RECORDS[1]
    assert isinstance(model, ModelRecord)
    assert model.response
    later = replace(model, response=replace(model.response, id="r2", extra={"a": 1, "created": 7}))
    assert diff(Trace(header=HEADER, records=(model,)), Trace(header=HEADER, records=(later,))).is_same


# --- the header ---------------------------------------------------------------------------------

HEADS = [
    pytest.param(where, other, id=where)
    for where, other in changes(HEADER, Header, "$")
    if where.split(".")[1] in COMPARED
]


@pytest.mark.parametrize(("path", "other"), HEADS)
def test_a_changed_specification_is_told_with_its_path(path: str, other: Header) -> None:
    left, right = Trace(header=HEADER), Trace(header=other)
    found = diff(left, right)
    assert diff(right, left) == found.mirrored()
    assert not found.is_same
    assert [field.path for field in found.header] == [path]


def test_a_tool_more_is_a_difference_and_an_unknown_specification_is_none() -> None:
    assert HEADER.specification
    more = replace(HEADER.specification, tools={"t": ToolDigest(description="d", parameters="d"), "new": ToolDigest()})
    found = diff(Trace(header=HEADER), Trace(header=replace(HEADER, specification=more)))
    assert [(field.path, field.before) for field in found.header] == [("$.specification.tools.new", msgspec.UNSET)]
    less = replace(HEADER.specification, model=None)
    found = diff(Trace(header=HEADER), Trace(header=replace(HEADER, specification=less)))
    assert found.is_same
    assert [(each.path, each.side) for each in found.unknown] == [("$.specification.model", "right")]
    found = diff(Trace(header=replace(HEADER, agent=None)), Trace(header=HEADER))
    assert [(each.path, each.side) for each in found.unknown] == [("$.agent", "left")]


def test_the_rest_of_the_header_is_named_as_not_compared() -> None:
    volatile = {"kind", "trace_id", "started_at", "duration", "source", "losses", "observation", "lineage", "ext"}
    assert {*COMPARED, *volatile} == set(Header.__struct_fields__)


# --- plain values -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("left", "right", "told"),
    [
        ({"a": 1}, {"a": 1.0}, []),
        ({"a": [1, {"b": [2]}, [3]]}, {"a": [1.0, {"b": [2.0]}, [3.0]]}, []),
        ({"a": [2**70]}, {"a": [2.0**70]}, []),
        ({"a": [1.5]}, {"a": [1]}, [("$.a[0]", 1.5, msgspec.UNSET), ("$.a[0]", msgspec.UNSET, 1)]),
        ({"a": [1.0]}, {"a": [True]}, [("$.a[0]", 1.0, msgspec.UNSET), ("$.a[0]", msgspec.UNSET, True)]),
        ({"a": float("nan")}, {"a": float("nan")}, []),
        ({"a": 1}, {"a": True}, [("$.a", 1, True)]),
        ({"a": 0}, {"a": False}, [("$.a", 0, False)]),
        ({"a": None}, {}, [("$.a", None, msgspec.UNSET)]),
        ({"a": ""}, {"a": None}, [("$.a", "", None)]),
        ({"a": []}, {"a": {}}, [("$.a", [], {})]),
        ({"__a": 1}, {"__a": 2}, [("$.__a", 1, 2)]),
        ({"a": {"A": 1}}, {"a": {"a": 1}}, [("$.a.A", 1, msgspec.UNSET), ("$.a.a", msgspec.UNSET, 1)]),
        ({"x y'": {'"': 1}}, {"x y'": {'"': 2}}, [("$['x y\\'']['\"']", 1, 2)]),
        ({"a": [1, 2]}, {"a": [2, 1]}, [("$.a[0]", 1, msgspec.UNSET), ("$.a[1]", msgspec.UNSET, 1)]),
        ({"a": [1, 2, 3]}, {"a": [1, 3]}, [("$.a[1]", 2, msgspec.UNSET)]),
        ({"a": [[1], [2]]}, {"a": [[1], [3]]}, [("$.a[1][0]", 2, 3)]),
        ({"a": "1"}, {"a": 1}, [("$.a", "1", 1)]),
        ({"a": 2**70}, {"a": 2**70 + 1}, [("$.a", 2**70, 2**70 + 1)]),
        ({"a": "\ud800"}, {"a": "\udc00"}, [("$.a", "\ud800", "\udc00")]),
    ],
)
def test_values(left: dict[str, Any], right: dict[str, Any], told: list[tuple[str, Any, Any]]) -> None:
    assert [(field.path, field.before, field.after) for field in differences(left, right)] == told
    back = [(field.path, field.after, field.before) for field in (each.mirrored() for each in differences(right, left))]
    assert sorted(path for path, _, _ in back) == sorted(path for path, _, _ in told)


def test_the_right_side_counts_for_itself() -> None:
    found = differences({"a": [{"x": "one two three"}]}, {"a": [0, {"x": "one two four"}]})
    assert [(field.path, field.right_path) for field in found] == [("$.a[0]", None), ("$.a[0].x", "$.a[1].x")]

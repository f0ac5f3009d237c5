"""The pieces: repeats, endpoints, shapes of arguments, which records are one call."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import pytest
from hypothesis import assume, given, strategies as st
from msgspec.structs import replace

from runwright.fingerprint import fingerprint
from runwright.fingerprint.build import noted
from runwright.fingerprint.calls import union
from runwright.fingerprint.endpoints import endpoint
from runwright.fingerprint.fold import folded
from runwright.fingerprint.ids import general
from runwright.fingerprint.shape import name_of, shape, tool
from runwright.trace import (
    JSON,
    Header,
    McpRecord,
    Message,
    ModelRecord,
    ModelRequest,
    ModelResponse,
    Record,
    ToolCallBlock,
    ToolRecord,
    ToolResultBlock,
    Trace,
)


@pytest.mark.parametrize(
    ("steps", "text"),
    [
        ("", ""),
        ("a", "a x1"),
        ("aa", "a x2"),
        ("aaa", "a xmany"),
        ("aaaaaaa", "a xmany"),
        ("ab", "a x1, b x1"),
        ("abab", "(a x1, b x1) x2"),
        ("ababab", "(a x1, b x1) xmany"),
        ("aabaab", "(a x2, b x1) x2"),
        ("aaabaaaab", "(a xmany, b x1) x2"),
        ("xababy", "x x1, (a x1, b x1) x2, y x1"),
        ("ababcababc", "((a x1, b x1) x2, c x1) x2"),
        ("aba", "a x1, b x1, a x1"),
    ],
)
def test_repeats(steps: str, text: str) -> None:
    assert ", ".join(each.text for each in folded(list(steps))) == text


@given(st.lists(st.sampled_from("abc"), max_size=40))
def test_what_is_kept_of_repeats(steps: list[str]) -> None:
    """The kept steps stand in order, hold the first and the last, and say the same."""
    items = folded(steps)
    kept = [place for item in items for place in item.kept]
    assert all(one < two for one, two in pairwise(kept))
    assert kept[:1] == [0][: len(steps)]
    assert kept[-1:] == [len(steps) - 1][: len(steps)]
    assert [each.text for each in folded([steps[place] for place in kept])] == [each.text for each in items]


@given(st.lists(st.sampled_from("abc"), min_size=1, max_size=5), st.integers(3, 9), st.integers(3, 9))
def test_three_times_is_as_often_as_nine(group: list[str], one: int, two: int) -> None:
    assume(len(group) == 1 or group[0] != group[-1])  # else the rows of its ends are repeats of their own
    first, second = ([each.text for each in folded(["x", *group * count, "y"])] for count in (one, two))
    assert first == second


@pytest.mark.parametrize(
    ("url", "shown"),
    [
        ("https://shop.example/orders/4471", "https://shop.example/orders/{id}"),
        ("https://shop.example/orders/A-4471/lines/7", "https://shop.example/orders/{id}/lines/{id}"),
        ("HTTPS://Shop.Example:443/Orders/", "https://shop.example/Orders/"),
        ("https://shop.example", "https://shop.example/"),
        ("https://me:secret@shop.example/x#top", "https://shop.example/x"),
        ("https://shop.example/x?b=1&a=2&b=3&empty=", "https://shop.example/x?a&b&empty"),
        ("https://shop.example/x?f3b2c1d4-0000-4000-8000-000000000000=1", "https://shop.example/x?{id}"),
        ("http://127.0.0.1:50123/v1/chat", "http://127.0.0.1:{port}/v1/chat"),
        ("http://localhost:8080/v2.1/x", "http://localhost:{port}/v2.1/x"),
        ("http://[::1]:9/x", "http://[::1]:{port}/x"),
        ("http://localhost/x", "http://localhost/x"),
        ("http://10.0.0.7:8080/x", "http://10.0.0.7:8080/x"),
        ("https://shop.example/users/ann%40mail.example", "https://shop.example/users/{id}"),
        ("/orders/{id}", "/orders/{id}"),
        ("${API}/orders/17", "${API}/orders/{id}"),
        ("https://shop.example:port/x", "https://shop.example:port/x"),
    ],
)
def test_endpoints(url: str, shown: str) -> None:
    assert endpoint("get", url) == f"GET {shown}"


@pytest.mark.parametrize(
    "name",
    ["orders", "v1", "v1beta1", "V2", "oauth2", "sha256", "us-east-1", "gpt-4o-mini", "chat", "completions", "s3",
     "text-embedding-3-small", "well-known", "export.csv", "accessibility", "{id}", ""],
)  # fmt: skip
def test_names_that_are_no_ids(name: str) -> None:
    assert general(name) == name


@pytest.mark.parametrize(
    "name",
    ["7", "2026-11-30", "2026-11-30T10:00:00Z", "9b2f6c1e-8d3a-4b5c-9e7f-0a1b2c3d4e5f", "deadbeef1234", "A-4471",
     "INV2024", "order-7", "cus_9f3kd2h1", "01HZX3K9W8Q2M4N6P8R0T2V4X6", "dQw4w9WgXcQ1-aBcDeF", "ann@mail.example",
     "x" * 300],
)  # fmt: skip
def test_names_that_are_ids(name: str) -> None:
    assert general(name) == "{id}"


@pytest.mark.parametrize(
    ("arguments", "shown"),
    [
        ({}, ""),
        (None, ""),
        ({"b": 1, "a": "x"}, "a: string, b: number"),
        ({"a": 1.5}, "a: number"),
        ({"a": True}, "a: boolean"),
        ({"a": None}, "a: null"),
        ({"a": {}}, "a: object"),
        ({"a": []}, "a: array"),
        ({"a": {"b": {"c": 1}}}, "a.b.c: number"),
        ({"a": [1, "x", 2]}, "a[*]: number|string"),
        ({"a": [{"b": 1}, {"c": 1}]}, "a[*].b: number, a[*].c: number"),
        ({"a b": 1}, "$['a b']: number"),
        ({"9b2f6c1e-8d3a-4b5c-9e7f-0a1b2c3d4e5f": 1, "7": 2}, "$['{id}']: number"),
        ("text", "$: string"),
        ([1], "$[*]: number"),
        (0, "$: number"),
    ],
)
def test_shapes(arguments: JSON, shown: str) -> None:
    assert shape(arguments) == shown


def test_shapes_that_are_remembered_are_not_taken_for_others() -> None:
    """In one run, so that each is asked for after its like."""
    alike: list[JSON] = [
        {"a": 1}, {"b": 1}, {"a": "x"}, {"a": {"b": 1}}, {"a": [1]}, {"a": [{"b": 1}]}, {"a": {}}, {"a": []},
        {"a": None}, {"a": True}, {"a": [1, "x"]}, {"a": ["x"]}, {"a": [[1]]}, {"a": 1, "b": "x"}, {"a": "x", "b": 1},
        {"a": {"b": {}}},
    ]  # fmt: skip
    assert len({shape(each) for each in alike}) == len(alike)
    assert shape({"a": 1, "b": "x"}) == shape({"b": "y", "a": 2.5})
    assert shape({"a": ["x", 1]}) == shape({"a": [1, "x", 2]})


def test_a_shape_of_any_depth() -> None:
    value: JSON = 1
    for _ in range(20_000):
        value = [value]
    assert shape({"a": value}).endswith(": number")


@given(st.text(min_size=1))
def test_names_are_found_again(name: str) -> None:
    (written,) = tool(name, ("a: number",))
    assert name_of(written) == written.removesuffix("(a: number)")


# --- which records are one call -------------------------------------------------------------------


def of(records: Sequence[Record]) -> Trace:
    return Trace(header=Header(kind="run", trace_id="t"), records=tuple(records))


def asked(id: str, *calls: tuple[str, str]) -> ModelRecord:
    blocks = tuple(ToolCallBlock(id=call_id, name=name, arguments={"x": 1}) for call_id, name in calls)
    request, response = ModelRequest(api="a", model="m"), ModelResponse(content=blocks)
    return ModelRecord(id=id, request=request, response=response, fidelity="raw")


def ran(id: str, name: str, call_id: str | None = None, x: JSON = 1, **more: object) -> ToolRecord:
    return ToolRecord(id=id, name=name, arguments={"x": x}, call_id=call_id, outcome="ok", fidelity="raw", **more)  # type: ignore[arg-type]


def mcp(id: str, name: str, call_id: str | None = None, server: str = "files", **more: object) -> McpRecord:
    params: JSON = {"name": name, "arguments": {"x": 1}}
    given = {"method": "tools/call", "params": params, **more}
    return McpRecord(id=id, server=server, call_id=call_id, fidelity="raw", **given)  # type: ignore[arg-type]


M1 = asked("m1", ("c1", "write"))


@pytest.mark.parametrize(
    ("records", "found"),
    [
        ([M1, ran("t1", "write", "c1"), mcp("x1", "write", "c1")], [("write", "t1", "x1")]),
        ([M1, ran("t1", "write"), mcp("x1", "write")], [("write", "t1", "x1")]),
        ([M1, mcp("x1", "write", "c1"), ran("t1", "write", "c1")], [("write", "t1", "x1")]),
        ([ran("t1", "write"), mcp("x1", "write")], [("write", "t1", "x1")]),
        ([asked("m1", ("c1", "mcp__files__write")), mcp("x1", "write")], [("mcp__files__write", "x1")]),
        ([asked("m1", ("c1", "files_write")), mcp("x1", "write")], [("files_write", "x1")]),
        ([asked("m1", ("c1", "my-disk.write")), mcp("x1", "write", server="my-disk")], [("my-disk.write", "x1")]),
        ([asked("m1", ("c1", "mcp__disk__write")), mcp("x1", "write")], [("mcp__disk__write",), ("write", "x1")]),
        ([M1, mcp("x1", "commit", "c1")], [("write",), ("commit", "x1")]),
        ([M1, mcp("x1", "write", method="tools/list")], [("write",)]),
        ([M1, mcp("x1", "write", direction="server")], [("write",)]),
        ([M1, ran("t1", "write", "c1"), ran("t2", "write", "c1")], [("write", "t1"), ("write", "t2")]),
        ([M1, ran("t1", "write", "other")], [("write",), ("write", "t1")]),
        ([M1, ran("t1", "write", x="2")], [("write",), ("write", "t1")]),
        ([M1, ran("t1", "read", "c1")], [("write",), ("read", "t1")]),
        ([ran("t1", "write"), M1], [("write", "t1"), ("write",)]),
        ([M1, asked("m2", ("c1", "write")), ran("t1", "write", "c1"), ran("t2", "write", "c1")],
         [("write", "t2"), ("write", "t1")]),
        ([M1, asked("m2", ("c2", "write")), ran("t1", "write", after=("m1",))], [("write", "t1"), ("write",)]),
        ([M1, asked("m2", ("c1", "write")), ran("t1", "write", "c1", after=("m1",))], [("write", "t1"), ("write",)]),
        ([asked("m1", ("c1", "write"), ("c1", "write"))], [("write",), ("write",)]),
        ([M1, ran("t1", "write", agent="b")], [("write", "t1")]),
    ],
)  # fmt: skip
def test_which_records_are_one_call(records: list[Record], found: list[tuple[str, ...]]) -> None:
    assert [(each.name, *each.records) for each in union(noted(of(records)).notes)] == found


def test_an_untimed_call_in_an_exchange_was_asked_for_by_its_reply() -> None:
    """As where replies are plain text, and whoever ran the agent read the calls out of it."""
    said = ModelRecord(id="m1", request=ModelRequest(api="a", model="m"), fidelity="raw")
    (found,) = union(noted(of([said, ran("t1", "write", parent="m1")])).notes)
    assert found.asked_by == "m1"
    (timed,) = union(noted(of([said, ran("t1", "write", parent="m1", t=1.0)])).notes)
    assert timed.asked_by is None
    _, inside = union(noted(of([ran("t0", "sub"), ran("t1", "write", parent="t0")])).notes)
    assert inside.asked_by is None


def test_calls_that_were_read_out_of_texts_stand_in_the_order_of_the_texts() -> None:
    asks = [ModelRecord(id=f"m{n}", after=(f"m{n - 1}",) if n else (), fidelity="raw",
                        request=ModelRequest(api="a", model="m"), response=ModelResponse(content=()))
            for n in range(3)]  # fmt: skip
    ran_in = [ran(f"t{n}", name, parent=f"m{n}") for n, name in enumerate("bca")]
    records = [each for pair in zip(asks, ran_in, strict=True) for each in pair]
    found = fingerprint(Trace(header=Header(kind="run", trace_id="t"), records=tuple(records)))
    assert found.tool_sequences == (("b x1", "c x1", "a x1"),)
    assert {"order", "concurrency"} <= {*found.basis}


def test_a_tool_that_ran_after_its_alike_was_answered_is_a_call_of_its_own() -> None:
    for answered, count in ((), 1), (("c1",), 2):
        results = tuple(ToolResultBlock(call_id=each) for each in answered)
        again = ModelRequest(api="a", model="m", messages=(Message(role="tool", content=results),))
        records = [M1, replace(asked("m2"), request=again), ran("t1", "write", after=("m2",))]
        assert len(union(noted(of(records)).notes)) == count

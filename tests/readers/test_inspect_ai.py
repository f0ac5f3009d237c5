"""Inspect's logs as it writes them today: archives of zstd, and messages that are stored once."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Sequence
from typing import Any

import pytest
import zstandard

from runwright.errors import ReaderError
from runwright.readers import Input, Run, runs_of
from runwright.readers.inspect_log import MOST_REFERENCES
from runwright.trace.model import Trace, calls_of, text_of
from tests.readers.exports import FIXTURES, words

DESK = FIXTURES / "order_desk"
QUESTION, ANSWER = "Where are A-17 and B-4?", "A-17 is on its way, B-4 waits in Århus."


def document() -> dict[str, Any]:
    found: dict[str, Any] = json.loads((DESK / "inspect.json").read_text(encoding="utf-8"))
    return found


def read(value: Any) -> Trace:
    (run,) = runs_of([Input("desk.json", json.dumps(value).encode())])
    return run.trace


def asked(trace: Trace) -> list[list[str]]:
    return [[message.role for message in each.request.messages] for each in trace.models]


@pytest.mark.parametrize("name", ["inspect.json", "inspect.eval"])
def test_what_the_tool_wrote(name: str) -> None:
    (run,) = runs_of([DESK / name])
    trace = run.trace
    assert asked(trace) == [["system", "user"], ["system", "user", "assistant", "tool", "tool"]]
    assert text_of(trace.models[0].request.messages[1].content) == QUESTION
    assert words(trace)[-1] == ANSWER
    assert {(each.fidelity, each.unknown) for each in trace.models} == {("raw", ())}
    assert [(each.name, each.arguments, each.result) for each in trace.tools] == [
        ("lookup_order", {"order": "A-17"}, '{"state": "sent"}'),
        ("lookup_order", {"order": "B-4"}, '{"state": "waiting"}'),
    ]
    assert trace.header.losses == ()


def models(value: dict[str, Any]) -> list[dict[str, Any]]:
    return [each for each in value["samples"][0]["events"] if each["event"] == "model"]


def test_without_raw_calls_the_shared_messages_are_the_input() -> None:
    value = document()
    for event in models(value):
        del event["call"]
    trace = read(value)
    assert asked(trace) == [["system", "user"], ["system", "user", "assistant", "tool", "tool"]]
    assert {each.fidelity for each in trace.models} == {"reconstructed"}
    first, second = trace.models
    assert first.response is not None
    asks = [(each.id, each.arguments) for each in calls_of(first.response.content)]
    assert asks == [("call_a17", {"order": "A-17"}), ("call_b4", {"order": "B-4"})]
    assert [(each.id, each.arguments) for each in calls_of(second.request.messages[2].content)] == asks
    assert second.after == ("t1", "t2")
    assert trace.header.losses == ()


@pytest.mark.parametrize(
    "ranges", [[[0, 99]], [[2, 1]], [[-1, 2]], [[0]], ["x"], [[0, 2.5]], [[0, 5]] * (MOST_REFERENCES // 5 + 1)]
)
def test_messages_that_the_log_lacks_are_unknown_and_never_none(ranges: Any) -> None:
    value = document()
    second = models(value)[1]
    second["input_refs"], second["call"]["call_refs"] = ranges, ranges
    trace = read(value)
    first, broken = trace.models
    assert (first.fidelity, first.unknown) == ("raw", ())
    assert "$.request.messages" in broken.unknown
    assert [loss.kind for loss in trace.header.losses] == ["not_captured"]


def test_a_log_whose_pool_is_gone() -> None:
    value = document()
    value["samples"][0]["events_data"] = {"messages": None}
    assert all("$.request.messages" in each.unknown for each in read(value).models)
    del value["samples"][0]["events_data"]
    assert all("$.request.messages" in each.unknown for each in read(value).models)


# --- archives ------------------------------------------------------------------------------------


def archive(change: Any = None) -> bytes:
    """The tool's archive, its bytes changed."""
    data = bytearray((DESK / "inspect.eval").read_bytes())
    if change:
        change(data)
    return bytes(data)


def refused(data: bytes) -> str:
    with pytest.raises(ReaderError) as raised:
        runs_of([Input("desk.eval", data)], "inspect_ai")
    return raised.value.message


def sample_of(data: bytes) -> zipfile.ZipInfo:
    return zipfile.ZipFile(io.BytesIO(data)).getinfo("samples/orders_epoch_1.json")


def test_a_member_that_is_no_frame() -> None:
    at = sample_of(archive()).header_offset + 30 + len("samples/orders_epoch_1.json")

    def change(data: bytearray) -> None:
        data[at : at + 64] = b"\0" * 64

    assert "is not compressed as the archive says" in refused(archive(change))


def test_a_member_that_ends_early() -> None:
    member = sample_of(archive())

    def change(data: bytearray) -> None:
        size = (member.compress_size - 400).to_bytes(4, "little")
        data[:] = data.replace(member.compress_size.to_bytes(4, "little"), size)

    assert "cannot be expanded" in refused(archive(change))


def test_a_bomb_of_zstd_says_nothing_of_its_size() -> None:
    """The directory of the archive tells a small size; what comes out of the frames is what counts."""
    frame = zstandard.compress(b"\0" * 300_000_000, 3)
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_STORED) as made:
        made.writestr("header.json", b"{}")
        made.writestr("samples/bomb_epoch_1.json", frame)
    data = bytearray(packed.getvalue())
    name = b"samples/bomb_epoch_1.json"
    for signature, offset, names in ((b"PK\x03\x04", 8, 30), (b"PK\x01\x02", 10, 46)):
        at = data.rindex(signature, 0, data.index(name, names) + 1) if signature == b"PK\x03\x04" else None
        at = at if at is not None else data.rindex(signature)
        data[at + offset : at + offset + 2] = (93).to_bytes(2, "little")
    assert sample_of_name(bytes(data)).compress_type == 93
    assert "200 times" in refused(bytes(data))


def sample_of_name(data: bytes) -> zipfile.ZipInfo:
    return zipfile.ZipFile(io.BytesIO(data)).getinfo("samples/bomb_epoch_1.json")


def runs(data: bytes) -> Sequence[Run]:
    return runs_of([Input("desk.eval", data)])


def test_archives_of_older_tools_are_read_as_before() -> None:
    packed = io.BytesIO()
    value = document()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as made:
        made.writestr("header.json", json.dumps({key: each for key, each in value.items() if key != "samples"}))
        made.writestr("samples/orders_epoch_1.json", json.dumps(value["samples"][0]))
        made.writestr("_journal/start.json", "{}")
    (run,) = runs(packed.getvalue())
    assert words(run.trace)[-1] == ANSWER


@pytest.mark.parametrize(("folder", "api"), [("messages", "anthropic.messages"), ("responses", "openai.responses")])
def test_raw_calls_of_other_apis(folder: str, api: str) -> None:
    (run,) = runs_of([DESK / folder / "inspect.json"])
    assert [(each.request.api, each.fidelity, each.unknown) for each in run.trace.models] == [(api, "raw", ())] * 2
    assert words(run.trace)[-1] == ANSWER
    assert run.trace.header.losses == ()

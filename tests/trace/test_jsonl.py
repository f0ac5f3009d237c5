"""Reading gives back what was written, and what was written is always the same bytes."""

import tracemalloc
from io import BytesIO
from pathlib import Path

import pytest
from hypothesis import given, settings, strategies as st

from runwright.errors import IncompleteTrace, TraceError
from runwright.trace import (
    MAX_LINE,
    FaultRecord,
    Header,
    Message,
    MessageRecord,
    ModelRecord,
    ModelRequest,
    ModelResponse,
    TextBlock,
    ToolCallBlock,
    ToolRecord,
    ToolResultBlock,
    Trace,
    TraceWriter,
    dumps_trace,
    loads_trace,
    read_trace,
    seal_trace,
    validate_trace,
)
from tests.vectors.generate import every_lane

words = st.text(st.characters(exclude_categories=["Cs"]), max_size=12) | st.sampled_from(
    ["long " * 200, "other " * 150]
)
values = st.recursive(
    st.none() | st.integers(-5, 2**40) | st.booleans() | st.floats(-2, 2) | words,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(words, inner, max_size=3),
    max_leaves=6,
)
texts = st.builds(lambda text, cache: TextBlock(text=text, cache=cache), words, values)
calls = st.builds(lambda id, arguments: ToolCallBlock(id=id, name="t", arguments=arguments), words, values)
results = st.builds(
    lambda id, content: ToolResultBlock(call_id=id, content=tuple(content)), words, st.lists(texts, max_size=2)
)
messages = st.builds(
    lambda role, content: Message(role=role, content=tuple(content)),
    st.sampled_from(["system", "user", "assistant", "tool"]),
    st.lists(texts | calls | results, max_size=3),
)


@st.composite
def conversations(draw: st.DrawFn) -> Trace:
    """Requests that grow, shrink and change, as requests do."""
    history = draw(st.lists(messages, max_size=3))
    records: list = []
    for number in range(1, draw(st.integers(1, 6)) + 1):
        at = draw(st.integers(0, len(history)))
        history = [*history[:at], *draw(st.lists(messages, max_size=2)), *history[at + draw(st.integers(0, 1)) :]]
        request = ModelRequest(
            api="a", model=draw(st.sampled_from(["m", "n"])), messages=tuple(history),
            parameters=draw(st.dictionaries(words, values, max_size=2)),
        )  # fmt: skip
        reply = ModelResponse(content=tuple(draw(st.lists(texts | calls, max_size=2))))
        records.append(ModelRecord(id=f"m{number}", request=request, response=reply, fidelity="raw"))
        records.append(ToolRecord(id=f"t{number}", name="t", result=draw(values), outcome="ok", fidelity="raw"))
        if reply.content and draw(st.booleans()):
            history.append(Message(role="assistant", content=reply.content))
    return Trace(header=Header(kind="run", trace_id="h"), records=tuple(records))


@given(conversations())
@settings(max_examples=60, deadline=None)
def test_a_trace_survives_being_written_and_read(trace: Trace) -> None:
    data = dumps_trace(trace)
    back = loads_trace(data)
    assert back == trace
    assert dumps_trace(back) == data


def test_a_trace_of_every_lane_survives(tmp_path: Path) -> None:
    path = tmp_path / "t.jsonl"
    path.write_bytes(dumps_trace(every_lane()))
    assert read_trace(path) == every_lane()
    assert validate_trace(path).problems == ()
    assert validate_trace(path).records["model"] == 2


def test_one_is_not_true_and_not_1_0() -> None:
    def request(value: object) -> ModelRequest:
        return ModelRequest(api="a", model="m", parameters={"x": value, "y": [value]})

    records = tuple(
        ModelRecord(id=f"m{number}", request=request(value), fidelity="raw")
        for number, value in enumerate([1, True, 1.0, 0, False])
    )
    back = loads_trace(dumps_trace(Trace(header=Header(kind="run", trace_id="x"), records=records)))
    assert [repr(record.request.parameters["y"]) for record in back.models] == [
        "[1]",
        "[True]",
        "[1.0]",
        "[0]",
        "[False]",
    ]


def test_a_crashed_run_is_read_up_to_its_last_whole_line_and_says_so() -> None:
    data = dumps_trace(every_lane())
    cut = data[: data.index(b'"lane":"policy"') + 5]
    with pytest.raises(IncompleteTrace):
        loads_trace(cut)
    found = loads_trace(cut, allow_incomplete=True)
    assert not found.complete
    assert [record.id for record in found.records] == ["u1", "m1", "t1", "c1", "h1", "e1", "f1"]
    assert isinstance(found.records[-1], FaultRecord)
    assert found.records[-1].kind == "interruption"


def test_a_wrong_seal_is_no_interruption_but_never_complete() -> None:
    data = dumps_trace(every_lane()).replace(b"On its way.", b"Not at all.")
    found = loads_trace(data, allow_incomplete=True)
    assert not found.complete
    assert [record.id for record in found.records] == [record.id for record in every_lane().records]


def test_sealing_anew_mends_the_seal_and_nothing_else(tmp_path: Path) -> None:
    path = tmp_path / "t.jsonl"
    path.write_bytes(dumps_trace(every_lane()).replace(b"On its way.", b"Not at all."))
    seal_trace(path)
    assert path.read_bytes().count(b"Not at all.") == 1
    assert read_trace(path).complete
    before = path.read_bytes()
    seal_trace(path)
    assert path.read_bytes() == before
    path.write_bytes(before.replace(b'"outcome":"ok"', b'"outcome":"fine"'))
    with pytest.raises(TraceError, match="outcome"):
        seal_trace(path)
    assert b'"fine"' in path.read_bytes()
    assert list(tmp_path.iterdir()) == [path]


class Endless:
    """A line of 600 MB that is never in memory."""

    left = 600 * 1024 * 1024

    def readline(self, limit: int) -> bytes:
        size = min(limit, self.left)
        self.left -= size
        return b"x" * size


def test_a_line_over_the_limit_is_refused_without_its_memory() -> None:
    from runwright.trace.jsonl import _load

    stream = Endless()
    tracemalloc.start()
    with pytest.raises(TraceError, match="longer than 33,554,432 bytes"):
        _load(stream, "long", False)  # type: ignore[arg-type] # reads line by line only
    assert tracemalloc.get_traced_memory()[1] < 3 * MAX_LINE
    tracemalloc.stop()
    assert stream.left > 500 * 1024 * 1024


def test_a_real_file_with_a_line_over_the_limit_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "long.jsonl"
    with path.open("wb") as stream:
        stream.truncate(600 * 1024 * 1024)  # sparse: zeros, no line end
    with pytest.raises(TraceError, match="longer than"):
        read_trace(path)
    assert "longer than" in validate_trace(path).problems[0]


def test_the_writer_refuses_what_it_could_not_read_back() -> None:
    for value in (float("nan"), 2**64, "\ud800", [[[[]] * 1] * 1]):
        deep = value
        for _ in range(300 if isinstance(value, list) else 0):
            deep = [deep]
        writer = TraceWriter(BytesIO(), Header(kind="run", trace_id="x"))
        with pytest.raises(TraceError):
            writer.write(ToolRecord(id="t1", name="t", result=deep, outcome="ok", fidelity="raw"))


def test_a_file_that_is_not_there_is_an_error_with_its_name(tmp_path: Path) -> None:
    with pytest.raises(TraceError, match="No such file"):
        read_trace(tmp_path / "none.jsonl")
    assert "No such file" in validate_trace(tmp_path / "none.jsonl").problems[0]


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        (b'"extends":"m1"', b'"extends":"m9"', "m9"),
        (b'"response_of":"m1"', b'"response_of":"zz"', "zz"),
        (b'"result_blob":"blake3:', b'"result_blob":"blake3:0', "blob"),
        (b'"del":0', b'"del":99', "beyond"),
    ],
)
def test_references_that_lead_nowhere_are_refused(old: bytes, new: bytes, words: str, tmp_path: Path) -> None:
    data = dumps_trace(every_lane())
    assert old in data
    data = data.replace(old, new)
    if old.startswith(b'"result_blob'):  # a digest keeps its length
        end = data.index(new) + len(new) + 63
        data = data[:end] + data[end + 1 :]
    path = tmp_path / "t"
    path.write_bytes(data)
    with pytest.raises(TraceError, match=words):
        _sealed_and_read(path)


def _sealed_and_read(path: Path) -> Trace:
    seal_trace(path)
    return read_trace(path)


def test_messages_are_kept_apart_from_the_lane_of_that_name() -> None:
    trace = Trace(
        header=Header(kind="run", trace_id="x"),
        records=(MessageRecord(id="u1", role="agent", content=(TextBlock(text=""),), channel="stdout"),),
    )
    assert loads_trace(dumps_trace(trace)) == trace


def test_defaults_are_left_out_whatever_object_holds_them() -> None:
    def call(kind: str) -> ToolRecord | ModelRecord:
        content = (ToolCallBlock(id="c", name="t", kind=kind),)
        return ModelRecord(
            id="m1",
            request=ModelRequest(api="a", model="m"),
            response=ModelResponse(content=content),
            fidelity="raw",
        )

    computed = "".join(["func", "tion"])
    header = Header(kind="run", trace_id="x")
    assert dumps_trace(Trace(header=header, records=(call(computed),))) == dumps_trace(
        Trace(header=header, records=(call("function"),))
    )

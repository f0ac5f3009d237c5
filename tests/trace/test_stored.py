"""The stored form: what is referred to, how far back, and what only looks like a reference."""

import pytest

from runwright.errors import TraceError
from runwright.trace import (
    BlobRecord,
    FileBlock,
    Header,
    Message,
    ModelRecord,
    ModelRequest,
    ModelResponse,
    Record,
    TextBlock,
    ToolCallBlock,
    ToolRecord,
    ToolResultBlock,
    Trace,
    dumps_trace,
    loads_trace,
    model,
)
from runwright.trace.resolve import BLOB_REACH, REPLY_REACH, REQUEST_REACH, Requests, Unresolvable

LONG = "This text is long enough to be stored once. " * 20


def said(role: str, text: str) -> Message:
    return Message(role=role, content=(TextBlock(text=text),))


def exchange(id: str, *messages: Message, answer: str = "") -> ModelRecord:
    return ModelRecord(
        id=id,
        request=ModelRequest(api="a", model="m", messages=messages),
        response=ModelResponse(content=(TextBlock(text=answer),)) if answer else None,
        fidelity="raw",
    )


def trace(*records: Record) -> Trace:
    return Trace(header=Header(kind="run", trace_id="x"), records=records)


def test_what_only_looks_like_a_reference_is_kept() -> None:
    twin = {"type": "text", "text": LONG}
    arguments = [{"type": "git", "blob": "abc"}, {"response_of": "m1"}, {"extends": "m9", "splices": [1]}, twin, twin]
    call = ToolCallBlock(id="c", name="t", arguments=arguments)
    told = ToolResultBlock(call_id="c", content=(TextBlock(text=LONG),))
    file = FileBlock(source=model.Source(kind="text", data=LONG))
    records = []
    for number in (1, 2, 3):
        request = ModelRequest(
            api="a", model="m", parameters={"x": arguments[:number]},
            messages=(Message(role="assistant", content=(call, file)), Message(role="tool", content=(told,) * number)),
        )  # fmt: skip
        records.append(ModelRecord(id=f"m{number}", request=request, fidelity="raw"))
        records.append(ToolRecord(id=f"t{number}", name="t", result={"blob": LONG}, outcome="ok", fidelity="raw"))
    data = dumps_trace(trace(*records))
    assert b'"lane":"blob"' in data
    assert loads_trace(data) == trace(*records)


def test_a_text_that_comes_twice_is_written_once_wherever_it_stands() -> None:
    told = Message(role="tool", content=(ToolResultBlock(call_id="c", content=(TextBlock(text=LONG),)),))
    file = Message(role="user", content=(FileBlock(source=model.Source(kind="text", data=LONG)),))
    whole = trace(
        ToolRecord(id="t1", name="t", result=LONG, outcome="ok", call_id="c", fidelity="raw"),
        exchange("m1", told, answer=LONG),
        exchange("m2", file),
    )
    data = dumps_trace(whole)
    assert data.count(LONG.encode()) == 1
    assert loads_trace(data) == whole


def test_an_answer_too_far_back_is_written_again() -> None:
    asked = [exchange(f"m{n}", said("user", f"{n}"), answer="the first" if n == 1 else f"{n}") for n in range(1, 600)]
    for back in (REPLY_REACH - 1, REPLY_REACH, REPLY_REACH + 1):
        records = [*asked[:back], exchange("last", said("user", "x"), said("assistant", "the first"))]
        data = dumps_trace(trace(*records))
        assert loads_trace(data) == trace(*records)
        assert (b'"response_of":"m1"' in data) == (back <= REPLY_REACH)


def test_equal_answers_are_referred_to_by_the_latest() -> None:
    asked = [exchange(f"m{n}", said("user", f"{n}"), answer="yes") for n in range(1, 400)]
    records = [*asked, exchange("last", said("user", "x"), said("assistant", "yes"))]
    data = dumps_trace(trace(*records))
    assert b'"response_of":"m399"' in data
    assert loads_trace(data) == trace(*records)


def test_an_answer_too_far_back_is_so_however_often_the_ones_since_repeat_each_other() -> None:
    asked = [exchange(f"m{n}", said("user", f"{n}"), answer="no" if n == 1 else "yes") for n in range(1, 400)]
    records = [*asked, exchange("last", said("user", "x"), said("assistant", "no"))]
    assert loads_trace(dumps_trace(trace(*records))) == trace(*records)


def test_a_splice_into_arguments_is_plain_data() -> None:
    def called(*content: object) -> ModelRecord:
        call = ToolCallBlock(id="c", name="t", arguments={"content": [LONG, *content]})  # type: ignore[list-item] # JSON
        told = Message(role="tool", content=(ToolResultBlock(call_id="c", content=(TextBlock(text=LONG * 2),)),))
        return exchange(f"m{len(content)}", Message(role="assistant", content=(call,)), told, answer=LONG * 2)

    whole = trace(called(), called({"type": "git", "blob": "abc"}), called({"type": "git"}, {"type": "text"}))
    data = dumps_trace(whole)
    assert b'"arguments","content",1]' in data
    assert b'"lane":"blob"' in data
    assert loads_trace(data) == whole


def test_a_blob_too_far_back_is_written_again() -> None:
    def results(numbers: range) -> list[Record]:
        return [
            ToolRecord(id=f"t{n}", name="t", result=f"{n % 400} {LONG}", outcome="ok", fidelity="raw") for n in numbers
        ]

    records = results(range(800))
    data = dumps_trace(trace(*records))
    assert loads_trace(data) == trace(*records)
    assert data.count(b'"lane":"blob"') == 800
    records = results(range(400, 400 + BLOB_REACH)) + results(range(BLOB_REACH))
    data = dumps_trace(trace(*records))
    assert loads_trace(data) == trace(*records)
    assert data.count(b'"lane":"blob"') == BLOB_REACH


def test_agents_that_speak_in_turn_each_extend_their_own_conversation() -> None:
    records: list[Record] = []
    told = {agent: [said("system", f"agent {agent}. {LONG}{agent}")] for agent in range(REQUEST_REACH)}
    for turn in range(20):
        for agent, messages in told.items():
            messages.append(said("user", f"{agent} {turn} " * 300))
            records.append(exchange(f"m{turn}-{agent}", *messages))
    data = dumps_trace(trace(*records))
    assert loads_trace(data) == trace(*records)
    distinct = sum(len(message.content[0].text) for messages in told.values() for message in messages)  # type: ignore[union-attr] # all text
    assert len(data) <= 1.2 * distinct


def test_an_exchange_beyond_the_reach_is_refused_and_not_guessed() -> None:
    requests = Requests()
    for number in range(REQUEST_REACH + 1):
        requests.whole({"lane": "model", "id": f"m{number}", "request": {"api": "a", "model": "m"}})
    requests.whole({"lane": "model", "id": "near", "request": {"extends": "m2"}})
    with pytest.raises(Unresolvable, match="'m0' is none of the 16"):
        requests.whole({"lane": "model", "id": "far", "request": {"extends": "m0"}})


def test_blobs_are_storage_and_never_records() -> None:
    blob = BlobRecord(id="b", digest="blake3:" + "0" * 64, size=1, text="x")
    kept = exchange("m1", said("user", "x"))
    assert loads_trace(dumps_trace(trace(blob, kept))) == trace(kept)
    records = [ToolRecord(id=id, name="t", result=LONG, outcome="ok", fidelity="raw") for id in ("t", "t-b1")]
    assert loads_trace(dumps_trace(trace(*records))) == trace(
        *records
    )  # a record has the name that the blob would have


@pytest.mark.parametrize(
    ("records", "words"),
    [
        ([exchange("m1"), exchange("m1")], "twice"),
        ([exchange("")], "''"),
        ([ToolRecord(id="t", name="t", outcome="ok", fidelity="raw", after=("zz",))], "'zz' is no earlier line"),
        ([ToolRecord(id="t", name="t", outcome="ok", fidelity="raw", parent="zz")], "no record is called 'zz'"),
        ([ToolRecord(id="t", name="t", outcome="fine", fidelity="raw")], "fine"),  # type: ignore[arg-type] # wrong on purpose
    ],
)
def test_what_a_reader_would_refuse_is_not_written(records: list[Record], words: str) -> None:
    with pytest.raises(TraceError, match=words):
        dumps_trace(trace(*records))

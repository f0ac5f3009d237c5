"""Write the vectors of the trace format: python -m tests.vectors.generate

A vector is one scenario with one expected result. Its head says what it is and what a reader must answer; after the
first blank line come the exact bytes of the trace.

    what: a key that occurs twice
    expect: bad-trace
    at: 3: $.arguments.a
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from blake3 import blake3

from runwright.trace import (
    JSON,
    AudioBlock,
    Block,
    FaultRecord,
    FileBlock,
    Header,
    HttpRecord,
    HttpRequest,
    HttpResponse,
    ImageBlock,
    McpRecord,
    Message,
    MessageRecord,
    ModelRecord,
    ModelRequest,
    ModelResponse,
    OtherBlock,
    PolicyRecord,
    RefusalBlock,
    SideEffect,
    SideEffectRecord,
    Source,
    TextBlock,
    ThinkingBlock,
    ToolCallBlock,
    ToolRecord,
    ToolResultBlock,
    Trace,
    Usage,
    digest_bytes,
    dumps_trace,
)

HERE = Path(__file__).parent
LONG = "A long text that occurs twice. " * 20
NO_BLOB = b"0" * 64
OTHER_BLOB = (b'"text":"' + LONG.encode(), b'"text":"' + LONG.upper().encode())


class Vector(NamedTuple):
    name: str
    what: str
    expect: str
    at: str
    data: bytes


def every_lane() -> Trace:
    """A trace with a record of each lane that a writer writes by itself, an interned request and a blob."""
    ask = Message(role="user", content=(TextBlock(text="Where is A-4471?"),))
    call = ToolCallBlock(id="call_1", name="lookup", arguments={"order": "A-4471"})
    told = ToolResultBlock(call_id="call_1", content=(TextBlock(text=LONG),))
    first = ModelRequest(api="openai.chat_completions", model="m", parameters={"temperature": 0}, messages=(ask,))
    second = ModelRequest(
        api="openai.chat_completions",
        model="m",
        parameters={"temperature": 0},
        messages=(ask, Message(role="assistant", content=(call,)), Message(role="tool", content=(told,))),
    )
    usage = Usage(input_tokens=9, output_tokens=2)
    asks = ModelResponse(content=(call,), stop_reason="tool_calls", usage=usage)
    says = ModelResponse(content=(TextBlock(text="On its way."),), stop_reason="end_turn", usage=usage)
    records = (
        MessageRecord(id="u1", role="user", content=ask.content),
        ModelRecord(id="m1", request=first, response=asks, streamed=False, fidelity="raw"),
        ToolRecord(
            id="t1", after=("m1",), name="lookup", arguments={"order": "A-4471"}, result=LONG, outcome="ok",
            call_id="call_1", fidelity="raw",
        ),
        McpRecord(id="c1", server="orders", method="tools/call", params={"name": "lookup"}, fidelity="raw"),
        HttpRecord(
            id="h1",
            request=HttpRequest(method="POST", url="https://api.example.com/v1/refunds"),
            response=HttpResponse(status=201),
            fidelity="raw",
        ),
        SideEffectRecord(id="e1", side_effect=SideEffect(kind="fs_write", target="out/report.csv", op="openat")),
        PolicyRecord(id="p1", policy="spend-limit", verdict="allow", on="t1", cycles=12),
        ModelRecord(
            id="m2", after=("t1",), request=second, response=says, streamed=False, fidelity="partial",
            unknown=("$.request.tools",),
        ),
        FaultRecord(id="f1", kind="dropped_spans", detail="the exporter dropped 2 spans", hides=("tool",)),
    )  # fmt: skip
    return Trace(header=Header(kind="run", trace_id="vector"), records=records)


def every_block() -> Trace:
    """A trace with a content block of each kind."""
    picture = Source(kind="base64", data="aGk=", media_type="image/png")
    extra: dict[str, JSON] = {"note": [1, None]}
    asked: tuple[Block, ...] = (
        TextBlock(text="Look", extra=extra),
        ImageBlock(source=picture, detail="low", extra=extra),
        AudioBlock(source=Source(kind="base64", data="aGk="), format="wav"),
        FileBlock(source=Source(kind="file_id", data="file_1"), name="a.pdf", extra=extra),
        ToolResultBlock(call_id="call_0", content=(ImageBlock(source=picture),), is_error=True, extra=extra),
        OtherBlock(kind="container_list", extra=extra),
    )
    said: tuple[Block, ...] = (
        ThinkingBlock(text="hm", signature="c2ln", extra=extra),
        OtherBlock(kind="server_tool_use", cache={"type": "ephemeral"}, extra={"name": "search", "input": {}}),
        RefusalBlock(text="no", extra=extra),
        ToolCallBlock(id="call_1", name="lookup", arguments={}, extra=extra),
    )
    request = ModelRequest(api="anthropic.messages", model="m", messages=(Message(role="user", content=asked),))
    record = ModelRecord(id="m1", request=request, response=ModelResponse(content=said), fidelity="raw")
    return Trace(header=Header(kind="run", trace_id="vector"), records=(record,))


def small() -> list[bytes]:
    """The four lines of a small valid trace."""
    records = (
        MessageRecord(id="u1", role="user", content=(TextBlock(text="hi"),)),
        ToolRecord(id="t1", name="a", fidelity="raw", outcome="ok", after=("u1",), arguments={"a": 1}),
    )
    return dumps_trace(Trace(header=Header(kind="run", trace_id="x"), records=records)).split(b"\n")[:-1]


def stored() -> list[bytes]:
    """Lines with an extended request, an answer referred to, and a blob that holds a result."""
    return dumps_trace(every_lane()).split(b"\n")[:-1]


def sealed(lines: Sequence[bytes]) -> bytes:
    """The lines with the seal, the last of them, made to fit."""
    body = b"".join(line + b"\n" for line in lines[:-1])
    old = lines[-1].split(b'"')[3]
    return body + lines[-1].replace(old, b"blake3:" + blake3(body).hexdigest().encode()) + b"\n"


def vectors() -> list[Vector]:
    """Every vector, the valid ones first."""
    lines = small()
    whole = sealed(lines)

    def edited(number: int, old: bytes, new: bytes) -> bytes:
        assert old in lines[number - 1], (number, old)
        return sealed([line.replace(old, new) if at == number else line for at, line in enumerate(lines, start=1)])

    def restored(old: bytes, new: bytes) -> bytes:
        lines = stored()
        assert sum(line.count(old) for line in lines) == 1, old
        return sealed([line.replace(old, new) for line in lines])

    def arguments(new: bytes) -> bytes:
        return edited(3, b'{"a":1}', new)

    bad, cut = "bad-trace", "incomplete-trace"
    return [
        Vector("valid-every-lane", "a record of every lane", "valid", "", dumps_trace(every_lane())),
        Vector("valid-every-block", "a content block of every kind", "valid", "", dumps_trace(every_block())),
        Vector("valid-small", "a header, two records, a seal", "valid", "", whole),
        Vector("valid-spaces", "spaces after colons say the same", "valid", "", edited(1, b":", b": ")),
        Vector("empty", "no byte at all", bad, "1", b""),
        Vector("no-seal", "the seal is missing", cut, "3", b"\n".join(lines[:-1]) + b"\n"),
        Vector("cut-mid-line", "the last line has no end", cut, "4", whole[:-40]),
        Vector("wrong-digest", "a word was changed after sealing", cut, "4: $.seal", whole.replace(b'"hi"', b'"ho"')),
        Vector(
            "wrong-counts", "the seal counts other records", cut, "4: $.records", edited(4, b'"tool":1', b'"tool":2')
        ),
        Vector(
            "newer-version", "version 2", "unknown-version", "1: $.version", edited(1, b'"version":1', b'"version":2')
        ),
        Vector(
            "other-format", "another format's name", bad, "1: $.format", edited(1, b"runwright.trace", b"other.trace")
        ),
        Vector("unknown-lane", "a lane that there is not", bad, "2: $.lane", edited(2, b'"message"', b'"chatter"')),
        Vector("unknown-field", "a field that there is not", bad, "2: $", edited(2, b'"id":"u1"', b'"id":"u1","zz":1')),
        Vector("wrong-type", "a number where text belongs", bad, "3: $.name", edited(3, b'"name":"a"', b'"name":7')),
        Vector("duplicate-id", "two records of one id", bad, "3: $.id", edited(3, b'"id":"t1"', b'"id":"u1"')),
        Vector(
            "missing-parent",
            "a parent that is not there",
            bad,
            "2: $.parent",
            edited(2, b'"u1"', b'"u1","parent":"zz"'),
        ),
        Vector(
            "after-later", "an edge to a later line", bad, "2: $.after[0]", edited(2, b'"u1"', b'"u1","after":["t1"]')
        ),
        Vector("duplicate-key", "a key that occurs twice", bad, "3: $.arguments.a", arguments(b'{"a":1,"a":2}')),
        Vector("not-a-number", "NaN", bad, "3: $.arguments.a", arguments(b'{"a":NaN}')),
        Vector("infinity", "Infinity", bad, "3: $.arguments.a", arguments(b'{"a":-Infinity}')),
        Vector("beyond-double", "1e400", bad, "3: $.arguments.a", arguments(b'{"a":1e400}')),
        Vector("beyond-64-bits", "2 to the 64th", bad, "3: $.arguments[1]", arguments(b"[1,18446744073709551616]")),
        Vector("lone-surrogate", "half a character", bad, "3: $.arguments.a", arguments(b'{"a":"\\ud83d"}')),
        Vector("too-deep", "2,000 levels", bad, "3: $", arguments(b"[" * 2000 + b"]" * 2000)),
        Vector("byte-order-mark", "a BOM before the header", bad, "1", b"\xef\xbb\xbf" + whole),
        Vector("not-utf-8", "a Latin-1 letter", bad, "2: $", edited(2, b'"hi"', b'"h\xe9"')),
        Vector("cr-lf", "line ends of another system", bad, "1", whole.replace(b"\n", b"\r\n")),
        Vector("after-the-seal", "a line after the seal", bad, "5", whole + lines[1] + b"\n"),
        Vector("second-header", "a header among the records", bad, "3", sealed([*lines[:2], lines[0], *lines[2:]])),
        Vector(
            "parent-cycle",
            "two records that run inside each other",
            bad,
            "2: $.parent",
            sealed(
                [
                    lines[0],
                    lines[1].replace(b'"u1"', b'"u1","parent":"t1"'),
                    lines[2].replace(b'"t1"', b'"t1","parent":"u1"'),
                    lines[3],
                ]
            ),
        ),
        Vector("too-small", "1e-400", bad, "3: $.arguments.a", arguments(b'{"a":1e-400}')),
        Vector("blob-size", "a blob of another size", bad, "4: $.size", restored(b'"size":620', b'"size":621')),
        Vector("blob-digest", "a blob of another text", bad, "4: $.digest", restored(*OTHER_BLOB)),
        Vector(
            "no-blob",
            "a digest that no blob has",
            bad,
            "5: $.result_blob",
            restored(b'"result_blob":"' + digest_bytes(LONG.encode()).encode(), b'"result_blob":"blake3:' + NO_BLOB),
        ),
        Vector(
            "no-base",
            "a request that extends what is not there",
            bad,
            "10: $.request.extends",
            restored(b'"extends":"m1"', b'"extends":"m9"'),
        ),
        Vector(
            "no-reply",
            "a message that repeats what is not there",
            bad,
            "10: $.request.splices[0].put[0].response_of",
            restored(b'"response_of":"m1"', b'"response_of":"m9"'),
        ),
        Vector(
            "splice-beyond",
            "a splice that takes more than there is",
            bad,
            "10: $.request.splices",
            restored(b'"del":0', b'"del":99'),
        ),
        Vector("no-json", "a line that is no JSON", bad, "2: $", sealed([lines[0], b'{"a" 1}', *lines[2:]])),
    ]


def text_of(vector: Vector) -> bytes:
    """The vector's file."""
    at = f"at: {vector.at}\n" if vector.at else ""
    return f"what: {vector.what}\nexpect: {vector.expect}\n{at}\n".encode() + vector.data


if __name__ == "__main__":
    for each in vectors():
        (HERE / f"{each.name}.vector").write_bytes(text_of(each))

"""Runs of every kind of record, drawn at random: what writers are given."""

from __future__ import annotations

from typing import Any

import msgspec
from hypothesis import strategies as st

from runwright.trace import (
    AgentInfo,
    EffectState,
    FaultRecord,
    Header,
    HttpBody,
    HttpRecord,
    HttpRequest,
    HttpResponse,
    Lineage,
    McpError,
    McpRecord,
    Message,
    MessageRecord,
    ModelError,
    ModelRecord,
    ModelRequest,
    ModelResponse,
    SideEffect,
    SideEffectRecord,
    TextBlock,
    ToolCallBlock,
    ToolError,
    ToolRecord,
    ToolResultBlock,
    ToolSpec,
    Trace,
    Usage,
    with_edges,
)
from tests.dialects import test_anthropic_properties as anthropic, test_openai_chat_properties as chat

TEXT, NAME, JSON = chat.TEXT, chat.NAME, chat.JSON
ASCII = st.text("abcXYZ 019-_:/", max_size=12)
errors = st.builds(
    ModelError,
    message=TEXT,
    status=st.none() | st.sampled_from([400, 401, 429, 500, 529, 200]),
    kind=st.none() | NAME,
    body=st.none() | st.dictionaries(NAME, JSON, max_size=2),
    retry_after=st.none() | st.sampled_from([0.0, 2.0, 0.5, 1e-7]),
)
unknown = st.lists(
    st.sampled_from(["$.request.parameters.*", "$.request.tools", "$.response.content", "$.request.messages"]),
    max_size=1,
).map(tuple)
elsewhere = st.builds(ModelRequest, api=st.just("nobody.chat"), model=NAME)
chat_answers = chat.responses(chat.streamable())
anthropic_answers = anthropic.responses(
    st.lists(anthropic.texts | anthropic.thinking | anthropic.calls, max_size=3).map(tuple)
)


def exchanges(requests: Any, answers: Any) -> Any:
    answered = st.tuples(answers, st.none())
    return st.builds(
        lambda request, outcome, **rest: ModelRecord(
            id="", request=request, response=outcome[0], error=outcome[1], **rest
        ),
        requests,
        answered | answered | st.tuples(st.none() | answers, errors) | st.just((None, None)),
        streamed=st.none() | st.booleans(),
        fidelity=st.sampled_from(["raw", "raw", "reconstructed", "partial", "none"]),
        unknown=st.just(()) | unknown,
        reconstructed=st.just(()) | st.just(("$.response.usage",)),
    )


models = st.one_of(
    exchanges(chat.requests, chat_answers),
    exchanges(anthropic.requests(), anthropic_answers),
    exchanges(elsewhere, chat_answers),
)
bodies = st.one_of(
    st.none(),
    st.builds(HttpBody, text=TEXT),
    st.builds(HttpBody, base64=st.sampled_from(["/////w==", "AAAA", "aGVsbG8="])),
    st.builds(HttpBody, text=TEXT, truncated=st.just(True), size=st.integers(0, 99)),
    st.builds(HttpBody, size=st.integers(0, 99)),
)
headers = st.lists(
    st.tuples(st.sampled_from(["Accept", "X-Order", "set-cookie", "content-encoding", "content-type"]), ASCII)
    | st.just(("content-encoding", "gzip")),
    max_size=4,
).map(tuple)
https = st.builds(
    HttpRecord,
    id=st.just(""),
    request=st.builds(
        HttpRequest,
        method=st.sampled_from(["GET", "POST", "put", "DELETE"]),
        url=st.sampled_from(["http://shop.test/orders?id=A&x=", "https://shop.test", "http://[", "/relative"]),
        headers=headers,
        body=bodies,
    ),
    response=st.none()
    | st.builds(HttpResponse, status=st.sampled_from([200, 204, 404, 599]), headers=headers, body=bodies),
    error=st.none() | TEXT,
    fidelity=st.sampled_from(["raw", "partial"]),
)
mcps = st.builds(
    McpRecord,
    id=st.just(""),
    server=st.sampled_from(["shop.test", "shop.test:8000", "the shop", ""]),
    method=NAME,
    transport=st.sampled_from(["http", "http", "stdio", "unknown"]),
    params=st.none() | st.dictionaries(NAME, JSON, max_size=2),
    result=JSON,
    error=st.none() | st.builds(McpError, code=st.integers(-9, 9), message=TEXT, data=JSON),
    notification=st.booleans(),
    direction=st.sampled_from(["client", "client", "server"]),
    call_id=st.none() | NAME,
    fidelity=st.sampled_from(["raw", "partial"]),
    unknown=st.just(()) | st.just(("$.result",)),
)
tools = st.builds(
    ToolRecord,
    id=st.just(""),
    name=NAME,
    arguments=JSON,
    result=JSON,
    error=st.none() | st.builds(ToolError, message=TEXT, type=st.none() | NAME),
    outcome=st.sampled_from(["ok", "error", "denied"]),
    call_id=st.none() | NAME,
    fidelity=st.sampled_from(["raw", "reconstructed", "partial", "none"]),
    unknown=st.just(()) | st.just(("$.arguments",)) | st.just(("$.result",)),
)
others = st.one_of(
    st.sampled_from([MessageRecord(id="", role=role, content=(TextBlock(text="x"),)) for role in ("user", "agent")]),
    st.just(
        SideEffectRecord(id="", side_effect=SideEffect(kind="fs_write", target="out.csv", after=EffectState(size=3)))
    ),
    st.just(FaultRecord(id="", kind="observer_failed", detail="it did")),
)  # fmt: skip
kinds = st.one_of(models, models, https, mcps, tools, others)
heads = st.builds(
    Header,
    kind=st.sampled_from(["run", "cassette"]),
    trace_id=NAME,
    started_at=st.none() | st.just("2026-05-04T03:02:01.500000Z"),
    agent=st.none() | st.builds(AgentInfo, name=NAME),
    lineage=st.none() | st.builds(Lineage, parent=NAME),
    ext=st.just({}) | st.just({"x": 1}),
)


@st.composite
def runs(draw: Any, kinds: Any = kinds) -> Trace:
    """A run of some records: with or without times, agents and nesting, and with the edges that follow."""
    timed, odd = draw(st.booleans()), draw(st.booleans())
    counts: dict[str, int] = {}
    records: list[Any] = []
    for at, record in enumerate(draw(st.lists(kinds, min_size=1, max_size=5))):
        letter = {"MessageRecord": "u", "SideEffectRecord": "e", "McpRecord": "c"}.get(
            type(record).__name__, type(record).__name__[0].lower()
        )
        counts[letter] = counts.get(letter, 0) + 1
        place: dict[str, Any] = {"id": f"odd-{at}" if odd and draw(st.booleans()) else f"{letter}{counts[letter]}"}
        if draw(st.booleans()):
            place["agent"] = draw(NAME)
        if records and draw(st.integers(0, 4)) == 0:
            place["parent"] = draw(st.sampled_from(records)).id
        if timed and draw(st.integers(0, 3)):
            place |= {"t": draw(st.integers(0, 9000)) / 1000, "duration": draw(st.integers(0, 900)) / 1000}
        if draw(st.integers(0, 4)) == 0:
            place["ext"] = {"x": 1}
        records.append(_with(record, place))
    return Trace(header=draw(heads), records=with_edges(records))


def _with(record: Any, place: dict[str, Any]) -> Any:
    return msgspec.structs.replace(record, **place)


@st.composite
def conversations(draw: Any) -> Trace:
    """A run as agents have them: each request holds all before it, calls are run and answered; perhaps two agents."""
    records: list[Any] = []
    for agent in draw(st.sampled_from([(None,), ("one", "two")])):
        told = (
            Message(role="system", content=(TextBlock(text=f"be {agent}"),)),
            Message(role="user", content=(TextBlock(text=draw(TEXT.filter(bool))),)),
        )
        for turn in range(draw(st.integers(1, 4))):
            reply, ran = draw(_turn(f"{agent}-{turn}"))
            records.append(_exchange(told, reply, agent, streamed=draw(st.booleans())))
            records += [_with(each, {"agent": agent}) for each in ran]
            results = tuple(_told(each) for each in ran)
            said = () if results else (Message(role="user", content=(TextBlock(text="go on"),)),)
            told = (*told, Message(role="assistant", content=reply), *results, *said)
    return Trace(
        header=Header(kind="run", trace_id="a", started_at="2026-05-04T03:02:01.500000Z"),
        records=with_edges(_numbered(records)),
    )


@st.composite
def _turn(draw: Any, name: str) -> Any:
    """A reply, and the calls that it asks for as they were run."""
    ran = [
        ToolRecord(
            id="", name=draw(NAME), arguments=draw(st.dictionaries(NAME, JSON, max_size=2)),
            result=draw(TEXT.filter(bool)), outcome="ok", call_id=f"call-{name}-{at}", fidelity="raw",
        )
        for at in range(draw(st.integers(0, 2)))
    ]  # fmt: skip
    asked = [ToolCallBlock(id=each.call_id or "", name=each.name, arguments=each.arguments) for each in ran]
    words = draw(TEXT.filter(bool) if not ran else TEXT)
    return (*((TextBlock(text=words),) if words else ()), *asked), ran


def _told(ran: ToolRecord) -> Message:
    block = ToolResultBlock(call_id=ran.call_id or "", content=(TextBlock(text=str(ran.result)),))
    return Message(role="tool", content=(block,))


def _exchange(told: tuple[Message, ...], reply: tuple[Any, ...], agent: str | None, *, streamed: bool) -> ModelRecord:
    request = ModelRequest(
        api="openai.chat_completions",
        provider="openai",
        model="m",
        parameters={"temperature": 0.5},
        messages=told,
        tools=(ToolSpec(name="look", description="Look.", parameters={"type": "object"}),),
    )
    calls = any(isinstance(each, ToolCallBlock) for each in reply)
    response = ModelResponse(
        content=reply, stop_reason="tool_calls" if calls else "end_turn", usage=Usage(input_tokens=5, output_tokens=6),
        id="r", model="m", extra={"created": 1},
    )  # fmt: skip
    return ModelRecord(id="", request=request, response=response, streamed=streamed, fidelity="raw", agent=agent)


def _numbered(records: list[Any]) -> list[Any]:
    counts: dict[str, int] = {}
    found = []
    for at, record in enumerate(records):
        letter = type(record).__name__[0].lower()
        counts[letter] = counts.get(letter, 0) + 1
        found.append(_with(record, {"id": f"{letter}{counts[letter]}", "t": at / 10, "duration": 0.05}))
    return found

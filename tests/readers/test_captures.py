"""Captures of HTTP traffic: VCR cassettes, HAR archives and mitmproxy's flow files."""

from __future__ import annotations

import base64
import json

import pytest
import yaml

from runwright.errors import ReaderError
from runwright.readers import Input, read_foreign
from runwright.trace import dumps_trace, loads_trace
from runwright.trace.model import JSON, FaultRecord, ModelRecord, Trace, text_of
from tests.readers.test_wire import ANSWER, ASKED, STREAM, URL


def read(data: bytes | str, name: str = "capture") -> Trace:
    raw = data.encode() if isinstance(data, str) else data
    trace = read_foreign([Input(name, raw)])
    assert loads_trace(dumps_trace(trace)) == trace
    return trace


def hello(trace: Trace) -> ModelRecord:
    """The one exchange, which is the same whoever captured it."""
    (exchange,) = trace.models
    assert text_of(exchange.request.messages[0].content) == "hi"
    assert exchange.response is not None
    assert text_of(exchange.response.content) == "hello"
    assert exchange.fidelity == "raw"
    assert [record.id for record in trace.records] == ["u1", "m1", "u2"]
    return exchange


# --- vcr -----------------------------------------------------------------------------------------


def interaction(body: JSON, **response: JSON) -> JSON:
    headers: JSON = {"content-type": ["application/json"]}
    return {
        "request": {"method": "POST", "uri": URL, "headers": headers, "body": json.dumps(ASKED)},
        "response": {"status": {"code": 200, "message": "OK"}, "headers": headers, "body": body, **response},
    }


def cassette(*interactions: JSON) -> str:
    return yaml.safe_dump({"interactions": list(interactions), "version": 1})


BODIES: dict[str, JSON] = {
    "string": {"string": json.dumps(ANSWER)},
    "bytes": {"string": json.dumps(ANSWER).encode()},  # type: ignore[dict-item]
    "base64": {"base64_string": base64.b64encode(json.dumps(ANSWER).encode()).decode()},
    "plain text": json.dumps(ANSWER),
    "stream": {"string": STREAM},
}


@pytest.mark.parametrize("body", BODIES.values(), ids=BODIES)
def test_every_form_of_a_body(body: JSON) -> None:
    hello(read(cassette(interaction(body))))


def test_bodies_that_were_stored_parsed() -> None:
    one = {
        "request": {"method": "POST", "uri": URL, "headers": {}, "parsed_body": ASKED},
        "response": {"status": {"code": 200}, "headers": {}, "parsed_body": ANSWER},
    }
    hello(read(cassette(one)))


def test_the_json_serializer() -> None:
    hello(read(json.dumps({"version": 1, "interactions": [interaction({"string": json.dumps(ANSWER)})]})))


def test_a_retry_is_an_exchange_of_its_own() -> None:
    slow = interaction({"string": '{"error": {"message": "slow down"}}'}, status={"code": 429, "message": "no"})
    first, second = read(cassette(slow, interaction({"string": json.dumps(ANSWER)}))).models
    assert first.error is not None
    assert (first.error.status, second.error) == (429, None)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("interactions: []\nversion: 1\n# request uri", "no interaction"),
        ("interactions: 3\nversion: 1\n# request uri", "no list"),
        ("interactions:\n- !!python/object/apply:os.system ['true']\n# request uri", "no YAML"),
        ("interactions:\n- {request: {uri: [}\n# request uri", "no YAML"),
        ("interactions:\n- &a [*a]\n# request uri", "aliases"),
    ],
)
def test_what_is_no_cassette_is_refused(text: str, why: str) -> None:
    with pytest.raises(ReaderError, match=why):
        read_foreign([Input("x.yaml", text.encode())], "vcr")


def test_bodies_that_cannot_be_kept_are_told() -> None:
    deep: JSON = "x"
    for _ in range(300):
        deep = [deep]
    parsed = {**interaction({}), "response": {"status": {"code": 200}, "headers": {}, "parsed_body": deep}}
    coded = interaction({"base64_string": "=*="})
    assert [loss.kind for loss in read(cassette(parsed)).header.losses][:1] == ["not_representable"]
    assert [loss.kind for loss in read(cassette(coded)).header.losses][:1] == ["malformed"]


def test_dates_stay_texts_and_headers_may_be_single() -> None:
    asked, answer = json.dumps(ASKED), json.dumps(ANSWER)
    request = f"{{method: POST, uri: '{URL}', body: '{asked}', headers: {{date: 2026-01-01}}}}"
    response = f"{{status: {{code: 200}}, headers: {{}}, body: {{string: '{answer}'}}}}"
    text = f"interactions:\n- request: {request}\n  response: {response}\nversion: 1\n"
    hello(read(text))


# --- har -----------------------------------------------------------------------------------------


def entry(content: JSON, **more: JSON) -> JSON:
    return {
        "startedDateTime": "2026-11-30T10:00:00.000Z",
        "time": 250,
        "request": {
            "method": "POST",
            "url": URL,
            "headers": [{"name": "Content-Type", "value": "application/json"}],
            "postData": {"mimeType": "application/json", "text": json.dumps(ASKED)},
        },
        "response": {"status": 200, "headers": [{"name": "content-encoding", "value": "gzip"}], "content": content},
        **more,
    }  # type: ignore[return-value]


def archive(*entries: JSON) -> str:
    return json.dumps(
        {"log": {"version": "1.2", "creator": {"name": "proxy", "version": "3"}, "entries": list(entries)}}
    )


CONTENTS: dict[str, JSON] = {
    "text": {"size": 10, "mimeType": "application/json", "text": json.dumps(ANSWER)},
    "base64": {"text": base64.b64encode(json.dumps(ANSWER).encode()).decode(), "encoding": "base64"},
    "stream": {"mimeType": "text/event-stream", "text": STREAM},
}


@pytest.mark.parametrize("content", CONTENTS.values(), ids=CONTENTS)
def test_every_form_of_content(content: JSON) -> None:
    trace = read(archive(entry(content)))
    exchange = hello(trace)
    assert (exchange.t, exchange.duration) == (0.0, 0.25)
    assert trace.header.started_at == "2026-11-30T10:00:00.000000Z"
    assert trace.header.source is not None
    assert (trace.header.source.tool, trace.header.source.version) == ("proxy", "3")


def test_entries_are_put_in_order() -> None:
    late = entry(CONTENTS["text"], startedDateTime="2026-11-30T10:00:09.000Z")
    trace = read(archive(late, entry(CONTENTS["text"])))
    assert [each.t for each in trace.models] == [0.0, 9.0]


def test_a_body_that_the_browser_dropped_is_unknown() -> None:
    trace = read(archive(entry({"size": 812, "mimeType": "text/event-stream"})))
    (exchange,) = trace.models
    assert (exchange.response, exchange.unknown) == (None, ("$.response.content",))
    assert {loss.kind for loss in trace.header.losses} == {"not_captured"}


def test_a_call_without_an_answer() -> None:
    trace = read(archive(entry({}, response={"status": 0, "headers": [], "content": {}, "_error": "net::ERR_FAILED"})))
    assert trace.models[0].response is None
    assert trace.header.losses[0].detail == "net::ERR_FAILED"


@pytest.mark.parametrize("text", ['{"log": 3}', '{"log": {"entries": 3}}', '{"log": {"entries": []}}', '{"log": {'])
def test_what_is_no_archive_is_refused(text: str) -> None:
    with pytest.raises(ReaderError):
        read_foreign([Input("x.har", text.encode())], "har")


# --- mitmproxy -----------------------------------------------------------------------------------


def netstring(value: object) -> bytes:
    if isinstance(value, dict):
        kind, data = b"}", b"".join(netstring(each) for pair in value.items() for each in pair)
    elif isinstance(value, list):
        kind, data = b"]", b"".join(map(netstring, value))
    elif isinstance(value, bool):
        kind, data = b"!", str(value).lower().encode()
    elif isinstance(value, int):
        kind, data = b"#", str(value).encode()
    elif isinstance(value, float):
        kind, data = b"^", repr(value).encode()
    elif isinstance(value, bytes):
        kind, data = b",", value
    else:
        kind, data = (b"~", b"") if value is None else (b";", str(value).encode())
    return b"%d:%b%b" % (len(data), data, kind)


def flow(body: bytes, **more: object) -> bytes:
    request = {
        "host": "api.openai.com", "port": 443, "scheme": b"https", "method": b"POST", "path": b"/v1/chat/completions",
        "headers": [[b"content-type", b"application/json"]], "content": json.dumps(ASKED).encode(),
        "timestamp_start": 1764496800.5,
    }  # fmt: skip
    response = {"status_code": 200, "headers": [], "content": body, "timestamp_end": 1764496801.0}
    whole = {"websocket": None, "response": response, "request": request, "type": "http", "id": "f-1", "version": 20}
    return netstring({**whole, **more})


@pytest.mark.parametrize("body", [json.dumps(ANSWER).encode(), STREAM.encode()], ids=["body", "stream"])
def test_flows(body: bytes) -> None:
    exchange = hello(read(flow(body)))
    assert exchange.ext["url"] == URL
    assert exchange.duration == 0.5


def test_a_file_that_breaks_off_is_kept_up_to_there_and_says_so() -> None:
    whole = flow(json.dumps(ANSWER).encode())
    trace = read(whole + whole[:-20])
    assert len(trace.models) == 1
    assert [record.kind for record in trace.records if isinstance(record, FaultRecord)] == ["interruption"]


@pytest.mark.parametrize("data", [b"", b"9:", b"99999999999:x", b"3:abc?", b"5:1:2:}", netstring({"type": "tcp"})])
def test_what_is_no_flow_file_is_refused(data: bytes) -> None:
    with pytest.raises(ReaderError):
        read_foreign([Input("x.mitm", data)], "mitmproxy")


def test_nesting_beyond_reason_is_refused() -> None:
    deep = b"0:]"
    for _ in range(200):
        deep = b"%d:%b]" % (len(deep), deep)
    with pytest.raises(ReaderError):
        read_foreign([Input("x.mitm", deep)], "mitmproxy")

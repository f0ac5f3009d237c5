"""The replay server on the wire: what it refuses, how it cuts, and where it listens."""

from __future__ import annotations

import gzip
import http.client
import json
import socket
import threading
from urllib.parse import urlsplit

import msgspec
import pytest

from runwright.replay import ReplayServer, ReplaySession
from runwright.trace.model import ImageBlock, ModelResponse, Source
from tests.replay.cassettes import body, cassette, exchange, matcher_of, replayed, reply, session_of

HELLO = exchange(1, body("hello"), reply("hi"))
CHAT_PATH = "/v1/chat/completions"


def send(origin, method, path, data=b"", **headers):
    """One request; status, headers and body of the answer."""
    connection = http.client.HTTPConnection(urlsplit(origin).netloc, timeout=10)
    connection.request(method, path, data, {name.replace("_", "-"): value for name, value in headers.items()})
    answer = connection.getresponse()
    content = answer.read()
    connection.close()
    return answer.status, dict(answer.getheaders()), content


def said(content):
    return json.loads(content)["error"]


@pytest.mark.parametrize(
    "path", [CHAT_PATH, "/chat/completions", "/openai/deployments/x/chat/completions?api-version=1"]
)
def test_the_path_may_have_any_prefix(path):
    with replayed(HELLO) as (_, origin):
        status, _, content = send(origin, "POST", path, json.dumps(body("hello")))
    assert (status, json.loads(content)["choices"][0]["message"]["content"]) == (200, "hi")


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("GET", CHAT_PATH),
        ("PUT", CHAT_PATH),
        ("HEAD", "/v1/models"),
        ("POST", "/v1/models"),
        ("GET", "/"),
        ("OPTIONS", "/v1/models"),
        ("POST", "/v1/completions"),
        ("BREW", "/pot"),
    ],
)
def test_any_other_call_is_a_miss(method, path):
    with replayed(HELLO) as (session, origin):
        status, headers, _ = send(origin, method, path)
    assert (status, headers["x-should-retry"]) == (404, "false")
    assert session.unknown_paths == (f"{method} {path}",)
    assert session.miss.kind == "unknown_path"


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"{", "cannot be read"),
        (b"[]", "expected an object, found a list"),
        (b'{"model":"m","model":"n","messages":[]}', "occurs twice"),
        (b'{"model":"m","messages":[],"seed":18446744073709551616}', "64 bits"),
        (b'{"model":"m","messages":[],"top_p":NaN}', "NaN"),
        (b'{"model":"m","messages":[],"x":' + b"[" * 3000 + b"]" * 3000 + b"}", "nested"),
        (b'{"model":"\xff","messages":[]}', "UTF-8"),
        (b'{"model":"m","messages":[{"role":"user","content":"\\ud800"}]}', "surrogate"),
    ],
)
def test_a_body_that_cannot_be_read_exactly_is_a_miss(data, reason):
    with replayed(HELLO) as (session, origin):
        status, headers, content = send(origin, "POST", CHAT_PATH, data)
    assert (status, headers["x-should-retry"]) == (422, "false")
    assert reason in said(content)["message"]
    assert said(content)["type"] == "runwright_miss"
    assert session.miss.kind == "unreadable"


def test_a_compressed_body_is_a_miss_that_says_so():
    with replayed(HELLO) as (session, origin):
        data = gzip.compress(json.dumps(body("hello")).encode())
        status, _, content = send(origin, "POST", CHAT_PATH, data, content_encoding="gzip")
    assert status == 415
    assert "content-encoding 'gzip'" in said(content)["message"]
    assert session.miss.kind == "unreadable"


def test_a_body_over_the_limit_is_a_miss():
    data = json.dumps(body("hello"))
    with replayed(HELLO, body_limit=len(data)) as (session, origin):
        assert send(origin, "POST", CHAT_PATH, data)[0] == 200
        assert session.miss is None
        assert send(origin, "POST", CHAT_PATH, data + " ")[0] == 413
        assert session.miss.kind == "unreadable"


def test_a_chunked_body_and_a_kept_connection():
    with replayed(HELLO, exchange(2, body("again"), reply("ho"))) as (_, origin):
        connection = http.client.HTTPConnection(urlsplit(origin).netloc, timeout=10)
        answers, ports = [], set()
        for text in ("hello", "again"):
            data = json.dumps(body(text)).encode()
            connection.request("POST", CHAT_PATH, iter([data[:9], data[9:]]), encode_chunked=True)
            answers.append(json.loads(connection.getresponse().read())["choices"][0]["message"]["content"])
            ports.add(connection.sock.getsockname())
        connection.close()
    assert answers == ["hi", "ho"]
    assert len(ports) == 1


def test_a_host_header_does_not_matter():
    with replayed(HELLO) as (_, origin):
        assert send(origin, "POST", CHAT_PATH, json.dumps(body("hello")), host="api.openai.com")[0] == 200


def raw_stream(origin):
    """The chunks of a chunked answer as the server wrote them."""
    with socket.create_connection((urlsplit(origin).hostname, urlsplit(origin).port), timeout=10) as connection:
        data = json.dumps(body("hello", stream=True)).encode()
        head = f"POST {CHAT_PATH} HTTP/1.1\r\nhost: x\r\nconnection: close\r\ncontent-length: {len(data)}\r\n\r\n"
        connection.sendall(head.encode() + data)
        raw = b"".join(iter(lambda: connection.recv(65536), b""))
    _, _, rest = raw.partition(b"\r\n\r\n")
    pieces = []
    while rest:
        size, _, rest = rest.partition(b"\r\n")
        length = int(size, 16)
        pieces.append(rest[:length])
        rest = rest[length + 2 :]
    assert pieces.pop() == b"", "the stream is whole"
    return pieces


def test_a_stream_is_one_event_a_piece():
    with replayed(exchange(1, body("hello", stream=True), reply("Zürich \U0001f600"))) as (_, origin):
        pieces = raw_stream(origin)
    assert all(piece.startswith(b"data: ") and piece.endswith(b"\n\n") for piece in pieces)
    assert pieces[-1] == b"data: [DONE]\n\n"


def test_a_split_stream_is_cut_every_so_many_bytes_inside_characters_too():
    def pieces(**options):
        with replayed(exchange(1, body("hello", stream=True), reply("Zürich \U0001f600")), **options) as (_, origin):
            return raw_stream(origin)

    whole, cut = pieces(), pieces(split=3)
    assert {len(piece) for piece in cut[:-1]} == {3}
    assert b"".join(cut) == b"".join(whole)
    assert any(not _is_text(piece) for shift in (1, 2, 3) for piece in pieces(split=shift))
    with pytest.raises(ValueError, match="split must be at least 1"):
        ReplayServer(session_of(cassette(HELLO)), split=0)


def _is_text(piece):
    try:
        piece.decode()
    except UnicodeDecodeError:
        return False
    return True


def test_a_recorded_reply_without_a_form_on_the_wire_is_a_miss_and_no_evidence_of_a_reply():
    picture = ModelResponse(content=(ImageBlock(source=Source(kind="file_id", data="x")),))
    with replayed(msgspec.structs.replace(HELLO, response=picture)) as (session, origin):
        status, _, content = send(origin, "POST", CHAT_PATH, json.dumps(body("hello")))
    assert status == 422
    assert "m1 cannot be served" in said(content)["message"]
    assert session.miss.kind == "unservable"
    assert [(live.response, live.error.kind) for live in session.live_records()] == [(None, "runwright_miss")]


def test_a_defect_of_the_server_is_a_miss_too():
    session = session_of(cassette(HELLO))
    session.answer = lambda *_: 1 // 0
    with ReplayServer(session) as server:
        status, headers, content = send(server.base_url, "POST", CHAT_PATH, json.dumps(body("hello")))
    assert (status, headers["x-should-retry"]) == (500, "false")
    assert "ZeroDivisionError" in said(content)["message"]
    assert session.miss.kind == "internal"


@pytest.mark.parametrize("cut", ["user", "metadata"])
def test_what_a_refused_agent_is_told_holds_no_secret_and_no_part_of_one(cut):
    secret = "sk-" + "a" * 300
    fields = {"user": f"key {secret}"} if cut == "user" else {"metadata": {"key": [secret]}}
    with replayed(HELLO, clean=lambda text: text.replace(secret, "[[redacted]]")) as (session, origin):
        _, _, content = send(origin, "POST", CHAT_PATH, json.dumps(body("hello", **fields)))
    assert "[[redacted]]" in said(content)["message"]
    assert "aaaa" not in said(content)["message"]
    assert "aaaa" not in repr(session.misses)
    assert session.miss.kind == "differs"


def test_a_path_that_holds_a_secret_is_told_without_it():
    with replayed(HELLO, clean=lambda text: text.replace("hunter2", "[[redacted]]")) as (session, origin):
        _, _, content = send(origin, "GET", "/login/hunter2")
    assert session.unknown_paths == ("GET /login/[[redacted]]",)
    assert "hunter2" not in said(content)["message"] + repr(session.misses)


def test_the_secret_gate_is_on_by_itself():
    key = "AKIA" + "QYLPMN5HHHFPZAM2"
    session = ReplaySession(cassette(HELLO), matcher_of(cassette(HELLO)))
    with ReplayServer(session) as server:
        _, _, content = send(server.base_url, "POST", CHAT_PATH, json.dumps(body("hello", user=key)))
    assert "$.request.parameters.user" in said(content)["message"]
    assert key not in said(content)["message"] + repr(session.misses)


def test_it_listens_on_loopback_only_and_stops_with_the_block():
    before = threading.active_count()
    with replayed(HELLO) as (_, origin):
        assert urlsplit(origin).hostname == "127.0.0.1"
        idle = socket.create_connection((urlsplit(origin).hostname, urlsplit(origin).port))
    idle.close()
    assert threading.active_count() == before
    with pytest.raises(ConnectionRefusedError):
        socket.create_connection((urlsplit(origin).hostname, urlsplit(origin).port))


def test_an_agent_that_dies_in_mid_request_is_no_miss():
    with replayed(HELLO) as (session, origin):
        with socket.create_connection((urlsplit(origin).hostname, urlsplit(origin).port)) as connection:
            connection.sendall(f"POST {CHAT_PATH} HTTP/1.1\r\nhost: x\r\ncontent-length: 99\r\n\r\n{{".encode())
        assert send(origin, "POST", CHAT_PATH, json.dumps(body("hello")))[0] == 200
    assert session.misses == ()

"""Digests of bodies: the same for what says the same, and telling nothing of a secret."""

from __future__ import annotations

import gzip
import zlib

import pytest

from runwright.record.http.digest import content_of
from runwright.record.http.model import Content
from runwright.trace import canonical, digest_bytes

FORM = {"content-type": "application/x-www-form-urlencoded"}
JSON = {"content-type": "application/json"}


def digest(data: bytes, headers: dict[str, str] | None = None) -> str:
    found = content_of(data, headers or {}, framed=False, whole=True)
    assert found.digest, found
    return found.digest


def unknown(data: bytes, headers: dict[str, str] | None = None, *, framed: bool = True, whole: bool = False) -> str:
    found = content_of(data, headers or {}, framed=framed, whole=whole)
    assert found.unknown, found
    assert found.digest is None
    return found.unknown


def test_what_differs_has_another_digest() -> None:
    bodies = [
        b'{"amount": 40}',
        b'{"amount": 400}',
        b'{"amount": "40"}',
        b'{"Amount": 40}',
        b"amount=40",
        b"amount=400",
    ]
    assert len(set(map(digest, bodies))) == len(bodies)


def test_json_is_the_same_however_it_is_written() -> None:
    assert (
        digest(b'{"a":1,"b":[true]}')
        == digest(b' {"b": [true],\n "a": 1}')
        == digest_bytes(canonical({"a": 1, "b": [True]}))
    )


@pytest.mark.parametrize(
    ("body", "other", "headers"),
    [
        (b'{"user": "a", "password": "hunter2"}', b'{"user": "a", "password": "swordfish"}', JSON),
        (b"user=a&password=hunter2", b"user=a&password=swordfish", FORM),
        (b'{"text": "{\\"password\\": \\"hunter2\\"}"}', b'{"text": "{\\"password\\": \\"hunter3\\"}"}', JSON),
        (b"token ghp_" + b"a1B2" * 9, b"token ghp_" + b"c3D4" * 9, {}),
        (b'{"password": 1234}', b'{"password": 1235}', JSON),
    ],
)
def test_a_secret_is_no_part_of_the_digest(body: bytes, other: bytes, headers: dict[str, str]) -> None:
    assert digest(body, headers) == digest(other, headers)
    plain = {digest_bytes(body), digest_bytes(other)}
    assert digest(body, headers) not in plain


def test_but_what_stands_beside_it_is() -> None:
    assert digest(b'{"user": "a", "password": "hunter2"}') != digest(b'{"user": "b", "password": "hunter2"}')


def test_a_value_that_only_the_caller_knows_is_secret_too() -> None:
    words = {"known": ("orange-elephant-house",)}
    one = content_of(b"say orange-elephant-house", {}, framed=False, whole=True, **words)
    assert one != content_of(b"say orange-elephant-house", {}, framed=False, whole=True)
    assert one == content_of(b"say [[redacted:variable:7]]", {}, framed=False, whole=True)


def test_a_secret_that_was_a_token_in_the_recording_is_the_same_in_a_replay() -> None:
    recorded = b'{"to": "a", "password": "hunter2"}'
    assert digest(recorded) == digest(b'{"to": "a", "password": "[[redacted:secret-named-key:3]]"}')


def test_multipart_has_another_boundary_each_time() -> None:
    def form(boundary: str, value: str) -> tuple[bytes, dict[str, str]]:
        body = f'--{boundary}\r\nContent-Disposition: form-data; name="a"\r\n\r\n{value}\r\n--{boundary}--\r\n'
        return body.encode(), {"content-type": f"multipart/form-data; boundary={boundary}"}

    assert digest(*form("4e5f", "1")) == digest(*form("77aa", "1"))
    assert digest(*form("4e5f", "1")) != digest(*form("77aa", "2"))


@pytest.mark.parametrize("packed", [gzip.compress(b'{"a": 1}', mtime=0), b'{"a": 1}'])
def test_gzip_is_unpacked_where_it_is(packed: bytes) -> None:
    assert digest(packed, {"content-encoding": "gzip"}) == digest(b'{"a": 1}')


@pytest.mark.parametrize("bits", [15, -15])
def test_both_kinds_of_deflate(bits: int) -> None:
    packing = zlib.compressobj(wbits=bits)
    packed = packing.compress(b'{"a": 1}') + packing.flush()
    assert digest(packed, {"content-encoding": "deflate"}) == digest(b'{"a": 1}')


@pytest.mark.parametrize(
    ("data", "headers", "reason"),
    [
        (b"\xff\xfe\x00", {}, "not text"),
        (b"a\0b", {}, "not text"),
        (b"abc", {"content-encoding": "br"}, "packed in a way that is not read here"),
        (b"\x1f\x8babc", {"content-encoding": "gzip"}, "packed wrongly"),
        (gzip.compress(b"abc" * 100, mtime=0)[:20], {"content-encoding": "gzip"}, "not seen to its end"),
        (gzip.compress(b"x" * (9 << 20)), {"content-encoding": "gzip"}, "too long"),
    ],
)
def test_what_has_no_digest_says_why(data: bytes, headers: dict[str, str], reason: str) -> None:
    assert unknown(data, headers, framed=False, whole=True) == reason


def test_a_body_as_it_is_on_the_wire() -> None:
    chunked = {"transfer-encoding": "chunked"}
    whole = b'4\r\n{"a"\r\n5;x=y\r\n: 1}\n\r\n0\r\n\r\n'
    assert content_of(whole, chunked, framed=True, whole=False).digest == digest(b'{"a": 1}')
    for cut in range(len(whole) - 4):
        assert unknown(whole[:cut], chunked) == "not seen to its end"
    assert content_of(b"abc", {"content-length": "3"}, framed=True, whole=False).digest == digest(b"abc")
    assert unknown(b"ab", {"content-length": "3"}) == "not seen to its end"
    assert unknown(b"abc") == "not seen to its end"
    assert content_of(b"abc", {}, framed=True, whole=True).digest == digest(b"abc")
    assert unknown(b"abc", framed=False) == "not seen to its end"


def test_nothing_has_no_digest_and_no_reason() -> None:
    assert content_of(b"", {}, framed=False, whole=True) == Content()
    assert content_of(b"", {"content-length": "0"}, framed=True, whole=False) == Content()


@pytest.mark.parametrize("text", [b"NaN", b'{"a": 1e999}', b'{"a": "\\ud800"}', b"[" * 5000, b'{"a":' * 3000])
def test_what_is_hardly_json_is_text(text: bytes) -> None:
    assert digest(text) == digest_bytes(text)

"""Questions about names, and what is answered."""

from __future__ import annotations

import marshal
import random
import struct

import pytest

from runwright.record.observe.journal import read_log
from runwright.record.observe.watching.network import dns
from runwright.record.observe.watching.network.names import Names
from runwright.record.observe.watching.network.reach import Reach
from tests.record.contain.ways_out import query

ADDRESSES = [bytes((203, 0, 113, 7)), bytes(15) + b"\7"]
REACH = Reach(
    names=(("api.example.com", ("203.0.113.7", "2001:db8::7")), ("empty.example.com", ())),
    search=("corp.example",),
    own=("machine",),
)


ANSWER = (
    query("api.example.com")[:2] + b"\x81\x80\0\1\0\1\0\0\0\0" + query("api.example.com")[12:]
    + b"\xc0\x0c\0\1\0\1\0\0\0\0\0\4\1\2\3\4"
)  # fmt: skip


def asked(name: str, kind: int = dns.A) -> bytes:
    return query(name)[:-4] + struct.pack(">HH", kind, 1)


def test_a_question() -> None:
    message = asked("API.Example.com", dns.AAAA)
    assert dns.question(message) == dns.Question("api.example.com", dns.AAAA, len(message))
    assert dns.question(message + b"\0\0\x29more") == dns.Question("api.example.com", dns.AAAA, len(message))


@pytest.mark.parametrize(
    "message",
    [
        b"", b"\0" * 11, asked("a.b")[:-1], asked("a.b")[:14], asked("a.b")[:2] + b"\x81\x80" + asked("a.b")[4:],
        asked("a.b")[:4] + b"\0\2" + asked("a.b")[6:], asked("a.b")[:12] + b"\xc0\x0c" + bytes(4),
        asked("a.b")[:12] + b"\x3fshort", b"GET / HTTP/1.1\r\n\r\n",
    ],
)  # fmt: skip
def test_what_is_no_question(message: bytes) -> None:
    assert dns.question(message) is None


def answered(message: bytes, addresses: list[bytes] | None) -> tuple[int, list[bytes]]:
    """The code of an answer, and the addresses in it."""
    found = dns.question(message)
    assert found is not None
    answer = dns.answer(message, found, addresses)
    identity, flags, questions, answers = struct.unpack_from(">HHHH", answer)
    assert (identity, questions, flags & 0x8180) == (7, 1, 0x8180)
    at, got = found.end, []
    for _ in range(answers):
        kind, _, _, size = struct.unpack_from(">HHIH", answer, at + 2)
        got.append(answer[at + 12 : at + 12 + size])
        assert kind == (dns.A if size == 4 else dns.AAAA)
        at += 12 + size
    assert at == len(answer)
    return flags & 0xF, got


def test_answers() -> None:
    assert answered(asked("a.b"), ADDRESSES) == (0, ADDRESSES[:1])
    assert answered(asked("a.b", dns.AAAA), ADDRESSES) == (0, ADDRESSES[1:])
    assert answered(asked("a.b", dns.ANY), ADDRESSES) == (0, ADDRESSES)
    assert answered(asked("a.b", 15), ADDRESSES) == (0, [])
    assert answered(asked("a.b"), None) == (dns.NO_SUCH_NAME, [])
    assert answered(asked("a.b") + b"\0\0\x29\x10\0" + bytes(6), ADDRESSES)[1] == ADDRESSES[:1]


def test_what_an_answer_tells() -> None:
    message = asked("API.example.com")
    found = dns.question(message)
    assert found is not None
    answer = dns.answer(message, found, ADDRESSES)
    assert dns.told(answer) == ("api.example.com", ADDRESSES[:1])
    assert dns.told(dns.answer(message, found, None)) is None
    assert dns.told(message) is None
    for end in range(len(answer)):
        assert dns.told(answer[:end]) is None


def test_names() -> None:
    told: list[str] = []
    names = Names(REACH, told.append)

    def code(name: str) -> int:
        answer = names.answer(asked(name))
        assert answer is not None
        return answer[3] & 0xF

    for name in ("api.example.com", "empty.example.com", "localhost", "x.localhost", "machine"):
        assert code(name) == 0
    for name in ("1.0.0.127.in-addr.arpa", "machine.corp.example", "api.example.com.corp.example"):
        assert code(name) == dns.NO_SUCH_NAME
    assert told == []
    for name in ("evil.example.com", "evil.example.com.corp.example", "sub.api.example.com", "example.com"):
        assert code(name) == dns.NO_SUCH_NAME
    assert told == ["evil.example.com", "evil.example.com", "sub.api.example.com", "example.com"]
    assert names.answer(b"no question") is None


def test_a_name_forges_no_line() -> None:
    found = dns.question(asked("a\nb\x1b[0m.c"))
    assert found is not None
    log = read_log(marshal.dumps(("contact", 1.0, "dns", "blocked", "", 0, found.name)))
    assert log.connections[0].name == "a\\x0ab\\x1b[0m.c"


def test_no_bytes_break_it() -> None:
    source = random.Random(7)
    for _ in range(2000):
        message = bytearray(
            asked("api.example.com") if source.random() < 0.7 else source.randbytes(source.randrange(60))
        )
        for _ in range(source.randrange(4)):
            if message:
                message[source.randrange(len(message))] = source.randrange(256)
        dns.told(bytes(message))
        found = dns.question(bytes(message[: source.randrange(len(message) + 1)]))
        assert found is None or len(found.name) <= 4 * 255

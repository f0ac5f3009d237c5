"""Which destinations an entry of allow_egress covers, and how names come to addresses."""

from __future__ import annotations

import socket

import pytest

from runwright.flow.egress import is_destination
from runwright.record.contain import Containment, reach_of
from runwright.record.contain.contained import contained, shown
from runwright.record.contain.destinations import Destination, destination, openings
from runwright.record.contain.pinned import Servers, own_names, pinned, servers
from runwright.record.observe.journal import Connection, Log, Network
from runwright.record.observe.watching.network.endpoints import Endpoint, Opening, endpoint, of_text, opened, written

PINNED = {"api.example.com": ("203.0.113.7", "2001:db8::7"), "local.test": ("127.0.0.1",)}

COVERED = [
    # entry, what it covers, what it does not
    ("203.0.113.7", ["203.0.113.7:443", "203.0.113.7:80", "::ffff:203.0.113.7:443"], ["203.0.113.8:443"]),
    ("203.0.113.7:443", ["203.0.113.7:443"], ["203.0.113.7:80", "203.0.113.8:443"]),
    ("203.0.113.0/24", ["203.0.113.0:1", "203.0.113.255:65535"], ["203.0.114.0:1", "203.0.112.255:1"]),
    ("203.0.113.0/24:443", ["203.0.113.9:443"], ["203.0.113.9:80"]),
    ("203.0.113.77/24", ["203.0.113.1:1"], ["203.0.114.1:1"]),
    ("0.0.0.0/0", ["203.0.113.1:1", "8.8.8.8:53"], ["2001:db8::1:1", "127.0.0.1:22", "0.0.0.0:22"]),
    ("2001:db8::1", ["2001:db8::1:443", "2001:db8::1:80"], ["2001:db8::2:443", "203.0.113.7:443"]),
    ("[2001:db8::1]:443", ["2001:db8::1:443"], ["2001:db8::1:80"]),
    ("[2001:db8::]", ["2001:db8:::9"], ["2001:db8::1:9"]),
    ("2001:db8::/32", ["2001:db8:ffff::1:9"], ["2001:db9::1:9"]),
    ("[2001:db8::/32]:443", ["2001:db8:1::1:443"], ["2001:db8:1::1:80"]),
    ("::/0", ["2001:db8::1:9"], ["203.0.113.1:9", "::1:9", ":::9", "::ffff:127.0.0.1:9"]),
    ("127.0.0.0/8:22", [], ["127.0.0.1:22", "127.9.9.9:22"]),
    ("::ffff:203.0.113.7", ["203.0.113.7:443", "::ffff:203.0.113.7:80"], ["203.0.113.8:443"]),
    ("[::ffff:203.0.113.0/120]:443", ["203.0.113.200:443"], ["203.0.112.200:443", "203.0.113.200:80"]),
    ("api.example.com", ["203.0.113.7:1", "2001:db8::7:2"], ["203.0.113.8:1"]),
    ("API.Example.COM.:443", ["203.0.113.7:443", "2001:db8::7:443"], ["203.0.113.7:80"]),
    ("unknown.example.com", [], ["203.0.113.7:443"]),
    ("local.test:5432", [], ["127.0.0.1:5432", "127.0.0.1:5433"]),
]


def of(text: str) -> Endpoint:
    host, _, port = text.rpartition(":")
    return of_text(host, int(port))


@pytest.mark.parametrize(("entry", "inside", "outside"), COVERED, ids=[each[0] for each in COVERED])
def test_what_an_entry_covers(entry: str, inside: list[str], outside: list[str]) -> None:
    assert is_destination(entry)
    found = [
        Opening(of_text(host, port).host, bits, port, name)
        for host, bits, port, name in openings([destination(entry)], PINNED)
    ]
    assert [each for each in inside if not opened(of(each), found)] == []
    assert [each for each in outside if opened(of(each), found)] == []


def test_names_are_kept_beside_their_addresses() -> None:
    assert openings([destination("api.example.com:443")], PINNED) == (
        ("203.0.113.7", 32, 443, "api.example.com"),
        ("2001:db8::7", 128, 443, "api.example.com"),
    )
    assert destination("Api.Example.com.") == Destination("api.example.com", None, 0)


@pytest.mark.parametrize(
    ("text", "loopback"),
    [
        ("127.0.0.1:1", True), ("127.9.9.9:1", True), ("0.0.0.0:1", True), ("::1:1", True), (":::1", True),
        ("::ffff:127.0.0.1:1", True), ("128.0.0.1:1", False), ("::2:1", False), ("::ffff:10.0.0.1:1", False),
    ],
)  # fmt: skip
def test_the_loopback(text: str, loopback: bool) -> None:
    assert of(text).loopback is loopback


def test_addresses_as_they_are_written() -> None:
    for family, text in ((socket.AF_INET, "203.0.113.7:443"), (socket.AF_INET6, "2001:db8::7:443")):
        assert endpoint(written(of(text), family)) == of(text)
    assert endpoint(written(of("203.0.113.7:443"), socket.AF_INET6)) == of("203.0.113.7:443")
    assert endpoint(b"") is None
    assert endpoint(b"\2\0\1") is None
    assert endpoint(b"\12\0" + bytes(14)) is None
    assert endpoint(b"\1\0/run/socket") is None
    assert (of(":::1").given().text, of("0.0.0.0:1").given().text) == ("::1", "127.0.0.1")


def test_names_are_asked_about_once_each() -> None:
    found = pinned(("localhost", "localhost", "no-such-name.invalid"))
    assert list(found) == ["localhost"]
    assert "127.0.0.1" in found["localhost"]


def test_the_name_servers_of_a_machine() -> None:
    text = "# nameserver 192.0.2.1\nnameserver 192.0.2.2\nnameserver fe80::1%eth0\nnameserver 2001:db8::53\n"
    text += "search Corp.example. lan\n"
    assert servers(text) == Servers(("192.0.2.2", "2001:db8::53"), ("corp.example", "lan"))
    assert servers("") == Servers()


def test_a_reach() -> None:
    reach = reach_of(Containment((8000,), ("localhost:5432", "203.0.113.0/24:443")))
    assert reach.local == (8000,)
    assert ("203.0.113.0", 24, 443, "") in reach.openings
    assert ("127.0.0.1", 32, 5432, "localhost") in reach.openings
    assert reach.own == own_names()
    assert (of_text("203.0.113.0", 0).host, 24) in reach.networks()
    assert not any(host[0] == 127 and bits == 32 for host, bits in reach.networks())


def test_what_is_shown() -> None:
    def told(protocol: str, address: str, port: int = 0, name: str = "") -> str:
        return shown(Connection(0.0, protocol, "blocked", address, port, name))

    assert told("tcp", "203.0.113.7", 443) == "203.0.113.7:443"
    assert told("tcp", "203.0.113.7", 443, "api.example.com") == "api.example.com:443"
    assert told("tcp", "2001:db8::7", 443) == "[2001:db8::7]:443"
    assert told("udp", "203.0.113.7", 53) == "udp://203.0.113.7:53"
    assert told("dns", "", 0, "evil.example.com") == "evil.example.com"
    assert told("unix", "/run/docker.sock") == "unix:/run/docker.sock"
    assert told("socket", "raw") == "raw socket"
    assert told("listen", "203.0.113.7", 80) == "from outside: 203.0.113.7:80"


def test_what_the_system_itself_tries_is_not_told() -> None:
    def one(address: str, verdict: str = "blocked") -> Connection:
        return Connection(0.0, "unix", verdict, address, 0, "")

    log = Log(
        ended=True,
        network=Network("apart", ("network namespace", "seccomp"), ""),
        connections=(one("/run/nscd/socket"), one("/run/other"), one("/run/other"), one("/run/own", "allowed")),
    )
    assert contained(log).blocked == ("unix:/run/other",)
    assert contained(log).by == ("network namespace", "seccomp")
    assert contained(log._replace(network=Network("observed", (), ""))).by == ()
    assert contained(log._replace(ended=False)).by == ()

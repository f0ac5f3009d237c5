"""Which destinations the proxy lets an agent reach."""

from __future__ import annotations

import socket

import pytest

from runwright.record.http.allowed import allowed as allowed_of
from runwright.record.http.proxy import entries

EGRESS = [
    "api.example.com:443", "files.example.com", "203.0.113.7:443", "10.0.0.0/8", "[2001:db8::1]:443", "2001:db8:1::/48",
]  # fmt: skip


def allowed(host: str, port: int, egress: list[str] | None, local: list[int]) -> str | None:
    return allowed_of(host, port, entries(egress), local)


@pytest.mark.parametrize(
    ("host", "port"),
    [
        ("api.example.com", 443),
        ("API.example.com.", 443),
        ("files.example.com", 8080),
        ("203.0.113.7", 443),
        ("10.1.2.3", 5432),
        ("2001:db8::1", 443),
        ("2001:db8:1::9", 1),
        ("127.0.0.1", 5432),
        ("localhost", 5432),
        ("::1", 5432),
        ("::ffff:127.0.0.1", 5432),
    ],
)
def test_what_is_allowed(host: str, port: int) -> None:
    assert allowed(host, port, EGRESS, [5432]) == host.rstrip(".").lower()


@pytest.mark.parametrize(
    ("host", "port"),
    [
        ("api.example.com", 80),
        ("evil.api.example.com", 443),
        ("api.example.com.evil.example", 443),
        ("203.0.113.7", 80),
        ("203.0.113.8", 443),
        ("11.0.0.1", 443),
        ("2001:db8::2", 443),
        ("127.0.0.1", 5433),
        ("127.1.2.3", 22),
        ("localhost", 22),
        ("a.localhost", 22),
        ("0.0.0.0", 22),
        ("::", 22),
        ("::ffff:127.0.0.1", 22),
        ("", 443),
    ],
)
def test_what_is_not(host: str, port: int) -> None:
    assert allowed(host, port, EGRESS, [5432]) is None


def test_this_machine_is_no_part_of_a_network() -> None:
    assert allowed("127.0.0.1", 22, ["0.0.0.0/0", "::/0", "127.0.0.0/8"], []) is None
    assert allowed("localhost", 22, ["0.0.0.0/0", "localhost"], []) is None
    assert allowed("198.51.100.1", 22, ["0.0.0.0/0"], []) == "198.51.100.1"


def test_a_name_that_stands_for_this_machine_is_no_way_to_it(monkeypatch: pytest.MonkeyPatch) -> None:
    for addresses, way in ((["127.0.0.1"], None), (["203.0.113.7", "::1"], None), (["203.0.113.7"], "203.0.113.7")):
        told = [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (each, 0)) for each in addresses]
        monkeypatch.setattr(socket, "getaddrinfo", lambda *_, told=told, **__: told)
        assert allowed("api.example.com", 443, EGRESS, [443]) == way


@pytest.mark.parametrize("host", ["localhost.", "2130706433", "0x7f000001", "127.1"])
def test_this_machine_by_other_names(host: str) -> None:
    assert allowed(host, 22, ["0.0.0.0/0"], []) is None


def test_a_name_that_is_not_listed_is_what_it_means(monkeypatch: pytest.MonkeyPatch) -> None:
    means = {
        "inside.example": ["10.0.0.1", "10.0.0.2"],
        "half.example": ["10.0.0.1", "198.51.100.1"],
        "none.example": [],
    }

    def asked(host: str, *_: object, **__: object) -> list[tuple[object, ...]]:
        return [(None, None, None, "", (each, 0)) for each in means.get(host, [])]

    monkeypatch.setattr(socket, "getaddrinfo", asked)
    assert allowed("inside.example", 1, EGRESS, []) == "10.0.0.1"
    assert allowed("half.example", 1, EGRESS, []) is None
    assert allowed("none.example", 1, EGRESS, []) is None


def test_everything_but_this_machine_needs_no_entry_where_there_are_none() -> None:
    assert allowed("anything.example", 1, None, []) == "anything.example"
    assert allowed("127.0.0.1", 22, None, []) == "127.0.0.1"
    assert allowed("anything.example", 1, [], []) is None

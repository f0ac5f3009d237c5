"""What is told on the pipe, by friend and foe: no line is torn, none is forged, and what is no message is a fault."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from runwright.record.http import Hooks, http_effects
from runwright.record.http.hooks import FOLDER
from runwright.record.http.lines import Messages
from runwright.record.http.told import seen_of
from tests.record.http.service import serving

sys.path.append(str(FOLDER))
from _runwright_http.channel import lines
from _runwright_http.exchange import BODY, bare

STRANGE = "something else than the hooks wrote to the pipe that requests are told on"
BEGUN = {
    "kind": "request", "id": "a", "method": "POST", "url": "http://a/", "keys": [], "via": "hooks", "at": 1, "since": 1,
}  # fmt: skip


def read(*data: bytes) -> Messages:
    messages = Messages()
    for each in data:
        messages.add(each)
    messages.end()
    return messages


@pytest.mark.parametrize("size", [0, 10, 3790, 3800, 3801, 7600, 7601, 100_000])
@pytest.mark.parametrize("step", [1 << 20, 4096, 61])
def test_a_message_of_any_length_arrives(size: int, step: int) -> None:
    data = json.dumps({"a": "x" * size}).encode()
    sent = lines(data)
    assert all(len(each) <= 4096 and each.count(b"\n") == 1 for each in sent)
    whole = b"".join(sent)
    messages = read(*(whole[at : at + step] for at in range(0, len(whole), step)))
    assert messages.whole == [json.loads(data)]
    assert messages.faults == []


def test_messages_that_are_told_at_once_are_told_apart() -> None:
    one, two = (lines(json.dumps({name: "x" * 20_000}).encode()) for name in "ab")
    mixed = b"".join(line for pair in zip(one, two, strict=True) for line in pair)
    assert [list(each) for each in read(mixed).whole] == [["a"], ["b"]]


@pytest.mark.parametrize(
    "data",
    [
        b"x\n",
        b"={\n",
        b"=[1]\n",
        b"=\n",
        b"\n",
        b".a 1 {}\n",
        b"+a 0 {\n+a 2 }\n",
        b"+a x {\n",
        b'={"a":1}',
        b"=" + b"x" * 99,
    ],
)
def test_what_is_no_message_is_a_fault(data: bytes) -> None:
    messages = read(data)
    assert messages.whole == []
    assert messages.faults[0] == STRANGE


def test_a_message_that_is_cut_off_is_a_fault() -> None:
    assert read(b"".join(lines(b"{%s}" % (b" " * 9000))[:-1])).faults == ["a process ended while it told of a request"]


def test_memory_has_an_end() -> None:
    """Of messages that are begun and never ended, and of a line that is."""
    begun = Messages()
    for number in range(20_000):
        begun.add(b"+%d 0 %s\n" % (number, b"x" * 3800))
    assert begun.faults == [STRANGE]
    assert 30 << 20 < sum(len(each[0]) for each in begun._pieces.values() if each) < 34 << 20
    endless = Messages()
    for _ in range(1000):
        endless.add(b"x" * 3800)
    assert endless.faults == [STRANGE]
    assert len(endless._rest) <= 2 << 20


@pytest.mark.parametrize(
    "message",
    [
        {"kind": "request"}, {"kind": "answer", "id": "a"}, {"kind": "end", "id": "b"}, {"kind": "other"}, {},
        {**BEGUN, "via": "me"}, {**BEGUN, "at": "1"}, {**BEGUN, "keys": "a"}, {**BEGUN, "id": 1},
        {"kind": "answer", "id": "a", "status": True, "at": 1}, {"kind": "answer", "id": "a", "status": 99999, "at": 1},
        {"kind": "answer", "id": "a", "status": 200, "at": 1, "request": {"data": "!"}},
        {"kind": "name", "host": "a", "addresses": None}, {"kind": "refused"}, {"kind": "fault", "where": 1},
    ],
)  # fmt: skip
def test_a_message_of_another_form_is_a_fault(message: dict[str, object]) -> None:
    seen = seen_of([BEGUN, message], [])
    assert seen.faults == ("a message about a request cannot be read",)
    assert len(seen.exchanges) == 1


def test_what_was_told_before_stays() -> None:
    seen = seen_of([BEGUN, {"kind": "answer", "id": "a", "status": 200, "at": 2}, {"kind": "end", "id": "x"}], ["so"])
    assert [each.status for each in seen.exchanges] == [200]
    assert seen.faults == ("so", "a message about a request cannot be read")


@pytest.mark.parametrize(
    ("url", "shown", "keys"),
    [
        ("https://user:pass@Shop.example:443/a/b?x=1&y=2&x=3#part", "https://shop.example/a/b", ["x", "y"]),
        ("http://[2001:DB8::1]:8080", "http://[2001:db8::1]:8080/", []),
        ("http://shop.example:80?token=secret", "http://shop.example/", ["token"]),
        ("http://user:pass@[bad/a?secret#x", "[bad/a", []),
        ("http://shop.example:99999/a?secret", "http://shop.example:99999/a", []),
    ],
)
def test_a_url_is_bare_before_it_is_told(url: str, shown: str, keys: list[str]) -> None:
    assert bare(url)[:2] == (shown, keys)


def test_a_hostile_service_and_agent_forge_nothing() -> None:
    """Headers, paths and methods that look like lines of ours, a reason with an escape, headers without an end."""
    code = """
import http.client, sys
place = sys.argv[1].partition("//")[2]
for method in ("POST", 'P="}'):
    connection = http.client.HTTPConnection(place)
    connection.request(method, '/%0a=%7B/="{}/\\x85/hostile', b"x")
    connection.getresponse().read()
    connection.close()
"""
    code = code.replace("\\x85", "%85")
    with serving() as service, Hooks(dict(os.environ)) as hooks:
        done = subprocess.run([sys.executable, "-c", code, service.url], env=hooks.environment, capture_output=True)
        assert done.returncode == 0, done.stderr.decode()
        seen = hooks.seen()
    assert len(seen.exchanges) == 2
    for each in http_effects(seen, None).effects:
        assert each.side_effect.target.isprintable()
        assert "\n" not in repr(each)
    assert seen.faults == ()


def test_a_connection_that_becomes_another_protocol_is_told() -> None:
    code = """
import asyncio, aiohttp, http.client, sys
connection = http.client.HTTPConnection(sys.argv[1].partition("//")[2])
connection.request("GET", "/switch", headers={"Connection": "Upgrade", "Upgrade": "websocket"})
assert connection.getresponse().status == 101
async def main():
    async with aiohttp.ClientSession() as session:
        try:
            await session.ws_connect(sys.argv[1] + "/switch")
        except aiohttp.WSServerHandshakeError:
            pass
asyncio.run(main())
"""
    with serving() as service, Hooks(dict(os.environ)) as hooks:
        done = subprocess.run([sys.executable, "-c", code, service.url], env=hooks.environment, capture_output=True)
        assert done.returncode == 0, done.stderr.decode()
        found = http_effects(hooks.seen(), None)
    assert [(each.side_effect.op, each.side_effect.detail["status"]) for each in found.effects] == [("GET", 101)] * 2


def test_a_name_is_on_one_line() -> None:
    told = {**BEGUN, "url": "http://a/\nPASS\x1b[2J\u202e", "method": "PO\nST", "keys": ["a\nb"]}
    (exchange,) = seen_of([told, {"kind": "answer", "id": "a", "status": 200, "at": 2}], []).exchanges
    (effect,) = http_effects(seen_of([told], []), None).effects
    assert exchange.url == "http://a/\\x0aPASS\\x1b[2J\\u202e"
    for each in (effect.side_effect.target, effect.side_effect.op, str(effect.side_effect.detail)):
        assert each.isprintable()


def test_bodies_are_kept_up_to_a_megabyte_and_never_on_a_disk(tmp_path: Path) -> None:
    code = f"""
import sys, urllib.request
for size in ({BODY}, {BODY} + 1):
    urllib.request.urlopen(sys.argv[1] + "/plain", b"y" * size).read()
urllib.request.urlopen(sys.argv[1] + "/long", b"y").read()
"""
    environment = {**os.environ, "TMPDIR": str(tmp_path)}
    with serving() as service, Hooks(environment) as hooks:
        done = subprocess.run([sys.executable, "-c", code, service.url], env=hooks.environment, capture_output=True)
        assert done.returncode == 0, done.stderr.decode()
        pipe = Path(hooks.environment["RUNWRIGHT_SEEN"])
        assert [each.name for each in pipe.parent.iterdir()] == ["seen"]
        assert pipe.is_fifo()
        seen = hooks.seen()
    assert [(bool(each.request.digest), each.request.unknown) for each in seen.exchanges] == [
        (True, None), (False, "too long"), (True, None),
    ]  # fmt: skip
    assert seen.exchanges[2].response.unknown == "too long"
    assert not pipe.parent.exists()
    assert list(tmp_path.iterdir()) == []


def test_a_reader_that_is_gone_leaves_no_thread() -> None:
    before = threading.active_count()
    for _ in range(3):
        with Hooks({}) as hooks:
            assert threading.active_count() == before + 1
        assert hooks.seen().exchanges == ()
    assert threading.active_count() == before

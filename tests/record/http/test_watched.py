"""Requests together with the connections that the kernel tells of: what a hook does not see is still a destination."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from runwright.record.contain import Containment, cannot_contain, reach_of
from runwright.record.http import Hooks, HttpEffects, requests_of
from runwright.record.observe import Orders, Supervised, cannot_observe
from runwright.record.observe.watching.network.reach import OBSERVED, Reach
from tests.record.http.service import Service, serving

pytestmark = pytest.mark.skipif(bool(cannot_observe()), reason=cannot_observe())
SEEN = Reach(OBSERVED)
AGENT = Path(__file__).with_name("agent.py")


@pytest.fixture
def services() -> Iterator[tuple[Service, Service]]:
    with serving() as one, serving() as other:
        yield one, other


def watched(folder: Path, command: list[str], stand_ins: tuple[str, ...] = (), *, reach: Reach = SEEN) -> HttpEffects:
    with Hooks(dict(os.environ), stand_ins=stand_ins) as hooks:
        orders = Orders(str(folder), wait=1.0, network=reach)
        with Supervised(orders) as supervised:
            words, keep = supervised.arguments(command), supervised.descriptors
            done = subprocess.run(
                words, pass_fds=keep, env=hooks.environment, capture_output=True, text=True, timeout=90
            )
            log = supervised.log()
        assert (done.returncode, log.unable, log.status) == (0, "", 0), (done.stderr, log)
        return requests_of(hooks, log, stand_ins=stand_ins, local=reach.local)


def told(found: HttpEffects) -> Counter[str]:
    effects = [each.side_effect for each in found.effects]
    return Counter(f"{each.op} {each.target}" for each in effects)


def test_every_connection_of_every_client_is_explained(tmp_path: Path, services: tuple[Service, Service]) -> None:
    """And what no one answered is told by its request alone."""
    found = watched(tmp_path, [sys.executable, str(AGENT), services[0].url])
    assert [each for each in told(found) if each.startswith("connect")] == []
    assert found.counts["explained connection"] > 20
    assert len(found.effects) > 60
    assert found.observed
    assert found.faults == ()


def test_what_no_hook_sees_is_a_connection(tmp_path: Path, services: tuple[Service, Service]) -> None:
    one, other = services
    code = f"""
import subprocess, sys, urllib.request
urllib.request.urlopen({one.url + "/python/plain"!r}, b"x").read()
urllib.request.urlopen({one.url + "/python/plain"!r}).read()
isolated = "import sys, urllib.request; urllib.request.urlopen(sys.argv[1], b'x').read()"
subprocess.run([sys.executable, "-I", "-c", isolated, {one.url + "/isolated/plain"!r}], check=True)
curl = {shutil.which("curl")!r}
if curl:
    subprocess.run([curl, "-s", "-d", "x", {other.url + "/curl/plain"!r}], check=True)
"""
    found = watched(tmp_path, [sys.executable, "-c", code])
    place, its = (f"tcp://127.0.0.1:{each.port}" for each in services)
    expected = {f"POST {one.url}/python/plain": 1, f"connect {place}": 1}
    assert told(found) == {**expected, **({f"connect {its}": 1} if shutil.which("curl") else {})}
    assert found.counts == {"safe request": 1, "explained connection": 2}


def test_requests_on_one_connection_explain_no_other(tmp_path: Path, services: tuple[Service, Service]) -> None:
    """Though their answers came whole, with the connection given back before anybody could ask for its ends."""
    code = f"""
import aiohttp, asyncio, subprocess, sys
async def ask():
    async with aiohttp.ClientSession() as session:
        for _ in range(8):
            async with session.get({services[0].url + "/plain"!r}) as answer:
                await answer.read()
asyncio.run(ask())
isolated = "import sys, urllib.request; urllib.request.urlopen(sys.argv[1], b'x').read()"
subprocess.run([sys.executable, "-I", "-c", isolated, {services[0].url + "/isolated/plain"!r}], check=True)
"""
    found = watched(tmp_path, [sys.executable, "-c", code])
    assert told(found) == {f"connect tcp://127.0.0.1:{services[0].port}": 1}
    assert found.counts == {"safe request": 8, "explained connection": 1}


def test_stand_ins_are_none_whoever_asks_them(tmp_path: Path, services: tuple[Service, Service]) -> None:
    one, other = services
    code = f"""
import http.client, socket, urllib.request
urllib.request.urlopen({one.url!r} + "/v1/messages", b"x").read()
socket.create_connection(("127.0.0.1", {one.port})).close()
socket.create_connection(("127.0.0.1", {other.port})).close()
"""
    found = watched(tmp_path, [sys.executable, "-c", code], (one.url,))
    assert told(found) == {f"connect tcp://127.0.0.1:{other.port}": 1}
    assert found.counts == {"stand-in": 3}


def test_datagrams_are_explained_by_nothing(tmp_path: Path, services: tuple[Service, Service]) -> None:
    one, _ = services
    code = f"""
import socket, urllib.request
urllib.request.urlopen({one.url!r} + "/plain").read()
socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b"x", ("127.0.0.1", {one.port}))
"""
    found = watched(tmp_path, [sys.executable, "-c", code])
    assert told(found) == {f"connect udp://127.0.0.1:{one.port}": 1}


CONTAINED = """
import http.server, subprocess, sys, threading, urllib.request
allowed, refused = sys.argv[1:3]
def post(url):
    try:
        return urllib.request.urlopen(url, b"x", timeout=20).status
    except OSError as error:
        return type(error).__name__
class Answering(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        self.rfile.read(1)
        self.send_response(200)
        self.end_headers()
    def log_message(self, *given): pass
own = http.server.HTTPServer(("127.0.0.1", 0), Answering)
threading.Thread(target=own.serve_forever, daemon=True).start()
isolated = "import sys, urllib.request; urllib.request.urlopen(sys.argv[1], b'x').read()"
done = [post(each) for each in (allowed, refused, "http://198.51.100.1/a", "http://refused.example/a")]
done.append(post(f"http://127.0.0.1:{own.server_address[1]}/"))
subprocess.run([sys.executable, "-I", "-c", isolated, f"http://127.0.0.1:{own.server_address[1]}/"], check=True)
subprocess.run([sys.executable, "-I", "-c", isolated, allowed], check=True)
print(*done)
sys.exit(done != [200, "URLError", "URLError", "URLError", 200])
"""


@pytest.mark.skipif(bool(cannot_contain()), reason=cannot_contain())
def test_under_containment(tmp_path: Path, services: tuple[Service, Service]) -> None:
    """What was refused is no effect, what was let through is one, and the agent's own server is nobody else's."""
    one, other = services
    reach = reach_of(Containment(local=(one.port,)))
    found = watched(tmp_path, [sys.executable, "-c", CONTAINED, f"{one.url}/plain", f"{other.url}/plain"], reach=reach)
    assert told(found) == {f"POST {one.url}/plain": 1, f"connect tcp://127.0.0.1:{one.port}": 1}
    assert found.counts == {"unsent request": 2, "own service": 2, "explained connection": 1}
    assert (len(one.heard), len(other.heard)) == (2, 0)

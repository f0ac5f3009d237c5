"""Requests of programs in any language through the proxy: told once, whole, and only to where they are allowed."""

from __future__ import annotations

import json
import os
import shutil
import socket
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlsplit

import pytest

from runwright.errors import CapabilityError
from runwright.record.contain import Containment, cannot_contain
from runwright.record.http import Hooks, HttpEffects, Reach, Seen, cannot_proxy, http_effects
from runwright.record.watch import Wanted, Watch
from runwright.trace import canonical, digest_bytes
from runwright.trace.model import SideEffect
from tests.record.http.service import Heard, Service, authority, serving

AGENT = Path(__file__).with_name("agent.py")
BODY = '{"amount":40}'
SENT, ANSWERED = digest_bytes(canonical({"amount": 40})), digest_bytes(canonical({"ok": True}))
NODE = """
const [url, name] = process.argv.slice(1)
const lib = require(url.split(':')[0])
const post = (path) => new Promise((resolve, reject) => {
  const request = lib.request(url + path, {method: 'POST'}, (answer) => { answer.resume(); answer.on('end', resolve) })
  request.on('error', reject)
  request.end('{"amount":40}')
})
const main = async () => {
  await (await fetch(`${url}/node/fetch/plain`)).text()
  for (const how of ['plain', 'chunked', 'refuse', 'redirect']) {
    await (await fetch(`${url}/node/fetch/${how}`, {method: 'POST', body: '{"amount":40}'})).text()
  }
  await post('/node/http/plain')
}
main().catch((error) => { console.error(error); process.exit(1) })
"""
proxied = pytest.mark.skipif(bool(cannot_proxy()), reason=f"{cannot_proxy()}: scripts/proxy makes one")


class Run(NamedTuple):
    heard: tuple[Heard, ...]
    seen: Seen
    found: HttpEffects
    files: list[str]

    def of(self, client: str) -> list[SideEffect]:
        effects = [each.side_effect for each in self.found.effects]
        return [each for each in effects if urlsplit(each.target).path.startswith(f"/{client}/")]


def programs(url: str) -> dict[str, list[str]]:
    """Commands by the name of their client, for those that are on this machine."""
    curl = ["curl", "--silent", "--show-error", "--data", BODY]
    hows = ("plain", "chunked", "packed", "refuse", "fail", "redirect", "to-the-end")
    return {
        "curl": [*curl, "-H", "Content-Type: application/json", *(f"{url}/curl/{each}?state=paid" for each in hows)],
        "node": ["node", "-e", NODE, url],
        "python": [sys.executable, str(AGENT), url, "requests", "httpx", "async-httpx", "aiohttp", "urllib"],
        "isolated": [sys.executable, "-I", "-c", ISOLATED, url],
    }


ISOLATED = """
import sys, urllib.request
urllib.request.urlopen(sys.argv[1] + "/isolated/plain", b'{"amount":40}').read()
"""


@pytest.fixture(scope="module", params=["http", "https"])
def run(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Run]:
    folder = tmp_path_factory.mktemp("authority")
    file, context = authority(folder)
    given = {**os.environ, "SSL_CERT_FILE": str(file), "NO_PROXY": "127.0.0.1,localhost"}
    with serving(context if request.param == "https" else None) as service:
        with Hooks(given, proxy=Reach((), (service.port, 1))) as hooks:
            ca = Path(hooks.environment["SSL_CERT_FILE"]).parent
            running = {
                name: subprocess.Popen(
                    command, env=hooks.environment, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True
                )
                for name, command in programs(service.url).items()
                if shutil.which(command[0])
            }
            for name, each in running.items():
                said = each.communicate(timeout=60)[1]
                assert (each.returncode, said) == (0, ""), (name, said)
            files = sorted(each.name for each in ca.iterdir())
            seen = hooks.seen()
        assert not ca.exists()
        yield Run(tuple(service.heard), seen, http_effects(seen, None), files)


@proxied
@pytest.mark.parametrize(
    "client", ["curl", "node", "requests", "httpx", "async-httpx", "aiohttp", "urllib", "isolated"]
)
def test_what_was_heard_is_what_is_told(run: Run, client: str) -> None:
    if shutil.which(client) is None and client in ("curl", "node"):
        pytest.skip(f"there is no {client} on this machine")
    heard = [each for each in run.heard if each.path.startswith(f"/{client}/")]
    changing = [each for each in heard if each.method != "GET" and "/refuse" not in each.path]
    told = [each for each in run.of(client) if not each.target.endswith("/nobody")]
    assert Counter((each.op, urlsplit(each.target).path) for each in told) == Counter(
        (each.method, each.path.partition("?")[0]) for each in changing
    )
    assert told
    assert {each.detail["via"] for each in told} == {"proxy" if client in ("curl", "node", "isolated") else "hooks"}
    for each in told:
        assert each.detail["request"] == SENT
        unread = ("/redirect", "/see-other", "/drop", "urllib/fail")
        if not each.target.endswith(unread) and "/unread/" not in each.target:
            assert each.detail["response"] == ANSWERED


@proxied
def test_nothing_else_is_told(run: Run) -> None:
    assert run.found.faults == ()
    assert set(run.found.counts) == {"safe request", "refused request"}
    assert run.seen.refused == ()
    assert "mitmproxy-ca.pem" in run.files


@proxied
def test_a_service_that_is_not_there_gives_no_answer(run: Run) -> None:
    nobody = [each for each in run.of("httpx") if each.target.endswith("/nobody")]
    assert [each.detail.get("answer") for each in nobody] == ["none"]


# --- what is not allowed ------------------------------------------------------------------------


@pytest.fixture
def other() -> Iterator[Service]:
    with serving() as service:
        yield service


@proxied
def test_what_is_not_allowed_is_not_reached(other: Service) -> None:
    """By name, address, port, tunnel, plain request, and a name that means this machine."""
    place = f"127.0.0.1:{other.port}"
    forms = [
        [f"http://{place}/plain"], [f"http://localhost:{other.port}/plain"], [f"http://[::ffff:7f00:1]:{other.port}/"],
        ["--proxytunnel", f"http://{place}/plain"], [f"https://{place}/plain"], ["http://198.51.100.1/"],
        ["-H", f"Host: {place}", "http://198.51.100.2:8080/"], ["--proxytunnel", "http://evil.example:25/"],
        [f"http://0.0.0.0:{other.port}/"], [f"http://2130706433:{other.port}/"],
    ]  # fmt: skip
    with serving() as allowed, Hooks(dict(os.environ), proxy=Reach(("api.example.com:443",), (allowed.port,))) as hooks:
        curl = [
            "curl",
            "--silent",
            "--max-time",
            "10",
            "--output",
            "/dev/null",
            "--write-out",
            "%{http_code}%{http_connect}",
        ]
        running = [
            subprocess.Popen([*curl, "--data", "x", *form], env=hooks.environment, stdout=subprocess.PIPE, text=True)
            for form in [*forms, [f"http://127.0.0.1:{allowed.port}/plain"]]
        ]
        codes = [each.communicate()[0] for each in running]
        seen = hooks.seen()
    assert codes[-1] == "200000"
    assert all("403" in each for each in codes[:-1]), codes
    assert other.heard == []
    assert len(allowed.heard) == 1
    found = http_effects(seen, [])
    assert [each.side_effect.target for each in found.effects] == [f"http://127.0.0.1:{allowed.port}/plain"]
    assert set(seen.refused) >= {place, "198.51.100.1:80", "198.51.100.2:8080", "evil.example:25"}
    assert found.faults == ()


@proxied
@pytest.mark.skipif(bool(cannot_contain()), reason=cannot_contain())
def test_under_containment_it_is_all_that_is_reached(other: Service, tmp_path: Path) -> None:
    """What it refuses was blocked, as what the network itself refuses was."""
    with serving() as allowed:
        contain = Containment(local=(allowed.port,), egress=("api.example.com:443",))
        wanted = Wanted(folder=tmp_path, workspace=tmp_path, http="proxy", contain=contain)
        curl = "curl -s -o /dev/null -w '%{http_code} ' -d x http://127.0.0.1"
        command = [
            "sh",
            "-c",
            f"{curl}:{allowed.port}/plain; {curl}:{other.port}/plain; {curl}:{other.port}/ --noproxy '*'",
        ]
        with Watch(wanted) as watch:
            words, keep = watch.supervised.arguments(command), watch.supervised.descriptors
            done = subprocess.run(words, pass_fds=keep, env=watch.environment, capture_output=True, text=True)
            seen = watch.seen(command)
    assert done.stdout + done.stderr == "200 403 000 "
    assert (len(allowed.heard), other.heard) == (1, [])
    assert seen.observed is not None
    effects = [each.side_effect for each in seen.observed.trace.effects]
    assert [(each.op, each.target) for each in effects] == [("POST", f"http://127.0.0.1:{allowed.port}/plain")]
    assert seen.contained.by
    assert f"127.0.0.1:{other.port}" in seen.contained.blocked


@proxied
def test_a_python_whose_request_was_refused_changed_nothing(other: Service) -> None:
    code = """
import httpx, sys
print(httpx.post(sys.argv[1] + "/plain").status_code)
try:
    httpx.post("https://198.51.100.1/")
except httpx.ProxyError as error:
    print(error)
"""
    with Hooks(dict(os.environ), proxy=Reach(())) as hooks:
        done = subprocess.run(
            [sys.executable, "-c", code, other.url], env=hooks.environment, capture_output=True, text=True
        )
        seen = hooks.seen()
    assert done.stdout == "403\n403 Forbidden\n", done.stderr
    found = http_effects(seen, [])
    assert found.effects == ()
    assert found.counts == {"refused request": 1, "unsent request": 1}
    assert other.heard == []


@proxied
def test_stand_ins_are_reached_around_it_and_through_it(other: Service) -> None:
    with Hooks(dict(os.environ), stand_ins=[other.url], proxy=Reach(())) as hooks:
        curl = ["curl", "-s", "-o", "/dev/null", "-w", "%{http_code}", "-d", "x", f"{other.url}/plain"]
        environment = hooks.environment
        codes = [
            subprocess.check_output([*curl, *more], env=environment, text=True) for more in ([], ["--noproxy", ""])
        ]
        seen = hooks.seen()
    assert codes == ["200", "200"]
    assert http_effects(seen, [], stand_ins=[other.url]).effects == ()


@proxied
def test_a_program_that_trusts_no_proxy_is_a_fault(tmp_path: Path) -> None:
    file, context = authority(tmp_path)
    with serving(context) as service, Hooks(dict(os.environ), proxy=Reach((), (service.port,))) as hooks:
        done = subprocess.run(
            ["curl", "-s", "--cacert", str(file), "-d", "x", f"{service.url}/plain"], env=hooks.environment
        )
        seen = hooks.seen()
    assert done.returncode == 60
    assert service.heard == []
    (fault,) = http_effects(seen, []).faults
    assert "does not trust the proxy's certificate for 127.0.0.1" in fault.detail


@proxied
def test_an_authority_that_nobody_trusts_is_not_trusted_by_the_proxy(tmp_path: Path) -> None:
    _, context = authority(tmp_path)
    with serving(context) as service, Hooks(dict(os.environ), proxy=Reach()) as hooks:
        command = ["curl", "-s", "-o", "/dev/null", "-w", "%{http_code}", "-d", "x", f"{service.url}/plain"]
        done = subprocess.run(command, env=hooks.environment, capture_output=True, text=True)
        (effect,) = http_effects(hooks.seen(), None).effects
    assert done.stdout == "502"
    assert service.heard == []
    assert effect.side_effect.detail["answer"] == "none"


@proxied
def test_what_is_no_http_is_a_connection() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]

        def serve() -> None:
            client, _ = server.accept()
            with client:
                client.sendall(client.recv(100).upper())

        threading.Thread(target=serve, daemon=True).start()
        with Hooks(dict(os.environ), proxy=Reach((), (port,))) as hooks:
            address = hooks.environment["HTTP_PROXY"].rpartition(":")[2]
            with socket.create_connection(("127.0.0.1", int(address))) as client:
                client.sendall(f"CONNECT 127.0.0.1:{port} HTTP/1.1\r\n\r\n".encode())
                assert b"200" in client.recv(1000)
                client.sendall(b"\x01hello\n")
                assert client.recv(100) == b"\x01HELLO\n"
            seen = hooks.seen()
    (effect,) = http_effects(seen, []).effects
    assert (effect.side_effect.op, effect.side_effect.target) == ("connect", f"tcp://127.0.0.1:{port}")


@proxied
@pytest.mark.parametrize("client", ["curl", "node"])
def test_where_the_agent_says_that_no_proxy_leads_none_does(other: Service, client: str) -> None:
    if not shutil.which(client):
        pytest.skip(f"there is no {client} on this machine")
    command = {"curl": ["curl", "-sfd", "x", f"{other.url}/plain"], "node": ["node", "-e", NODE, other.url]}[client]
    entry = {"curl": "127.0.0.0/8", "node": f"127.0.0.1:{other.port}"}[client]  # curl knows no ports there
    given = {**os.environ, "no_proxy": "localhost", "NO_PROXY": f"{entry},.example"}
    with Hooks(given, stand_ins=[1], proxy=Reach(())) as hooks:
        assert hooks.environment["NO_PROXY"] == f"127.0.0.1:1,::1:1,localhost:1,{entry},.example"
        done = subprocess.run(command, env=hooks.environment, capture_output=True, text=True)
        assert (done.returncode, done.stderr) == (0, "")
        assert hooks.seen().exchanges == ()


@proxied
def test_a_stream_is_not_held_back(other: Service) -> None:
    """Two pieces of an answer, the second of which is only sent once the first was read."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        port, read = server.getsockname()[1], threading.Event()

        def serve() -> None:
            client, _ = server.accept()
            with client:
                client.recv(1000)
                client.sendall(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\none\r\n")
                read.wait(10)
                client.sendall(b"3\r\ntwo\r\n0\r\n\r\n")

        threading.Thread(target=serve, daemon=True).start()
        with Hooks(dict(os.environ), proxy=Reach((), (port,))) as hooks:
            command = ["curl", "-sN", "-d", "x", f"http://127.0.0.1:{port}/"]
            process = subprocess.Popen(command, env=hooks.environment, stdout=subprocess.PIPE)
            assert process.stdout is not None
            assert process.stdout.read(3) == b"one"
            read.set()
            assert process.communicate()[0] == b"two"
            (effect,) = http_effects(hooks.seen(), []).effects
    assert effect.side_effect.detail["response"] == digest_bytes(b"onetwo")


@proxied
def test_a_proxy_that_dies_is_a_fault() -> None:
    with Hooks(dict(os.environ), proxy=Reach()) as hooks:
        process = hooks._proxy._process  # type: ignore[union-attr]
        assert process is not None
        process.kill()
        process.wait()
        (fault,) = http_effects(hooks.seen(), []).faults
    assert "the proxy ended before the run did" in fault.detail


@proxied
def test_it_ends_with_whoever_started_it(tmp_path: Path) -> None:
    """And its authority with it, even where that one was killed."""
    code = """
import os, signal, sys
from runwright.record.http import Hooks, Reach
with Hooks(dict(os.environ), proxy=Reach()) as hooks:
    print(hooks._proxy._process.pid, os.path.dirname(hooks.environment["SSL_CERT_FILE"]), flush=True)
    os.kill(os.getpid(), signal.SIGKILL)
"""
    environment = {**os.environ, "TMPDIR": str(tmp_path)}
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True)
    process, folder = done.stdout.split()
    until = time.monotonic() + 10
    while (Path(folder).exists() or Path(f"/proc/{process}").exists()) and time.monotonic() < until:
        time.sleep(0.02)
    assert folder.startswith(str(tmp_path))
    assert not Path(folder).exists()


def test_no_proxy_is_a_capability(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(sys, "executable", str(tmp_path / "python"))
    assert cannot_proxy() == "requests are seen by mitmproxy, and no mitmdump was found"
    with pytest.raises(CapabilityError) as caught, Hooks({}, proxy=Reach()):
        pass
    assert "pipx install mitmproxy" in str(caught.value.hint)


def test_a_program_that_is_no_proxy_is_a_capability(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    program = tmp_path / "mitmdump"
    program.write_text("#!/bin/sh\necho no >&2\nexit 3\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/bin:/usr/bin")
    monkeypatch.setattr(sys, "executable", str(tmp_path / "python"))
    with pytest.raises(CapabilityError, match="did not start"), Hooks({}, proxy=Reach()):
        pass


def test_the_environment_of_an_agent(monkeypatch: pytest.MonkeyPatch) -> None:
    with Hooks({"PYTHONPATH": "mine", "NO_PROXY": "*"}, stand_ins=["http://127.0.0.1:8080"]) as hooks:
        environment = hooks.environment
    assert environment["PYTHONPATH"].endswith(f"injected{os.pathsep}mine")
    assert json.loads(json.dumps(environment)) == environment
    assert set(environment) == {"PYTHONPATH", "NO_PROXY", "RUNWRIGHT_SEEN", "RUNWRIGHT_STAND_INS"}
    assert environment["RUNWRIGHT_STAND_INS"] == "127.0.0.1:8080,::1:8080,localhost:8080"

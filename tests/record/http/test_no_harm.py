"""Hooks do no harm: whatever an agent's Python is, and whatever goes wrong in them, the agent does what it would do."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from runwright.record.http import Hooks, Seen
from runwright.record.http.hooks import FOLDER
from tests.record.http.service import HELD, Service, serving

POST = "urllib.request.urlopen(urllib.request.Request(URL + {path!r}, b'{{}}')).read()"
START = "import os, sys, urllib.request\nURL = sys.argv[1]\n"


@pytest.fixture(scope="module")
def service() -> Iterator[Service]:
    with serving() as service:
        yield service


def posted(path: str) -> str:
    """A line that posts to a path."""
    return POST.format(path=path) + "\n"


def run(code: str, service: Service, *options: str, python: str = sys.executable, **more: str) -> tuple[str, Seen]:
    """What a program printed, and what was seen of it. It must end well."""
    with Hooks({**os.environ, **more}) as hooks:
        words = [python, *options, "-c", START + code, service.url]
        done = subprocess.run(words, env=hooks.environment, capture_output=True, text=True, timeout=60)
        assert (done.returncode, done.stderr) == (0, ""), done.stderr
        return done.stdout, hooks.seen()


def paths(seen: Seen) -> Counter[str]:
    return Counter(each.url.partition("/")[2].partition("/")[2].partition("/")[2] for each in seen.exchanges)


# --- the start of Python ------------------------------------------------------------------------


def test_nothing_is_imported_before_the_agent_asks_for_it(service: Service) -> None:
    code = "import sys\nprint(sorted(set(sys.modules) & {'json', 'socket', 'http.client', 'httpx', 'base64', 'ssl'}))"
    with Hooks({**os.environ}) as hooks:
        done = subprocess.run([sys.executable, "-c", code], env=hooks.environment, capture_output=True, text=True)
        assert done.stdout == "[]\n"
        assert hooks.seen() == Seen()


def test_the_users_own_sitecustomize_runs_as_it_would(service: Service, tmp_path: Path) -> None:
    (tmp_path / "sitecustomize.py").write_text("import sys\nsys.greeting = __name__, __file__\n")
    said, seen = run("print(*sys.greeting)\n" + posted("/own"), service, PYTHONPATH=str(tmp_path))
    assert said == f"sitecustomize {tmp_path / 'sitecustomize.py'}\n"
    assert paths(seen) == {"own": 1}
    said, _ = run("print(sys.modules['sitecustomize'].__file__)", service, PYTHONPATH=str(tmp_path))
    assert said == f"{tmp_path / 'sitecustomize.py'}\n"


def test_a_users_own_that_fails_is_told_as_it_would_be(tmp_path: Path) -> None:
    (tmp_path / "sitecustomize.py").write_text("raise ValueError('mine')\n")
    with Hooks({**os.environ, "PYTHONPATH": str(tmp_path)}) as hooks:
        for environment in (hooks.environment, {**os.environ, "PYTHONPATH": str(tmp_path)}):
            done = subprocess.run([sys.executable, "-c", "print(1)"], env=environment, capture_output=True, text=True)
            assert (done.returncode, done.stdout) == (0, "1\n")
            assert "ValueError: mine" in done.stderr


def test_the_rest_of_the_path_is_as_it_was(service: Service, tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text("answer = 42\n")
    said, _ = run("import mine; print(mine.answer)", service, PYTHONPATH=str(tmp_path))
    assert said == "42\n"


def test_isolated_pythons_are_not_seen_and_run(service: Service) -> None:
    for option in ("-I", "-E", "-S"):
        _, seen = run(posted(f"/isolated{option}"), service, option)
        assert seen == Seen()
        assert service.heard[-1].path == f"/isolated{option}"


@pytest.mark.parametrize("version", ["2.7", "3.6", "3.7", "3.8", "3.9", "3.10", "3.12", "3.13"])
def test_pythons_of_any_age_run(service: Service, version: str) -> None:
    python = _python(version)
    if python is None:
        pytest.skip(f"no Python {version} is installed on this machine")
    old = version in ("2.7", "3.6", "3.7")
    if version == "2.7":
        with Hooks({**os.environ}) as hooks:
            assert subprocess.check_output([python, "-c", "print(1)"], env=hooks.environment) == b"1\n"
            return
    _, seen = run(posted(f"/python-{version}"), service, python=python)
    assert paths(seen) == ({} if old else {f"python-{version}": 1})


def _python(version: str) -> str | None:
    """A Python that really is there: a shim may stand for one that is not."""
    pyenv = sorted((Path.home() / ".pyenv" / "versions").glob(f"{version}.*/bin/python"))
    return str(pyenv[-1]) if pyenv else shutil.which(f"python{version}")


# --- processes, threads and descriptors ---------------------------------------------------------


def test_children_forks_threads_and_several_at_once(service: Service) -> None:
    code = f"""
import subprocess, threading
child = [sys.executable, "-c", {(START + posted("/child"))!r}, URL]
running = [subprocess.Popen(child) for _ in range(4)]
if os.fork() == 0:
    {posted("/fork")}
    os._exit(0)
os.wait()
threads = [threading.Thread(target=lambda: {posted("/thread").strip()}) for _ in range(8)]
[each.start() for each in threads]
[each.join() for each in threads]
[each.wait() for each in running]
"""
    _, seen = run(code, service)
    assert paths(seen) == {"child": 4, "fork": 1, "thread": 8}
    assert seen.faults == ()


def test_an_agent_that_closes_every_descriptor_and_opens_its_own(service: Service, tmp_path: Path) -> None:
    code = f"""
{posted("/before")}
os.closerange(3, 100)
files = [open({str(tmp_path)!r} + f"/{{number}}", "wb") for number in range(20)]
{posted("/after")}
"""
    _, seen = run(code, service)
    assert paths(seen) == {"before": 1, "after": 1}
    assert all(each.read_bytes() == b"" for each in tmp_path.iterdir())


def test_what_was_told_before_a_kill_is_kept(service: Service) -> None:
    HELD.clear()
    code = START + posted("/first") + posted("/killed/hold")
    with Hooks({**os.environ}) as hooks:
        process = subprocess.Popen([sys.executable, "-c", code, service.url], env=hooks.environment)
        assert HELD.wait(20)
        process.send_signal(signal.SIGKILL)
        process.wait()
        seen = hooks.seen()
    assert paths(seen) == {"first": 1, "killed/hold": 1}
    assert seen.exchanges[-1].status is None
    assert seen.faults == ()


def test_an_agent_that_goes_on_when_nobody_listens(service: Service) -> None:
    code = f"""
import signal
signal.signal(signal.SIGPIPE, signal.SIG_DFL)
{posted("/while")}
sys.stdin.readline()
{posted("/after")}
print("went on")
"""
    with Hooks({**os.environ}) as hooks:
        process = subprocess.Popen(
            [sys.executable, "-c", START + code, service.url], env=hooks.environment, stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, text=True,
        )  # fmt: skip
        until = time.monotonic() + 20
        while not any(each.path == "/while" for each in service.heard) and time.monotonic() < until:
            time.sleep(0.01)
        seen = hooks.seen()
    said, _ = process.communicate("\n")
    assert said == "went on\n"
    assert paths(seen) == {"while": 1}


def test_a_pipe_that_is_left_over_holds_nobody_up(service: Service, tmp_path: Path) -> None:
    """As when those who listened were killed."""
    os.mkfifo(tmp_path / "seen")
    environment = {**os.environ, "PYTHONPATH": str(FOLDER), "RUNWRIGHT_SEEN": str(tmp_path / "seen")}
    words = [sys.executable, "-c", START + posted("/left-over"), service.url]
    assert subprocess.run(words, env=environment, timeout=20).returncode == 0
    assert service.heard[-1].path == "/left-over"


def test_a_request_is_as_it_was_once_it_is_sent(service: Service) -> None:
    """Sent again on a redirect, its body is told again, and an answer that was read in part is told as such."""
    code = """
import http.client, httpx
class Again(httpx.SyncByteStream):
    def __iter__(self):
        yield from (b"{", b"}")
stream = Again()
with httpx.Client(verify=False) as client:
    request = client.build_request("POST", URL + "/redirect", content=stream, headers={"content-length": "2"})
    before = request.stream
    assert client.send(request, follow_redirects=True).status_code == 200
    assert request.stream is before
connection = http.client.HTTPConnection(URL.partition("//")[2])
for size in (3, 100):
    connection.request("POST", "/to-the-end", b"{}")
    answer = connection.getresponse()
    answer.read(size)
    if size == 100:
        answer.read()
    answer.close()
    connection.close()
"""
    _, seen = run(code, service)
    assert [each.request.digest is not None for each in seen.exchanges] == [True] * 4
    assert len({each.request.digest for each in seen.exchanges}) == 1
    assert [each.response.unknown for each in seen.exchanges] == [None, None, "not seen to its end", None]


def test_a_user_who_may_not_write_to_the_pipe(service: Service) -> None:
    if os.getuid() != 0:
        pytest.skip("only root can become another user")
    if not os.access(sys.executable, os.X_OK):
        pytest.skip("this Python cannot be run by another user")
    _, seen = run(f"import encodings.idna\nos.setuid(65534)\n{posted('/nobody')}", service)
    assert seen == Seen()
    assert service.heard[-1].path == "/nobody"


# --- hooks that fail ----------------------------------------------------------------------------

BROKEN = Path(__file__).with_name("broken.py")
HOOKED = ("httpx", "stdlib", "aiohttp", "names")


def breakable() -> list[str]:
    """Each function of the hooks, as `library function`."""
    sources = {each: (FOLDER / "_runwright_http" / f"for_{each}.py").read_text() for each in HOOKED}
    names = ((each, name) for each in HOOKED for name in re.findall(r"^def (\w+)\(", sources[each], re.MULTILINE))
    return [f"{each} {name}" for each, name in names]


@pytest.fixture(scope="module")
def broken(service: Service) -> dict[str, tuple[list[str], Seen]]:
    """What the agent said and what was seen with each function broken, and by `library ` with none."""
    with ExitStack() as stack:
        cases = [*breakable(), *(f"{each} " for each in HOOKED)]
        hooks = {case: stack.enter_context(Hooks({**os.environ})) for case in cases}
        pipes = {case: each.environment["RUNWRIGHT_SEEN"] for case, each in hooks.items()}
        path = {"PYTHONPATH": str(FOLDER)}  # and no pipe: the libraries are patched in each fork
        words = [sys.executable, BROKEN, service.url, json.dumps(pipes)]
        done = subprocess.run(words, env={**os.environ, **path}, capture_output=True, text=True, timeout=100)
        assert done.returncode == 0, done.stderr
        said = json.loads(done.stdout)
        return {case: (said[case], each.seen()) for case, each in hooks.items()}


@pytest.mark.parametrize("case", breakable())
def test_a_hook_that_fails_leaves_the_request_as_it_was(broken: dict[str, tuple[list[str], Seen]], case: str) -> None:
    said, seen = broken[case]
    usual, whole = broken[case.split(" ")[0] + " "]
    assert said == usual
    assert whole.faults == ()
    assert any("ZeroDivisionError" in each for each in seen.faults)


def test_the_agent_with_hooks_says_what_it_says_without(broken: dict[str, tuple[list[str], Seen]]) -> None:
    answer = '{"ok": true}'
    assert broken["httpx "][0] == [answer, answer, "refused", answer]
    assert broken["stdlib "][0] == [answer] * 3 + ["refused"] * 2
    assert broken["aiohttp "][0] == [answer, answer, "x" * 20, "refused"]
    assert [len(broken[f"{each} "][1].exchanges) for each in HOOKED] == [4, 5, 5, 0]

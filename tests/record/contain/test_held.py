"""Holding a network where that is hard: with files watched too, without namespaces, within another run, to its end."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from runwright.record.contain import Contained, Containment, cannot_contain, contained, reach_of
from runwright.record.observe import Orders, Supervised
from runwright.record.observe.journal import Log
from runwright.record.observe.watching import kernel
from runwright.record.observe.watching.network.reach import APART, SHARED
from tests.samples import ROOT

UNABLE = cannot_contain(APART)
pytestmark = pytest.mark.skipif(bool(UNABLE), reason=UNABLE)
MUCH = 24 << 20
PYTHON = [sys.executable, "-I", "-S", "-B", "-c"]


def held(source: str, orders: Orders, *, stdin: int = subprocess.DEVNULL) -> tuple[Log, str]:
    """What is written down of a run, and what it prints."""
    with Supervised(orders) as supervised:
        done = subprocess.run(
            supervised.arguments([*PYTHON, source]), pass_fds=supervised.descriptors, stdin=stdin,
            capture_output=True, text=True, check=False, timeout=60,
        )  # fmt: skip
        return supervised.log(), done.stdout + done.stderr


@pytest.fixture
def slow() -> Iterator[tuple[int, list[int]]]:
    """A server that is slow to read, and what it got."""
    got: list[int] = []

    def serve() -> None:
        connection, _ = server.accept()
        with connection:
            while data := connection.recv(1 << 16):
                got.append(len(data))
                time.sleep(0.001)

    with socket.socket() as server:
        server.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1 << 16)  # else the kernel holds it all
        server.bind(("127.0.0.1", 0))
        server.listen()
        thread = threading.Thread(target=serve)
        thread.start()
        yield server.getsockname()[1], got
        thread.join(10)


def test_what_is_said_last_arrives(slow: tuple[int, list[int]], tmp_path: Path) -> None:
    """The command ends long before the other side has read it all."""
    port, got = slow
    source = f"import socket; socket.create_connection(('127.0.0.1', {port})).sendall(bytes({MUCH}))"
    log, said = held(source, Orders(str(tmp_path), network=reach_of(Containment((port,)))))
    assert (log.status, said) == (0, "")
    end = time.monotonic() + 10
    while sum(got) < MUCH and time.monotonic() < end:
        time.sleep(0.01)
    assert sum(got) == MUCH


FILES = """
import os, socket
server = socket.socket(socket.AF_UNIX)
server.bind("own")
server.listen()
socket.socket(socket.AF_UNIX).connect("own")
open("made", "w").write("x")
try:
    socket.socket(socket.AF_UNIX).connect("../outside")
except OSError as error:
    print(error.strerror)
try:
    open("kept/file", "w")
except OSError as error:
    print(error.strerror)
"""


@pytest.mark.parametrize("how", [APART, SHARED])
def test_with_files_watched_and_protected(tmp_path: Path, how: str) -> None:
    (tmp_path / "work" / "kept").mkdir(parents=True)
    (tmp_path / "work" / "kept" / "file").write_text("x")
    with socket.socket(socket.AF_UNIX) as outside:
        outside.bind(str(tmp_path / "outside"))
        outside.listen()
        folder = str(tmp_path / "work")
        log, said = held(FILES, Orders(folder, folder, protect=("kept",), network=reach_of(Containment(), how)))
    assert said == "Permission denied\nRead-only file system\n"
    assert contained(log).blocked == (f"unix:{tmp_path}/outside",)
    assert log.sockets == ()
    assert log.faults == ()
    names = {Path(os.fsdecode(each.path)).name: each.word for each in log.operations if each.word}
    assert names == {"own": "created", "made": "created"}


def test_a_connection_that_it_is_handed(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server, socket.create_connection(server.getsockname()) as given:
        log, _ = held("print('ran')", Orders(str(tmp_path), network=reach_of(Containment())), stdin=given.fileno())
    assert log.unable == "the standard input is a connection"


def test_within_a_run_that_is_held(tmp_path: Path) -> None:
    source = f"import sys; sys.path[:0] = {sys.path!r}"
    source += "; from runwright.record.contain import cannot_contain; print(cannot_contain())"
    log, said = held(source, Orders(str(tmp_path), network=reach_of(Containment())))
    assert log.status == 0, said
    assert said.startswith("no filter of system calls can be set up")


WITHOUT = """
import os, sys
from pathlib import Path
from runwright.record.observe.watching import kernel, namespaces
user, group = os.getuid(), os.getgid()
namespaces.checked(namespaces._libc.unshare(namespaces.NEW_USER))
for name, text in (("setgroups", "deny"), ("uid_map", f"{user} {user} 1"), ("gid_map", f"{group} {group} 1")):
    Path(f"/proc/self/{name}").write_text(text)
Path("/proc/sys/user/max_user_namespaces").write_text("0")
namespaces.give_up()
os.execv(sys.executable, [sys.executable, "-m", "tests.record.contain.barred", sys.argv[1]])
"""


def test_where_namespaces_are_barred(tmp_path: Path) -> None:
    """The next best way holds too, and says so."""
    done = subprocess.run(
        [sys.executable, "-c", WITHOUT, str(tmp_path)], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    apart, any_way, by, weaker, blocked, said = done.stdout.splitlines()[:6]
    assert apart.startswith("no network of its own can be made: namespaces cannot be entered: no space left")
    assert weaker == apart
    assert any_way == ""
    assert by.split()[0] == "seccomp"
    assert blocked == "203.0.113.1:443"
    assert said == "Network is unreachable"


NOT_TAKEN = """
import ctypes, os, sys
from runwright.record.observe.watching.instructions import ALLOW, EQUAL, ERRNO, LOAD, NUMBER, RETURN, step
from runwright.record.observe.watching.kernel import TAKE_DESCRIPTOR, _Program
steps = [step(LOAD, NUMBER), step(EQUAL, TAKE_DESCRIPTOR, 0, 1), step(RETURN, ERRNO | 1), step(RETURN, ALLOW)]
buffer = ctypes.create_string_buffer(b"".join(steps))
libc = ctypes.CDLL(None)
assert libc.prctl(38, 1, 0, 0, 0) == 0
assert libc.prctl(22, 2, ctypes.byref(_Program(len(steps), ctypes.addressof(buffer))), 0, 0) == 0
os.execv(sys.executable, [sys.executable, "-m", "tests.record.contain.untaken", sys.argv[1]])
"""


def test_where_sockets_cannot_be_taken_hold_of(tmp_path: Path) -> None:
    """As in a container that lets nobody trace: nothing is held, files are observed all the same."""
    words = [sys.executable, "-c", NOT_TAKEN, str(tmp_path)]
    done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == [
        "a socket of another process cannot be taken hold of: operation not permitted",
        "status 0, network None, made",
    ]


def test_the_thread_of_a_process() -> None:
    """How descriptors are taken before Linux 6.9."""
    found: list[int] = []
    thread = threading.Thread(target=lambda: found.append(kernel._process_of(threading.get_native_id())))
    thread.start()
    thread.join()
    assert found == [os.getpid()]


ALONE = """
import os, socket, time
if os.fork():
    os.kill(os.getppid(), 9)
    time.sleep(60)
while os.getppid() != 1 and os.path.exists("/proc/%d/exe" % os.getppid()):
    time.sleep(0.01)
time.sleep(0.1)
try:
    socket.create_connection(("203.0.113.1", 443))
except OSError as error:
    print(error.strerror, flush=True)
"""


def test_when_its_holder_dies_nothing_is_certified(tmp_path: Path) -> None:
    """The command dies with it, and for what is left of it there is no call that leads out."""
    log, said = held(ALONE, Orders(str(tmp_path), network=reach_of(Containment())))
    assert said == "Function not implemented\n"
    assert not log.ended
    assert contained(log).by == ()


def test_nothing_was_held() -> None:
    assert contained(Log()) == Contained((), ())

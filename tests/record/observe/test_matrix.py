"""Every way to change a file is one effect, or a fault says that something may not be seen; all else is none."""

from __future__ import annotations

import contextlib
import ctypes
import json
import os
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from runwright.record.observe import cannot_observe
from tests.record.observe.batch import PLAIN, made, observed, told
from tests.record.observe.ways import WAYS
from tests.samples import ROOT

UNABLE = cannot_observe()
pytestmark = pytest.mark.skipif(bool(UNABLE), reason=UNABLE)
FAULTY = [name for name in WAYS if name not in PLAIN]


@pytest.fixture(scope="module")
def together(tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict[str, list[str]]]:
    """What was told of all ways at once: with paths opened, followed link by link, and as an ordinary user."""
    found = {}
    for how in ("fast", "walked"):
        root = tmp_path_factory.mktemp(how)
        made(root, PLAIN)
        seen = observed(root, PLAIN, how)
        assert seen.status == 0
        found[how] = told(seen)
    found["ordinary"] = without_rights(tmp_path_factory.mktemp("ordinary"))
    return found


def without_rights(root: Path) -> dict[str, list[str]]:
    """The same by processes without any capability, as those of an ordinary user are."""
    done = subprocess.run(
        [sys.executable, "-m", "tests.record.observe.batch", str(root)],
        cwd=ROOT, preexec_fn=give_up_rights, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert (found["status"], int(found["rights"], 16)) == (0, 0), done.stderr
    told: dict[str, list[str]] = found["told"]
    return told


def give_up_rights() -> None:
    """From the next exec on being root is no right: SECBIT_NOROOT and its lock. An ordinary user need not."""
    if not os.getuid():
        assert ctypes.CDLL(None).prctl(28, 3, 0, 0, 0) == 0


@pytest.mark.parametrize("name", PLAIN)
@pytest.mark.parametrize("how", ["fast", "walked", "ordinary"])
def test_way(together: dict[str, dict[str, list[str]]], how: str, name: str) -> None:
    assert together[how].get(name, []) == sorted(WAYS[name].told)


@pytest.mark.parametrize("how", ["fast", "walked", "ordinary"])
def test_nothing_else_was_told(together: dict[str, dict[str, list[str]]], how: str) -> None:
    assert set(together[how]) <= set(PLAIN)


@pytest.mark.parametrize("name", FAULTY)
def test_what_may_hide_something_is_a_fault(tmp_path: Path, name: str) -> None:
    workspace = made(tmp_path, [name])
    with giving(tmp_path, name) if "given" in name else contextlib.nullcontext():
        seen = observed(tmp_path, [name], wait=0.5 if name == "for_ever" else 20)
    found = told(seen)
    faults = [each.removeprefix("fault: ") for each in WAYS[name].told if each.startswith("fault: ")]
    assert len(found[""]) == len(faults), found
    assert all(each.startswith(wanted) for each, wanted in zip(found[""], faults, strict=True))
    assert found.get(name, []) == [each for each in WAYS[name].told if not each.startswith("fault: ")]
    assert seen.trace.header.observation["fs_write"] == "observed"
    assert workspace.is_dir()


@contextlib.contextmanager
def giving(root: Path, name: str) -> Iterator[None]:
    """Somebody outside of the run, who hands out a descriptor of a file in it."""
    folder = os.open(root / "outside" / name, os.O_RDONLY | os.O_DIRECTORY)
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(f"/proc/self/fd/{folder}/gives")  # the name of a socket may not be long, and that of a folder may
        os.close(folder)
        server.listen()
        thread = threading.Thread(target=_give, args=(server, root / "inside" / name / "b"))
        thread.start()
        yield
        thread.join()


def _give(server: socket.socket, file: Path) -> None:
    asking, _ = server.accept()
    with asking, file.open("ab") as opened:
        socket.send_fds(asking, [b"x"], [opened.fileno()])

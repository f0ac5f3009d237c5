"""Entering namespaces: what a command behind them can no longer do, as root and as a user without any right."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from runwright.record.observe.watching import namespaces
from tests.record.observe.nobody import USER, become_nobody, shared_folder
from tests.samples import ROOT

UNABLE = namespaces.cannot_enter()
pytestmark = pytest.mark.skipif(bool(UNABLE), reason=UNABLE)
LEAD = "from runwright.record.observe.watching import namespaces as n; import os, sys"
ESCAPES = """
import ctypes, json, os, sys
libc = ctypes.CDLL(None, use_errno=True)
libc.syscall.restype = ctypes.c_long
def done(name, *arguments):
    ctypes.set_errno(0)
    return 0 if libc.syscall(*arguments) >= 0 else ctypes.get_errno()
def opened(path):
    try:
        os.listdir(path)
    except OSError as error:
        return error.errno
    return 0
at = sys.argv[1].encode()
print(json.dumps({
    "mount": done("mount", 165, b"none", at, b"tmpfs", 0, None),
    "remount": done("remount", 165, None, at, None, 0x1020, None),
    "umount": done("umount", 166, at, 2),
    "setattr": done("setattr", 442, -100, at, 0, (ctypes.c_uint64 * 4)(0, 1, 0, 0), 32),
    "open_tree": done("open_tree", 428, -100, at, 1),
    "fsopen": done("fsopen", 430, b"tmpfs", 0),
    "pivot_root": done("pivot_root", 155, at, at),
    "setns": done("setns", 308, int(sys.argv[2]), 0),
    "by handle": done("by handle", 304, -100, (ctypes.c_uint32 * 8)(8, 1), 0),
    "device": done("device", 133, at + b"/device", 0o060600, 0x700),
    "root of another": opened(f"/proc/{sys.argv[3]}/root/"),
    "files of another": opened(f"/proc/{sys.argv[3]}/cwd/"),
}))
"""


@pytest.fixture
def shared() -> Iterator[Path]:
    with shared_folder() as folder:
        yield folder


def within(script: str, *arguments: str, ordinary: bool = False, keep: tuple[int, ...] = ()) -> str:
    done = subprocess.run(
        [sys.executable, "-c", f"{LEAD}\n{script}", *arguments], cwd=ROOT, capture_output=True, text=True, check=False,
        preexec_fn=become_nobody if ordinary else None, pass_fds=keep,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize("ordinary", [False, True])
def test_what_is_mounted_is_seen_by_nobody_else(shared: Path, ordinary: bool) -> None:
    script = "n.enter(); n.mount(b'none', os.fsencode(sys.argv[1]), b'tmpfs'); open(sys.argv[1] + '/x', 'w'); "
    assert within(script + "print(os.listdir(sys.argv[1]))", str(shared), ordinary=ordinary) == "['x']\n"
    assert list(shared.iterdir()) == []


@pytest.mark.parametrize("ordinary", [False, True])
def test_the_command_keeps_its_user_and_not_the_rights_to_get_out(shared: Path, ordinary: bool) -> None:
    outside = os.open("/proc/self/ns/mnt", os.O_RDONLY)
    script = "n.enter(); n.mount(b'none', os.fsencode(sys.argv[1]), b'tmpfs'); n.give_up(); print(os.getuid()); "
    script += f"sys.stdout.flush(); os.execv(sys.executable, [sys.executable, '-S', '-c', {ESCAPES!r}, *sys.argv[1:]])"
    given = (str(shared), str(outside), str(os.getpid()))
    user, told = within(script, *given, ordinary=ordinary, keep=(outside,)).splitlines()
    os.close(outside)
    assert int(user) == (USER if ordinary and not os.getuid() else os.getuid())
    left = {name: code for name, code in json.loads(told).items() if code not in (1, 13)}  # EPERM, EACCES
    assert left == {}


def test_why_not_is_told() -> None:
    def further() -> None:
        Path("/nowhere at all").stat()

    assert namespaces.cannot_enter(further) == "namespaces cannot be used: no such file or directory"


@pytest.mark.parametrize(("limit", "doing"), [("mnt", "entered"), ("user", "entered")])
def test_a_machine_without_them(limit: str, doing: str) -> None:
    """By the limit of a namespace of users of one's own, so that nobody else is held by it."""
    script = """
import ctypes
assert ctypes.CDLL(None).unshare(0x10000000) == 0
n._say("setgroups", "deny"); n._say("uid_map", f"0 {sys.argv[2]} 1"); n._say("gid_map", f"0 {sys.argv[2]} 1")
open(f"/proc/sys/user/max_{sys.argv[1]}_namespaces", "w").write("0")
os.setresuid(0, 0, 0)
n.give_up()
print(n.cannot_enter())
"""
    user = str(USER if not os.getuid() else os.getuid())
    assert within(script, limit, user, ordinary=True).startswith(f"namespaces cannot be {doing}: ")

"""A domain of each version keeps a process from others, and lets it do with files as before."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from runwright.record.observe.watching.network import landlock
from tests.samples import ROOT

VERSION = landlock.version()
SOURCE = """
import json, os, socket, sys
from runwright.record.observe.watching.network import landlock

def how(do):
    try:
        do()
    except OSError as error:
        return error.strerror
    return "ok"

version, other, port, folder = int(sys.argv[1]), sys.argv[2], int(sys.argv[3]), sys.argv[4]
if version:
    landlock.apart(version)
os.chdir(folder)
os.makedirs("one")
os.makedirs("other")
open("one/file", "w").write("x")
print(json.dumps({
    "memory": how(lambda: os.open(f"/proc/{other}/mem", os.O_RDWR)),
    "moved": how(lambda: os.rename("one/file", "other/file")),
    "linked": how(lambda: os.link("other/file", "one/again")),
    "tcp": how(lambda: socket.create_connection(("127.0.0.1", port))),
    "abstract": how(lambda: socket.socket(socket.AF_UNIX).connect(f"\\0runwright-{port}")),
}))
"""
HELD = "Permission denied"


@pytest.mark.parametrize(
    ("version", "tcp", "abstract"),
    [(0, "ok", "ok"), (2, "ok", "ok"), (4, HELD, "ok"), (6, HELD, "Operation not permitted")],
)
def test_a_domain(tmp_path: Path, version: int, tcp: str, abstract: str) -> None:
    if version > VERSION:
        pytest.skip(f"the kernel has version {VERSION} of Landlock")
    with socket.create_server(("127.0.0.1", 0)) as server, socket.socket(socket.AF_UNIX) as other:
        port = server.getsockname()[1]
        other.bind(f"\0runwright-{port}")
        other.listen()
        words = [sys.executable, "-c", SOURCE, str(version), str(os.getpid()), str(port), str(tmp_path)]
        done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert not version or found["memory"] == HELD
    assert (found["moved"], found["linked"], found["tcp"], found["abstract"]) == ("ok", "ok", tcp, abstract)

"""A replay needs no network: it runs in a network namespace that has a loopback and nothing else."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.samples import ROOT

LOOPBACK_UP = """
import fcntl, os, socket, struct, sys
with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as any_socket:
    fcntl.ioctl(any_socket, 0x8914, struct.pack("16sH14s", b"lo", 1, b""))  # SIOCSIFFLAGS, IFF_UP
os.execv(sys.executable, [sys.executable, *sys.argv[1:]])
"""
UNREACHABLE = """
import socket, sys
try:
    socket.create_connection(("192.0.2.1", 80), timeout=2)
except OSError as error:
    sys.exit(0 if error.errno == 101 else f"not cut off: {error}")
sys.exit("connected")
"""


def isolated(*words: str) -> subprocess.CompletedProcess[str]:
    """A finished Python process in a namespace of its own, without a key."""
    environment = {name: value for name, value in os.environ.items() if name not in ("OPENAI_API_KEY", "CI")}
    environment["PATH"] = f"{Path(sys.executable).parent}{os.pathsep}{environment['PATH']}"
    command = ["unshare", "--user", "--map-root-user", "--net", sys.executable, "-c", LOOPBACK_UP, *words]
    return subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)


@pytest.fixture(autouse=True)
def _namespaces() -> None:
    try:
        done = isolated("-c", "pass")
    except FileNotFoundError:
        pytest.skip("no unshare on this machine")
    if done.returncode:
        pytest.skip(f"no network namespaces here: {done.stderr.strip()}")


def test_the_namespace_is_cut_off() -> None:
    done = isolated("-c", UNREACHABLE)
    assert done.returncode == 0, done.stderr


def test_the_committed_flow_replays_green_with_the_network_denied() -> None:
    done = isolated("-m", "runwright", "run", str(Path("flows/regressions/refund-twice.flow.yaml")))
    assert done.returncode == 0, done.stdout + done.stderr
    assert "PASS, not judged after m2" in done.stdout

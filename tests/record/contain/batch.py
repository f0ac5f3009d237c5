"""All ways to reach out in one run, within an outer network whose every address is listened on; and what came of it."""

from __future__ import annotations

import contextlib
import json
import os
import socket
import struct
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable, Mapping
from pathlib import Path

from runwright.record.contain import contained
from runwright.record.contain.pinned import servers
from runwright.record.observe import Orders, Supervised
from runwright.record.observe.watching import kernel, namespaces
from runwright.record.observe.watching.network import dns, netlink
from runwright.record.observe.watching.network.reach import APART, OBSERVED, Reach
from tests.record.contain.ways_out import HERE, OUT, OUTWARD, SLOW, WAYS
from tests.record.observe.nobody import become_nobody

WAY = Path(__file__).parent / "ways_out.py"
PYTHON = [sys.executable, "-I", "-S", "-B"]
NETWORKS = ((OUT + "0", 24), ("2001:db8::", 32))
PORTS = (53, 80, 443, 3128, 8443)


class Outside:
    """The servers of the outer network, and what came to them that may not."""

    def __init__(self, world: Path, mark: str) -> None:
        self.reached: Counter[str] = Counter()
        self.world = world
        self.mark = mark
        for port in PORTS:
            for family in (socket.AF_INET, socket.AF_INET6):
                self._stream(family, ("::" if family == socket.AF_INET6 else "0.0.0.0", port), self._anybody)
        self.standing = self._stream(socket.AF_INET, (HERE, 0), _stand_in)
        self.echo = self._stream(socket.AF_INET, (HERE, 0), _echo)
        self.slow = self._stream(socket.AF_INET, (HERE, 0), self._slowly)
        self.resets = self._stream(socket.AF_INET, (HERE, 0), _reset)
        self.full = self._full()
        self.other = subprocess.Popen(["sleep", "600"])  # of the same user, with no more rights than a command has
        self.sink = self._stream(socket.AF_INET, (HERE, 0), self._anybody)
        self._stream(socket.AF_UNIX, str(world / "outside"), self._anybody)
        self._stream(socket.AF_UNIX, f"\0runwright-outside-{mark}", self._anybody)
        self._datagrams(socket.AF_UNIX, str(world / "datagrams"))
        for port in (9, 53):
            for family in (socket.AF_INET, socket.AF_INET6):
                self._datagrams(family, ("::" if family == socket.AF_INET6 else "0.0.0.0", port))
        for name in ("outside", "datagrams"):
            (world / name).chmod(0o777)
        with socket.socket() as free:
            free.bind((HERE, 0))
            self.closed = free.getsockname()[1]

    def _stream(self, family: int, where: object, serve: Callable[[socket.socket], None]) -> int:
        server = socket.socket(family)
        if family == socket.AF_INET6:
            server.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
        server.bind(where)  # type: ignore[arg-type]
        server.listen(1000)
        threading.Thread(target=_accepting, args=(server, serve), daemon=True).start()
        return int(server.getsockname()[1]) if isinstance(where, tuple) else 0

    def _anybody(self, connection: socket.socket) -> None:
        named = connection.getsockname()
        where = f"{named[0]}:{named[1]}" if isinstance(named, tuple) else str(named)
        self.reached[where] += 1
        with contextlib.suppress(OSError):
            connection.send(b"outside")
        connection.close()

    def _full(self) -> int:
        """A port where whoever comes has to wait for those that nobody takes."""
        self._kept = [socket.socket()]
        self._kept[0].bind((HERE, 0))
        self._kept[0].listen(0)
        port = int(self._kept[0].getsockname()[1])
        for _ in range(3):
            made = socket.socket()
            made.setblocking(False)
            made.connect_ex((HERE, port))
            self._kept.append(made)
        return port

    def _slowly(self, connection: socket.socket) -> None:
        with connection:
            while data := connection.recv(1 << 18):
                self.reached["slow"] += len(data)
                time.sleep(0.005)

    def _datagrams(self, family: int, where: object) -> None:
        server = socket.socket(family, socket.SOCK_DGRAM)
        if family == socket.AF_INET6:
            server.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
        if family == socket.AF_INET:
            server.setsockopt(socket.IPPROTO_IP, 8, 1)  # IP_PKTINFO
        server.bind(where)  # type: ignore[arg-type]
        threading.Thread(target=self._receiving, args=(server,), daemon=True).start()

    def _receiving(self, server: socket.socket) -> None:
        while True:
            data, ancillary, _, sender = server.recvmsg(4096, 256)
            to = socket.inet_ntoa(ancillary[0][2][8:12]) if ancillary and server.family == socket.AF_INET else "?"
            self.reached[f"datagram {to}"] += 1
            answer = _named(data) or b"pong"
            if sender and server.family != socket.AF_UNIX:
                server.sendmsg([answer], ancillary if server.family == socket.AF_INET else [], 0, sender)


def _named(message: bytes) -> bytes:
    """A name server's answer to a question, nothing to what is none. It knows one name, which stands for another."""
    asked = dns.question(message)
    if asked is None:
        return b""
    if asked.name != "seen.example.com" or asked.kind != dns.A:
        return dns.answer(message, asked, [] if asked.name == "seen.example.com" else None)
    other = b"\5other\7example\3com\0"
    alias = b"\xc0\x0c" + struct.pack(">HHIH", 5, 1, 0, len(other)) + other
    record = other + struct.pack(">HHIH", 1, 1, 0, 4) + socket.inet_aton(OUT + "60")
    return message[:2] + struct.pack(">HHHHH", 0x8180, 1, 2, 0, 0) + message[12 : asked.end] + alias + record


def _accepting(server: socket.socket, serve: Callable[[socket.socket], None]) -> None:
    while True:
        connection, _ = server.accept()
        threading.Thread(target=serve, args=(connection,), daemon=True).start()


def _stand_in(connection: socket.socket) -> None:
    with connection, contextlib.suppress(OSError):
        if connection.recv(4096):
            connection.sendall(b"HTTP/1.0 200 OK\r\nContent-Length: 8\r\n\r\nstand-in")


def _echo(connection: socket.socket) -> None:
    with connection, contextlib.suppress(OSError):
        while data := connection.recv(1 << 16):
            connection.sendall(data)


def _reset(connection: socket.socket) -> None:
    connection.recv(1)
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    connection.close()


def outer_network(*, users: bool) -> None:
    """Move this process into a network where every documentation address is its own."""
    if users:
        user, group = os.getuid(), os.getgid()
        namespaces.checked(namespaces._libc.unshare(namespaces.NEW_USER))
        for name, text in (("setgroups", "deny"), ("uid_map", f"{user} {user} 1"), ("gid_map", f"{group} {group} 1")):
            Path(f"/proc/self/{name}").write_text(text, encoding="ascii")
    namespaces.new_network()
    netlink.raise_loopback()
    for host, bits in (*NETWORKS, *((each, 32) for each in servers().addresses if ":" not in each)):
        netlink.hold(socket.inet_pton(socket.AF_INET6 if ":" in host else socket.AF_INET, host), bits)


def reach(outside: Outside, how: str) -> Reach:
    """What the ways that are allowed need."""
    return Reach(
        how,
        (outside.standing, outside.echo, outside.closed, outside.slow, outside.resets, outside.full),
        (
            (OUT + "100", 32, 443, ""), ("2001:db8:1::", 48, 0, ""), (OUT + "101", 32, 443, "api.example.com"),
            (OUT + "102", 32, 9, ""),
        ),
        (("api.example.com", (OUT + "101",)),),
        servers().addresses,
    )  # fmt: skip


def run(outside: Outside, how: str, names: list[str], folder: Path) -> dict[str, object]:
    """The ways in one run that is held so (or observed), and all that is to be known of it."""
    outside.reached.clear()
    inherited = socket.create_connection((HERE, outside.sink))
    os.set_inheritable(inherited.fileno(), True)
    environment = {
        **os.environ,
        "WORLD": str(outside.world), "MARK": outside.mark, "PORT": str(outside.standing), "ECHO": str(outside.echo),
        "CLOSED": str(outside.closed), "SINK": str(outside.sink), "OUTER": str(outside.other.pid),
        "FOLDER": str(folder), "SLOW": str(outside.slow), "FULL": str(outside.full), "RESETS": str(outside.resets),
        "INHERITED": str(inherited.fileno()), "PYTHONPATH": "",
    }  # fmt: skip
    with Supervised(Orders(str(folder), wait=5, network=reach(outside, how))) as supervised:
        done = subprocess.run(
            supervised.arguments([*PYTHON, str(WAY), *names]), pass_fds=(*supervised.descriptors, inherited.fileno()),
            env=environment, capture_output=True, text=True, check=False,
        )  # fmt: skip
        log = supervised.log()
    inherited.close()
    went = {name: (how_, took) for name, how_, took in map(json.loads, done.stdout.splitlines())}
    return {
        "went": went,
        "by": contained(log).by,
        "blocked": contained(log).blocked,
        "told": [tuple(each)[1:] for each in log.connections],
        "reached": _settled(outside.reached),
        "status": log.status,
        "unable": log.unable,
        "faults": [each for each, _ in log.faults],
        "errors": done.stderr,
        "sink": outside.sink,
        "mark": outside.mark,
    }


def _settled(reached: Mapping[str, int]) -> dict[str, int]:
    """What was reached, once those that count it have done so."""
    before: dict[str, int] = {}
    now = dict(reached)
    while now != before:
        time.sleep(0.2)
        before, now = now, dict(reached)
    return now


def _done(how: str, name: str) -> bool:
    return name in OUTWARD if how == OBSERVED else how == APART or name not in SLOW


def main() -> None:
    """The whole of it: `batch HOW,HOW [nobody] [WAY ...]`."""
    hows, names = sys.argv[1].split(","), sys.argv[2:]
    if "nobody" in names:
        names.remove("nobody")
        become_nobody()
        kernel.prctl(kernel.DUMPABLE, 1)  # as a process is that an ordinary user starts
    names = names or list(WAYS)
    outer_network(users=os.geteuid() != 0)
    found = {}
    with tempfile.TemporaryDirectory() as folder:
        world = Path(folder) / "w"
        world.mkdir()
        outside = Outside(world, str(os.getuid()))
        try:
            for how in hows:
                at = Path(folder) / how
                at.mkdir()
                done = [each for each in names if _done(how, each)]
                found[how] = run(outside, how, done, at) | {"world": str(world)}
        finally:
            outside.other.kill()
    print(json.dumps(found))


if __name__ == "__main__":
    main()

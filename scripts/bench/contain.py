"""What holding a command's network costs it: connections to a port of this machine, held and not, and a start.

    python scripts/bench/contain.py [--connections 2000] [--rounds 5]

Of the fastest round: what one connection takes, to an answer of one byte, by the command's own clock; what it takes to
be handed 64 MiB; and the wall time of starting a command that does nothing, with the program that holds it. `apart`
is in a network of its own, `shared` in the machine's, `observed` is let go on. Ratios are to the command alone.
"""

from __future__ import annotations

import argparse
import contextlib
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator

from runwright.record.contain import Containment, reach_of
from runwright.record.observe import Orders, Supervised
from runwright.record.observe.watching.network.reach import APART, OBSERVED, SHARED

CLIENT = """
import socket, sys, time
port, connections, size = map(int, sys.argv[1:])
began = time.perf_counter()
for _ in range(connections):
    with socket.create_connection(("127.0.0.1", port)) as made:
        made.sendall(size.to_bytes(8, "big"))
        left = size
        while left:
            left -= len(made.recv(1 << 18))
print(time.perf_counter() - began)
"""
MUCH = 64 << 20
WAYS = ("", OBSERVED, SHARED, APART)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--connections", type=int, default=2000)
    parser.add_argument("--rounds", type=int, default=5)
    given = parser.parse_args()
    with server() as port:
        print(
            f"{'':<12}{'us a connection':>16}{'ratio':>7}{'s for 64 MiB':>14}{'ratio':>7}{'ms to start':>13}{'more':>7}"
        )
        best = dict.fromkeys(WAYS, (1e9, 1e9, 1e9))
        for _ in range(given.rounds):
            for way in WAYS:
                best[way] = tuple(map(min, best[way], _taken(way, port, given.connections)))
        alone = best[""]
        for way, (connection, much, start) in best.items():
            ratios = f"{connection / alone[0]:7.2f}{much:14.3f}{much / alone[1]:7.2f}"
            starts = f"{1e3 * start:13.1f}{1e3 * (start - alone[2]):7.1f}"
            print(f"{way or 'alone':<12}{1e6 * connection:16.0f}{ratios}{starts}")


def _taken(way: str, port: int, connections: int) -> tuple[float, float, float]:
    each = float(_run(way, port, [sys.executable, "-I", "-S", "-c", CLIENT, str(port), str(connections), "1"]))
    much = float(_run(way, port, [sys.executable, "-I", "-S", "-c", CLIENT, str(port), "1", str(MUCH)]))
    began = time.perf_counter()
    _run(way, port, ["true"])
    return each / connections, much, time.perf_counter() - began


def _run(way: str, port: int, command: list[str]) -> str:
    with tempfile.TemporaryDirectory() as folder:
        if not way:
            return subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout
        with Supervised(Orders(folder, network=reach_of(Containment((port,)), way))) as supervised:
            words = supervised.arguments(command)
            done = subprocess.run(
                words, stdout=subprocess.PIPE, text=True, check=False, pass_fds=supervised.descriptors
            )
            log = supervised.log()
            if log.status or log.unable:
                raise SystemExit(f"{way}: exit {log.status} {log.unable}")
            return done.stdout


@contextlib.contextmanager
def server() -> Iterator[int]:
    """A port of this machine that sends as many bytes as it is asked for."""
    with socket.create_server(("127.0.0.1", 0), backlog=1000) as made:
        threading.Thread(target=_serve, args=(made,), daemon=True).start()
        yield made.getsockname()[1]


def _serve(made: socket.socket) -> None:
    data = bytes(1 << 18)
    with contextlib.suppress(OSError):
        while True:
            connection, _ = made.accept()
            with connection, contextlib.suppress(OSError):
                left = int.from_bytes(connection.recv(8))
                while left > 0:
                    left -= connection.send(data[:left])
                connection.recv(1)


if __name__ == "__main__":
    main()

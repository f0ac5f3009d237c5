"""What hooks cost a request: the same agent with and without them, and through the proxy, against a loopback service.

    python scripts/bench/requests.py [--requests 2000] [--rounds 5]

Of the fastest round: microseconds of processor time that the agent takes for a request, and the ratio to the agent
alone; through the proxy, which is another process, wall time. The service is a process of its own that answers at once;
every client keeps its connection. `model` is a request to a stand-in, of which no body is looked at.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from runwright.record.http import Hooks, Reach, cannot_proxy

SERVICE = r"""
import socketserver, sys
class Answering(socketserver.StreamRequestHandler):
    disable_nagle_algorithm = True
    def handle(self):
        while line := self.rfile.readline():
            size = 0
            while (line := self.rfile.readline()) not in (b"\r\n", b""):
                if line.lower().startswith(b"content-length:"):
                    size = int(line[15:])
            self.rfile.read(size)
            head = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 12\r\n\r\n"
            self.wfile.write(head + b"{\"ok\": true}")
class Server(socketserver.ThreadingTCPServer):
    daemon_threads = True
with Server(("127.0.0.1", 0), Answering) as server:
    print(server.server_address[1], flush=True)
    server.serve_forever()
"""
AGENT = """
import asyncio, sys, time
url, client, method, count = *sys.argv[1:4], int(sys.argv[4])
clock = getattr(time, sys.argv[5])
body = b'{"amount": 40, "reason": "double charge", "note": "' + b"x" * 400 + b'"}'
given = {} if method == "GET" else {"data" if client in ("requests", "aiohttp") else "content": body}
def sync(session):
    for _ in range(20): session.request(method, url, **given).content
    began = clock()
    for _ in range(count): session.request(method, url, **given).content
    return clock() - began
async def with_aiohttp():
    import aiohttp
    async with aiohttp.ClientSession(trust_env=True) as session:
        async def one():
            async with session.request(method, url, **given) as answer: await answer.read()
        for _ in range(20): await one()
        began = clock()
        for _ in range(count): await one()
        return clock() - began
if client == "aiohttp":
    took = asyncio.run(with_aiohttp())
else:
    module = __import__(client)
    with (module.Session() if client == "requests" else module.Client()) as session:
        took = sync(session)
print(took)
"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--requests", type=int, default=500)
    parser.add_argument("--rounds", type=int, default=5)
    given = parser.parse_args()
    _table("processor", ("alone", "hooks", "model"), ("requests", "httpx", "aiohttp"), given)
    if not cannot_proxy():
        _table("wall", ("alone", "proxy"), ("httpx",), given)


def _table(kind: str, ways: tuple[str, ...], clients: tuple[str, ...], given: argparse.Namespace) -> None:
    print(f"{f'us a request, {kind}':<26}" + "".join(f"{each:>9}{'ratio':>7}" for each in ways))
    clock = {"processor": "process_time", "wall": "perf_counter"}[kind]
    with service() as port:
        for client in clients:
            for method in ("GET", "POST"):
                best = dict.fromkeys(ways, 1e9)
                for _ in range(given.rounds):
                    for way in ways:
                        best[way] = min(best[way], taken(way, port, [client, method, str(given.requests), clock]))
                columns = (f"{best[way]:9.0f}{best[way] / best['alone']:7.2f}" for way in ways)
                print(f"{client + ' ' + method:<26}" + "".join(columns), flush=True)


def taken(way: str, port: int, asked: list[str]) -> float:
    """Microseconds a request."""
    clean = {name: value for name, value in os.environ.items() if not name.lower().endswith("_proxy")}
    words = [sys.executable, "-c", AGENT, f"http://127.0.0.1:{port}/orders", *asked]
    if way == "alone":
        said = subprocess.check_output(words, env=clean)
    else:
        reach = Reach() if way == "proxy" else None
        with Hooks(clean, stand_ins=[port] if way == "model" else [], proxy=reach) as hooks:
            said = subprocess.check_output(words, env=hooks.environment)
    return float(said) / int(asked[2]) * 1e6


@contextmanager
def service() -> Iterator[int]:
    with subprocess.Popen([sys.executable, "-c", SERVICE], stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        try:
            yield int(process.stdout.readline())
        finally:
            process.terminate()


if __name__ == "__main__":
    main()

"""The replay server's requests a second, as a share of a bare Starlette handler that answers the same bytes.

Both run in a child process and get the same requests over one kept connection; rounds alternate, medians count.
The second ratio is of processor time in the server, which other load on the machine moves less.
"""

from __future__ import annotations

import argparse
import http.client
import json
import multiprocessing
import socket
import statistics
import threading
import time
from collections.abc import Callable
from datetime import UTC, datetime
from multiprocessing.connection import Connection
from urllib.parse import urlsplit

import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from runwright.dialects import DIALECTS
from runwright.match import Matcher
from runwright.replay import ReplayServer, ReplaySession
from runwright.secrets import flag
from runwright.trace.model import Header, ModelRecord, Trace

CHAT = DIALECTS["openai.chat_completions"]
PATH = "/v1/chat/completions"
WARM = 20
"""Requests before the clock starts."""

SYSTEM = "You help customers with their orders. Look an order up before you speak about it. " * 12
TOOLS = [
    {
        "type": "function",
        "function": {
            "name": name,
            "description": f"{name} of the shop",
            "parameters": {"type": "object", "properties": {"order_id": {"type": "string"}}},
        },
    }
    for name in ("lookup_order", "issue_refund", "send_mail")
]


def request_body(number: int) -> bytes:
    """A request of about two kilobytes, unlike every other."""
    messages = [{"role": "system", "content": SYSTEM}, {"role": "user", "content": f"where is order A-{number}?"}]
    body = {"model": "gpt-4o", "temperature": 0.2, "messages": messages, "tools": TOOLS}
    return json.dumps(body, separators=(",", ":"), ensure_ascii=False).encode()  # as the SDKs spell it


def recorded(number: int) -> ModelRecord:
    """The recorded exchange that answers it."""
    request, _ = CHAT.decode_request(json.loads(request_body(number)))
    text = f"Order A-{number} left our house this morning. " * 8
    choice = {"index": 0, "message": {"role": "assistant", "content": text}, "finish_reason": "stop"}
    reply = {"id": f"chatcmpl-{number}", "created": 7, "model": "gpt-4o", "choices": [choice]}
    response = CHAT.decode_response(reply)
    return ModelRecord(id=f"m{number}", request=request, response=response, streamed=False, fidelity="raw")


def serve_replay(size: int, ready: Connection) -> None:
    trace = Trace(header=Header(kind="cassette", trace_id="bench"), records=tuple(map(recorded, range(size))))
    now = datetime.now(UTC)
    session = ReplaySession(trace, Matcher(trace, flag=flag, live_window=lambda: (now, now)))
    with ReplayServer(session) as server:
        ready.send(server.base_url)
        tell_time(ready)


def tell_time(ready: Connection) -> None:
    """Answer each question with the processor time spent so far."""
    while ready.recv():
        ready.send(time.process_time())


def serve_bare(_: int, ready: Connection) -> None:
    record = recorded(0)
    answer = json.dumps(CHAT.encode_response(record.response, record.request)).encode()

    async def handle(request: Request) -> Response:
        await request.body()
        return Response(answer, media_type="application/json")

    listening = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listening.bind(("127.0.0.1", 0))
    listening.listen()
    ready.send(f"http://127.0.0.1:{listening.getsockname()[1]}")
    threading.Thread(target=tell_time, args=(ready,), daemon=True).start()
    app = Starlette(routes=[Route(PATH, handle, methods=["POST"])])
    uvicorn.Server(uvicorn.Config(app, log_config=None, access_log=False, lifespan="off")).run([listening])


def rate(serve: Callable[[int, Connection], None], size: int, count: int) -> tuple[float, float]:
    """Requests a second, by the wall clock and by the server's processor time; each is another exchange."""
    here, there = multiprocessing.Pipe()
    process = multiprocessing.Process(target=serve, args=(size, there), daemon=True)
    process.start()
    connection = http.client.HTTPConnection(urlsplit(here.recv()).netloc)
    step = max(size // count, 1)
    bodies = [request_body(number * step) for number in range(count)]
    start, cpu = time.perf_counter(), 0.0
    for number, body in enumerate(bodies):
        if number == WARM:
            here.send(True)
            start, cpu = time.perf_counter(), here.recv()
        connection.request("POST", PATH, body, {"content-type": "application/json"})
        answer = connection.getresponse()
        content = answer.read()
        if answer.status != 200:
            raise SystemExit(f"refused: {content.decode()}")
    elapsed = time.perf_counter() - start
    here.send(True)
    cpu = here.recv() - cpu
    process.terminate()
    process.join()
    return (count - WARM) / elapsed, (count - WARM) / cpu


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--sizes", type=int, nargs="+", default=[100, 1_000, 10_000])
    options.add_argument("--rounds", type=int, default=3)
    given = options.parse_args()
    print(f"{'exchanges':>10} {'replay/s':>10} {'bare/s':>10} {'ratio':>7} {'cpu ratio':>10}   target >= 0.60")
    for size in given.sizes:
        count = min(size, 1_000)
        pairs = [(*rate(serve_replay, size, count), *rate(serve_bare, 0, count)) for _ in range(given.rounds)]
        replay, replay_cpu, bare, bare_cpu = (statistics.median(each) for each in zip(*pairs, strict=True))
        print(f"{size:>10} {replay:>10.0f} {bare:>10.0f} {replay / bare:>7.2f} {replay_cpu / bare_cpu:>10.2f}")


if __name__ == "__main__":
    main()

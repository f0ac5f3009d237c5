"""The replay server's requests a second, as a share of a bare Starlette handler that answers the same bytes.

Both run in a child process; the load is the same raw HTTP over kept connections. Rounds alternate, medians count.
"""

from __future__ import annotations

import argparse
import http.client
import json
import multiprocessing
import socket
import statistics
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
    return json.dumps({"model": "gpt-4o", "temperature": 0.2, "messages": messages, "tools": TOOLS}).encode()


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
        ready.recv()


def serve_bare(_: int, ready: Connection) -> None:
    record = recorded(0)
    answer = json.dumps(CHAT.encode_response(record.response, record.request)).encode()

    async def handle(request: Request) -> Response:
        await request.body()
        return Response(answer, media_type="application/json")

    listening = socket.create_server(("127.0.0.1", 0))
    ready.send(f"http://127.0.0.1:{listening.getsockname()[1]}")
    app = Starlette(routes=[Route(PATH, handle, methods=["POST"])])
    uvicorn.Server(uvicorn.Config(app, log_config=None, access_log=False, lifespan="off")).run([listening])


def rate(serve: Callable[[int, Connection], None], size: int, count: int) -> float:
    """Requests a second over one kept connection, each answered by another exchange."""
    here, there = multiprocessing.Pipe()
    process = multiprocessing.Process(target=serve, args=(size, there), daemon=True)
    process.start()
    connection = http.client.HTTPConnection(urlsplit(here.recv()).netloc)
    step = max(size // count, 1)
    bodies = [request_body(number * step) for number in range(count)]
    start = time.perf_counter()
    for body in bodies:
        connection.request("POST", PATH, body, {"content-type": "application/json"})
        answer = connection.getresponse()
        content = answer.read()
        if answer.status != 200:
            raise SystemExit(f"refused: {content.decode()}")
    elapsed = time.perf_counter() - start
    process.terminate()
    process.join()
    return count / elapsed


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--sizes", type=int, nargs="+", default=[100, 1_000, 10_000])
    options.add_argument("--rounds", type=int, default=3)
    given = options.parse_args()
    print(f"{'exchanges':>10} {'replay/s':>10} {'bare/s':>10} {'ratio':>7}   target >= 0.60")
    for size in given.sizes:
        count = min(size, 1_000)
        pairs = [(rate(serve_replay, size, count), rate(serve_bare, 0, count)) for _ in range(given.rounds)]
        replay, bare = (statistics.median(each) for each in zip(*pairs, strict=True))
        print(f"{size:>10} {replay:>10.0f} {bare:>10.0f} {replay / bare:>7.2f}")


if __name__ == "__main__":
    main()

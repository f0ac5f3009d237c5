"""A scripted chat completions server that writes down what passes, as a model log."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Lock, Thread
from typing import Any

BASE = {"id": "chatcmpl-7", "created": 1764460800, "model": "gpt-4o-mini-2024-07-18"}
USAGE = {"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 15}


def answer(request: dict[str, Any]) -> dict[str, Any]:
    """The scripted message for a request."""
    last = request["messages"][-1]
    if request.get("tools") and last["role"] == "user":
        calls = [("call_oslo", {"city": "Oslo"}), ("call_bergen", {"city": "Bergen"})]
        return {
            "role": "assistant",
            "content": None,
            "tool_calls": [
                {"id": id, "type": "function", "function": {"name": "get_weather", "arguments": json.dumps(arguments)}}
                for id, arguments in calls
            ],
        }
    if last["role"] == "tool":
        return {"role": "assistant", "content": "It rains in both."}
    if request.get("response_format"):
        return {"role": "assistant", "content": '{"prime": true}'}
    return {"role": "assistant", "content": f"You said: {last['content']}"}


def events(message: dict[str, Any]) -> Iterator[str]:
    """The message as a stream of server-sent events."""
    deltas: list[tuple[dict[str, Any], str | None]] = [({"role": "assistant", "content": ""}, None)]
    deltas += [({"content": word + " "}, None) for word in message["content"].split()]
    for delta, finish in [*deltas, ({}, "stop")]:
        choice = {"index": 0, "delta": delta, "finish_reason": finish}
        chunk = {**BASE, "object": "chat.completion.chunk", "choices": [choice]}
        yield f"data: {json.dumps(chunk, ensure_ascii=False)}\n\n"
    yield "data: [DONE]\n\n"


Answers = Callable[[dict[str, Any]], dict[str, Any]]


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    answers: tuple[Answers]
    lines: list[dict[str, Any]]
    lock: Lock

    def log_message(self, *_: object) -> None:
        pass

    def do_POST(self) -> None:
        request = json.loads(self.rfile.read(int(self.headers["content-length"])))
        message = self.answers[0](request)
        line: dict[str, Any] = {"api": "openai.chat_completions", "request": request}
        if request.get("stream"):
            body, kind = "".join(events(message)), "text/event-stream"
            line["sse"] = body
        else:
            finish = "tool_calls" if message.get("tool_calls") else "stop"
            choice = {"index": 0, "message": message, "finish_reason": finish}
            response = {**BASE, "object": "chat.completion", "choices": [choice], "usage": USAGE}
            body, kind = json.dumps(response), "application/json"
            line["response"] = response
        with self.lock:
            self.lines.append(line)
        data = body.encode()
        self.send_response(200)
        self.send_header("content-type", kind)
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)


@contextmanager
def recording(answers: Answers = answer) -> Iterator[tuple[str, list[dict[str, Any]]]]:
    """A running server that answers so: its base URL, and the lines of the model log as they come."""
    lines: list[dict[str, Any]] = []
    handler = type("Handler", (_Handler,), {"answers": (answers,), "lines": lines, "lock": Lock()})
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}/v1", lines
    finally:
        server.shutdown()
        server.server_close()

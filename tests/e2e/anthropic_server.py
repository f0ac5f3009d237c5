"""A scripted messages server that writes down what passes, as a model log."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Lock, Thread
from typing import Any

BASE = {"id": "msg_01", "type": "message", "role": "assistant", "model": "claude-test-1-20261101"}
USAGE = {"input_tokens": 10, "cache_read_input_tokens": 4, "output_tokens": 5}
OVERLOADED = {"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}}


def answer(request: dict[str, Any], asked_before: int) -> list[dict[str, Any]]:
    """The scripted content for a request that came so many times before."""
    last = request["messages"][-1]["content"]
    kinds = {"text"} if isinstance(last, str) else {block["type"] for block in last}
    if "tool_result" in kinds:
        return [{"type": "text", "text": "It rains in both."}]
    if request.get("tools"):
        cities = {"toolu_oslo": "Oslo", "toolu_bergen": "Bergen"}
        calls = [{"type": "tool_use", "id": id, "name": "get_weather", "input": {"city": cities[id]}} for id in cities]
        return [{"type": "text", "text": "Let me look."}, *calls]
    if request.get("thinking"):
        thought = {"type": "thinking", "thinking": "naïve, slowly", "signature": "c2lnbmVk"}
        return [thought, {"type": "text", "text": "so: naïve café"}]
    if "dice" in json.dumps(last):
        return [{"type": "text", "text": f"throw {asked_before + 1}"}]
    return [{"type": "text", "text": f"You said: {json.dumps(last)}"}]


def events(message: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """The message as the events of a stream, with a ping in it."""
    yield {"type": "message_start", "message": {**message, "content": [], "stop_reason": None}}
    yield {"type": "ping"}
    for index, block in enumerate(message["content"]):
        start, deltas = opened(block)
        yield {"type": "content_block_start", "index": index, "content_block": start}
        for delta in deltas:
            yield {"type": "content_block_delta", "index": index, "delta": delta}
        yield {"type": "content_block_stop", "index": index}
    ending = {"stop_reason": message["stop_reason"], "stop_sequence": None}
    yield {"type": "message_delta", "delta": ending, "usage": {"output_tokens": 5}}
    yield {"type": "message_stop"}


def opened(block: dict[str, Any]) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """How a block starts, and its deltas: pieces of five characters."""
    if block["type"] == "tool_use":
        text = json.dumps(block["input"])
        pieces = [text[at : at + 5] for at in range(0, len(text), 5)]
        return {**block, "input": {}}, [{"type": "input_json_delta", "partial_json": each} for each in ["", *pieces]]
    kind = block["type"]
    text = block[kind]
    deltas = [{"type": f"{kind}_delta", kind: text[at : at + 5]} for at in range(0, len(text), 5)]
    if kind == "thinking":
        deltas.append({"type": "signature_delta", "signature": block["signature"]})
        return {**block, "thinking": "", "signature": ""}, deltas
    return {**block, "text": ""}, deltas


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    lines: list[dict[str, Any]]
    seen: Counter[str]
    lock: Lock

    def log_message(self, *_: object) -> None:
        pass

    def do_POST(self) -> None:
        request = json.loads(self.rfile.read(int(self.headers["content-length"])))
        line: dict[str, Any] = {"path": self.path, "request": request}
        with self.lock:
            before = self.seen[json.dumps(request, sort_keys=True)]
            self.seen[json.dumps(request, sort_keys=True)] += 1
        if "overloaded" in json.dumps(request) and not before:
            line["error"] = {"status": 529, "body": OVERLOADED}
            return self.reply(line, 529, "application/json", json.dumps(OVERLOADED))
        content = answer(request, before)
        stop = "tool_use" if content[-1]["type"] == "tool_use" else "end_turn"
        message = {**BASE, "content": content, "stop_reason": stop, "stop_sequence": None, "usage": USAGE}
        if request.get("stream"):
            stream = list(events(message))
            if "break off" in json.dumps(request):
                stream = [*stream[:4], OVERLOADED]
            texts = [json.dumps(each, ensure_ascii=False) for each in stream]
            line["sse"] = "".join(
                f"event: {each['type']}\ndata: {text}\n\n" for each, text in zip(stream, texts, strict=True)
            )
            return self.reply(line, 200, "text/event-stream", line["sse"])
        line["response"] = message
        return self.reply(line, 200, "application/json", json.dumps(message))

    def reply(self, line: dict[str, Any], status: int, kind: str, body: str) -> None:
        with self.lock:
            self.lines.append(line)
        data = body.encode()
        self.send_response(status)
        self.send_header("content-type", kind)
        self.send_header("content-length", str(len(data)))
        if status != 200:
            self.send_header("retry-after-ms", "5")
        self.end_headers()
        self.wfile.write(data)


@contextmanager
def recording() -> Iterator[tuple[str, list[dict[str, Any]]]]:
    """A running server: its base URL, and the lines of the model log as they come."""
    lines: list[dict[str, Any]] = []
    handler = type("Handler", (_Handler,), {"lines": lines, "lock": Lock(), "seen": Counter()})
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}", lines
    finally:
        server.shutdown()
        server.server_close()

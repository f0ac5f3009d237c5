"""The shop's agent as a web service that runs already: standard library only, started as a process of its own."""

import itertools
import os
import socket
import subprocess
import sys
import textwrap
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

SERVICE = """
    import http.server, json, os, sys, threading, time, urllib.error, urllib.request

    BASE = os.environ["OPENAI_BASE_URL"]
    PARAMETERS = {"type": "object", "properties": {"order_id": {"type": "string"}}, "required": ["order_id"]}
    TOOL = {"name": "issue_refund", "description": "Pay an order back.", "parameters": PARAMETERS}
    TALK = [{"role": "system", "content": "You are the shop's support."}]

    def ask(messages):
        body = {"model": "gpt-4o-mini", "messages": messages, "temperature": 0,
                "tools": [{"type": "function", "function": TOOL}]}
        head = {"content-type": "application/json", "authorization": "Bearer placeholder"}
        request = urllib.request.Request(BASE + "/chat/completions", json.dumps(body).encode(), head)
        try:
            with urllib.request.urlopen(request) as answer:
                return json.load(answer)["choices"][0]["message"]
        except OSError:
            return {"role": "assistant", "content": "Your 40 are refunded."}

    def issue_refund(order_id):
        return {"order_id": order_id, "refunded": 40}

    def handle(prompt):
        TALK.append({"role": "user", "content": prompt})
        reply = ask(TALK)
        while reply.get("tool_calls"):
            TALK.append(reply)
            for call in reply["tool_calls"]:
                result = issue_refund(**json.loads(call["function"]["arguments"]))
                TALK.append({"role": "tool", "tool_call_id": call["id"], "content": json.dumps(result)})
            reply = ask(TALK)
        TALK.append({"role": "assistant", "content": reply["content"]})
        return reply["content"]

    class Service(http.server.BaseHTTPRequestHandler):
        def do_POST(self):
            prompt = json.loads(self.rfile.read(int(self.headers["content-length"])))["prompt"]
            with open("seen.jsonl", "a") as seen:
                seen.write(json.dumps([self.path, prompt, dict(self.headers)]) + "\\n")
            reply = handle(prompt)
            self.answer(200, json.dumps({"reply": reply}), "application/json")

        def answer(self, status, body, kind, *more):
            data = body.encode()
            self.send_response(status)
            for name, value in (("content-type", kind), ("content-length", str(len(data))), *more):
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, *_):
            pass

    http.server.ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Service).serve_forever()
"""


PORTS = itertools.count(os.getpid() * 37)


def free_port() -> int:
    """A port that nothing listens at, below those that connections are given: nobody takes it meanwhile."""
    while True:
        port = 20_000 + next(PORTS) % 10_000
        with socket.socket() as probe:
            try:
                probe.bind(("127.0.0.1", port))
            except OSError:
                continue
        return port


@contextmanager
def serving(
    root: Path, proxy_port: int, *changes: tuple[str, str], source: str = SERVICE, env: Mapping[str, str] | None = None
) -> Iterator[int]:
    """The service, with each old text (there once) replaced, running until the block ends; its port."""
    text = textwrap.dedent(source)
    for old, new in changes:
        assert text.count(old) == 1, f"{old!r} is there {text.count(old)} times"
        text = text.replace(old, new)
    (root / "service.py").write_text(text)
    port, base = free_port(), f"http://127.0.0.1:{proxy_port}/v1"
    given = {**os.environ, "OPENAI_BASE_URL": base, "OPENAI_API_KEY": "placeholder", **(env or {})}
    with subprocess.Popen([sys.executable, "service.py", str(port)], cwd=root, env=given) as process:
        try:
            _listens(port, process)
            yield port
        finally:
            process.kill()


def _listens(port: int, process: "subprocess.Popen[bytes]") -> None:
    for _ in range(600):
        assert process.poll() is None, "the service ended"
        try:
            socket.create_connection(("127.0.0.1", port), 1).close()
        except OSError:
            time.sleep(0.05)
        else:
            return
    raise TimeoutError(port)

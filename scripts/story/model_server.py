"""A scripted chat completions server on loopback: it stands for the model that production called."""

import json
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread


def next_message(messages: list[dict]) -> dict:
    """What the model says: look up, refund, refund again while it sees no receipt, then report."""
    results = [message["content"] for message in messages if message["role"] == "tool"]
    step = len(results) + 1
    if not results:
        return _call(step, "lookup_order", {"order_id": "A-4471"})
    if len(results) == 1 or results[-1] == "{}":
        return _call(step, "issue_refund", {"order_id": "A-4471", "amount": 40})
    return {"role": "assistant", "content": "Your 40 EUR for order A-4471 have been refunded."}


def _call(step: int, name: str, arguments: dict) -> dict:
    function = {"name": name, "arguments": json.dumps(arguments)}
    call = {"id": f"call_{step}", "type": "function", "function": function}
    return {"role": "assistant", "content": None, "tool_calls": [call]}


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_: object) -> None:
        """Keep the console for the story."""

    def do_POST(self) -> None:
        request = json.loads(self.rfile.read(int(self.headers["content-length"])))
        message = next_message(request["messages"])
        step = sum(each["role"] == "tool" for each in request["messages"]) + 1
        body = json.dumps(
            {
                "id": f"chatcmpl-{step}",
                "object": "chat.completion",
                "created": 1764460800,
                "model": "gpt-4o-mini-2024-07-18",
                "choices": [
                    {
                        "index": 0,
                        "message": message,
                        "finish_reason": "tool_calls" if message.get("tool_calls") else "stop",
                    }
                ],
                "usage": {"prompt_tokens": 90 + 20 * step, "completion_tokens": 18, "total_tokens": 108 + 20 * step},
            }
        ).encode()
        self.send_response(200)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


def start() -> str:
    """Serve until the process ends; the base URL for an OpenAI client."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Handler)
    Thread(target=server.serve_forever, daemon=True).start()
    return f"http://127.0.0.1:{server.server_address[1]}/v1"

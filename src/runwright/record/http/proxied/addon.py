"""What mitmproxy runs: it tells of requests as the hooks do, and refuses destinations. It imports nothing else."""

from __future__ import annotations

import json
import os
import shutil
import sys
import threading
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
sys.path.append(str(HERE.parent / "injected"))

from _runwright_http.channel import quietly, tell  # type: ignore[import-not-found] # noqa: E402 # found on that path
from _runwright_http.exchange import Exchange, told_headers  # type: ignore[import-not-found] # noqa: E402
from mitmproxy import ctx, http  # type: ignore[import-not-found,unused-ignore] # noqa: E402 # in its own environment

_SPEC = spec_from_file_location("_runwright_allowed", HERE.parent / "allowed.py")
_ALLOWED: Any = module_from_spec(_SPEC) if _SPEC else None
if _SPEC and _SPEC.loader:
    _SPEC.loader.exec_module(_ALLOWED)
REACH = json.loads(os.environ["RUNWRIGHT_REACH"])
STATE, REFUSED = "runwright", "runwright refused"
TRIES = 100


class Telling:
    """The addon; mitmproxy calls its methods by their names."""

    def running(self) -> None:
        """Say which port it is."""
        descriptor = int(os.environ["RUNWRIGHT_READY"])
        address = next(iter(ctx.master.addons.get("proxyserver").listen_addrs()))
        os.write(descriptor, f"{address[1]}\n".encode())
        os.close(descriptor)
        threading.Thread(target=_ended_with, args=(ctx.options.confdir,), daemon=True).start()

    def http_connect(self, flow: Any) -> None:
        """Refuse a tunnel."""
        _check(flow)

    def requestheaders(self, flow: Any) -> None:
        """A request begins; its body passes through as it comes."""
        if not _check(flow):
            quietly(_begun, flow)

    def request(self, flow: Any) -> None:
        """Its body is over."""
        if REFUSED in flow.metadata:
            flow.response = _refusal()
        elif STATE in flow.metadata:
            flow.metadata[STATE].sent.whole = True

    def responseheaders(self, flow: Any) -> None:
        """An answer begins; its body passes through as it comes."""
        if REFUSED not in flow.metadata:
            quietly(_answered, flow)

    def response(self, flow: Any) -> None:
        """Its body is over."""
        if STATE in flow.metadata and REFUSED not in flow.metadata:
            flow.metadata[STATE].received.whole = True
            quietly(flow.metadata[STATE].ended)

    def error(self, flow: Any) -> None:
        """No answer, or not all of it."""
        if STATE in flow.metadata:
            exchange = flow.metadata[STATE]
            quietly(
                exchange.ended if flow.response else exchange.failed, *(() if flow.response else (ConnectionError(),))
            )

    def tcp_start(self, flow: Any) -> None:
        """Something else than HTTP is spoken through a tunnel."""
        quietly(_raw, flow.server_conn.address)

    def tls_failed_client(self, data: Any) -> None:
        """A client does not trust this proxy, so its request was not sent."""
        host = data.conn.sni or (data.context.server.address or ("?",))[0]
        quietly(_untrusted, str(host))

    def server_connect(self, data: Any) -> None:
        """Nothing is connected to but what is allowed, whatever it was asked for as."""
        host, port = data.server.address[:2]
        goal = _allowed(host, port)
        if goal is None:
            quietly(tell, {"kind": "refused", "to": f"{host}:{port}"})
            data.server.error = "not allowed"
        elif goal != host.rstrip(".").lower():
            data.server.address = (goal, port)


def _ended_with(folder: str) -> None:
    """End, and leave no authority behind, should whoever started this be gone without having ended it."""
    while os.read(0, 1):
        pass
    for _ in range(TRIES):  # the other threads may still write there
        shutil.rmtree(folder, ignore_errors=True)
        if not Path(folder).exists():
            break
    os._exit(0)


def _allowed(host: str, port: int) -> str | None:
    found = _ALLOWED.allowed(host, port, REACH["egress"], REACH["local"])
    return found if found is None or isinstance(found, str) else None


def _check(flow: Any) -> bool:
    """Whether it is refused; the answer then says so."""
    host, port = flow.request.host, flow.request.port
    if _allowed(host, port) is not None:
        return False
    flow.metadata[REFUSED] = True
    quietly(tell, {"kind": "refused", "to": f"{host}:{port}"})
    if flow.request.method == "CONNECT":
        flow.response = _refusal()
    return True


def _refusal() -> Any:
    return http.Response.make(403, b"runwright: this destination is not allowed\n", {"content-type": "text/plain"})


def _begun(flow: Any) -> None:
    request = flow.request
    shown = f"[{request.host}]" if ":" in request.host else request.host
    exchange = Exchange(request.method, f"{request.scheme}://{shown}:{request.port}{request.path}", via="proxy")
    exchange.headers = told_headers(request.headers.items())
    exchange.between(None, flow.client_conn.peername)
    flow.metadata[STATE] = exchange
    request.stream = _passing(exchange.sent)


def _answered(flow: Any) -> None:
    exchange = flow.metadata[STATE]
    exchange.answered(flow.response.status_code, flow.response.headers.items())
    flow.response.stream = _passing(exchange.received) if exchange.wanted else True


def _passing(body: Any) -> Any:
    def passing(data: bytes) -> bytes:
        quietly(body.add, data)
        return data

    return passing


def _raw(address: Any) -> None:
    from time import monotonic

    host, port = address[:2]
    shown = f"[{host}]" if ":" in host else host
    now = monotonic()
    tell(
        {"kind": "request", "id": os.urandom(8).hex(), "method": "CONNECT", "url": f"tcp://{shown}:{port}", "keys": [],
         "via": "proxy", "at": now, "since": now, "raw": True}
    )  # fmt: skip


def _untrusted(host: str) -> None:
    tell({"kind": "fault", "where": f"a program does not trust the proxy's certificate for {host}", "error": "TLS"})


addons = [Telling()]

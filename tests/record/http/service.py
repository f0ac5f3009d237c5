"""A service on the loopback that answers in every way that matters, with or without TLS of its own authority."""

from __future__ import annotations

import gzip
import socket
import socketserver
import ssl
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler
from ipaddress import ip_address
from pathlib import Path
from typing import NamedTuple

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec

ANSWER = b'{"ok": true}'
HELD = threading.Event()


class Heard(NamedTuple):
    """A request as it arrived."""

    method: str
    path: str
    body: bytes


class Answering(BaseHTTPRequestHandler):
    """The last part of the path says how it is answered."""

    protocol_version = "HTTP/1.1"
    server: Service

    def answer(self) -> None:
        body = self._body()
        self.server.heard.append(Heard(self.command, self.path, body))
        how = self.path.partition("?")[0].rpartition("/")[2]
        getattr(self, f"_{how.replace('-', '_')}", self._plain)()

    do_GET = do_POST = do_PUT = do_DELETE = do_PATCH = do_HEAD = do_OPTIONS = answer

    def log_message(self, format: str, *args: object) -> None:
        """It says nothing."""

    def _body(self) -> bytes:
        if "chunked" not in (self.headers.get("transfer-encoding") or ""):
            return self.rfile.read(int(self.headers.get("content-length") or 0))
        parts = []
        while size := int(self.rfile.readline(), 16):
            parts.append(self.rfile.read(size))
            self.rfile.read(2)
        self.rfile.readline()
        return b"".join(parts)

    def _send(self, status: int, body: bytes = b"", **headers: str) -> None:
        self.send_response(status)
        for name, value in {"content-length": str(len(body)), **headers}.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def _plain(self) -> None:
        self._send(200, ANSWER, content_type="application/json")

    def _redirect(self) -> None:
        self._send(307, location="./plain")

    def _see_other(self) -> None:
        self._send(303, location="./plain")

    def _refuse(self) -> None:
        self._send(404, ANSWER)

    def _fail(self) -> None:
        self._send(500, ANSWER)

    def _packed(self) -> None:
        self._send(200, gzip.compress(ANSWER), content_encoding="gzip")

    def _drop(self) -> None:
        self.close_connection = True
        self.connection.shutdown(socket.SHUT_RDWR)

    def _chunked(self) -> None:
        self.send_response(200)
        self.send_header("transfer-encoding", "chunked")
        self.end_headers()
        for part in (ANSWER[:5], ANSWER[5:]):
            self.wfile.write(b"%x\r\n%s\r\n" % (len(part), part))
        self.wfile.write(b"0\r\n\r\n")

    def _to_the_end(self) -> None:
        self.close_connection = True
        self.wfile.write(b"HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n" + ANSWER)

    def _long(self) -> None:
        self._send(200, b"x" * (3 << 20))

    def _hold(self) -> None:
        """It never answers."""
        HELD.set()
        time.sleep(5)

    def _hostile(self) -> None:
        name = b'=%s"}\xff' % b"forged" * 40
        self.close_connection = True
        self.wfile.write(
            b"HTTP/1.1 200 O\x1b[2JK\r\nContent-Type: x\x1b[31m=" + b"y" * 30000 + b"\r\n" + name
            + b": 1\r\nContent-Encoding: \xfc\r\nContent-Length: 2\r\n\r\n{}"
        )  # fmt: skip

    def _switch(self) -> None:
        self.close_connection = True
        self.wfile.write(b"HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n")


class Service(socketserver.ThreadingTCPServer):
    """The service; `heard` is what arrived."""

    daemon_threads = True
    allow_reuse_address = True
    request_queue_size = 64

    def __init__(self, context: ssl.SSLContext | None = None) -> None:
        super().__init__(("127.0.0.1", 0), Answering)
        self.heard: list[Heard] = []
        self.context = context
        self.port = int(self.server_address[1])
        self.url = f"{'https' if context else 'http'}://127.0.0.1:{self.port}"

    def finish_request(self, request: socket.socket, client_address: object) -> None:  # type: ignore[override]
        if self.context is None:
            super().finish_request(request, client_address)
            return
        with suppress(OSError), self.context.wrap_socket(request, server_side=True) as secure:
            super().finish_request(secure, client_address)

    def handle_error(self, request: object, client_address: object) -> None:
        """Clients that go away are no news."""


@contextmanager
def serving(context: ssl.SSLContext | None = None) -> Iterator[Service]:
    """A service while it is needed."""
    with Service(context) as service:
        thread = threading.Thread(target=service.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
        thread.start()
        try:
            yield service
        finally:
            service.shutdown()


def authority(folder: Path) -> tuple[Path, ssl.SSLContext]:
    """A certificate authority of its own as a file, and a context with a certificate by it for this machine."""
    now = datetime.now(UTC)
    key, its_key = (ec.generate_private_key(ec.SECP256R1()) for _ in range(2))
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "test authority")])
    basic = x509.BasicConstraints(ca=True, path_length=None)
    use = x509.KeyUsage(False, False, False, False, False, True, True, False, False)
    dates = now - timedelta(hours=1), now + timedelta(days=1)
    ours = (
        x509.CertificateBuilder(name, name, key.public_key(), 1, *dates)
        .add_extension(basic, True).add_extension(use, True)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), False)
        .sign(key, hashes.SHA256())
    )  # fmt: skip
    names = x509.SubjectAlternativeName([x509.DNSName("localhost"), x509.IPAddress(ip_address("127.0.0.1"))])
    its = (
        x509.CertificateBuilder(name, x509.Name([]), its_key.public_key(), 2, *dates)
        .add_extension(names, True)
        .add_extension(x509.AuthorityKeyIdentifier.from_issuer_public_key(key.public_key()), False)
        .sign(key, hashes.SHA256())
    )  # fmt: skip
    pem = serialization.Encoding.PEM
    (folder / "authority.pem").write_bytes(ours.public_bytes(pem))
    private = its_key.private_bytes(pem, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    (folder / "service.pem").write_bytes(private + its.public_bytes(pem))
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(folder / "service.pem")
    return folder / "authority.pem", context

"""The proxy that sees requests of programs in any language: mitmproxy, as a process of its own.

It is not imported here: it brings some thirty packages, and on Python 3.11 pins of them that fit no current client.
"""

from __future__ import annotations

import json
import os
import re
import select
import shutil
import ssl
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from runwright.errors import CapabilityError
from runwright.record.contain.destinations import destination
from runwright.record.http.allowed import Entry
from runwright.record.http.stand_ins import LOOPBACK

HERE = Path(__file__).parent / "proxied"
PROGRAM = "mitmdump"
CERTIFICATE = re.compile(rb"-----BEGIN CERTIFICATE-----.+?-----END CERTIFICATE-----", re.DOTALL)
PATIENCE = 30.0
"""Seconds until it listens: it makes a certificate authority first."""
AUTHORITIES = (
    "SSL_CERT_FILE", "REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE", "NODE_EXTRA_CA_CERTS", "AWS_CA_BUNDLE", "GIT_SSL_CAINFO",
    "PIP_CERT", "CARGO_HTTP_CAINFO", "DENO_CERT",
)  # fmt: skip
"""Variables by which programs are told whom to trust."""
PROXIES = ("HTTP_PROXY", "HTTPS_PROXY", "http_proxy", "https_proxy")
EXCEPTIONS = ("NO_PROXY", "no_proxy")
PASSED = ("PATH", "HOME", "LANG", "TMPDIR", "LD_LIBRARY_PATH", "SYSTEMROOT")


class Reach(NamedTuple):
    """What the proxy lets an agent reach: entries of `allow_egress`, None for everything, and ports of this machine."""

    egress: tuple[str, ...] | None = None
    local: tuple[int, ...] = ()


def cannot_proxy() -> str:
    """Why there is no proxy to be had; empty where there is."""
    return "" if _program() else f"requests are seen by mitmproxy, and no {PROGRAM} was found"


class Proxy:
    """One proxy for one run. Its certificate authority exists in a folder that goes with it."""

    def __init__(self, reach: Reach, environment: Mapping[str, str]) -> None:
        self._reach = reach
        self._environment = environment
        self._process: subprocess.Popen[bytes] | None = None
        self._folder = Path()
        self.port = 0

    @contextmanager
    def started(self, told: Mapping[str, str]) -> Iterator[None]:
        """Run it; `told` is how it tells what it sees. CapabilityError where it cannot be run."""
        program = _program()
        if program is None:
            raise CapabilityError(cannot_proxy(), hint=hint())
        with tempfile.TemporaryDirectory(prefix="runwright-proxy-", ignore_cleanup_errors=True) as folder:
            self._folder = Path(folder)
            try:
                self._start(program, told)
                yield
            finally:
                self.stop()

    def _start(self, program: str, told: Mapping[str, str]) -> None:
        trusted = self._folder / "upstream.pem"
        trusted.write_bytes(_trusted(self._environment))
        readable, writable = os.pipe()
        reach = {"egress": entries(self._reach.egress), "local": [*self._reach.local, *_ports(told)]}
        settings = {
            "confdir": str(self._folder), "connection_strategy": "lazy", "termlog_verbosity": "error",
            "flow_detail": "0",
            **({"ssl_verify_upstream_trusted_ca": str(trusted)} if trusted.stat().st_size else {}),
        }  # fmt: skip
        command = [program, "--listen-host", "127.0.0.1", "--listen-port", "0", "--scripts", str(HERE / "addon.py")]
        for name, value in settings.items():
            command += ["--set", f"{name}={value}"]
        environment = {name: os.environ[name] for name in PASSED if name in os.environ}
        environment |= {**told, "RUNWRIGHT_REACH": json.dumps(reach), "RUNWRIGHT_READY": str(writable)}
        try:
            self._process = subprocess.Popen(  # noqa: S603 # the program was looked for by name on our own path
                command, env=environment, pass_fds=(writable,), stdin=subprocess.PIPE, stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL, start_new_session=True,
            )  # fmt: skip
        finally:
            os.close(writable)
        try:
            ready, _, _ = select.select([readable], [], [], PATIENCE)
            port = os.read(readable, 16).strip() if ready else b""
        finally:
            os.close(readable)
        if not port.isdigit():
            raise CapabilityError(f"the proxy {program} did not start", hint=hint())
        self.port = int(port)
        authority = (self._folder / "mitmproxy-ca-cert.pem").read_bytes()
        (self._folder / "trusted.pem").write_bytes(authority + trusted.read_bytes())

    def environment(self, stand_ins: str) -> dict[str, str]:
        """What leads programs to the proxy, but not to the stand-ins through it."""
        address = f"http://127.0.0.1:{self.port}"
        options = f"{self._environment.get('NODE_OPTIONS', '')} --require={json.dumps(str(HERE / 'node.cjs'))}".strip()
        return {
            **dict.fromkeys(PROXIES, address),
            **dict.fromkeys(EXCEPTIONS, ",".join((stand_ins, *self._exceptions())).strip(",")),
            **dict.fromkeys(AUTHORITIES, str(self._folder / "trusted.pem")),
            "NODE_USE_ENV_PROXY": "1",
            "NODE_OPTIONS": options,
        }

    def _exceptions(self) -> Iterator[str]:
        """Where the agent's environment says that no proxy leads; this machine as a whole is no such place."""
        for each in ",".join(self._environment.get(name, "") for name in EXCEPTIONS).split(","):
            if each.strip() and each.strip() not in LOOPBACK:
                yield each.strip()

    def stop(self) -> tuple[str, ...]:
        """End it; what was wrong if it had ended before."""
        process, self._process = self._process, None
        if process is None:
            return ()
        gone = process.poll()
        with process:  # which closes what it would end by, too
            if gone is None:
                process.terminate()
            try:
                process.wait(5.0)
            except subprocess.TimeoutExpired:
                process.kill()
        return () if gone is None else (f"the proxy ended before the run did, with status {gone}",)


def entries(egress: Iterable[str] | None) -> list[Entry] | None:
    """Entries of `allow_egress` as `allowed.py` reads them."""
    if egress is None:
        return None
    found = [destination(each) for each in egress]
    return [(each.host, None if each.network is None else str(each.network), each.port) for each in found]


def hint() -> str:
    """How to get a proxy."""
    extra = "pip install 'runwright[proxy]', or " if sys.version_info >= (3, 12) else ""
    return f"{extra}pipx install mitmproxy"


def _program() -> str | None:
    beside = Path(sys.executable).parent
    return shutil.which(PROGRAM, path=os.pathsep.join((str(beside), os.environ.get("PATH", os.defpath))))


def _ports(told: Mapping[str, str]) -> Iterator[int]:
    for each in filter(None, told["RUNWRIGHT_STAND_INS"].split(",")):
        yield int(each.rpartition(":")[2])


def _trusted(environment: Mapping[str, str]) -> bytes:
    """Whom the agent trusts without the proxy: the system's authorities, and those that its environment names."""
    system = ssl.get_default_verify_paths()
    files = dict.fromkeys((system.cafile, *(environment.get(name) for name in AUTHORITIES)))
    read = (Path(each).read_bytes() for each in files if each and Path(each).is_file())
    return b"".join(each + b"\n" for data in read for each in CERTIFICATE.findall(data))  # and no key beside them

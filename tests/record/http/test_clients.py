"""What every client sends is seen once, whole, and as it was heard: it is held against the service's own word."""

from __future__ import annotations

import os
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlsplit

import pytest

from runwright.record.http import Hooks, HttpEffects, Seen, http_effects
from runwright.trace import canonical, digest_bytes
from runwright.trace.model import SideEffect
from tests.record.http.service import ANSWER, Heard, serving

AGENT = Path(__file__).with_name("agent.py")
CLIENTS = ("stdlib", "urllib", "requests", "urllib3", "httpx", "httpx2", "async-httpx", "aiohttp")
SENT, ANSWERED = digest_bytes(canonical({"amount": 40})), digest_bytes(canonical({"ok": True}))
SAFE = ("GET", "HEAD")
CUT = "not seen to its end"


class Run(NamedTuple):
    heard: tuple[Heard, ...]
    seen: Seen
    found: HttpEffects

    def of(self, client: str) -> list[SideEffect]:
        """The effects of one client."""
        effects = [each.side_effect for each in self.found.effects]
        return [each for each in effects if urlsplit(each.target).path.startswith(f"/{client}/")]


@pytest.fixture(scope="module")
def run() -> Iterator[Run]:
    with serving() as service, Hooks(dict(os.environ)) as hooks:
        done = subprocess.run(
            [sys.executable, AGENT, service.url, *CLIENTS], env=hooks.environment, capture_output=True, text=True
        )
        assert done.returncode == 0, done.stderr
        seen = hooks.seen()
        yield Run(tuple(service.heard), seen, http_effects(seen, None))


@pytest.mark.parametrize("client", CLIENTS)
def test_what_was_heard_is_what_is_told(run: Run, client: str) -> None:
    heard = [each for each in run.heard if each.path.startswith(f"/{client}/")]
    changing = [each for each in heard if each.method not in SAFE and "/refuse" not in each.path]
    told = [each for each in run.of(client) if not each.target.endswith("/nobody")]
    assert Counter((each.op, urlsplit(each.target).path) for each in told) == Counter(
        (each.method, each.path.partition("?")[0]) for each in changing
    )
    assert len(told) > 2


def test_what_is_none_is_counted(run: Run) -> None:
    safe = sum(each.method in SAFE for each in run.heard)
    assert run.found.counts == {
        "safe request": safe,
        "refused request": sum("/refuse" in each.path for each in run.heard),
    }
    assert run.found.faults == ()
    assert not run.found.observed  # nobody watched connections: programs that are no Python went by unseen


@pytest.mark.parametrize("client", CLIENTS)
def test_the_bodies_of_all_clients_have_one_digest(run: Run, client: str) -> None:
    for each in run.of(client):
        how = each.target.rpartition("/")[2]
        if how == "nobody":
            assert each.detail["answer"] == "none"
            assert each.detail.get("request") == SENT or each.detail["request_unknown"] == CUT
            continue
        assert each.detail["request"] == SENT, each
        if how in ("redirect", "see-other", "drop"):
            assert "response" not in each.detail
        elif "/unread/" in each.target or (client, how) == ("urllib", "fail"):
            assert each.detail["response_unknown"] == CUT
        else:
            assert each.detail["response"] == ANSWERED, each


def test_statuses_and_templates(run: Run) -> None:
    statuses = {urlsplit(each.target).path: each.detail.get("status") for each in run.of("requests")}
    assert statuses["/requests/redirect"] == 307
    assert statuses["/requests/fail"] == 500
    assert statuses["/requests/drop"] is None
    assert {each.detail["template"] for each in run.of("aiohttp") if each.target.endswith("/chunked")} == {
        "http://127.0.0.1:{port}/aiohttp/chunked?state",
        "http://127.0.0.1:{port}/aiohttp/streamed/chunked",
    }
    assert all(each.kind == "http_request" and each.detail["via"] == "hooks" for each in run.of("httpx"))


def test_no_body_and_no_query_is_told(run: Run) -> None:
    assert b"amount" not in repr(run.found).encode()
    assert "paid" not in repr(run.seen)
    assert ANSWER.decode() not in repr(run.seen)


def test_each_request_has_its_time_and_ends(run: Run) -> None:
    for each in run.seen.exchanges:
        assert each.since <= each.at
        if each.status is not None:
            assert each.until is not None
            assert each.at <= each.until
            if "/aiohttp/" not in each.url:  # which has given the connection back by then
                assert each.ours is not None
                assert each.ours[1] != each.theirs[1]  # type: ignore[index]

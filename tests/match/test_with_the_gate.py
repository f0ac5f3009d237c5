"""What the real gate redacts in a recording matches the same run again, and no other secret of another kind."""

from __future__ import annotations

import pytest

from runwright.match import Matcher, Miss, Served
from runwright.secrets import flag, load_allowlist, redact_trace
from runwright.trace.model import ModelRequest
from tests.match.build import LIVE, answered, asks, called, cassette, exchange, said

GITHUB = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
ANTHROPIC = "sk-ant-" + "api03-a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8s9T0"


def request(secret: str, password: str = "Zx9-quartz-lantern-44") -> ModelRequest:
    return asks(
        said("system", f"you are a deployer; use {secret} with care"),
        called(("call_1", "login", {"user": "ann", "password": password})),
        answered("call_1", f'{{"ok": true, "echo": "{secret}"}}'),
    )


@pytest.fixture
def matches(tmp_path: object) -> Matcher:
    redacted, counts = redact_trace(cassette(exchange("m1", request(GITHUB))), load_allowlist(tmp_path))
    assert sum(counts.values()) >= 2
    assert GITHUB not in repr(redacted)
    return Matcher(redacted, flag=flag, live_window=lambda: LIVE)


def test_the_same_secrets_match(matches: Matcher) -> None:
    assert isinstance(matches.serve(request(GITHUB), False), Served)


def test_rotated_secrets_match(matches: Matcher) -> None:
    assert isinstance(matches.serve(request(GITHUB[:-4] + "zZ9y", "Qq7-copper-violin-12"), False), Served)


@pytest.mark.parametrize("secret", [ANTHROPIC, "nothing", ""])
def test_anything_else_does_not(matches: Matcher, secret: str) -> None:
    assert isinstance(matches.serve(request(secret), False), Miss)


def test_no_password_does_not(matches: Matcher) -> None:
    assert isinstance(matches.serve(request(GITHUB, ""), False), Miss)

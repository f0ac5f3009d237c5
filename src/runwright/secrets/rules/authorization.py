"""The credentials of `Bearer` and `Basic`, wherever they are written."""

import base64
import binascii
import re

from detect_secrets.plugins.base import RegexBasedDetector

from runwright.secrets.rules.rule import Rule, credible, fill


class BearerDetector(RegexBasedDetector):
    secret_type = "Bearer token"  # noqa: S105 # the name of a kind
    denylist = (re.compile(r"(?i:\bbearer)(?:\s{1,8}|%20|\+|:\s{0,8}|=)[\"']?(?P<secret>[A-Za-z0-9._~+/-]{8,}={0,2})"),)


def sure_bearer(token: str) -> bool:
    """Words that follow `bearer` in prose have no digits in them, and identifiers no capitals inside."""
    token = token.rstrip(".")[:256]
    if not credible(token):
        return False
    if len(token) >= 12 and re.search(r"[0-9]", token) and re.search(r"[A-Za-z]", token):
        return True
    return len(token) >= 20 and bool(re.search(r"[a-z][A-Z].*[a-z][A-Z]", token) or re.fullmatch(r"[0-9]+", token))


class BasicDetector(RegexBasedDetector):
    secret_type = "Basic credentials"  # noqa: S105 # the name of a kind
    denylist = (re.compile(r"(?i:\bbasic)(?:\s{1,8}|%20|\+)(?P<secret>[A-Za-z0-9+/_-]{6,}={0,2})(?![A-Za-z0-9])"),)


def sure_basic(encoded: str) -> bool:
    """Only what decodes to `name:password` is one."""
    bare = encoded.rstrip("=").replace("-", "+").replace("_", "/")
    try:
        text = base64.b64decode(bare + "=" * (-len(bare) % 4)).decode()
    except (binascii.Error, UnicodeDecodeError):
        return False
    return text.isprintable() and bool(re.fullmatch(r"[^:\s]*:.+|[^:]+:", text))


def _basic(text: str) -> str:
    return base64.b64encode(text.encode()).decode()


BEARER = Rule(
    name="bearer-token",
    hint=r"bearer",
    own=BearerDetector,
    sure=sure_bearer,
    misses=(
        "a bearer token is needed",
        "Bearer authentication",
        "Bearer <token>",
        "Bearer $TOKEN",
        "Bearer runwright-placeholder-key",
        "bearer bonds outstanding",
    ),
    hits=(
        "Authorization: Bearer " + fill(32),
        "bearer " + fill(24),
        'curl -H "Authorization: Bearer ' + fill(40) + '"',
    ),
)
BASIC = Rule(
    name="basic-authorization",
    hint=r"basic",
    raw=r"basic(?:\s|[^\x00-\x7f]|\\[nrtbf]|\+)+[a-z0-9+/_-]{6}",
    own=BasicDetector,
    sure=sure_basic,
    misses=("basic authentication", "Basic information about", "a basic example1 of"),
    hits=("Authorization: Basic " + _basic("alice:" + fill(10)), "basic " + _basic("svc:hunter2")),
)

"""Credentials inside URLs: user and password, and the signature of a signed link."""

import re

from detect_secrets.plugins.base import RegexBasedDetector
from detect_secrets.plugins.basic_auth import BasicAuthDetector

from runwright.secrets.rules.rule import HEX, Rule, credible, fill
from runwright.secrets.values import is_stand_in


class UrlPasswordDetector(RegexBasedDetector):
    secret_type = "URL password"  # noqa: S105 # the name of a kind
    denylist = (re.compile(r"://[^\s:/?#@\"'<>`]{0,256}:(?P<secret>[^\s/?#@\"'<>`]{1,512})@(?=[\w\[])"),)


def sure_password(password: str) -> bool:
    """Documentation's `user:password@host` is none."""
    return not is_stand_in(password) and password not in ("pass", "pw", "PASS")


class SignedUrlDetector(RegexBasedDetector):
    secret_type = "Signed URL"  # noqa: S105 # the name of a kind
    denylist = (
        re.compile(r"(?i:X-Amz-Signature|X-Goog-Signature)=(?P<secret>[0-9A-Fa-f]{32,})"),
        re.compile(r"(?i:X-Amz-Security-Token)=(?P<secret>[A-Za-z0-9%/+=_-]{20,})"),
        re.compile(r"[?&;]sig=(?P<secret>[A-Za-z0-9%/+=_-]{20,})"),
        re.compile(r"[?&](?:Signature|Policy|hmac|oauth_signature)=(?P<secret>[A-Za-z0-9%/+=_~-]{20,})"),
    )


PASSWORD = Rule(
    name="url-password",
    hint=r"://[^\s/]{0,600}@",
    raw=r"://[^\s/]*@",
    own=UrlPasswordDetector,
    stock=(BasicAuthDetector,),
    stock_group=1,
    sure=sure_password,
    misses=(
        "https://example.com/a:b@c",
        "postgres://user:password@localhost/db",
        "postgres://app:${DB_PASSWORD}@db/app",
        "https://host:8080/path",
        "redis://user:<password>@cache",
    ),
    hits=(
        "postgres" + "://app:" + fill(12) + "@db.internal:5432/app",
        "mongodb+srv" + "://root:hunter2" + "@cluster0.example.net",
        "redis" + "://:" + fill(20) + "@cache:6379/0",
        "https" + "://bob:p$w!" + fill(6) + "@example.com",
    ),
)
SIGNATURE = Rule(
    name="signed-url",
    hint=r"x-amz-(?:signature|security-token)=|x-goog-signature=|sig=|signature=|policy=|hmac=",
    own=SignedUrlDetector,
    sure=credible,
    misses=("?sig=short", "X-Amz-SignedHeaders=host"),
    hits=(
        "https://b.s3.amazonaws.com/k?X-Amz-Signature=" + fill(64, HEX),
        "https://a.blob.core.windows.net/c?sv=2024-05-04&sig=" + fill(43) + "%3D",
    ),
)

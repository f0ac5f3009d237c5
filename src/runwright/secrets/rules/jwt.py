"""JSON Web Tokens, signature included."""

import base64
import binascii
import json
import re
from collections.abc import Iterator

from detect_secrets.plugins.base import RegexBasedDetector
from detect_secrets.plugins.jwt import JwtTokenDetector

from runwright.secrets.rules.rule import Rule, fill

DOTTED = re.compile(r"(?<![A-Za-z0-9_=-])[A-Za-z0-9_=-]++(?:\.[A-Za-z0-9_=-]*+)+")
STARTS = 8
"""How many openings within one run of characters are tried: a longer row of them is no token."""

LONGEST = 65_536


class JsonWebTokenDetector(RegexBasedDetector):
    secret_type = "JSON Web Token"  # noqa: S105 # the name of a kind
    denylist = (re.compile(r"eyJ[A-Za-z0-9_=-]+\.[A-Za-z0-9_=-]+(?:\.[A-Za-z0-9_=-]*){0,3}"),)


def find(text: str) -> Iterator[tuple[int, int]]:
    """Tokens whose header is JSON: each dotted run is split once, so rows of `eyJ` cost their length."""
    for run in DOTTED.finditer(text):
        if "eyJ" in run.group():
            yield from ((run.start() + start, run.start() + end) for start, end in _tokens(run.group()))


def _tokens(run: str) -> Iterator[tuple[int, int]]:
    parts = run.split(".")
    at, skip = 0, 0
    for index, part in enumerate(parts):
        start = -1 if skip else _header(part)
        if start >= 0 and index + 1 < len(parts) and parts[index + 1]:
            taken = parts[index : index + 5]
            yield at + start, at + len(".".join(taken).rstrip("."))
            skip = len(taken)
        skip = max(0, skip - 1)
        at += len(part) + 1


def _header(part: str) -> int:
    """Where in a part a JSON header starts; -1 where none does."""
    at = part.find("eyJ") if len(part) <= LONGEST else -1
    for _ in range(STARTS):
        if at < 0:
            break
        if _is_object(part[at:]):
            return at
        at = part.find("eyJ", at + 1)
    return -1


def _is_object(part: str) -> bool:
    bare = part.rstrip("=")
    try:
        return isinstance(json.loads(base64.urlsafe_b64decode(bare + "=" * (-len(bare) % 4))), dict)
    except (binascii.Error, ValueError, RecursionError):
        return False


def _encoded(value: object) -> str:
    return base64.urlsafe_b64encode(json.dumps(value).encode()).decode().rstrip("=")


HEADER, CLAIMS = _encoded({"alg": "HS256", "typ": "JWT"}), _encoded({"sub": "1", "name": "a"})

RULE = Rule(
    name="jwt",
    hint=r"eyj",
    raw=r"(?-i:eyJ)",
    own=JsonWebTokenDetector,
    stock=(JwtTokenDetector,),
    find=find,
    misses=("eyJ.eyJ.eyJ", "eyes.eyebrow.nose", "eyJ" * 50 + ".x"),
    hits=(f"{HEADER}.{CLAIMS}.{fill(43)}", f"{HEADER}.{CLAIMS}", f"cookie={HEADER}.{CLAIMS}.{fill(43)};"),
)

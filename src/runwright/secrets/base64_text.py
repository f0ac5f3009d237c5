"""Texts that are written in base64 or base64url."""

from __future__ import annotations

import base64
import binascii
import re

BASE64_RUN = re.compile(r"[A-Za-z0-9+/_-]{20,}={0,2}")
DIGIT = "[A-Za-z0-9+/_-]"
PLAIN = rf"[CDI-Za-f][ACE-HQS-Xgi-nwy-z0-3D][ABEFIJMNQRUVYZcdghklopstwx014589]{DIGIT}"
"""Four digits of base64 that stand for three characters of ASCII."""

WORTH_READING = re.compile(rf"(?:{DIGIT}{{4}})*?(?:{PLAIN}){{4}}")
PRINTABLE = re.compile(rb"[\x09\x0a\x0d\x20-\x7e\x80-\xff]*")
PEEK = 48


def text_of(run: str) -> str | None:
    """What a run of digits says; None where it is no text."""
    if not WORTH_READING.match(run):
        return None
    peek = _bytes_of(run[:PEEK])
    if peek is None or not PRINTABLE.fullmatch(peek):
        return None
    try:
        return (_bytes_of(run) or b"").decode("utf-8")
    except UnicodeDecodeError:
        return None


def _bytes_of(run: str) -> bytes | None:
    bare = run.rstrip("=").replace("-", "+").replace("_", "/")
    if len(bare) % 4 == 1:
        bare = bare[:-1]
    try:
        return base64.b64decode(bare + "=" * (-len(bare) % 4))
    except binascii.Error:
        return None

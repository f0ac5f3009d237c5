"""Strings that look random: never blocking, since ids and digests look so too; those that are known are left out."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from runwright.secrets.finding import Span

CANDIDATE = re.compile(r"(?<![A-Za-z0-9+/=_-])[A-Za-z0-9+/_-]{20,512}={0,2}(?![A-Za-z0-9+/=_-])")
HEX = re.compile(r"[0-9a-fA-F]+")
UUID = re.compile(r"[0-9a-fA-F]{8}-(?:[0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}")
KNOWN_ID = re.compile(
    r"(?:call|toolu|chatcmpl|msg|req|resp|rs|fc|run|thread|asst|file|batch|step|srvtoolu|gen|cmpl|item|conv|ws|mcp|trace|span|"
    r"evt|ch|pi|cus|in|sub|price|prod|acct|ord|order|session|sess|user|usr|org|proj)[_-][A-Za-z0-9_-]+"
)
DIGEST_LEAD = re.compile(
    r"(?:blake[23]b?|sha-?[0-9]{1,3}|md5|etag|commit|revision|digest|checksum|integrity|base64)\W{0,3}\Z", re.I
)
DIGEST_LENGTHS = frozenset({16, 32, 40, 56, 64, 96, 128})
"""Hexadecimal of these lengths: span and trace ids, git commits, digests."""

ULID = re.compile(r"[0-7][0-9A-HJKMNP-TV-Z]{25}")


def random_looking(text: str) -> Iterator[Span]:
    """Review-only spans of high entropy, by detect-secrets' own measures and limits."""
    for found in CANDIDATE.finditer(text):
        word = found.group()
        if not is_id(word, text[max(0, found.start() - 16) : found.start()]) and (rule := _kind(word)):
            yield Span(found.start(), found.end(), rule, review=True)


def is_id(word: str, lead: str = "") -> bool:
    """Whether a word is an identifier or digest of a known form."""
    if UUID.fullmatch(word) or ULID.fullmatch(word) or KNOWN_ID.fullmatch(word) or DIGEST_LEAD.search(lead):
        return True
    return HEX.fullmatch(word) is not None and len(word) in DIGEST_LENGTHS


def _kind(word: str) -> str:
    base64, hexadecimal = _measures()
    if HEX.fullmatch(word):
        return "hex-entropy" if hexadecimal(word) else ""
    return "base64-entropy" if re.search(r"[0-9]", word) and base64(word) else ""


@cache
def _measures() -> tuple[_Measure, _Measure]:
    from detect_secrets.plugins.high_entropy_strings import Base64HighEntropyString, HexHighEntropyString

    return _Measure(Base64HighEntropyString()), _Measure(HexHighEntropyString())


class _Measure:
    """A plugin's entropy against its limit."""

    def __init__(self, plugin: object) -> None:
        self._plugin = plugin

    def __call__(self, word: str) -> bool:
        plugin = self._plugin
        entropy = plugin.calculate_shannon_entropy(word)  # type: ignore[attr-defined]  # detect-secrets is untyped
        return bool(entropy > plugin.entropy_limit)  # type: ignore[attr-defined]  # detect-secrets is untyped

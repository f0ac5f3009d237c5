"""Digests of bodies without their secrets: so they can be compared, and nothing can be guessed back.

A body is put in the form in which two clients that say the same say the same: what framed, compressed or separated it
is taken away, JSON is canonical.
"""

from __future__ import annotations

import json
import re
import zlib
from collections.abc import Iterable, Mapping
from typing import NoReturn

from runwright.errors import RunwrightError
from runwright.record.http.model import NO_CONTENT, Content
from runwright.secrets import clean_text, redact_value
from runwright.trace import JSON, canonical, digest_bytes

LONG = 4 << 20
"""Bytes of a body when it is unpacked, up to which it is read."""
MULTIPART = re.compile(r"multipart/.*\bboundary=(?:\"([^\"]+)\"|([^\s;\"]+))", re.IGNORECASE)
CHUNK = re.compile(rb"([0-9A-Fa-f]{1,8})[^\r\n]*\r\n")
TOKEN = re.compile(r"\[\[redacted:([a-z0-9-]+):[0-9]+\]\]")
CUT = "not seen to its end"


class Unreadable(Exception):
    """Why a body has no digest."""


def content_of(
    data: bytes, headers: Mapping[str, str], *, framed: bool, whole: bool, known: Iterable[str] = ()
) -> Content:
    """What is kept of a body as it went by: `framed` as it is on the wire, `whole` if it is known to have ended."""
    try:
        content = _unframed(data, headers, whole=whole) if framed else data
        if not framed and not whole:
            raise Unreadable(CUT)
        text = _text(_unpacked(content, headers.get("content-encoding", "").strip().lower()))
    except Unreadable as reason:
        return Content(unknown=str(reason))
    if not text:
        return NO_CONTENT
    return Content(digest=digest_bytes(_kept(text, headers.get("content-type", ""), tuple(known))))


def _kept(text: str, media: str, known: tuple[str, ...]) -> bytes:
    """The text without its secrets. Which secret of its kind it was is left out: a token counts through a whole run."""
    try:
        value: JSON = json.loads(text, parse_constant=_no_number)
        return canonical(json.loads(_uncounted(json.dumps(redact_value(value, known=known)))))
    except (ValueError, RecursionError, RunwrightError):
        if boundary := MULTIPART.match(media):  # it is another one each time
            text = text.replace(boundary[1] or boundary[2], "boundary")
        return _uncounted(clean_text(text, known=known)).encode("utf-8", "surrogatepass")


def _uncounted(text: str) -> str:
    return TOKEN.sub(r"[[redacted:\1]]", text)


def _no_number(word: str) -> NoReturn:
    raise ValueError(word)


def _text(data: bytes) -> str:
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        raise Unreadable("not text") from None
    if "\0" in text:
        raise Unreadable("not text")
    return text


def _unpacked(data: bytes, encoding: str) -> bytes:
    """The content, for the encodings that every client knows. Some clients hand over what they have unpacked."""
    if encoding in ("", "identity") or not data:
        return data
    if encoding in ("gzip", "x-gzip"):
        return _inflated(data, 31) if data[:2] == b"\x1f\x8b" else data
    if encoding == "deflate":
        return _inflated(data, 15 if data[0] & 15 == 8 and int.from_bytes(data[:2], "big") % 31 == 0 else -15)
    raise Unreadable("packed in a way that is not read here")


def _inflated(data: bytes, bits: int) -> bytes:
    unpacking = zlib.decompressobj(bits)
    try:
        content = unpacking.decompress(data, LONG)
    except zlib.error:
        raise Unreadable("packed wrongly") from None
    if not unpacking.eof:
        raise Unreadable("too long" if unpacking.unconsumed_tail else CUT)
    return content


def _unframed(data: bytes, headers: Mapping[str, str], *, whole: bool) -> bytes:
    """The content of a body as it is on the wire: in chunks, of a length told before, or up to the end."""
    if "chunked" in headers.get("transfer-encoding", "").lower():
        return _unchunked(data)
    length = headers.get("content-length", "").strip()
    if length.isascii() and length.isdigit():
        if len(data) < int(length[:12]):
            raise Unreadable(CUT)
        return data[: int(length[:12])]
    if not whole:
        raise Unreadable(CUT)
    return data


def _unchunked(data: bytes) -> bytes:
    parts: list[bytes] = []
    at = 0
    while found := CHUNK.match(data, at):
        size, start = int(found[1], 16), found.end()
        if not size:
            return b"".join(parts)
        parts.append(data[start : start + size])
        at = start + size + 2
        if at > len(data):
            break
    raise Unreadable(CUT)

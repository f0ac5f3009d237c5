"""Digests of what was replaced, of every usual kind: by one of them a guess at a weak secret could be confirmed."""

from __future__ import annotations

import base64
import binascii
import hashlib
import json
import re
from collections.abc import Callable, Iterator
from typing import NamedTuple

from blake3 import blake3

ALGORITHMS: tuple[Callable[[bytes], bytes], ...] = (
    lambda data: blake3(data).digest(),
    lambda data: hashlib.md5(data, usedforsecurity=False).digest(),
    lambda data: hashlib.sha1(data, usedforsecurity=False).digest(),
    lambda data: hashlib.sha256(data).digest(),
    lambda data: hashlib.sha384(data).digest(),
    lambda data: hashlib.sha512(data).digest(),
)
SHORTEST = 8
"""Characters of a digest that was cut off: fewer tell next to nothing."""

HEX = re.compile(r"(?<![0-9A-Fa-f])[0-9A-Fa-f]{8,128}(?![0-9A-Fa-f])")
BASE64 = re.compile(r"(?<![A-Za-z0-9+/_-])[A-Za-z0-9+/_-]{16,88}")


class Moved(NamedTuple):
    """A digest as it was written, and what is written in its place."""

    old: str
    new: str


class Digests:
    """What digests of replaced texts become. It learns each pair of texts once."""

    def __init__(self) -> None:
        self._seen: set[tuple[str, str]] = set()
        self._hex: dict[str, list[Moved]] = {}
        self._base64: dict[str, list[Moved]] = {}

    def note(self, old: str, new: str) -> None:
        """A text and what took its place."""
        if (old, new) in self._seen:
            return
        self._seen.add((old, new))
        for before, after in _forms(old, new):
            for algorithm in ALGORITHMS:
                self._note(algorithm(before), algorithm(after))

    def _note(self, old: bytes, new: bytes) -> None:
        _keep(self._hex, old.hex(), new.hex())
        for encode in (base64.b64encode, base64.urlsafe_b64encode):
            _keep(self._base64, encode(old).decode().rstrip("="), encode(new).decode().rstrip("="))

    def moved(self, text: str) -> str:
        """The text in which no digest of what was replaced is left, whole or cut off."""
        if not self._hex or len(text) < SHORTEST:
            return text
        text = HEX.sub(self._moved_hex, text)
        return BASE64.sub(lambda found: _other(found.group(), self._base64) or found.group(), text)

    def _moved_hex(self, found: re.Match[str]) -> str:
        written = found.group()
        new = _other(written.lower(), self._hex)
        return written if new is None else new.upper() if written.isupper() else new


def _forms(old: str, new: str) -> Iterator[tuple[bytes, bytes]]:
    """A text as it may have been hashed: by itself, as a line, as JSON, and as the bytes that it is base64 of."""
    yield _bytes(old), _bytes(new)
    yield _bytes(f"{old}\n"), _bytes(f"{new}\n")
    yield _bytes(json.dumps(old, ensure_ascii=False)), _bytes(json.dumps(new, ensure_ascii=False))
    try:
        yield base64.b64decode(old, validate=True), _bytes(new)
    except (binascii.Error, ValueError):
        return


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


def _keep(table: dict[str, list[Moved]], old: str, new: str) -> None:
    table.setdefault(old[:SHORTEST], []).append(Moved(old, new))


def _other(written: str, table: dict[str, list[Moved]]) -> str | None:
    """What stands in the place of a digest that may be cut off; None for what is none of these."""
    known = (each for each in table.get(written[:SHORTEST], ()) if each.old.startswith(written))
    return next((each.new[: len(written)] for each in known), None)

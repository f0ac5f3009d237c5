"""Digests of bytes, as they are stored."""

from __future__ import annotations

from blake3 import blake3


def digest_bytes(data: bytes) -> str:
    """`blake3:<hex>` over raw bytes."""
    return f"blake3:{blake3(data).hexdigest()}"

"""Names that are somebody's id: what stands in a URL or a key for one thing among many."""

from __future__ import annotations

import re

ID = "{id}"

_VERSION = re.compile(r"v\d+(?:[._-]?[a-z]*\d*)*", re.IGNORECASE)
_IDS = re.compile(
    r"""\d+                                                             # 4471
    | \d[\d.:_T-]*\d Z?                                                 # 2026-11-30, 12:30
    | \{?[0-9a-f]{8}-?(?:[0-9a-f]{4}-?){3}[0-9a-f]{12}\}?               # a uuid
    | (?=[a-f]*\d)[0-9a-f]{8,}                                          # a hash
    | (?-i:[A-Z]{1,6}[-_]?\d+)                                          # A-4471, INV2024
    | (?-i:[a-z]+[-_]\d+)                                               # order-7
    | [a-z]+[-_](?=[a-z]*\d)(?=\d*[a-z])[0-9a-z]{6,}                    # cus_9f3kd2
    | (?=[^\d]*\d[^\d]*\d)(?=.*[a-z])[0-9a-z]{12,}                      # 01HZX3K9...
    | (?-i:(?=[\w-]*\d)(?=[\w-]*[A-Z])(?=[\w-]*[a-z])[\w-]{16,})        # dQw4w9WgXcQ_...
    | [^@\s]+@[^@\s]+\.[^@\s]+                                          # somebody's address
    """,
    re.VERBOSE | re.IGNORECASE | re.ASCII,
)
LONGEST = 256
"""A name longer than this is content, so it counts as an id."""


def general(name: str) -> str:
    """The name, or `{id}` where it is the id of one thing; versions such as `v1` are no ids."""
    plain = _unquoted(name) if "%" in name else name
    if len(plain) > LONGEST:
        return ID
    if _VERSION.fullmatch(plain):
        return name
    return ID if _IDS.fullmatch(plain) else name


def _unquoted(name: str) -> str:
    from urllib.parse import unquote

    return unquote(name)

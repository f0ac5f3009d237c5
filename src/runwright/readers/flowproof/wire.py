"""Stored messages put back into the bodies of a wire protocol: what every protocol gives."""

from __future__ import annotations

from typing import NamedTuple

from runwright.dialects import Body

MESSAGES = "$.request.messages"


class Wire(NamedTuple):
    """A body that a dialect decodes, and the paths that it does not know; `partial` where words are among them."""

    body: Body
    unknown: tuple[str, ...] = ()
    partial: bool = False

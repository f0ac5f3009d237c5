"""What of a document goes into the trace's header, for the replay to use: stand-ins, and what text was joined."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from runwright.dialects.fields import object_at
from runwright.readers.flowproof.effects import EGRESS_TERMS
from runwright.readers.flowproof.mcp import mcp_mocks
from runwright.readers.flowproof.turn import JOINED
from runwright.trace.model import JSON, Header, ModelRecord

OWN = "flowproof"
MOCKS, MCP_MOCKS, JOINED_IN = "mocks", "mcp_mocks", "joined"
TERMS = (*EGRESS_TERMS, "observation")
"""Under which terms a boundary was watched: kept as they are told."""


def header_ext(document: Mapping[str, JSON], exchanges: Sequence[ModelRecord]) -> dict[str, JSON]:
    """The header's `ext` for a document; empty where it holds none of this."""
    joined: list[JSON] = [*dict.fromkeys(each.request.api for each in exchanges if each.request.api in JOINED)]
    found: dict[str, JSON] = {
        MOCKS: object_at(document.get("mocks", {}), "$.mocks"),
        MCP_MOCKS: mcp_mocks(document.get("mcp")),
        JOINED_IN: joined,
        **{name: _terms(document.get(name, {}), f"$.{name}") for name in ("egress", "side_effects")},
    }
    kept: dict[str, JSON] = {name: value for name, value in found.items() if value}
    return {OWN: kept} if kept else {}


def _terms(value: JSON, place: str) -> JSON:
    return {key: each for key, each in object_at(value, place).items() if key in TERMS}


def mocks_of(header: Header) -> dict[str, JSON]:
    """The tool results that the recording stood in with, by tool."""
    mocks = _of(header, MOCKS)
    return dict(mocks) if isinstance(mocks, dict) else {}


def joined_in(header: Header) -> tuple[str, ...]:
    """The APIs of whose text the recording kept no borders between blocks."""
    joined = _of(header, JOINED_IN)
    return tuple(str(each) for each in joined) if isinstance(joined, list) else ()


def _of(header: Header, name: str) -> JSON:
    kept = header.ext.get(OWN)
    return kept.get(name) if isinstance(kept, dict) else None

"""Handles: what only the start of an agent knows, written in `agent.env` as `${runwright.base_url}`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

_HANDLE = re.compile(r"\$\{(?:runwright|flowproof)\.[^{}]*\}")
_BASE = re.compile(r"\$\{(?:(?:runwright|flowproof)\.proxy_url|runwright\.base_url)(_no_v1)?\}")
_MCP = re.compile(r"\$\{(?:runwright|flowproof)\.mcp_url\.([^{}]+)\}")
KNOWN = "${runwright.base_url}, ${runwright.base_url_no_v1} and ${runwright.mcp_url.NAME}"


def unknown_handles(text: str, servers: frozenset[str]) -> Iterator[str]:
    """The handles in the text that nothing will replace; `servers` are the flow's MCP servers."""
    for found in _HANDLE.finditer(text):
        server = _MCP.fullmatch(found[0])
        if not _BASE.fullmatch(found[0]) and (server is None or server[1] not in servers):
            yield found[0]


def first_handle(text: str) -> str:
    """The first handle in the text, known or not; empty where there is none."""
    found = _HANDLE.search(text)
    return found[0] if found else ""


def with_handles(text: str, base_url: str, mcp_urls: Mapping[str, str]) -> str:
    """The text with each handle replaced; one that is not known stays as it is.

    `base_url` is the replay server's origin, without `/v1`; `mcp_urls` gives each MCP stand-in's address by name.
    """
    written = _BASE.sub(lambda found: base_url if found[1] else f"{base_url}/v1", text)
    return _MCP.sub(lambda found: mcp_urls.get(found[1], found[0]), written)

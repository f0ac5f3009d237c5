"""The header of an imported trace."""

from __future__ import annotations

from collections.abc import Sequence

from runwright.readers.speech import primary_thread, system_prompt
from runwright.trace import digest, digest_bytes
from runwright.trace.model import (
    EFFECT_KINDS,
    AgentInfo,
    Header,
    Loss,
    ModelRecord,
    Origin,
    Record,
    Specification,
    ToolDigest,
)


def header_of(
    records: Sequence[Record],
    *,
    losses: tuple[Loss, ...],
    source: Origin,
    agent: str | None,
    chosen: str = "",
    started_at: str | None = None,
    duration: float | None = None,
) -> Header:
    """The header of these records; its trace id follows from the input's bytes, and what was chosen of them."""
    identity = digest_bytes(f"{source.digest} {chosen}".encode()).removeprefix("blake3:")[:32]
    return Header(
        kind="run",
        trace_id=identity,
        started_at=started_at,
        duration=duration,
        source=source,
        losses=losses,
        agent=AgentInfo(name=agent) if agent else None,
        specification=_specification([record for record in records if isinstance(record, ModelRecord)]),
        observation=dict.fromkeys(EFFECT_KINDS, "not_observed"),
    )


def _specification(exchanges: Sequence[ModelRecord]) -> Specification | None:
    """Digests of what the first exchange of the primary thread shows; what it does not know stays absent."""
    thread = primary_thread(exchanges)
    if not thread:
        return None
    first = thread[0]
    request = first.request
    return Specification(
        system_prompt=digest(system_prompt(first)) if _known(first, "$.request.messages") else None,
        tools=_tools(first) if "$.request.tools" not in first.unknown else None,
        model=digest(request.model) if request.model else None,
        parameters=digest(dict(request.parameters)) if _known(first, "$.request.parameters") else None,
    )


def _known(exchange: ModelRecord, path: str) -> bool:
    """Nothing at or below the path is unknown; names of messages are no part of a prompt."""
    return not any(each.startswith(path) and not each.endswith("[*].name") for each in exchange.unknown)


def _tools(exchange: ModelRecord) -> dict[str, ToolDigest]:
    return {
        tool.name: ToolDigest(
            description=None if tool.description is None else digest(tool.description),
            parameters=None if tool.parameters is None else digest(tool.parameters),
        )
        for tool in exchange.request.tools
    }

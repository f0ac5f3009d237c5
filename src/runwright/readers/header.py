"""The header of an imported trace."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from runwright.readers.again import once_each
from runwright.readers.speech import exchanges_of, primary_thread, system_prompt
from runwright.trace import digest, digest_bytes
from runwright.trace.model import (
    EFFECT_KINDS,
    JSON,
    AgentInfo,
    EffectKind,
    Header,
    Loss,
    ModelRecord,
    Observation,
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
    seen: Mapping[EffectKind, Observation] | None = None,
    thread: Sequence[ModelRecord] | None = None,
) -> Header:
    """The header of these records; its trace id follows from the input's bytes, and what was chosen of them.

    `seen` are the effect kinds that the format records, and `thread` the primary one, where it is known.
    """
    if thread is None:
        thread = primary_thread(exchanges_of(records))
    identity = digest_bytes(f"{source.digest} {chosen}".encode()).removeprefix("blake3:")[:32]
    return Header(
        kind="run",
        trace_id=identity,
        started_at=started_at,
        duration=duration,
        source=source,
        losses=losses,
        agent=AgentInfo(name=agent) if agent else None,
        specification=_specification(thread[0]) if thread else None,
        observation={kind: (seen or {}).get(kind, "not_observed") for kind in EFFECT_KINDS},
    )


def _specification(first: ModelRecord) -> Specification:
    """Digests of what the first exchange of the primary thread shows; what it does not know stays absent."""
    request = first.request
    return Specification(
        system_prompt=digest(system_prompt(first)) if _known(first, "$.request.messages") else None,
        tools=_tools(first) if "$.request.tools" not in first.unknown else None,
        model=_digest(request.model) if request.model else None,
        parameters=digest(request.parameters) if _known(first, "$.request.parameters") else None,
    )


@once_each
def _digest(value: JSON) -> str:
    """The digest of what many runs have alike."""
    return digest(value)


def _known(exchange: ModelRecord, path: str) -> bool:
    """Nothing at or below the path is unknown; names of messages are no part of a prompt."""
    return not [each for each in exchange.unknown if each.startswith(path) and not each.endswith("[*].name")]


def _tools(exchange: ModelRecord) -> dict[str, ToolDigest]:
    return {
        tool.name: ToolDigest(
            description=None if tool.description is None else _digest(tool.description),
            parameters=None if tool.parameters is None else _digest(tool.parameters),
        )
        for tool in exchange.request.tools
    }

"""The cassette of a run: no clock in its records, the run's own time window and specification in its header."""

from __future__ import annotations

import msgspec

from runwright.convert.turns import primary_thread, system_prompt
from runwright.trace import as_cassette, digest, with_edges
from runwright.trace.model import ModelRecord, Specification, ToolDigest, Trace


def cassette_of(trace: Trace) -> Trace:
    """The replayable part of a run; ids and edges are kept, times are not."""
    records = trace.records if any(record.after for record in trace.records) else with_edges(trace.records)
    header = msgspec.structs.replace(trace.header, duration=_duration(trace), specification=specification_of(trace))
    return as_cassette(msgspec.structs.replace(trace, header=header, records=records))


def _duration(trace: Trace) -> float | None:
    """How long the run took: what the capture says, else until its last record ended."""
    if trace.header.duration is not None:
        return trace.header.duration
    ends = [record.t + (record.duration or 0.0) for record in trace.records if record.t is not None]
    return max(ends, default=None)


def specification_of(trace: Trace) -> Specification | None:
    """The capture's own specification, completed from the first exchange of the primary thread."""
    thread = primary_thread(trace)
    if not thread:
        return trace.header.specification
    seen, told = _seen(thread[0]), trace.header.specification
    if told is None:
        return seen
    return Specification(
        system_prompt=told.system_prompt or seen.system_prompt,
        tools=seen.tools if told.tools is None else told.tools,
        model=told.model or seen.model,
        parameters=told.parameters or seen.parameters,
        policies=told.policies,
    )


def _seen(exchange: ModelRecord) -> Specification:
    """Digests of what one exchange shows; what it does not know stays absent."""

    def known(path: str) -> bool:
        return not any(
            each == path or path.startswith(f"{each}.") or each.startswith(path) for each in exchange.unknown
        )

    request = exchange.request
    return Specification(
        system_prompt=digest(system_prompt(exchange)) if known("$.request.messages") else None,
        tools=_tools(exchange) if known("$.request.tools") else None,
        model=digest(request.model) if known("$.request.model") else None,
        parameters=digest(dict(request.parameters)) if known("$.request.parameters") else None,
    )


def _tools(exchange: ModelRecord) -> dict[str, ToolDigest]:
    return {
        tool.name: ToolDigest(
            description=None if tool.description is None else digest(tool.description),
            parameters=None if tool.parameters is None else digest(tool.parameters),
        )
        for tool in exchange.request.tools
    }

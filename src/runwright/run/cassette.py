"""The file a flow is replayed against, in our own format or in one that stands beside existing flows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from runwright.errors import TraceError
from runwright.flow import Flow
from runwright.readers import HEAD, Input
from runwright.readers.flowproof import joined_in, mocks_of, read_flowproof, sniff_flowproof
from runwright.trace import read_trace
from runwright.trace.model import JSON, Trace

SHOWN = 5
"""Ids that a note lists."""


def read_cassette(path: Path) -> Trace:
    """The cassette in a file. The seal is asked of our own format only; TraceError where nothing can be replayed.

    A trace that flowproof wrote is read as it lies, so that its flows run unchanged.
    """
    try:
        data = path.read_bytes()
    except OSError as error:
        raise TraceError(f"cannot be read: {error.strerror or error}", place=str(path)) from error
    if not sniff_flowproof(data[:HEAD]):
        return read_trace(path)
    trace = read_flowproof([Input(str(path), data)])
    if not trace.models:
        hint = "a flow of 'app: agent' replays the document of an agent's run"
        raise TraceError("it holds no model exchange: there is nothing to replay", place=str(path), hint=hint)
    return trace


def served_results(flow: Flow, cassette: Trace) -> Mapping[str, JSON]:
    """The results that stand in for those of tools: the recording's own copy beats the flow's."""
    named: dict[str, JSON] = {stub.name: stub.result for stub in flow.tools if stub.has_result}
    return {**named, **mocks_of(cassette.header)}


def cassette_notes(flow: Flow, cassette: Trace) -> tuple[str, ...]:
    """What of the recording the verdict does not rest on, and where it overrules the flow."""
    notes = [*_stood_in(flow, mocks_of(cassette.header))]
    joined = joined_in(cassette.header)
    if joined:
        notes.append(f"text blocks were compared joined, as the recording keeps no borders: {', '.join(joined)}")
    effects = [effect.id for effect in cassette.effects]
    if effects and (flow.effects is None or flow.effects.compare is None):
        notes.append(f"recorded side effects were not compared: {_listed(effects)}")
    return tuple(notes)


def _stood_in(flow: Flow, mocks: Mapping[str, JSON]) -> Iterator[str]:
    """The tools whose live result is not compared because the recording has one of its own for them."""
    named = {stub.name: stub.result for stub in flow.tools if stub.has_result}
    for name, result in mocks.items():
        if name not in named:
            yield f"{name}: the recording's own result stands in for what the tool says"
        elif named[name] != result:
            yield f"{name}: the recording's own result stands in, not the flow's, which differs"


def _listed(ids: Sequence[str]) -> str:
    more = f" and {len(ids) - SHOWN} more" if len(ids) > SHOWN else ""
    return ", ".join(ids[:SHOWN]) + more

"""A proposal: the flow and cassette that wait for a person, and what that person should know about them."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence

import msgspec

from runwright.convert.noise import Dropped
from runwright.convert.options import Paths
from runwright.convert.until import Until
from runwright.trace import digest_bytes, dumps_trace
from runwright.trace.model import JSON, Loss, Origin, Trace

FORMAT = "runwright.proposal"
VERSION = 1


class Exchange(msgspec.Struct, frozen=True):
    """A model exchange of the cassette and what it does."""

    id: str
    does: str


class Suspected(msgspec.Struct, frozen=True):
    """Something a person should look at, and the record it concerns (`header` where it is none)."""

    id: str
    what: str


class Fields(msgspec.Struct, frozen=True):
    """Some fields of an exchange, as JSONPaths."""

    id: str
    paths: tuple[str, ...]


class Suggested(msgspec.Struct, frozen=True):
    """An assertion that the flow holds as a comment, and the records it rests on."""

    assertion: str
    cites: tuple[str, ...]
    why: str


class Summary(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a conversion kept, left out, lost, inferred and suggests."""

    source: Origin | None
    exchanges: tuple[Exchange, ...]
    kept: dict[str, int]
    dropped: tuple[Dropped, ...]
    lost: tuple[Loss, ...]
    suspected: tuple[Suspected, ...]
    unknown: tuple[Fields, ...]
    adopted: tuple[Fields, ...]
    until: Until
    asserted: tuple[str, ...]
    suggested: tuple[Suggested, ...]
    redacted: dict[str, int]
    covered_by: tuple[str, ...]
    notes: tuple[str, ...]


class Proposal(msgspec.Struct, frozen=True, kw_only=True):
    """A conversion's result: nothing is written yet. `flow` is YAML text, `cassette` a cassette in memory."""

    name: str
    paths: Paths
    flow: str
    cassette: Trace
    summary: Summary


class Digests(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """blake3 of a flow's and a cassette's bytes; None where there was no file."""

    flow: str | None
    cassette: str | None


class ProposalFile(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """The proposal file (schema/proposal-v1.schema.json).

    `base` is what the proposal would replace, `proposed` what it was written with, `accepting` what an acceptance
    that has begun is putting in place.
    """

    format: str
    version: int
    name: str
    flow: str
    cassette: str
    base: Digests
    proposed: Digests
    summary: Summary
    accepting: Digests | None = None


def proposal_file(proposal: Proposal, accepted_flow: bytes | None, accepted_cassette: bytes | None) -> ProposalFile:
    """The proposal file for the accepted files as they are now."""
    return ProposalFile(
        format=FORMAT,
        version=VERSION,
        name=proposal.name,
        flow=proposal.paths.flow,
        cassette=proposal.paths.cassette,
        base=digests(accepted_flow, accepted_cassette),
        proposed=digests(proposal.flow.encode(), dumps_trace(proposal.cassette)),
        summary=proposal.summary,
    )


def digests(flow: bytes | None, cassette: bytes | None) -> Digests:
    """The digests of two files' bytes."""
    return Digests(
        flow=None if flow is None else digest_bytes(flow),
        cassette=None if cassette is None else digest_bytes(cassette),
    )


def file_bytes(file: ProposalFile) -> bytes:
    """The bytes of a proposal file: readable JSON, keys in the schema's order."""
    value: JSON = msgspec.to_builtins(file)
    return (json.dumps(value, indent=2, ensure_ascii=False) + "\n").encode()


def summary_lines(summary: Summary) -> Iterator[str]:
    """The summary as a person reads it, one fact a line."""
    yield "exchanges: " + "; ".join(f"{each.id} {each.does}" for each in summary.exchanges)
    if summary.until.id is not None:
        yield f"until: {summary.until.id}" + (f" ({summary.until.why})" if summary.until.why else "")
    yield from (f"dropped: {each.id}: {each.reason}" for each in summary.dropped)
    yield from (f"lost: {each.kind} x{each.count}: {each.detail}" for each in summary.lost)
    yield from _grouped("suspected", [(each.id, each.what) for each in summary.suspected])
    yield from _grouped("unknown", [(each.id, ", ".join(each.paths)) for each in summary.unknown])
    yield from _grouped("adopted", [(each.id, ", ".join(each.paths)) for each in summary.adopted])
    yield from (f"redacted: {count} {rule}" for rule, count in summary.redacted.items())
    yield from (f"asserted: {each}" for each in summary.asserted)
    yield from (f"suggested: {each.assertion} ({each.why})" for each in summary.suggested)
    yield from (f"already covered by: {each}" for each in summary.covered_by)
    yield from (f"note: {each}" for each in summary.notes)


def _grouped(word: str, facts: Sequence[tuple[str, str]]) -> Iterator[str]:
    """Facts of several records, those that say the same on one line."""
    for said in dict.fromkeys(said for _, said in facts):
        yield f"{word}: {', '.join(each for each, what in facts if what == said)}: {said}"

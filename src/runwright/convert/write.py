"""A proposal's three files, written beside the accepted ones and never in their place."""

from __future__ import annotations

import os
from pathlib import Path

from runwright.convert.options import CASSETTE
from runwright.convert.pending import bytes_of, files_under, flow_of, read_proposal
from runwright.convert.proposal import Proposal, file_bytes, proposal_file
from runwright.errors import ReviewError, TraceError, UsageError
from runwright.secrets import gate_text, gate_trace, load_allowlist
from runwright.trace import digest_bytes, dumps_trace, read_trace
from runwright.trace.model import Trace


def write_proposal(proposal: Proposal, root: Path) -> tuple[Path, Path, Path]:
    """Write the proposed flow, cassette and proposal file under `root`; the accepted files stay as they are.

    Everything passes the gate first (SecretsFound, nothing written). A proposed flow that was edited by hand since it
    was written is not overwritten (ReviewError). The proposal file comes last: until then nothing is pending.
    """
    paths = proposal.paths
    allow = load_allowlist(root)
    cassette = gate_trace(proposal.cassette, redact=False, allow=allow, name=paths.cassette)
    file = proposal_file(proposal, bytes_of(root / paths.flow), bytes_of(root / paths.cassette))
    gate_text(proposal.flow, paths.flow, allow)
    gate_text(file_bytes(file).decode(), paths.proposal, allow)
    targets = (root / paths.flow_new, root / paths.cassette_new, root / paths.proposal)
    for target in targets:
        _inside(target, root)
    _not_edited(root / paths.proposal, root / paths.flow_new, paths.flow_new)
    for target, data in zip(targets, (proposal.flow.encode(), dumps_trace(cassette), file_bytes(file)), strict=True):
        replace_bytes(target, data)
    return targets


def replace_bytes(target: Path, data: bytes) -> None:
    """Put `data` at `target` in one step: a reader sees the old bytes or the new ones.

    UsageError where it cannot be written.
    """
    try:
        _replaced(target, data)
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise UsageError(f"it cannot be written: {reason}", place=str(target)) from error


def _replaced(target: Path, data: bytes) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    half = target.with_name(f".{target.name}.tmp")
    try:
        with half.open("wb") as stream:
            stream.write(data)
            stream.flush()
            os.fsync(stream.fileno())
        half.replace(target)
    finally:
        half.unlink(missing_ok=True)


def _inside(target: Path, root: Path) -> None:
    """A link must not lead the proposal out of the repository."""
    if not target.parent.resolve().is_relative_to(root.resolve()):
        raise UsageError(
            f"{target.relative_to(root)} leads out of the repository through a link", hint="choose another --out"
        )


def _not_edited(proposal: Path, flow: Path, shown: str) -> None:
    """A reviewer's edits are not lost to a second conversion."""
    data = bytes_of(flow)
    if data is None or not proposal.exists():
        return
    if digest_bytes(data) != read_proposal(proposal, shown).proposed.flow:
        raise ReviewError(
            f"{shown} was edited since it was proposed", hint="runwright review: accept or reject it first"
        )


def accepted_traces(root: Path) -> tuple[tuple[tuple[str, Trace], ...], tuple[str, ...]]:
    """Every accepted cassette under a cassettes/ folder with its flow's path, and the ones that could not be read."""
    found, unread = [], []
    for path in files_under(root, "cassettes", (CASSETTE,)):
        place = path.relative_to(root).as_posix()
        try:
            found.append((flow_of(place), read_trace(path)))
        except TraceError as error:
            unread.append(str(error))
    return tuple(found), tuple(unread)

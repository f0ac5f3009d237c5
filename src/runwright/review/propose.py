"""From a captured run to a pending proposal on disk, with everything the repository knows taken into account."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from runwright.convert import ConvertOptions, Proposal, accepted_traces, adopt, convert, write_proposal
from runwright.flow import load_flow
from runwright.review.pending import Pending, find
from runwright.run import RunOptions, Suites, live_exchanges
from runwright.secrets import load_allowlist
from runwright.trace import Trace


def propose(
    trace: Trace, options: ConvertOptions, root: Path, say: Callable[[str], None], *, adopting: bool = False
) -> Pending:
    """Convert the run and write the proposal under `root`; with `adopting`, replay it once and take what was unknown.

    `say` is told of accepted cassettes that cannot be read: whether they cover the run is not known. Where the replay
    fails (NotConvertible), the proposal stays as it was without adopting.
    """
    accepted, unread = accepted_traces(root)
    for fault in unread:
        say(f"not compared with an accepted cassette: {fault}")
    known = replace(options, allow=load_allowlist(root), accepted=accepted)
    proposal = _written(convert(trace, known), root)
    if adopting:
        path = root / proposal.paths.flow_new
        run = Suites(RunOptions()).options_for(path)
        live = live_exchanges(load_flow(path, run.environment), proposal.cassette, run)
        _written(convert(adopt(trace, live), known), root)
    return find(root, proposal.paths.flow)


def _written(proposal: Proposal, root: Path) -> Proposal:
    write_proposal(proposal, root)
    return proposal

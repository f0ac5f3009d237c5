"""The proposals that wait for a person, as values: whole ones, and leftovers that only rejecting can clear."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from runwright.convert.options import CASSETTE, FLOW, NEW, PROPOSAL, Paths, paths_for
from runwright.convert.pending import bytes_of, flow_of, paths_of, pending_files, read_proposal
from runwright.convert.proposal import ProposalFile, digests
from runwright.errors import ReviewError, UsageError

State = Literal["new", "change", "base_changed", "half_accepted", "broken"]


@dataclass(frozen=True, kw_only=True)
class Pending:
    """One proposal on disk. `problem` says why it cannot be accepted at all; then `file` may be missing."""

    root: Path
    name: str
    paths: Paths
    file: ProposalFile | None = None
    problem: ReviewError | None = None

    def bytes_at(self, path: str) -> bytes | None:
        """The bytes of one of its files, or None where there is none."""
        return bytes_of(self.root / path)

    @property
    def state(self) -> State:
        """What accepting it would mean now."""
        if self.file is None or self.problem is not None:
            return "broken"
        if self.half_accepted:
            return "half_accepted"
        if digests(self.bytes_at(self.paths.flow), self.bytes_at(self.paths.cassette)) != self.file.base:
            return "base_changed"
        return "new" if self.file.base.flow is None and self.file.base.cassette is None else "change"

    @property
    def half_accepted(self) -> bool:
        """An acceptance was cut off between its two files."""
        begun = self.file is not None and self.file.accepting is not None
        news = (self.paths.flow_new, self.paths.cassette_new)
        return begun and not all((self.root / new).exists() for new in news)


def pending(root: Path) -> tuple[Pending, ...]:
    """Every proposal under a flows/ folder of the repository, sorted by its flow's path."""
    outs = sorted({_out_of(path.relative_to(root).as_posix()) for path in pending_files(root)})
    return tuple(_pending(root, out) for out in outs)


def find(root: Path, name: str) -> Pending:
    """The proposal of that name or flow path; ReviewError if there is none, or more than one."""
    waiting = pending(root)
    flow = name.replace("\\", "/").removeprefix("./").removesuffix(NEW).removesuffix(PROPOSAL).removesuffix(FLOW) + FLOW
    found = [each for each in waiting if each.paths.flow == flow] or [each for each in waiting if each.name == name]
    if len(found) == 1:
        return found[0]
    if found:
        listed = ", ".join(each.paths.flow.removesuffix(FLOW) for each in found)
        raise ReviewError(f"{len(found)} proposals are called {name!r}", hint=f"say which: {listed}")
    listed = ", ".join(each.name for each in waiting)
    raise ReviewError(f"no proposal is called {name!r}", hint=f"pending: {listed}" if listed else "nothing is pending")


def _out_of(place: str) -> str:
    """The flow's path without suffix that a pending file belongs to."""
    if place.endswith(CASSETTE + NEW) and "cassettes" in place.split("/"):
        return flow_of(place.removesuffix(NEW)).removesuffix(FLOW)
    return place.removesuffix(CASSETTE + NEW).removesuffix(FLOW + NEW).removesuffix(PROPOSAL)


def _pending(root: Path, out: str) -> Pending:
    place = out + PROPOSAL
    name = out.rsplit("/", 1)[-1]
    try:
        paths = paths_for(out)
    except UsageError as error:  # a pending file that lies where no proposal writes
        own = Paths(flow=out + FLOW, cassette=out + CASSETTE, proposal=place)
        return Pending(root=root, name=name, paths=own, problem=ReviewError(str(error), place=place))
    try:
        file = read_proposal(root / place, place)
        return Pending(root=root, name=file.name, paths=paths_of(file, place), file=file)
    except ReviewError as error:
        return Pending(root=root, name=name, paths=paths, problem=error)

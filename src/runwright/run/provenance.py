"""What a verdict rests on, named so that reports of two checkouts can be compared."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from blake3 import blake3

from runwright.convert.options import NEW
from runwright.flow import Flow
from runwright.run.discover import repository_root


@dataclass(frozen=True, kw_only=True)
class CassetteUsed:
    """The recording of a flow: its path from the root of the repository, and `blake3:<hex>` of its bytes."""

    file: str
    digest: str


def cassette_file(flow: Flow) -> Path:
    """The file of the flow's cassette; a pending flow's is the pending one, where there is one."""
    pending = flow.cassette.with_name(flow.cassette.name + NEW)
    return pending if flow.path.name.endswith(NEW) and pending.exists() else flow.cassette


def cassette_used(flow: Flow) -> CassetteUsed | None:
    """What the flow's cassette is now; None where there is none."""
    path = cassette_file(flow)
    if not path.is_file():
        return None
    return CassetteUsed(file=from_root(path), digest=f"blake3:{blake3(path.read_bytes()).hexdigest()}")


def from_root(path: Path) -> str:
    """The path as every checkout of its repository has it."""
    return path.resolve().relative_to(repository_root(path)).as_posix()

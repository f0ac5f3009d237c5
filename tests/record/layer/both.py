"""The same work done for real and in a layer: how what was told differs, and whether the second left a trace."""

from __future__ import annotations

import hashlib
import json
import os
import stat
import sys
from pathlib import Path

from runwright.record.command import observe
from runwright.record.observe import Observed
from runwright.trace import FaultRecord, plain
from runwright.trace.model import JSON
from tests.record.layer.worker import world

WORKER = Path(__file__).parent / "worker.py"
HUGE = 200 << 20
"""Bytes, none of them on the disk, of a file that makes a workspace too large for a copy."""


def made(root: Path, jobs: int, *, moves: bool, huge: bool) -> None:
    for seed in range(jobs):
        world(f"{root}/job{seed}", seed, not moves)
    if huge:
        with (root / "huge").open("wb") as file:
            file.truncate(HUGE)


def tree(root: Path) -> dict[str, object]:
    """All that there is to know of each file but the time of its last reading."""
    found: dict[str, object] = {}
    for folder, folders, files in os.walk(root):
        for path in [folder, *(os.path.join(folder, each) for each in (*folders, *files))]:
            at = os.lstat(path)
            known: list[object] = [at.st_mode, at.st_ino, at.st_nlink, at.st_uid, at.st_gid, at.st_size]
            known += [at.st_mtime_ns, at.st_ctime_ns, os.listxattr(path, follow_symlinks=False)]
            if stat.S_ISREG(at.st_mode) and at.st_size < HUGE:
                known.append(hashlib.sha256(Path(path).read_bytes()).hexdigest())
            elif stat.S_ISLNK(at.st_mode):
                known.append(os.readlink(path))
            found[path] = known
    return found


def told(observed: Observed) -> dict[str, JSON]:
    """Effects by their targets, without the calls: in a layer to open for writing is a change."""
    found: dict[str, JSON] = {}
    for record in observed.trace.effects:
        effect = record.side_effect
        detail = {key: value for key, value in effect.detail.items() if key != "operations"}
        found[f"{effect.op} {effect.target}"] = {**plain(effect), "detail": detail}
    return found


def compared(root: Path, jobs: int, operations: int, *, moves: bool, huge: bool) -> dict[str, object]:
    real, layered = root / "real", root / "layered"
    for each in (real, layered):
        made(each, jobs, moves=moves, huge=huge)
    command = [sys.executable, "-I", "-S", "-B", str(WORKER), str(jobs), str(operations), str(int(not moves))]
    wanted = observe(command, real, folder=real)
    before = tree(layered)
    found = observe(command, layered, folder=layered, dry=True)
    ours, theirs = told(wanted), told(found)
    return {
        "effects": len(ours),
        "differ": [
            [each, ours.get(each), theirs.get(each)] for each in {*ours, *theirs} if ours.get(each) != theirs.get(each)
        ],
        "unchanged": [list(wanted.unchanged), list(found.unchanged)],
        "statuses": [wanted.status, found.status],
        "faults": [each.detail for each in found.trace.records if isinstance(each, FaultRecord)],
        "left as it was": tree(layered) == before,
        "user": os.getuid(),
    }  # fmt: skip


if __name__ == "__main__":
    root, jobs, operations, *how = sys.argv[1:]
    print(json.dumps(compared(Path(root), int(jobs), int(operations), moves="plain" not in how, huge="huge" in how)))

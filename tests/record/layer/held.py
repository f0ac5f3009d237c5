"""Attempts on what is protected, by a process with the rights of this one: what was told of them, as JSON."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

from runwright.record.observe import Orders, Supervised
from tests.record.layer.attempts import FILE, INNER, KEPT
from tests.record.layer.both import tree

ATTEMPTS = Path(__file__).parent / "attempts.py"
PROTECTED = (FILE, f"{KEPT}/")


def made(root: Path) -> Path:
    workspace = root / "work"
    for each in (FILE, INNER, "plain"):
        (workspace / each).parent.mkdir(parents=True, exist_ok=True)
        (workspace / each).write_text("kept\n")
    (workspace / KEPT / "empty").mkdir()
    (workspace / "leads").symlink_to(FILE)
    if compiler := shutil.which("gcc"):
        subprocess.run([compiler, "-o", workspace / "attempt", Path(__file__).parent / "attempt.c"], check=True)
    return workspace


def main() -> None:
    workspace = made(Path(sys.argv[1]))
    watched = None if "unwatched" in sys.argv else str(workspace)
    layer = str(workspace) if "layered" in sys.argv else None
    before = {each: tree(workspace / each) for each in ("config/deep", KEPT)}
    command = [sys.executable, "-I", "-S", "-B", str(ATTEMPTS)]
    with Supervised(Orders(str(workspace), watched, 5, protect=PROTECTED, layer=layer)) as supervised:
        done = subprocess.run(
            supervised.arguments(command), pass_fds=supervised.descriptors, capture_output=True, text=True, check=False
        )
        log = supervised.log()
    lead = f"{workspace}/"
    told = done.stderr.partition("told ")[2]
    print(json.dumps({
        "errnos": json.loads(told) if told else done.stderr,
        "refused": sorted({f"{each.name} {os.fsdecode(each.path).removeprefix(lead)}" for each in log.refused}),
        "faults": [detail for detail, _ in log.faults],
        "unable": log.unable,
        "status": log.status,
        "kept": before == {each: tree(workspace / each) for each in ("config/deep", KEPT)},
        "user": os.getuid(),
    }))  # fmt: skip


if __name__ == "__main__":
    main()

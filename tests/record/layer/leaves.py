"""The escapes tried in a layer by a process with the rights of this one: what they left outside of it, as JSON."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

from runwright.record.command import observe
from runwright.trace import FaultRecord
from tests.record.layer.both import tree

ESCAPES = Path(__file__).parent / "escapes.py"
PLACES = ("/", "/tmp", "/var/tmp", "/etc", "/usr/local", "/run", "/dev/shm")


def main() -> None:
    root = Path(sys.argv[1])
    for each in ("work", "home", "beside", "other"):
        (root / each).mkdir()
    (root / "beside" / "there").touch()
    (root / "work" / "file").write_text("kept\n")
    (root / "other" / "file").write_text("kept\n")
    os.link(root / "other" / "file", root / "work" / "alias")
    os.environ["HOME"] = str(root / "home")
    before = tree(root)
    workspace = root / "work"
    words = (str(root / "other" / "file"), str(os.getpid()), str(root / "beside"))
    command = [sys.executable, "-I", "-S", "-B", str(ESCAPES), *words]
    found = observe(command, workspace, folder=workspace, dry=True)
    print(json.dumps({
        "left": [f"{at}/{each}" for at in PLACES for each in os.listdir(at) if "runwright-left" in each],
        "as it was": tree(root) == before,
        "effects": sorted(
            f"{each.side_effect.op} {found.outside.get(each.side_effect.target, each.side_effect.target)}"
            for each in found.trace.effects
        ),
        "faults": [each.detail for each in found.trace.records if isinstance(each, FaultRecord)],
        "refused": sum(1 for each in found.trace.records if each.id.startswith("p")),
        "status": found.status,
        "user": os.getuid(),
    }))  # fmt: skip


if __name__ == "__main__":
    main()

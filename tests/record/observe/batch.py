"""Many ways in one observation, each in a folder of its own: what was told of each."""

from __future__ import annotations

import json
import sys
from pathlib import Path

from runwright.record.command import observe
from runwright.record.observe import Observed
from runwright.trace import FaultRecord
from tests.record.observe.ways import WAYS, database, world

WAY = Path(__file__).parent / "ways.py"
PYTHON = [sys.executable, "-I", "-S", "-B"]


def made(root: Path, names: list[str]) -> Path:
    """The worlds of the ways, and the workspace that they are in."""
    database(root)
    for name in names:
        world(root, name)
    return root / "inside"


def observed(root: Path, names: list[str], how: str = "fast", wait: float = 20) -> Observed:
    """The ways done and observed. `how` may be `walked`: then every path is followed link by link."""
    workspace = root / "inside"
    return observe([*PYTHON, str(WAY), how, *names], workspace, folder=workspace, wait=wait)


def told(found: Observed) -> dict[str, list[str]]:
    """Effects by way, as the ways have them; faults stand under ``."""
    lines: dict[str, list[str]] = {}
    for each in found.trace.effects:
        effect = each.side_effect
        to = effect.detail.get("to")
        names = [short(found, name) for name in (effect.target, *([] if to is None else [str(to)]))]
        way, told = names[0][0], " -> ".join(name for _, name in names)
        seen = "" if "operations" in effect.detail else ", by no call"
        lines.setdefault(way, []).append(f"{effect.op} {told}{seen}")
    faults = [each.detail for each in found.trace.records if isinstance(each, FaultRecord)]
    return {name: sorted(each) for name, each in lines.items()} | ({"": faults} if faults else {})


def short(found: Observed, name: str) -> tuple[str, str]:
    """The way whose file it is, and what the way calls it."""
    real = found.outside.get(name)
    if real is None:
        way, _, rest = name.partition("/")
        return way, rest
    _, _, rest = real.partition("/outside/")
    way, _, rest = rest.partition("/")
    return way, f"outside/{rest}"


PLAIN = [name for name, way in WAYS.items() if not any(each.startswith("fault: ") for each in way.told)]
"""Ways that hide nothing, and so can be observed together."""


def main() -> None:
    """The whole of it, by a process with other rights than the one that runs the tests."""
    root = Path(sys.argv[1])
    rights = Path("/proc/self/status").read_text().partition("CapEff:")[2].split()[0]
    made(root, PLAIN)
    found = observed(root, PLAIN)
    print(json.dumps({"told": told(found), "status": found.status, "rights": rights}))


if __name__ == "__main__":
    main()

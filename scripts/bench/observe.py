"""What observing a command costs it: agents that write and that only read, observed and not, and under strace.

    python scripts/bench/observe.py [--files 5000] [--rounds 3]

Wall time of the fastest round, since what an observer costs is mostly waiting for it; and the processor time of all
processes together. The command alone is the limit. A whole `runwright observe` is shown with its own start.
"""

from __future__ import annotations

import argparse
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

WRITER = """
import sys, json
for number in range({files}):
    with open(f"out/{{number}}.json", "w") as file:
        json.dump({{"number": number, "text": "some result of the agent's"}}, file)
"""
READER = """
import json
for _ in range({rounds}):
    for number in range(500):
        with open(f"in/{{number}}.json") as file:
            json.load(file)
"""
TRACED = "open,openat,openat2,creat,unlink,unlinkat,rename,renameat,renameat2,mkdir,mkdirat,rmdir,link,linkat"


class Taken(NamedTuple):
    """Seconds."""

    wall: float
    processor: float


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--files", type=int, default=5000)
    parser.add_argument("--rounds", type=int, default=3)
    given = parser.parse_args()
    print(f"{'':<44}{'wall s':>8}{'ratio':>7}{'cpu s':>8}{'ratio':>7}")
    _table(f"{given.files:,} files written", WRITER.format(files=given.files), given.rounds)
    _table("files read only", READER.format(rounds=max(1, given.files // 50)), given.rounds)


def _table(name: str, source: str, rounds: int) -> None:
    command = [sys.executable, "-S", "-c", source]
    ways: dict[str, list[str]] = {"alone": command}
    ways["in-process observe(), two looks included"] = [sys.executable, "-c", OBSERVE, *command]
    ways["runwright observe --json"] = [sys.executable, "-m", "runwright", "observe", "--json", "--", *command]
    if shutil.which("strace"):
        ways["strace -f"] = ["strace", "-f", "-o", "/dev/null", *command]
        ways["strace -f --seccomp-bpf -e of file calls"] = [
            "strace", "-f", "--seccomp-bpf", "-e", f"trace={TRACED}", "-o", "/dev/null", *command,
        ]  # fmt: skip
    print(name)
    best = {way: Taken(1e9, 1e9) for way in ways}
    for _ in range(rounds):
        for way, words in ways.items():
            taken = _taken(words, own_clock="in-process" in way)
            best[way] = Taken(min(best[way].wall, taken.wall), min(best[way].processor, taken.processor))
    alone = best["alone"]
    for way, taken in best.items():
        ratios = taken.wall / alone.wall, taken.processor / alone.processor
        print(f"  {way:<42}{taken.wall:8.3f}{ratios[0]:7.2f}{taken.processor:8.3f}{ratios[1]:7.2f}")


OBSERVE = """
import os, sys, time
from runwright.record.observe import observe
began = time.perf_counter()
found = observe(sys.argv[1:])
os.write(1, f"{time.perf_counter() - began} {len(found.trace.effects)}".encode())
"""


def _taken(words: list[str], *, own_clock: bool) -> Taken:
    """One run in a fresh folder. Its own clock leaves out the start of the observing program."""
    with tempfile.TemporaryDirectory() as folder:
        _fill(Path(folder))
        before, began = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
        done = subprocess.run(words, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=True)
        wall = time.perf_counter() - began
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if own_clock:
        wall = float(done.stdout.split()[0])
    return Taken(wall, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)


def _fill(folder: Path) -> None:
    (folder / "in").mkdir()
    (folder / "out").mkdir()
    for number in range(500):
        (folder / "in" / f"{number}.json").write_text('{"number": 1, "text": "some input"}\n')


if __name__ == "__main__":
    main()

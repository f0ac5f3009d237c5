"""What observing a command costs it: agents that write and that only read, observed and not, and under strace.

    python scripts/bench/observe.py [--files 5000] [--rounds 3]

Of the fastest round: the time that the agent itself takes by its own clock, which is what observing does to it; the
wall time of the whole command, with the start of the observing program, its looks at the workspace and its report; the
processor time of all processes together. Ratios are to the agent alone.
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

CLOCK = """
import os, time
began = time.perf_counter()
{work}
os.write(2, f"clock {{time.perf_counter() - began}}\\n".encode())
"""
WRITER = """
import json
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
    """Seconds: by the agent's own clock, of the whole command, and of all processors."""

    own: float
    wall: float
    processor: float


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--files", type=int, default=5000)
    parser.add_argument("--rounds", type=int, default=3)
    given = parser.parse_args()
    print(f"{'':<42}{'own clock':>10}{'ratio':>7}{'wall s':>9}{'ratio':>7}{'cpu s':>9}{'ratio':>7}")
    _table(f"{given.files:,} files written", WRITER.format(files=given.files), given.rounds)
    _table("files read only", READER.format(rounds=max(1, given.files // 50)), given.rounds)


def _table(name: str, source: str, rounds: int) -> None:
    command = [sys.executable, "-S", "-c", CLOCK.format(work=source)]
    ways: dict[str, list[str]] = {"alone": command}
    ways["runwright observe"] = [sys.executable, "-m", "runwright", "observe", "--", *command]
    if shutil.which("strace"):
        ways["strace -f"] = ["strace", "-f", "-o", "/dev/null", *command]
        ways["strace -f --seccomp-bpf -e of file calls"] = [
            "strace", "-f", "--seccomp-bpf", "-e", f"trace={TRACED}", "-o", "/dev/null", *command,
        ]  # fmt: skip
    print(name)
    best = {way: Taken(1e9, 1e9, 1e9) for way in ways}
    for _ in range(rounds):
        for way, words in ways.items():
            best[way] = Taken(*map(min, best[way], _taken(words)))
    for way, taken in best.items():
        columns = (f"{each:10.3f}{each / alone:6.2f}" for each, alone in zip(taken, best["alone"], strict=True))
        print(f"  {way:<40}" + "".join(columns))


def _taken(words: list[str]) -> Taken:
    """One run in a fresh folder."""
    with tempfile.TemporaryDirectory() as folder:
        _fill(Path(folder))
        before, began = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
        done = subprocess.run(words, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, check=True)
        wall = time.perf_counter() - began
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
    own = float(done.stderr.decode().rpartition("clock ")[2])
    return Taken(own, wall, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)


def _fill(folder: Path) -> None:
    (folder / "in").mkdir()
    (folder / "out").mkdir()
    for number in range(500):
        (folder / "in" / f"{number}.json").write_text('{"number": 1, "text": "some input"}\n')


if __name__ == "__main__":
    main()

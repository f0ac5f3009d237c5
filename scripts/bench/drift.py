"""Drift and coverage beside Fixtura's `check-drift` and `coverage`, on the same runs, in one run of this script.

    python scripts/bench/drift.py [--traces N] [--events N] [--long N] [--environment DIR] [--json]

Fixtura (from PyPI) is given an environment of its own and records runs of its demo agent, the only one that its
coverage knows. Ours are the same runs, imported from those files, each with the specification of its agent in its
header. Both must say that nothing drifted and that every tool is covered, else nothing is measured. Seconds are the
least of some rounds, taken in turn, with all processes that a command starts: processor time decides, wall time stands
beside it.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
import venv
from collections.abc import Callable, Sequence
from contextlib import chdir
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

from msgspec.structs import replace

from runwright.coverage import coverage, registered_by
from runwright.drift import AgentSpec, agent_drift, specification_of
from runwright.readers import read_foreign
from runwright.spec import spec_of
from runwright.survey import survey
from runwright.trace import dumps_trace

FIXTURA = "fixtura==2.0.1"
SIDE = Path(__file__).with_name("fixtura_side.py")
ROUNDS = 3
AGENT = """
TEXT = {"type": "string"}

def takes(**fields):
    return {"type": "object", "properties": fields, "required": list(fields)}

spec = {
    "system_prompt": "You are Fixtura's canonical test agent. Use the provided tools to satisfy the request.",
    "tools": [
        {"name": "filesystem_tool", "parameters": takes(operation={"enum": ["read", "write"]}, path=TEXT)},
        {"name": "sqlite_tool", "parameters": takes(operation={"enum": ["read", "write"]}, query=TEXT)},
        {"name": "http_tool", "parameters": takes(url=TEXT)},
    ],
    "policies": {"grants": {"read": ["orders"], "write": [], "allowed_domains": ["example.com"]}},
}
"""
"""What a trace of Fixtura's keeps digests of."""


class Seconds(NamedTuple):
    """What a command, or a function, takes."""

    processor: float
    wall: float


class Row(NamedTuple):
    """One thing that is done, by either."""

    what: str
    ours: Seconds
    theirs: Seconds


def environment(folder: Path) -> Path:
    """The programs of Fixtura's environment, which is made where it is not there."""
    programs = folder / "bin"
    if not (programs / "fixtura").exists():
        venv.create(folder, with_pip=True)
        pip = [programs / "python", "-m", "pip", "install", "--quiet", "--disable-pip-version-check", FIXTURA]
        subprocess.run(pip, check=True)
    return programs


def run(*command: object) -> None:
    """The command, whose status must be 0."""
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise SystemExit(f"{' '.join(map(str, command))}: exit {done.returncode}\n{done.stdout}{done.stderr}")


def timed(*commands: Sequence[object]) -> Seconds:
    """What the commands take one after the other, with all that they start."""
    before, began = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    for each in commands:
        run(*each)
    wall, after = time.perf_counter() - began, resource.getrusage(resource.RUSAGE_CHILDREN)
    return Seconds(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, wall)


def least(takes: Sequence[Seconds]) -> Seconds:
    """The least of each."""
    return Seconds(min(each.processor for each in takes), min(each.wall for each in takes))


def compared(what: str, ours: Callable[[], Seconds], theirs: Callable[[], Seconds]) -> Row:
    """Both by turns, so that a busy machine is as busy for either."""
    takes = [(ours(), theirs()) for _ in range(ROUNDS)]
    return Row(what, least([each for each, _ in takes]), least([each for _, each in takes]))


def made(programs: Path, traces: int, events: int, long: int) -> None:
    """The runs in both forms: `theirs/`, `ours/` and a long one of each; and the agent."""
    for name in ("theirs", "ours"):
        Path(name).mkdir()
    names = {f"theirs/{at:04}.trace": events for at in range(traces)} | {"long.trace": long, "short.trace": 8}
    run(programs / "python", SIDE, "make", *(str(part) for each in names.items() for part in each))
    Path("desk.py").write_text(AGENT)
    told = specification_of(agent())
    for name in names:
        trace = read_foreign([Path(name)])
        whole = replace(trace, header=replace(trace.header, specification=told))
        Path(name.replace("theirs/", "ours/").replace(".trace", ".jsonl")).write_bytes(dumps_trace(whole))


def agent() -> AgentSpec:
    """The agent of the runs, as `desk:spec` gives it."""
    names: dict[str, object] = {}
    exec(AGENT, names)
    return spec_of(names["spec"])


def commands(programs: Path) -> list[Row]:
    """The commands, with the start of their processes."""
    we, they = [sys.executable, "-m", "runwright"], [programs / "fixtura"]
    theirs = sorted(Path("theirs").iterdir())

    def both(what: str, ours: Sequence[object], *other: Sequence[object]) -> Row:
        return compared(what, lambda: timed([*we, *ours]), lambda: timed(*([*they, *each] for each in other)))

    check = ["--agent", "desk:spec"]
    return [
        both("drift, a trace of 8 events", ["drift", "short.jsonl", *check], ["check-drift", "short.trace"]),
        both("drift, the long trace", ["drift", "long.jsonl", *check], ["check-drift", "long.trace"]),
        both("drift, all traces", ["drift", "ours", *check], *(["check-drift", each] for each in theirs)),
        both("coverage, a trace of 8 events", ["coverage", "short.jsonl", *check], ["coverage", "short.trace"]),
        both("coverage, all traces", ["coverage", "ours", *check], ["coverage", "theirs"]),
        both("coverage, the long trace", ["coverage", "long.jsonl", *check], ["coverage", "long.trace"]),
        both("coverage, their long file by both", ["coverage", "long.trace", *check], ["coverage", "long.trace"]),
    ]


def functions(programs: Path) -> list[Row]:
    """The same within a process that has already started and imported all that it needs; the agent is at hand."""
    spec, now = agent(), datetime.now(UTC)

    def drift(path: str) -> None:
        for name, trace in survey([Path(path)]).traces:
            assert agent_drift(trace, spec, now).verdict == "SAME", name

    def covered(path: str) -> None:
        found = coverage((trace for _, trace in survey([Path(path)]).traces), registered_by(spec))
        assert found.covered == 3

    def ours(work: Callable[[str], None], path: str) -> Seconds:
        began, at = time.process_time(), time.perf_counter()
        work(path)
        return Seconds(time.process_time() - began, time.perf_counter() - at)

    def theirs(what: str, path: str) -> Seconds:
        done = subprocess.run([programs / "python", SIDE, what, path], capture_output=True, text=True, check=True)
        return Seconds(float(done.stdout), float("nan"))

    def both(what: str, work: Callable[[str], None], name: str, *paths: str) -> Row:
        return compared(f"{what}, in process", lambda: ours(work, paths[0]), lambda: theirs(name, paths[1]))

    return [
        both("drift, all traces", drift, "drift", "ours", "theirs"),
        both("drift, the long trace", drift, "drift", "long.jsonl", "long.trace"),
        both("coverage, all traces", covered, "coverage", "ours", "theirs"),
        both("coverage, the long trace", covered, "coverage", "long.jsonl", "long.trace"),
    ]


def main() -> int:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--traces", type=int, default=20)
    parser.add_argument("--events", type=int, default=100)
    parser.add_argument("--long", type=int, default=5_000)
    parser.add_argument("--environment", type=Path)
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    os.environ["PYTHONPATH"] = str(Path(__file__).resolve().parent.parent.parent / "src")
    with tempfile.TemporaryDirectory() as folder, chdir(folder):
        programs = environment((given.environment or Path(folder, "environment")).absolute())
        made(programs, given.traces, given.events, given.long)
        sizes = {name: Path(name).stat().st_size for name in ("long.jsonl", "long.trace")}
        rows = [*commands(programs), *functions(programs)]
    if given.json:
        ratios = {each.what: each.ours.processor / each.theirs.processor for each in rows}
        print(json.dumps({"processor time of ours to theirs": ratios}, indent=2))
        return 0
    print(f"{given.traces} traces of {given.events} events, a long one of {given.long} ({sizes}); {FIXTURA}")
    print("| what | ours, processor s | Fixtura's | ratio | by wall |\n|---|---|---|---|---|")
    for each in rows:
        ratio, wall = each.ours.processor / each.theirs.processor, each.ours.wall / each.theirs.wall
        print(f"| {each.what} | {each.ours.processor:.2f} | {each.theirs.processor:.2f} | {ratio:.2f} | {wall:.2f} |")
    return 0


if __name__ == "__main__":
    sys.exit(main())

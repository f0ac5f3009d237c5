"""How long `runwright --version` and `runwright fingerprint` of a small trace take, against Python that does nothing.

    python scripts/bench/startup.py [--rounds N] [--json]

Ratios within this run, by processor time of the fastest of some rounds of processes that take turns; every module is
compiled before, as it is where it is installed. Beside them: the same fingerprint by way of typer, and typer by itself.
"""

from __future__ import annotations

import argparse
import compileall
import json
import os
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

import runwright
from runwright.trace import Header, Message, ModelRecord, ModelRequest, ModelResponse, TextBlock, Trace, dumps_trace
from runwright.trace.model import ToolCallBlock, ToolRecord

START = "import sys; from runwright.cli.app import main; sys.exit(main(sys.argv[1:]))"
TARGETS = {"runwright --version": 1.3, "runwright fingerprint small": 4.0}


def main() -> None:
    """Print the ratios."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=15, metavar="N")
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    compileall.compile_dir(Path(runwright.__file__).parent, quiet=1)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "small.jsonl"
        path.write_bytes(dumps_trace(small()))
        found = ratios(path, given.rounds)
    if given.json:
        print(json.dumps(found, indent=2))
        return
    print(f"python -c pass: {found['python -c pass'] * 1e3:.1f} ms")
    for name, ratio in found.items():
        if name != "python -c pass":
            target = f"   (target <= {TARGETS[name]})" if name in TARGETS else ""
            print(f"{name} / python -c pass: {ratio:.2f}{target}")


def ratios(path: Path, rounds: int) -> dict[str, float]:
    """Each command against `python -c pass`, which is given in seconds."""
    commands = {
        "python -c pass": ["-c", "pass"],
        "runwright --version": ["-c", START, "--version"],
        "runwright fingerprint small": ["-c", START, "fingerprint", str(path)],
        "runwright fingerprint small --json": ["-c", START, "fingerprint", str(path), "--json"],
        "the same by way of typer": ["-c", START, "fingerprint", "--", str(path)],
        "import typer": ["-c", "import typer"],
    }
    taken: dict[str, list[float]] = {name: [] for name in commands}
    for _ in range(rounds):
        for name, command in commands.items():
            taken[name].append(seconds([sys.executable, *command]))
    bare = min(taken.pop("python -c pass"))
    return {"python -c pass": bare, **{name: min(each) / bare for name, each in taken.items()}}


def seconds(command: list[str]) -> float:
    """The processor time of a process."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    environment = {name: each for name, each in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, env=environment)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def small() -> Trace:
    """A run of two exchanges and a call."""
    request = ModelRequest(
        api="openai.chat_completions", model="gpt-4o-mini",
        messages=(Message(role="user", content=(TextBlock(text="My teapot arrived broken."),)),),
    )  # fmt: skip
    asks = ToolCallBlock(id="call_1", name="lookup_order", arguments={"order_id": "A-4471"})
    says = TextBlock(text="It is refunded.")
    records = (
        ModelRecord(id="m1", request=request, response=ModelResponse(content=(asks,)), fidelity="raw"),
        ToolRecord(
            id="t1", after=("m1",), name="lookup_order", arguments={"order_id": "A-4471"}, result="late", outcome="ok",
            call_id="call_1", fidelity="raw",
        ),
        ModelRecord(id="m2", after=("t1",), request=request, response=ModelResponse(content=(says,)), fidelity="raw"),
    )  # fmt: skip
    return Trace(header=Header(kind="run", trace_id="small"), records=records)


if __name__ == "__main__":
    main()

"""What runs in Fixtura's own environment: makes its traces, and times its functions without the start of a process.

fixtura_side.py make FILE EVENTS [FILE EVENTS ...]
fixtura_side.py drift FILE ...          prints the seconds of processor time that its check takes
fixtura_side.py coverage FILE ...       the same for its coverage
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from fixtura.analysis.coverage import analyze
from fixtura.cli.canonical_agent import build_registry, spec
from fixtura.recorder.fingerprint import compare
from fixtura.recorder.recorder import ExecutionRecorder
from fixtura.recorder.trace_reader import TraceReader

TOOLS = ("filesystem_tool", "sqlite_tool", "http_tool")
ROUNDS = 3


def make(path: str, events: int) -> None:
    """A trace of the demo agent: a model's call and three calls of tools, again and again."""
    recorder = ExecutionRecorder(path, fingerprint=spec().fingerprint())
    for number in range(events):
        if number % 4 == 0:
            recorder.record_event(
                {
                    "event_type": "llm_call",
                    "timestamp": float(number),
                    "prompt": f"Order {number} arrived broken, refund it. " * 4,
                    "completion": f"I look order {number} up. " * 4,
                    "provider": "openai",
                    "model": "gpt-desk",
                    "input_tokens": 31,
                    "output_tokens": 12,
                    "finish_reason": "stop",
                    "latency_ms": 100,
                }
            )
            continue
        denied = number % 50 == 1
        recorder.record_event(
            {
                "event_type": "tool_call",
                "timestamp": float(number),
                "tool_name": TOOLS[number % 3],
                "arguments": {"operation": "read", "path": f"orders/{number}.json"},
                "permission_decision": "denied" if denied else "allowed",
                "permission_reason": "not granted" if denied else None,
                "rate_limit_decision": "allowed",
                "rate_limit_reason": None,
                "response": None if denied else f"order {number}: two cups, one of them broken. " * 4,
                "latency_ms": 3,
            }
        )


def check(paths: Sequence[str]) -> None:
    for path in paths:
        header = TraceReader(path).read_header()
        report = compare(header["fingerprint"], spec().fingerprint())
        if report.exit_code != 0:
            raise SystemExit(f"{path}: {report.verdict}")


def cover(paths: Sequence[str]) -> None:
    report = analyze(paths, build_registry())
    if report.tool_coverage != 1:
        raise SystemExit(f"{report.tool_coverage} of the tools")


def least(work: Callable[[], object]) -> float:
    taken = []
    for _ in range(ROUNDS):
        began = time.process_time()
        work()
        taken.append(time.process_time() - began)
    return min(taken)


def main() -> None:
    what, *given = sys.argv[1:]
    if what == "make":
        for path, events in zip(given[::2], given[1::2], strict=True):
            make(path, int(events))
    else:
        files = [str(path) for each in given for path in (sorted(Path(each).glob("*.trace")) or [Path(each)])]
        print(least(lambda: {"drift": check, "coverage": cover}[what](files)))


if __name__ == "__main__":
    main()

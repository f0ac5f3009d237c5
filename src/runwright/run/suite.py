"""A suite: many flows, one exit status."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from runwright.errors import Exit, UsageError
from runwright.run.controls import shared_controls, shared_fault
from runwright.run.discover import Problem, flow_files, from_here, proposed_flow, repository_root, waiting_in_ci
from runwright.run.governed import Suites
from runwright.run.one import FlowRun, run_one
from runwright.run.options import RunOptions
from runwright.run.selection import selected

DEFAULT_FOLDER = Path("flows")


@dataclass(frozen=True, kw_only=True)
class SuiteReport:
    """What a suite found. `exit` is the one status for all of it; an interrupted suite keeps what it had."""

    started_at: datetime
    duration: float
    runs: tuple[FlowRun, ...]
    problems: tuple[Problem, ...]
    interrupted: bool

    @property
    def exit(self) -> Exit:
        """2 beats 1 beats 0; no flow at all is 2; an interruption is 130."""
        found = {run.result.exit for run in self.runs}
        if self.interrupted or Exit.INTERRUPTED in found:
            return Exit.INTERRUPTED
        if self.problems or not self.runs or Exit.NOT_JUDGED in found:
            return Exit.NOT_JUDGED
        return Exit.FAILED if found - {Exit.OK} else Exit.OK


def run_suite(paths: Sequence[Path], options: RunOptions | None = None, *, proposal: str | None = None) -> SuiteReport:
    """Run the flows named and those in the folders named (without any: `flows/`), each on its own.

    `proposal` runs that pending proposal instead. UsageError for a path or a proposal that does not exist, and for both
    a path and a proposal.
    """
    if paths and proposal is not None:
        fault = f"a proposal is run by itself, without {', '.join(map(str, paths))}"
        raise UsageError(fault, hint="run the flows in a run of their own")
    options = options or RunOptions()
    started_at, clock = datetime.now(UTC), time.monotonic()
    given = tuple(paths) or (DEFAULT_FOLDER,)
    suites = Suites(options)
    flows = (
        [from_here(proposed_flow(repository_root(Path()), proposal))]
        if proposal is not None
        else selected(flow_files(given), given, suites)
    )
    empty = [] if proposal is not None else _no_flows(flows, given)
    problems = [*empty, *waiting_in_ci(map(repository_root, (*given, *flows)), options.environment)]
    runs = _runs(flows, options, suites)
    return SuiteReport(
        started_at=started_at,
        duration=time.monotonic() - clock,
        runs=tuple(run for run in runs if run is not None),
        problems=(*problems, *_shared_controls(runs), *_not_run(flows, runs)),
        interrupted=options.stop.is_set(),
    )


def _runs(flows: Sequence[Path], options: RunOptions, suites: Suites) -> list[FlowRun | None]:
    """One entry a flow, in their order; None for a flow that an interruption kept from running."""
    if options.jobs <= 1:
        return [_guarded(flow, options, suites) for flow in flows]
    with ThreadPoolExecutor(max_workers=options.jobs) as pool:
        waiting = [pool.submit(_unless_stopped, flow, options, suites) for flow in flows]
        try:
            wait(waiting)
        except KeyboardInterrupt:
            options.stop.set()  # the workers see it, end their agents and return
        return [future.result() for future in waiting]


def _guarded(flow: Path, options: RunOptions, suites: Suites) -> FlowRun | None:
    try:
        return _unless_stopped(flow, options, suites)
    except KeyboardInterrupt:  # before or after the agent ran: while it runs, the run itself answers
        options.stop.set()
        return None


def _unless_stopped(flow: Path, options: RunOptions, suites: Suites) -> FlowRun | None:
    return None if options.stop.is_set() else run_one(flow, options, suites)


def _no_flows(flows: Sequence[Path], given: Sequence[Path]) -> Iterator[Problem]:
    """One problem for each path given under which nothing runs: whoever names it believes that it is checked."""
    chosen = [flow.resolve() for flow in flows]
    for path in given:
        found = [flow.resolve() for flow in flow_files([path])]
        if not found:
            yield Problem(message="no flow found", place=str(path), hint="a flow is a file *.flow.yaml")
        elif not any(flow in chosen for flow in found):
            yield Problem(
                message="its suite file leaves out every flow here, so none runs",
                place=str(path),
                hint="name a flow by its file, or list it under 'flows'",
            )


def _shared_controls(runs: Sequence[FlowRun | None]) -> list[Problem]:
    results = [run.result for run in runs if run is not None]
    claims = [(result.control.id, str(result.path)) for result in results if result.control is not None]
    return [
        Problem(message=shared_fault(id, len(paths)), place=", ".join(paths), hint="rename one")
        for id, paths in shared_controls(claims).items()
    ]


def _not_run(flows: Sequence[Path], runs: Sequence[FlowRun | None]) -> list[Problem]:
    pairs = zip(flows, runs, strict=True)
    return [
        Problem(message="not run: the suite was interrupted", place=str(flow)) for flow, run in pairs if run is None
    ]

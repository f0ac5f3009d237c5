"""Flow files as test items: one item a flow, which passes, fails or errors as `runwright run` says."""

from __future__ import annotations

import os
import time
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

import pytest

from runwright.errors import Exit, RunwrightError
from runwright.flow import Word, parse_flow
from runwright.flow.variables import as_written
from runwright.pytest_plugin import NOTE
from runwright.pytest_plugin.settings import settings_of
from runwright.pytest_plugin.verdict import Verdict
from runwright.reports import report_of
from runwright.reports.model import RunReport
from runwright.reports.shown import one_line
from runwright.reports.text import flow_lines
from runwright.run import Problem, RunOptions, SuiteReport, repository_root, run_one
from runwright.run.controls import shared_controls, shared_fault
from runwright.run.discover import from_here, waiting_in_ci
from runwright.run.governed import Suites
from runwright.run.selection import selected

NOTHING_WAITS = "no proposal waits for a person"


class FlowFile(pytest.File):
    """A flow file: a collector of one item."""

    def collect(self) -> Iterable[FlowItem]:
        """The flow, under its own name; under the file's where it cannot be read, which its run then says."""
        try:
            data = self.path.read_bytes()
            flow = parse_flow(data, self.path, as_written(data.decode("utf-8-sig")))
        except (RunwrightError, OSError, UnicodeDecodeError):
            yield FlowItem.from_parent(self, name=self.path.name)
            return
        item = FlowItem.from_parent(self, name=_node_name(flow.name))
        item.control = flow.control.id if flow.control else None
        yield item


class FlowItem(pytest.Item):
    """One flow. It runs in the setup phase, so that what could not be judged is an error and not a failure."""

    control: str | None = None
    shared: Sequence[str] = ()
    """The flows that claim the same control, this one among them."""

    _report: RunReport | None = None

    def setup(self) -> None:
        """Run the flow; Verdict where it could not be judged."""
        if self.control is not None and self.shared:
            raise Verdict(f"INVALID, {shared_fault(self.control, len(self.shared))}: {', '.join(self.shared)}")
        self._report = report_of(_run(from_here(self.path), runner_of(self.config)))
        if self._report.exit == Exit.NOT_JUDGED:
            raise Verdict(_told(self._report))

    def runtest(self) -> None:
        """Pass or fail as the flow's run did."""
        if self._report is None or self._report.exit != Exit.OK:
            raise Verdict(_told(self._report) if self._report else "UNVERIFIED, the flow did not run")
        self._note(self._report)

    def reportinfo(self) -> tuple[Path, int | None, str]:
        """Where the flow is, and the title of what pytest shows about it."""
        return self.path, None, f"{self.name} ({from_here(self.path)})"

    def _note(self, report: RunReport) -> None:
        for flow in report.flows:
            lines = list(flow_lines(flow))
            if lines:
                self.add_report_section("call", "runwright", "\n".join(map(one_line, lines)))
            if flow.summary != Word.PASS.value:
                self.user_properties.append((NOTE, one_line(flow.summary)))


class PendingItem(pytest.Item):
    """Where CI is set: the proposals of a repository that nobody accepted or rejected. There only if there are any."""

    waiting: Sequence[Problem] = ()

    def setup(self) -> None:
        """Name them; a suite that a person has not finished is not judged."""
        lines = [f"{each.place}: {each.message}" for each in self.waiting]
        raise Verdict("\n".join((f"UNVERIFIED, {lines[0]}", *lines[1:], f"hint: {self.waiting[0].hint}")))

    def runtest(self) -> None:
        """Never reached."""

    def reportinfo(self) -> tuple[Path, int | None, str]:
        """The title of what pytest shows about it."""
        return self.path, None, self.name


def pending_items(session: pytest.Session, items: Iterable[pytest.Item]) -> Iterator[PendingItem]:
    """One item a repository of the chosen flows in which a proposal waits."""
    for root in dict.fromkeys(repository_root(item.path) for item in items if isinstance(item, FlowItem)):
        waiting = waiting_in_ci([root], os.environ)
        if waiting:
            nodeid = f"{from_here(root)}::{NOTHING_WAITS}"
            item = PendingItem.from_parent(session, name=NOTHING_WAITS, nodeid=nodeid)
            item.waiting = waiting
            yield item


class Runner(NamedTuple):
    """What all flows of one run of pytest share: the options, and the suite files, each read once."""

    options: RunOptions
    suites: Suites


RUNNER = pytest.StashKey[Runner]()


def runner_of(config: pytest.Config) -> Runner:
    """The one of this run of pytest."""
    if RUNNER not in config.stash:
        settings = settings_of(config)
        options = RunOptions(timeout=settings.timeout, strict=settings.strict, keep=settings.keep)
        config.stash[RUNNER] = Runner(options, Suites(options))
    return config.stash[RUNNER]


def arrange(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Put the flows in the order that their suite files want, and leave out what those leave out and nobody named."""
    places = [n for n, item in enumerate(items) if isinstance(item, FlowItem)]
    by_path = {items[n].path: items[n] for n in places}
    named = [config.invocation_params.dir / given.partition("::")[0] for given in config.args]
    chosen = [by_path.pop(path) for path in selected(list(by_path), named, runner_of(config).suites)]
    for n, item in zip(places, chosen, strict=False):
        items[n] = item
    for n in reversed(places[len(chosen) :]):
        del items[n]
    if by_path:
        config.hook.pytest_deselected(items=list(by_path.values()))


def claim_controls(items: Iterable[pytest.Item]) -> None:
    """Tell the flows that claim one control of each other: two cannot both be believed."""
    flows = [item for item in items if isinstance(item, FlowItem)]
    for claimants in shared_controls((each.control, each) for each in flows if each.control is not None).values():
        for item in claimants:
            item.shared = [each.nodeid.partition("::")[0] for each in claimants]


def _run(path: Path, runner: Runner) -> SuiteReport:
    """The flow as a suite of its own, which is what a report is about; an interruption goes on to pytest."""
    started_at, clock = datetime.now(UTC), time.monotonic()
    run = run_one(path, *runner)
    if runner.options.stop.is_set():
        raise KeyboardInterrupt
    duration = time.monotonic() - clock
    return SuiteReport(started_at=started_at, duration=duration, runs=(run,), problems=(), interrupted=False)


def _told(report: RunReport) -> str:
    """What there is to say of a run that is no pass, the verdict first."""
    lines = [line for flow in report.flows for line in flow_lines(flow)]
    for problem in report.problems:
        lines.append(f"{problem.place}: {problem.message}" if problem.place else problem.message)
        lines += [f"  hint: {problem.hint}"] if problem.hint else []
    return "\n".join(map(one_line, lines))


def _node_name(name: str) -> str:
    """A name that can be given back to pytest after `::`."""
    return one_line(name).replace("::", ":").translate(str.maketrans("[]", "()"))

"""What governs a flow: the nearest suite file, its variables, and its commands before and after."""

from __future__ import annotations

import dataclasses
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from runwright.errors import HookError, RunwrightError
from runwright.run.discover import from_here, repository_root
from runwright.run.options import RunOptions
from runwright.run.shell import run_shell
from runwright.run.suite_environment import SuiteEnvironment, said_by, suite_environment
from runwright.run.suite_file import SuiteFile, find_suite, load_suite
from runwright.run.turn import repository_turn


@dataclass(frozen=True, kw_only=True)
class Governed:
    """A suite file and its variables, ready for its flows."""

    suite: SuiteFile
    environment: SuiteEnvironment

    def options(self, options: RunOptions) -> RunOptions:
        """The options as a flow of this suite sees them."""
        return dataclasses.replace(
            options,
            environment=self.environment.variables,
            passed=(*options.passed, *self.environment.names),
            known={**options.known, **self.environment.secrets},
        )


class Suites:
    """The suite files of one run, each read once, its `env_from` run once; what is wrong with one stays wrong."""

    def __init__(self, options: RunOptions) -> None:
        self._options = options
        self._lock = threading.Lock()
        self._files: dict[Path, SuiteFile | RunwrightError] = {}
        self._ready: dict[Path, Governed | RunwrightError] = {}

    def file_of(self, flow: Path) -> SuiteFile | None:
        """The suite file that governs the flow, if one does; its commands are not run."""
        path = find_suite(flow)
        with self._lock:
            return None if path is None else _kept(self._files, path, lambda: load_suite(path))

    def of(self, flow: Path) -> Governed | None:
        """What governs the flow, if anything does; RunwrightError where the suite file or `env_from` fails."""
        suite = self.file_of(flow)
        with self._lock:  # the first flow runs the command, others wait for it
            return None if suite is None else _kept(self._ready, suite.path, lambda: self._govern(suite))

    def options_for(self, flow: Path) -> RunOptions:
        """The options as the flow sees them: with the variables of the suite that governs it. Raises as `of` does."""
        governed = self.of(flow)
        return governed.options(self._options) if governed else self._options

    def _govern(self, suite: SuiteFile) -> Governed:
        environment = suite_environment(suite, self._options.environment, self._options.stop)
        return Governed(suite=suite, environment=environment)


T = TypeVar("T")


def _kept(values: dict[Path, T | RunwrightError], path: Path, make: Callable[[], T]) -> T:
    if path not in values:
        try:
            values[path] = make()
        except RunwrightError as error:
            values[path] = error
    value = values[path]
    if isinstance(value, RunwrightError):
        raise value
    return value


def before_each(governed: Governed, flow: Path, stop: threading.Event) -> None:
    """Run the command before the flow; HookError where it fails."""
    _hook(governed, "before_each", governed.suite.before_each, flow, stop)


def after_each(governed: Governed, flow: Path) -> str:
    """Run the command after the flow, also when everything else was interrupted; how it failed, empty if it did not."""
    try:
        _hook(governed, "after_each", governed.suite.after_each, flow, None)
    except HookError as error:
        return str(error)
    return ""


def _hook(governed: Governed, name: str, command: str | None, flow: Path, stop: threading.Event | None) -> None:
    if command is None:
        return
    suite, environment = governed.suite, governed.environment
    variables, waits = _with_flow(environment.variables, flow), stop or threading.Event()
    with repository_turn(repository_root(flow), waits, alone=False) as ours:  # not while an agent is watched there
        if not ours:
            return
        end = run_shell(command, suite.folder, variables, suite.timeout, stop)
    if end.failure:
        place = f"{from_here(suite.path)}: $.{name}"
        raise HookError(f"{name} {end.failure}{said_by(end, environment.secrets)}", place=place)


def _with_flow(variables: Mapping[str, str], flow: Path) -> dict[str, str]:
    path = str(flow.absolute())
    return {**variables, "RUNWRIGHT_FLOW": path, "FLOWPROOF_SPEC": path}

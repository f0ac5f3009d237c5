"""Which of the flows found run, and in which order: what their suite files say."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from pathlib import Path

from runwright.errors import RunwrightError
from runwright.run.governed import Suites
from runwright.run.suite_file import SuiteFile


def selected(flows: Sequence[Path], named: Iterable[Path], suites: Suites) -> list[Path]:
    """The flows that run, in order.

    A suite file orders its own flows among the places that they have; what its `flows` leaves out runs only if it is
    among the `named`. A suite file that is wrong selects nothing: its flows say so when they are to run.
    """
    explicit = set(map(_whole, named))
    governed = [(flow, _suite_of(flow, suites)) for flow in flows]
    kept = [(flow, suite) for flow, suite in governed if _runs(flow, suite, explicit)]
    chosen = [flow for flow, _ in kept]
    for suite in {suite.path: suite for _, suite in kept if suite is not None}.values():
        places = [n for n, (_, its) in enumerate(kept) if its is not None and its.path == suite.path]
        ranked = sorted((chosen[n] for n in places), key=lambda flow: _rank(flow, suite))
        for n, flow in zip(places, ranked, strict=True):
            chosen[n] = flow
    return chosen


def _suite_of(flow: Path, suites: Suites) -> SuiteFile | None:
    try:
        return suites.file_of(flow)
    except RunwrightError:
        return None


def _runs(flow: Path, suite: SuiteFile | None, explicit: set[Path]) -> bool:
    return suite is None or suite.flows is None or _whole(flow) in suite.flows or _whole(flow) in explicit


def _rank(flow: Path, suite: SuiteFile) -> int:
    first = suite.order if suite.flows is None else suite.flows
    path = _whole(flow)
    return first.index(path) if path in first else len(first)


def _whole(path: Path) -> Path:
    return Path(os.path.normpath(path.absolute()))

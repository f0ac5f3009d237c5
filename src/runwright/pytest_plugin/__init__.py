"""The pytest plugin: flows as test items, and cassettes served to code under test.

pytest loads this module in every run of whoever has runwright installed, so it imports nothing heavy.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from runwright.pytest_plugin.cassettes import Cassettes
    from runwright.pytest_plugin.flows import FlowFile

SUFFIXES = (".flow.yaml", ".flow.yml")
FIXTURE = "runwright_replay"
NOTE = "runwright"
"""The user property that holds what a pass does not say by itself."""

CASSETTES = pytest.StashKey["Cassettes"]()


def pytest_addoption(parser: pytest.Parser) -> None:
    """Declare the options, each on the command line and in the configuration file."""
    group = parser.getgroup("runwright", "replay of flows and cassettes")
    group.addoption("--runwright-strict", action="store_true", help="a field that was never compared is an error")
    group.addoption("--runwright-keep", action="store_true", help="keep each live trace under .runwright/runs/")
    group.addoption("--runwright-timeout", type=float, metavar="SECONDS", help="time limit of a flow")
    parser.addini("runwright_strict", "as --runwright-strict", type="bool", default=False)
    parser.addini("runwright_keep", "as --runwright-keep", type="bool", default=False)
    parser.addini("runwright_timeout", "as --runwright-timeout")


def pytest_configure(config: pytest.Config) -> None:
    """Declare the marker."""
    config.addinivalue_line("markers", f"{FIXTURE}(cassette, **options): serve this cassette while the test runs")


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> FlowFile | None:
    """A collector for a flow file; a proposal that waits for review is none."""
    if not file_path.name.endswith(SUFFIXES):
        return None
    from runwright.pytest_plugin.flows import FlowFile

    return FlowFile.from_parent(parent, path=file_path)


@pytest.hookimpl(wrapper=True)
def pytest_collection_modifyitems(
    session: pytest.Session, config: pytest.Config, items: list[pytest.Item]
) -> Generator[None, None, None]:
    """Arrange and compare the flows before any is deselected; afterwards add what speaks against all of them."""
    if not any(item.path.name.endswith(SUFFIXES) for item in items):
        return (yield)
    from runwright.pytest_plugin.flows import arrange, claim_controls, pending_items

    arrange(config, items)
    claim_controls(items)
    yield
    items.extend(pending_items(session, items))


def pytest_report_teststatus(report: pytest.TestReport | pytest.CollectReport) -> tuple[str, str, str] | None:
    """A pass that does not say all by itself says the rest under -v."""
    if not isinstance(report, pytest.TestReport) or report.when != "call" or not report.passed:
        return None
    notes = [str(value) for name, value in report.user_properties if name == NOTE]
    return ("passed", ".", f"PASSED ({'; '.join(notes)})") if notes else None


@pytest.fixture
def runwright_replay(request: pytest.FixtureRequest) -> Iterator[Cassettes]:
    """Serve a cassette to the code under test: `with runwright_replay("x.cassette.jsonl") as replay:`.

    The test fails where the code did not ask for what is recorded, whatever it made of the refusal.
    """
    from runwright.pytest_plugin.cassettes import Cassettes

    cassettes = request.node.stash[CASSETTES] = Cassettes(request.node)
    cassettes.open_marked()
    yield cassettes
    cassettes.finish()


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """The marker asks for the fixture, before any other: they may already need the cassette."""
    if isinstance(item, pytest.Function) and item.get_closest_marker(FIXTURE):
        others = [name for name in item.fixturenames if name != FIXTURE]
        item.fixturenames = [FIXTURE, *others]  # its own list: the tests of one parametrised function share theirs


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None, object, object]:
    """What a test left open is judged as part of the test."""
    __tracebackhide__ = True
    try:
        result = yield
    except BaseException as error:
        if CASSETTES in item.stash:
            item.stash[CASSETTES].judge(error)
        raise
    if CASSETTES in item.stash:
        item.stash[CASSETTES].judge()
    return result

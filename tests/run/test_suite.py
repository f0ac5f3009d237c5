"""Many flows, one exit status; and nothing that did not run is a pass."""

import os
import signal
import subprocess
import sys
import textwrap
import threading
import time
from pathlib import Path

import pytest

from runwright.errors import Exit, UsageError
from runwright.flow import Word
from runwright.run import RunOptions, SuiteReport, run_suite
from tests.run.story import Shop, shop
from tests.run.test_one import BARE
from tests.signals import heed_interrupts


@pytest.fixture
def made(tmp_path: Path) -> Shop:
    return shop(tmp_path)


def suite(*paths: Path, proposal: str | None = None, **options: object) -> SuiteReport:
    return run_suite(paths, RunOptions(**{"environment": BARE, "timeout": 30, **options}), proposal=proposal)


def flows(made: Shop, *changes: tuple[str, str]) -> Path:
    """Further flows beside the green one: each change makes one, named 1, 2 ..."""
    for number, change in enumerate(changes, 1):
        made.spec(change)
        made.flow.rename(made.flow.with_name(f"{number}.flow.yaml"))
    made.spec()
    return made.flow.parent


RED = ("times: 1", "times: 2")
BROKEN = ("steps:", "stepz:")


@pytest.mark.parametrize(
    ("changes", "exit"),
    [((), Exit.OK), ((RED,), Exit.FAILED), ((BROKEN,), Exit.NOT_JUDGED), ((RED, BROKEN), Exit.NOT_JUDGED)],
)
def test_two_beats_one_beats_none(made: Shop, changes: tuple[tuple[str, str], ...], exit: Exit) -> None:
    report = suite(flows(made, *changes))
    assert report.exit is exit
    assert len(report.runs) == len(changes) + 1
    assert report.runs[-1].result.word is Word.PASS


def test_the_failures_found_stay_beside_what_could_not_be_judged(made: Shop) -> None:
    words = [run.result.word for run in suite(flows(made, RED, BROKEN)).runs]
    assert words == [Word.FAIL, Word.INVALID, Word.PASS]


def test_no_flow_is_no_pass(tmp_path: Path) -> None:
    report = suite(tmp_path)
    assert (report.exit, [problem.message for problem in report.problems]) == (Exit.NOT_JUDGED, ["no flow found"])


def test_a_path_that_is_not_there_is_an_error_not_an_empty_suite(made: Shop) -> None:
    with pytest.raises(UsageError, match="no such file"):
        suite(made.flow, made.root / "flowz")


def test_a_folder_without_a_flow_beside_one_with_flows_is_no_pass(made: Shop) -> None:
    empty = made.root / "empty"
    empty.mkdir()
    report = suite(made.flow, empty)
    assert (report.exit, report.runs[0].result.word) == (Exit.NOT_JUDGED, Word.PASS)
    assert [(each.message, each.place) for each in report.problems] == [("no flow found", str(empty))]


def test_a_folder_whose_flows_are_all_left_out_is_no_pass(made: Shop) -> None:
    left_out = made.flow.parent / "sub" / "b.flow.yaml"
    left_out.parent.mkdir()
    left_out.write_text(made.flow.read_text().replace("cassette: ", "cassette: ../"))
    (made.flow.parent / "suite.yaml").write_text(f"suite: 1\nflows: [{made.flow.name}]\n")
    assert suite(made.flow.parent).exit is Exit.OK
    report = suite(made.flow.parent, left_out.parent)
    assert (report.exit, len(report.runs)) == (Exit.NOT_JUDGED, 1)
    assert [(each.message, each.place) for each in report.problems] == [
        ("its suite file leaves out every flow here, so none runs", str(left_out.parent))
    ]
    assert not suite(left_out.parent).runs
    assert not suite(left_out).problems, "a flow that is named runs"


def test_a_proposal_runs_alone_or_not_at_all(made: Shop) -> None:
    with pytest.raises(UsageError, match=r"a proposal is run by itself, without .*refund"):
        suite(made.flow, proposal="refund")
    with pytest.raises(UsageError, match="no proposal is called ''"):
        suite(proposal="")


def test_a_pending_proposal_stops_ci_and_is_named(made: Shop) -> None:
    waiting = made.flow.with_name("next.flow.yaml.new")
    waiting.write_text("")
    assert suite(made.flow).exit is Exit.OK
    report = suite(made.flow, environment={**BARE, "CI": "true"})
    assert report.exit is Exit.NOT_JUDGED
    assert [problem.place for problem in report.problems] == ["flows/next.flow.yaml.new"]
    assert report.runs[0].result.word is Word.PASS


def test_a_proposal_runs_with_its_own_cassette(made: Shop, monkeypatch: pytest.MonkeyPatch) -> None:
    made.flow.rename(made.flow.with_name("refund.flow.yaml.new"))
    made.cassette.rename(made.cassette.with_name("refund.cassette.jsonl.new"))
    monkeypatch.chdir(made.root)
    report = suite(proposal="refund")
    assert (report.exit, len(report.runs)) == (Exit.OK, 1)
    assert report.runs[0].result.word is Word.PASS


def test_a_pending_cassette_is_not_the_accepted_flows(made: Shop) -> None:
    made.cassette.rename(made.cassette.with_name("refund.cassette.jsonl.new"))
    assert suite(made.flow).runs[0].result.word is Word.UNVERIFIED


def test_a_control_id_is_given_once(made: Shop) -> None:
    control = ("steps:", "control: {id: one-refund, title: only one}\nsteps:")
    folder = flows(made, control, control)
    report = suite(folder)
    assert {run.result.word for run in report.runs} == {Word.PASS}
    assert report.exit is Exit.NOT_JUDGED
    assert report.problems[0].message == "2 flows have the control id 'one-refund'"


def test_flows_side_by_side_get_the_same_verdicts_in_the_same_order(made: Shop) -> None:
    folder = flows(made, RED, BROKEN, ("name: the", "name: still the"), RED)
    one, many = suite(folder), suite(folder, jobs=3)
    assert [run.result.word for run in many.runs] == [run.result.word for run in one.runs]
    assert [run.result.path for run in many.runs] == [run.result.path for run in one.runs]
    assert many.exit is one.exit is Exit.NOT_JUDGED


SLOW = ("print(reply", "open('begun', 'w').write(str(os.getpid())); import time; time.sleep(60)\nprint(reply")


@pytest.mark.parametrize("jobs", [1, 2])
def test_told_to_stop_the_suite_keeps_what_it_found(made: Shop, jobs: int) -> None:
    folder = flows(made, BROKEN, RED, RED, RED)
    made.agent(SLOW)
    options = RunOptions(environment=BARE, timeout=30, jobs=jobs)
    threading.Thread(target=lambda: (_appears(made.root / "begun"), options.stop.set()), daemon=True).start()
    report = run_suite((folder,), options)
    assert (report.exit, report.interrupted) == (Exit.INTERRUPTED, True)
    assert report.runs[0].result.word is Word.INVALID
    assert [problem.message for problem in report.problems] == ["not run: the suite was interrupted"] * (4 - jobs)


SCRIPT = """
    import sys
    from pathlib import Path
    from runwright.run import RunOptions, run_suite
    report = run_suite([Path("flows")], RunOptions(jobs=int(sys.argv[1])))
    print(len(report.runs), report.interrupted)
    sys.exit(report.exit)
"""


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_an_interrupt_ends_the_agent_and_keeps_what_was_found(made: Shop, jobs: str) -> None:
    flows(made, BROKEN)
    made.agent(SLOW)
    command = [sys.executable, "-c", textwrap.dedent(SCRIPT), jobs]
    with subprocess.Popen(
        command,
        cwd=made.root,
        stdout=subprocess.PIPE,
        text=True,
        env=dict(os.environ, **BARE),
        preexec_fn=heed_interrupts,
    ) as process:
        agent = int(_appears(made.root / "begun"))
        process.send_signal(signal.SIGINT)
        out, _ = process.communicate(timeout=60)
    assert (process.returncode, out) == (Exit.INTERRUPTED, "2 True\n")
    with pytest.raises(ProcessLookupError):
        os.kill(agent, 0)


def _appears(path: Path) -> str:
    for _ in range(400):
        if path.exists() and path.read_text():
            return path.read_text()
        time.sleep(0.05)
    raise TimeoutError(path)


def test_an_agent_does_not_outlive_a_run_that_was_killed(made: Shop) -> None:
    made.agent(SLOW)
    command = [sys.executable, "-c", textwrap.dedent(SCRIPT), "1"]
    with subprocess.Popen(command, cwd=made.root, env={**os.environ, **BARE}) as process:
        agent = int(_appears(made.root / "begun"))
        process.kill()
    for _ in range(100):
        if not _alive(agent):
            return
        time.sleep(0.05)
    raise AssertionError(f"the agent {agent} is still alive")


def _alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False

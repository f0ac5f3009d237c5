"""What a run says of its flow, whatever became of it, and in the same words in every checkout."""

from pathlib import Path

import pytest
from blake3 import blake3

from runwright.run import FlowRun, RunOptions, run_one
from tests.run.story import Shop, shop
from tests.run.test_one import BARE


@pytest.fixture
def made(tmp_path: Path) -> Shop:
    return shop(tmp_path)


def run(made: Shop, path: Path | None = None) -> FlowRun:
    return run_one(path or made.flow, RunOptions(environment=BARE, timeout=30))


def test_a_flow_that_ran(made: Shop) -> None:
    found = run(made)
    assert (found.file, found.matched) == ("flows/refund.flow.yaml", ("m1", "m2"))
    assert found.assertions == tuple(each.assertion for each in found.result.judgements)
    assert found.cassette is not None
    assert found.cassette.file == "cassettes/refund.cassette.jsonl"
    assert found.cassette.digest == f"blake3:{blake3(made.cassette.read_bytes()).hexdigest()}"


def test_the_path_is_the_repositorys_from_wherever_it_is_named(made: Shop, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(made.root / "flows")
    assert {
        run(made, path).file for path in (made.flow, Path("refund.flow.yaml"), Path("../flows/refund.flow.yaml"))
    } == {"flows/refund.flow.yaml"}


@pytest.mark.parametrize(
    "change",
    [
        ("steps:", "skip_unless_env: [NOWHERE]\nsteps:"),
        ("tools: real", "tools: served"),
        ("python agent.py", "no-such-program"),
        ("steps:", "replay: {until: m9}\nsteps:"),
    ],
)
def test_a_flow_that_did_not_run_still_says_what_it_asserts(made: Shop, change: tuple[str, str]) -> None:
    before = run(made).assertions
    made.spec(change)
    found = run(made)
    assert found.result.exit == 2
    assert (found.assertions, found.matched) == (before, ())
    assert found.cassette is not None


def test_no_cassette_is_none(made: Shop) -> None:
    made.cassette.unlink()
    found = run(made)
    assert (found.result.exit, found.cassette, len(found.assertions or ())) == (2, None, 2)


@pytest.mark.parametrize("change", [("steps:", "stepz:"), ("app: agent", "app: web")])
def test_of_a_flow_that_cannot_be_read_nothing_is_known_but_its_file(made: Shop, change: tuple[str, str]) -> None:
    made.spec(change)
    found = run(made)
    assert (found.file, found.assertions) == ("flows/refund.flow.yaml", None)


def test_strictness_is_an_assertion(made: Shop) -> None:
    made.spec(("steps:", "strict: true\nsteps:"))
    found = run(made)
    assert found.assertions == tuple(each.assertion for each in found.result.judgements)
    assert len(found.assertions) == 3

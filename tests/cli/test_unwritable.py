"""A file that cannot be written is said in one line, exit 2; what was found before is printed all the same."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from runwright.convert.write import replace_bytes
from runwright.errors import UsageError
from runwright.flow import Word
from runwright.run import RunOptions, run_flow
from runwright.trace import dumps_trace
from tests.cli.conftest import Run
from tests.replay.cassettes import body, cassette, exchange, reply
from tests.run.story import shop
from tests.run.test_one import BARE


@pytest.mark.parametrize("option", ["--junit", "--html", "--markdown"])
def test_the_report_of_a_run_is_printed_before_a_file_that_cannot_be_written(
    project: Path, run: Run, option: str
) -> None:
    (project / "flows").mkdir()
    (project / "flows" / "broken.flow.yaml").write_text("stepz: []\n")
    done = run(f"runwright run --json {option} nowhere/report", status=2)
    assert json.loads(done.stdout)["totals"] == {"INVALID": 1}
    assert done.stderr == "runwright: nowhere/report: it cannot be written: no such file or directory [usage]\n"


@pytest.mark.parametrize(
    "command",
    [
        "import one.jsonl --out nowhere/x.jsonl",
        "export one.jsonl --to har --out nowhere/x.har",
        "fingerprint one.jsonl --out nowhere/x.json",
        "import . --out one.jsonl",
        "observe --out nowhere/x.jsonl -- true",
        "convert one.jsonl --out flows/x --prompt hello --agent 'python agent.py' --tools real",
    ],
)
def test_every_command_that_writes_a_file_says_which(project: Path, run: Run, command: str) -> None:
    (project / "one.jsonl").write_bytes(dumps_trace(cassette(exchange(1, body("hello"), reply("Hi.")))))
    (project / "flows" / ".x.flow.yaml.new.tmp").mkdir(parents=True)
    done = run(f"runwright {command}", status=2)
    assert "it cannot be written: " in done.stderr
    assert re.search(r"(one\.jsonl|nowhere/x\.\w+|flows/x\.flow\.yaml\.new): it cannot", done.stderr)


def test_a_trace_that_cannot_be_kept_is_no_pass(tmp_path: Path) -> None:
    made = shop(tmp_path)
    (tmp_path / ".runwright").mkdir()
    (tmp_path / ".runwright" / "runs").write_text("")
    result = run_flow(made.flow, RunOptions(environment=BARE, timeout=30, keep=True))
    assert (result.word, result.exit) == (Word.INVALID, 2)
    assert "the live trace cannot be kept: " in result.summary


def test_nothing_half_written_stays(tmp_path: Path) -> None:
    (tmp_path / "x").mkdir()
    with pytest.raises(UsageError, match="it cannot be written"):
        replace_bytes(tmp_path / "x", b"new")
    assert [each.name for each in tmp_path.iterdir()] == ["x"]


@pytest.mark.parametrize("command", ["export one.jsonl --to har --out -", "fingerprint one.jsonl --out -"])
def test_a_dash_is_no_name_of_a_file(project: Path, run: Run, command: str) -> None:
    (project / "one.jsonl").write_bytes(dumps_trace(cassette(exchange(1, body("hello"), reply("Hi.")))))
    done = run(f"runwright {command}", status=2)
    assert "standard output has what the command prints already" in done.stderr
    assert not (project / "-").exists()


def test_an_imported_trace_goes_to_standard_output_for_a_dash(project: Path, run: Run) -> None:
    whole = dumps_trace(cassette(exchange(1, body("hello"), reply("Hi."))))
    (project / "one.jsonl").write_bytes(whole)
    assert run("runwright import one.jsonl --out -", status=0).stdout.encode() == whole
    run("runwright import one.jsonl --json --out -", status=2)
    assert not (project / "-").exists()

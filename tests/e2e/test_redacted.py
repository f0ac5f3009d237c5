"""A redacted cassette, replayed with the official openai client: green with the real secret, red with none or two."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from runwright.cli.app import main
from runwright.flow import FlowResult, Word
from runwright.run import RunOptions, run_flow
from runwright.trace import read_trace
from tests.e2e.recording_server import recording
from tests.secrets.planted import NAMED, TYPED

AGENT = (Path(__file__).parent / "redacted_agent.py").read_text()
KEY, OTHER, PASSWORD = TYPED["github classic"][1], TYPED["github server"][1], NAMED["DB_PASSWORD"][1]
FLOW, CASSETTE = Path("flows/rain.flow.yaml"), Path("cassettes/rain.cassette.jsonl")
ALLOWLIST = """
allow:
  - {rule: github-token, place: "*", file: cassettes/*, reason: recorded by mistake, reviewer: kim}
  - {rule: secret-named-key, place: "*", file: cassettes/*, reason: recorded by mistake, reviewer: kim}
"""


def given(key: object = KEY, echo: object = None, passwords: object = (PASSWORD, PASSWORD)) -> str:
    """What the agent says: the key in its prompt, in tools' results, and the password in both of them."""
    return json.dumps({"key": key, "echo": key if echo is None else echo, "passwords": passwords})


def record(project: Path) -> None:
    """A model log of the agent's run, with the secrets in it, and the agent."""
    (project / "pyproject.toml").touch()
    (project / "agent.py").write_text(AGENT)
    (project / "given.json").write_text(given())
    with recording() as (url, lines):
        environment = {**os.environ, "OPENAI_BASE_URL": url, "OPENAI_API_KEY": "stands-for-a-key"}
        subprocess.run([sys.executable, "agent.py"], cwd=project, env=environment, check=True, capture_output=True)
    assert len(lines) == 3
    (project / "log.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))


def accept(*words: str) -> None:
    asked = ("--agent", f"{sys.executable} agent.py", "--tools", "real", "--assert", "assert: reply contains It rains")
    assert main(["convert", "log.jsonl", "--out", "flows/rain", *asked, *words]) == 0
    assert main(["review", "--accept", "rain"]) == 0


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A project whose cassette was redacted as it was made."""
    folder = tmp_path_factory.mktemp("redacted")
    record(folder)
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        accept("--redact")
    return folder


def replay(folder: Path, says: str) -> FlowResult:
    (folder / "given.json").write_text(says)
    return run_flow(folder / FLOW, RunOptions(environment={}, timeout=120))


def texts(folder: Path) -> str:
    return (folder / CASSETTE).read_text() + (folder / FLOW).read_text()


def test_no_secret_is_in_the_files(project: Path) -> None:
    assert KEY not in texts(project)
    assert PASSWORD not in texts(project)
    last = read_trace(project / CASSETTE).models[-1]
    assert last.streamed
    reply = last.response.content[0].text
    assert "[[redacted:github-token:1]] and [[redacted:secret-named-key:1]]" in reply
    assert sum(count for _, count in last.chunks) == len(reply)


@pytest.mark.parametrize(
    "says",
    [given(), given(OTHER), given(passwords=("swordfish7", "swordfish7"))],
    ids=["real", "another", "another password"],
)
def test_green_with_one_secret_wherever_one_was(says: str, project: Path) -> None:
    result = replay(project, says)
    assert result.word is Word.PASS, result


RED = {
    "two keys for one": given(echo=OTHER),
    "two passwords for one": given(passwords=(PASSWORD, "swordfish7")),
    "an empty key": given(""),
    "an empty password": given(passwords=("", "")),
    "no password": given(passwords=(None, None)),
    "no such key": given("hello-world"),
    "a key of another kind": given(TYPED["gitlab"][1]),
    "the token itself where a password is asked for": given(passwords=("[[redacted:github-token:1]]",) * 2),
}


@pytest.mark.parametrize("name", RED)
def test_red_with(name: str, project: Path) -> None:
    result = replay(project, RED[name])
    assert (result.word, result.exit) == (Word.FAIL, 1)
    assert result.miss is not None
    shown = " ".join(f"{each.recorded} {each.live}" for each in result.miss.differences)
    assert all(secret not in shown for secret in (KEY, OTHER, PASSWORD, "swordfish7"))


def test_a_cassette_that_was_accepted_with_secrets_is_redacted_later(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    record(tmp_path)
    Path(".runwright").mkdir()
    Path(".runwright/allowlist.yaml").write_text(ALLOWLIST)
    accept()
    assert KEY in texts(tmp_path)
    Path(".runwright/allowlist.yaml").unlink()
    assert main(["scan", "cassettes", "flows"]) == 1
    assert main(["redact", str(CASSETTE), "--out", str(CASSETTE)]) == 0
    assert KEY not in texts(tmp_path)
    assert PASSWORD not in texts(tmp_path)
    assert main(["scan", "cassettes", "flows"]) == 0
    assert replay(tmp_path, given()).word is Word.PASS
    assert replay(tmp_path, given(echo=OTHER)).word is Word.FAIL
    once = CASSETTE.read_bytes()
    assert main(["redact", str(CASSETTE), "--out", str(CASSETTE)]) == 0
    assert CASSETTE.read_bytes() == once

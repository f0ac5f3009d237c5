"""What other scanners let through: found each time, on both sides of the exchange, by `scan`; stopped by `import`.

Each case is a way to write one line of a log; the secret stands in the request (as the user's words or a tool's result)
or in the model's reply.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

from runwright.cli.app import main
from tests.secrets.planted import NAMED, PEM, TYPED

KEY = TYPED["github classic"][1]
PASSWORD = NAMED["DB_PASSWORD"][1]
SIDES = ("user", "tool", "reply")


class Case(NamedTuple):
    """The words that hold the secret, how the line is spoilt, the secret's own characters, and its rule."""

    words: str
    secret: str
    rule: str
    spoil: Callable[[bytes], bytes] = bytes


CASES = {
    "one invalid byte": Case(f"SPOIL use {KEY}", KEY, "github-token", lambda line: line.replace(b"SPOIL", b"\xff", 1)),
    "a byte order mark": Case(f"use {KEY}", KEY, "github-token", lambda line: b"\xef\xbb\xbf" + line),
    "a byte order mark of UTF-16": Case(
        f"use {KEY}", KEY, "github-token", lambda line: b"\xff\xfe" + line.decode().encode("utf-16-le")
    ),
    "a lone surrogate": Case(f"SPOIL {KEY}", KEY, "github-token", lambda line: line.replace(b"SPOIL", b"\\ud800", 1)),
    "a comment for the scanner": Case(f"{KEY}  # pragma: allowlist secret", KEY, "github-token"),
    "an id before it": Case(json.dumps({"run_id": "r-1", "key": KEY}), KEY, "github-token"),
    "an id before a named value": Case(
        json.dumps({"run_id": "r-1", "password": PASSWORD}), PASSWORD, "secret-named-key"
    ),
    "a private key without its end": Case(f"key:\n{PEM}\n", PEM.split("\n")[1], "private-key"),
    "of two equal keys the first": Case(
        json.dumps({"password": PASSWORD}).replace("}", ', "password": ""}'), PASSWORD, "secret-named-key"
    ),
}


def line(side: str, words: str) -> bytes:
    """An exchange of a model log whose request or reply holds these words."""
    call = {"id": "call_1", "type": "function", "function": {"name": "look", "arguments": "{}"}}
    messages = [{"role": "user", "content": words if side == "user" else "Look it up."}]
    if side == "tool":
        messages += [
            {"role": "assistant", "content": None, "tool_calls": [call]},
            {"role": "tool", "tool_call_id": "call_1", "content": words},
        ]
    answer = {"role": "assistant", "content": words if side == "reply" else "Done."}
    reply = {
        "id": "chatcmpl-1",
        "model": "gpt-4o",
        "choices": [{"index": 0, "message": answer, "finish_reason": "stop"}],
    }
    return json.dumps({"request": {"model": "gpt-4o", "messages": messages}, "response": reply}).encode() + b"\n"


@pytest.fixture(autouse=True)
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def scanned(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, dict, str]:
    status = main(["scan", *words, "--json"])
    out, err = capsys.readouterr()
    return status, json.loads(out), out + err


@pytest.mark.parametrize("side", SIDES)
@pytest.mark.parametrize("name", CASES)
def test_found_by_scan(name: str, side: str, capsys: pytest.CaptureFixture[str]) -> None:
    case = CASES[name]
    Path("log.jsonl").write_bytes(case.spoil(line(side, case.words)))
    status, report, printed = scanned(capsys, "log.jsonl")
    assert status in (1, 2)
    assert case.rule in {each["rule"] for each in report["files"][0]["findings"]}
    assert case.secret not in printed


@pytest.mark.parametrize("side", SIDES)
@pytest.mark.parametrize("name", CASES)
def test_stopped_by_import(name: str, side: str, capsys: pytest.CaptureFixture[str]) -> None:
    case = CASES[name]
    Path("log.jsonl").write_bytes(line("user", "Hello.") + case.spoil(line(side, case.words)))
    for words in ([], ["--redact"]):
        status = main(["import", "log.jsonl", "-o", "t.jsonl", *words])
        out, err = capsys.readouterr()
        written = Path("t.jsonl").read_text() if Path("t.jsonl").exists() else ""
        assert case.secret not in out + err + written
        assert status != 0 or written
        if status == 0 and not words:  # the line that holds it could not be kept, and that is told
            assert "malformed" in written


def test_a_password_in_a_tools_result_and_in_the_reply_that_repeats_it(capsys: pytest.CaptureFixture[str]) -> None:
    """In the reply nothing names it, and no rule knows it: only the result tells that it is one."""
    result = json.dumps({"user": "bob", "details": json.dumps({"password": PASSWORD})})
    told = json.loads(line("tool", result))
    told["response"]["choices"][0]["message"]["content"] = f"Bob can log in with {PASSWORD} now."
    Path("log.jsonl").write_text(json.dumps(told) + "\n")
    status, report, printed = scanned(capsys, "log.jsonl")
    assert status == 1
    [found] = report["files"][0]["findings"]
    assert found["place"].endswith("$.request.messages[2].content[0].content[0].text -> $.details -> $.password")
    assert found["places"] == 3
    assert PASSWORD not in printed
    assert main(["import", "log.jsonl", "-o", "t.jsonl"]) == 1
    refused = capsys.readouterr().err
    assert "m1 $.response.content[0].text: secret-named-key" in refused
    assert PASSWORD not in refused
    assert not Path("t.jsonl").exists()
    assert main(["import", "log.jsonl", "-o", "t.jsonl", "--redact"]) == 0
    written = Path("t.jsonl").read_text()
    assert PASSWORD not in written
    assert written.count("[[redacted:secret-named-key:1]]") == 3
    capsys.readouterr()
    assert scanned(capsys, "t.jsonl")[0] == 0

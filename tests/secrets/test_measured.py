"""The targets of the measurement, held on a slice of its sets; `python -m scripts.gate` measures all of them."""

import base64
import json

import pytest
from scripts.gate import benign, planted
from scripts.gate.kinds import NAMED, TYPED
from scripts.gate.measure import Measured, failures, measure
from scripts.gate.scanners import readable

from runwright.secrets import redact_value

CORE = "aB3dE6gH9kL2nP5rS8uV"


@pytest.fixture(scope="module")
def measured() -> Measured:
    return measure(values=1, harmless=420, peers=False, real=False)


def test_recall_and_false_alarms_are_at_their_targets(measured: Measured) -> None:
    assert failures(measured) == []


def test_the_slice_holds_every_kind_and_position(measured: Measured) -> None:
    assert len(TYPED) == 30
    assert measured.kinds.keys() == TYPED.keys() | NAMED.keys()
    assert len(measured.positions) == 10
    assert all(score["Runwright"].of == 10 for score in measured.kinds.values())
    assert measured.benign.keys() == benign.KINDS.keys()


def test_it_fails_when_a_kind_is_missed_or_a_harmless_text_is_stopped(measured: Measured, monkeypatch) -> None:
    from scripts.gate import scanners

    monkeypatch.setattr(scanners, "runwright_removes", lambda value, core: "sk-ant-" not in json.dumps(value))
    monkeypatch.setattr(scanners, "runwright_finds", lambda value: "call_" in json.dumps(value))
    faults = failures(measure(values=1, harmless=420, peers=False, real=False))
    assert any(fault.startswith("Anthropic key: recall") for fault in faults)
    assert any("false alarms in 420 items" in fault for fault in faults)


@pytest.mark.parametrize(
    "value",
    [
        {"a": f"x {CORE} y"},
        {CORE: 1},
        {"a": json.dumps({"b": json.dumps([CORE])})},
        {"a": base64.b64encode(f"key={CORE}".encode()).decode()},
        {"a": f"https://x.example/?a={CORE[:4]}%{ord(CORE[4]):02X}{CORE[5:]}"},
        {"chunks": [{"choices": [{"delta": {"content": piece}}]} for piece in (CORE[:9], CORE[9:])]},
        {"body": "".join(f'data: {{"delta": {{"text": "{piece}"}}}}\n\n' for piece in (CORE[:9], CORE[9:]))},
    ],
    ids=["plain", "key", "nested", "base64", "percent", "list", "stream"],
)
def test_what_is_left_of_a_secret_is_seen_whatever_it_is_written_in(value) -> None:
    assert readable(value, CORE)


def test_every_planted_secret_is_there_to_be_found_and_nothing_else_is_taken(measured: Measured) -> None:
    assert all(readable(item.value, item.core) for item in planted.items(1))
    for item in planted.items(1):
        if item.kind == "GitHub token, classic" and item.position == "prose":
            assert redact_value(item.value)["text"].replace("[[redacted:github-token:1]]", "{}") in planted.PROSE


def test_the_sets_are_the_same_in_every_run() -> None:
    assert list(planted.items(1)) == list(planted.items(1))
    assert list(benign.items(50)) == list(benign.items(50))

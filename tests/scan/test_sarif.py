"""A scan's SARIF is valid, says where, and names each secret by something that is not made of it."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema
import pytest

from runwright.reports.scan import sarif
from runwright.scan import FileScan, Hit, Scan
from tests.secrets.planted import TYPED

SCHEMA = json.loads((Path(__file__).parent / "schemas" / "sarif-2.1.0-rtm.5.json").read_text())
KEYS = TYPED["github classic"][1], TYPED["gitlab"][1]


def valid(report: object) -> None:
    jsonschema.Draft4Validator(SCHEMA, format_checker=jsonschema.FormatChecker()).validate(report)


def scan(*hits: Hit, file: str = "logs/a b.jsonl", reason: str | None = None) -> Scan:
    return Scan(files=(FileScan(file=file, read_as="text", hits=hits, reason=reason),))


HIT = Hit(rule="github-token", place="m1 $.request", line=3, places=2)


@pytest.mark.parametrize(
    "given",
    [
        Scan(files=()),
        scan(),
        scan(HIT),
        scan(HIT, HIT, reason="not read as har: cut off"),
        scan(Hit(rule="jwt", place="", line=None), file="/tmp/é \ud800.bin"),
    ],
    ids=["nothing", "clean", "found", "unread", "odd"],
)
def test_valid(given: Scan) -> None:
    report = sarif(given)
    json.dumps(report).encode()
    valid(report)


def test_the_schema_refuses_what_is_no_sarif() -> None:
    broken = sarif(scan(HIT))
    broken["runs"][0]["results"][0]["level"] = "fatal"  # type: ignore[index,call-overload]
    with pytest.raises(jsonschema.ValidationError):
        valid(broken)


def test_a_result_says_which_rule_and_where() -> None:
    [run] = sarif(scan(HIT))["runs"]  # type: ignore[index,call-overload]
    [result] = run["results"]
    location = result["locations"][0]
    assert run["tool"]["driver"]["rules"][result["ruleIndex"]]["id"] == result["ruleId"] == "github-token"
    assert location["physicalLocation"] == {
        "artifactLocation": {"uri": "logs/a%20b.jsonl"},
        "region": {"startLine": 3},
    }
    assert location["logicalLocations"] == [{"fullyQualifiedName": "m1 $.request"}]


def test_unread_is_no_success() -> None:
    [invocation] = sarif(scan(reason="cut off"))["runs"][0]["invocations"]  # type: ignore[index,call-overload]
    assert (invocation["executionSuccessful"], invocation["exitCode"]) == (False, 2)
    assert "cut off" in invocation["toolExecutionNotifications"][0]["message"]["text"]
    assert sarif(scan(HIT))["runs"][0]["invocations"][0]["executionSuccessful"]  # type: ignore[index,call-overload]


def test_fingerprints_last_and_differ() -> None:
    """The same place keeps its name when lines come before it; two secrets in one place have two."""
    text = FileScan(file="a.txt", read_as="text", hits=(HIT, HIT, Hit(rule="jwt", place="", line=9)))
    moved = FileScan(
        file="a.txt", read_as="text", hits=tuple(Hit(rule=h.rule, place=h.place, line=99) for h in text.hits)
    )
    assert len(set(text.fingerprints())) == 3
    assert text.fingerprints() == moved.fingerprints()


def test_a_fingerprint_is_not_made_of_the_secret() -> None:
    from runwright.readers import Input
    from runwright.scan import scan_input

    one, other = (scan_input(Input("a.txt", f"use {TYPED['github classic'][1][:-1]}{end}".encode())) for end in "ab")
    assert one.hits
    assert one.fingerprints() == other.fingerprints()

"""Input made to be slow: what a rule's search is given, and how often, is bounded; counted in steps, not in seconds."""

import pytest

from runwright.secrets import detect, scan_text
from runwright.secrets.detect import Scanner
from runwright.secrets.rules import RULES, jwt, openai
from runwright.secrets.views import collapsed

MB = 1_000_000


def test_runs_of_spaces_never_reach_a_rule(monkeypatch) -> None:
    given: list[str] = []
    kept = detect.Scanner._direct
    monkeypatch.setattr(detect.Scanner, "_direct", lambda self, text: given.append(text) or kept(self, text))
    scan_text("api_key" + " " * 100_000 + "=" + " " * 1000 + "x")
    assert given
    assert all(" " * 17 not in text for text in given)
    assert collapsed("a" + " " * 16) is None


@pytest.mark.parametrize("text", ["eyJ" * 20_000 + ".x", "eyJ." * 20_000, ("eyJ" * 30 + ".") * 500])
def test_rows_of_openings_are_decoded_a_bounded_number_of_times(text: str, monkeypatch) -> None:
    decoded = 0
    kept = jwt._is_object

    def counting(part: str) -> bool:
        nonlocal decoded
        decoded += len(part)
        return kept(part)

    monkeypatch.setattr(jwt, "_is_object", counting)
    assert list(jwt.find(text)) == []
    assert decoded <= jwt.STARTS * len(text)


LONG = [
    "a" * 10 * MB,
    "eyey" * 250_000,
    "eyJ" * 333_000,
    "sk-" * 100_000,
    " " * MB,
    "=" * MB,
    "://" * 300_000,
    "key" * 100_000,
    "password" * 50_000,
    '"password": "' * 20_000,
    "\\" * 500_000,
    '\\"' * 200_000,
    "-----BEGIN " * 50_000,
    "xoxb-" * 100_000,
    "AKIA " * 100_000,
    "Bearer " * 50_000,
    "[" * 200_000,
    '{"a":' * 900 + "1" + "}" * 900,
    "[[redacted:" * 50_000,
]


@pytest.mark.parametrize("text", LONG, ids=lambda text: f"{text[:5]!r}x{len(text)}")
def test_it_ends_and_finds_nothing(text: str) -> None:
    assert scan_text(text) == []


def test_a_value_that_is_a_row_of_names_is_one_finding() -> None:
    assert len(scan_text("password=" * 50_000)) == 1


def test_a_repeated_text_is_searched_once(monkeypatch) -> None:
    searched: list[str] = []
    kept = detect.Scanner._all
    monkeypatch.setattr(
        detect.Scanner, "_all", lambda self, text, name, depth: searched.append(text) or kept(self, text, name, depth)
    )
    scanner = Scanner()
    for _ in range(50):
        scanner.spans("a long message about a password: hunter2, which every request of the conversation repeats")
    assert len(searched) == 1


def test_a_key_at_the_far_end_of_a_long_text_is_found() -> None:
    for rule in RULES:
        if not rule.review:
            assert scan_text("word " * 10_000 + rule.hits[0]), rule.name


def test_openings_within_one_run_do_not_multiply() -> None:
    assert list(openai.find("sk-" * 50_000)) == []

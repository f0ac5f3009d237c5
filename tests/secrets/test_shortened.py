"""A text that is made shorter shows of a secret nothing, or all of it: then it is found and taken out."""

from __future__ import annotations

import json

import pytest

from runwright.secrets import clean_text
from runwright.secrets.shortened import shortened as clean_first
from runwright.trace.shortened import last_lines, shortened
from tests.secrets.planted import CORES, NAMED, TYPED

SHOWN = 8
"""So many characters of a secret in a row give it away."""


def core(kind: str) -> str:
    return CORES.get(kind, max(TYPED[kind][1].split(), key=len))


def tells(secret: str, shown: str) -> bool:
    tail = secret[6:]  # what begins it is its kind's own: `github_pat_`
    return any(tail[at : at + SHOWN] in shown for at in range(max(1, len(tail) - SHOWN + 1)))


SENTENCES = ("the key is {} and more text follows here", '{{"a": "b", "key": "{}", "c": [1, 2]}}', "use({}); done()")


@pytest.mark.parametrize("kind", [kind for kind in TYPED if "\n" not in TYPED[kind][1]])
def test_of_a_secret_nothing_or_all_is_left(kind: str) -> None:
    secret = TYPED[kind][1]
    for sentence in SENTENCES:
        text = sentence.format(secret)
        for most in range(len(text) + 1):
            short = shortened(text, most)
            assert len(short) <= max(most, 1)
            assert not tells(core(kind), clean_text(short)), (most, short)


@pytest.mark.parametrize("name", [name for name in NAMED if len(NAMED[name][1]) > SHOWN])
def test_under_a_name_too(name: str) -> None:
    text = json.dumps({"user": "bob", NAMED[name][0]: NAMED[name][1], "more": "text"})
    for most in range(len(text) + 1):
        short = shortened(text, most)
        assert not tells(NAMED[name][1], clean_text(short)), (most, short)


@pytest.mark.parametrize(
    ("text", "most", "start"),
    [
        ("one two three", 13, "one two three"),
        ("one two three", 12, "one two …"),
        ("one two three", 9, "one two …"),
        ("one two three", 5, "one …"),
        ("onetwothree", 5, "…"),
        ("one", 0, "…"),
        ("", 0, ""),
    ],
)
def test_cut_between_words(text: str, most: int, start: str) -> None:
    assert shortened(text, most) == start


@pytest.mark.parametrize("kind", TYPED)
def test_of_a_secret_near_the_end_nothing_or_all_is_left(kind: str) -> None:
    text = f"starting up\nthe key is {TYPED[kind][1]} and more\ngood bye\n"
    for most in range(len(text) + 1):
        assert not tells(core(kind), clean_text(last_lines(text, most))), most


@pytest.mark.parametrize(
    ("most", "end"), [(99, "a b\nc\nd\n"), (8, "a b\nc\nd\n"), (7, "c\nd\n"), (4, "c\nd\n"), (3, "d\n"), (0, "")]
)
def test_whole_lines(most: int, end: str) -> None:
    assert last_lines("a b\nc\nd\n", most) == end


def test_what_is_cut_above_the_gate_is_cleaned_first() -> None:
    """A pass phrase whose quotation mark is cut off would not be known."""
    text = json.dumps({"password": "correct horse battery staple", "more": "text " * 9})
    for most in range(len(text)):
        assert "correct" not in clean_first(text, most), most
    assert clean_first(text, len(text)) == text

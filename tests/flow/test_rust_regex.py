"""Rust's regular expressions: what is said in Python's dialect, what only Rust has, what Rust does not have."""

import re

import pytest
from hypothesis import given, strategies as st

from runwright.flow.rust_regex import NotPython, NotRust, python_pattern

SAME = [
    # pattern, found in, not found in
    ("[0-9]+[A-F]", ["x12Ay", "0F"], ["12G", ""]),
    ("^A-[0-9]{4}$", ["A-4471"], ["A-44719", "A-4471\n", "xA-4471"]),
    (r"end$", ["the end"], ["end\n", "end "]),
    (r"end\z", ["the end"], ["end\n"]),
    ("(?m)^end$", ["a\nend\nb", "end\n"], ["the end"]),
    ("a.c", ["abc"], ["a\nc"]),
    ("(?s)a.c", ["a\nc"], ["ac"]),
    ("(?s:a.)c", ["a\nc"], ["ac"]),
    ("(?i)shipped", ["SHIPPED"], ["ship"]),
    ("(?i:ship)ped", ["SHIPped"], ["SHIPPED"]),
    ("(?i)a(?-i:b)", ["Ab"], ["AB"]),
    ("(?u)é", ["é"], ["e"]),
    (r"(?<order>A-\d+)", ["A-1"], ["A-"]),
    (r"(?P<order>A-\d+)", ["A-1"], ["A-"]),
    (r"\x41\u0042\U00000043", ["ABC"], ["abc"]),
    (r"\x{41}\u{42}\U{1F600}", ["AB\N{GRINNING FACE}"], ["AB"]),
    (r"[\x{41}-\x{43}\]]", ["B", "]"], ["D"]),
    ("[]a]+", ["]", "a"], ["b"]),
    ("[^]a]", ["b"], ["]", "a"]),
    (r"a\/b\-c\#\ d\&", ["a/b-c# d&"], ["ab"]),
    ("a}b]", ["a}b]"], ["ab"]),
    ("a # b", ["a # b"], ["a"]),
    ("[a|b&c~]", ["|", "&", "~"], ["x"]),
    ("a{2}b{1,}c{1,2}d", ["aabcd"], ["abcd"]),
    ("<.+?>", ["<a>"], ["<>"]),
    ("cats|dogs", ["dogs"], ["birds"]),
    (r"\bno\b", ["say no more"], ["nothing"]),
    ("", ["", "x"], []),
]


@pytest.mark.parametrize(("pattern", "found", "missed"), SAME)
def test_what_both_have_finds_what_rust_finds(pattern: str, found: list[str], missed: list[str]) -> None:
    said = re.compile(python_pattern(pattern))
    assert [text for text in found if not said.search(text)] == []
    assert [text for text in missed if said.search(text)] == []


@pytest.mark.parametrize(
    ("pattern", "what"),
    [
        ("a*+", "a repetition of a repetition"),
        ("a++b", "a repetition of a repetition"),
        ("a?+", "a repetition of a repetition"),
        ("a{2}{3}", "a repetition of a repetition"),
        ("a*?+", "a repetition of a repetition"),
        ("[[:alpha:]]", "[ within [...]"),
        ("[a[b]]", "[ within [...]"),
        ("[a-z&&[^b]]", "&& within [...]"),
        ("[0-9--4]", "-- within [...]"),
        ("[a-g~~b-h]", "~~ within [...]"),
        (r"\p{L}+", r"\p"),
        (r"\PL", r"\P"),
        (r"[\p{Greek}]", r"\p"),
        (r"\<word\>", r"\<"),
        (r"\b{start}word", r"\b{...}"),
        ("a(?i)b", "(?i)"),
        ("(?x) a b", "(?x)"),
        ("(?U)a+", "(?U)"),
        ("(?R)a$", "(?R)"),
        ("(?-u:é)", "(?-u:"),
        ("(?-i)a", "(?-i)"),
        ("(?m:^a$)", "(?m:"),
        ("(?P<a.b>x)", "a group named 'a.b'"),
    ],
)
def test_what_only_rust_has_is_refused_by_name(pattern: str, what: str) -> None:
    with pytest.raises(NotPython) as caught:
        python_pattern(pattern)
    assert caught.value.message.startswith(what)
    assert caught.value.hint


@pytest.mark.parametrize(
    "pattern",
    [
        "(?=a)",
        "(?!a)",
        "(?<=a)b",
        "(?<!a)b",
        r"(a)\1",
        "(?P=a)",
        "(?>a)",
        "(?#note)a",
        "(?a)b",
        "(?L)a",
        "(a)(?(1)b)",
        r"\Z",
        r"\0",
        r"\07",
        r"\é",
        r"\y",
        r"[\b]",
        r"[\A]",
        "[",
        "(",
        ")",
        "a{",
        "{2}",
        "a{,3}",
        "*a",
        "a|*b",
        "\\",
        r"\x{110000}",
        r"\u{d800}",
        r"\x4",
    ],
)
def test_what_rust_does_not_have_is_told_apart(pattern: str) -> None:
    with pytest.raises(NotRust):
        python_pattern(pattern)


PIECES = st.sampled_from(
    [*"abz019 .^$|()[]{}*+?-,:!=<>&~\\nPpdDsSwWbBAzZxuU#/", "(?i)", "(?:", "\\d", "[a-", "{2,3}", "\\x41", "\\p{L}"]
)


@given(st.lists(PIECES, max_size=12).map("".join))
def test_any_pattern_is_said_or_refused(pattern: str) -> None:
    try:
        said = python_pattern(pattern)
    except (NotRust, NotPython):
        return
    re.compile(said).search("abc")

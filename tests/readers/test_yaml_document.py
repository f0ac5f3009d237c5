"""YAML values are those that PyYAML's safe loader gives, but for what would change in silence or grow without end."""

from __future__ import annotations

from typing import Any

import pytest
import yaml
from hypothesis import given, settings, strategies as st

from runwright.readers.yaml_document import GROWTH, SMALL, NotYaml, parse_yaml


def told(text: str | bytes) -> tuple[Any, list[str]]:
    """The value, and what was told of it."""
    changes: list[str] = []
    return parse_yaml(text.encode() if isinstance(text, str) else text, changes.append), changes


def read(text: str | bytes) -> Any:
    value, changes = told(text)
    assert changes == []
    return value


SCALARS = (
    st.none() | st.booleans() | st.integers(-(2**63), 2**64 - 1) | st.floats(allow_nan=False, allow_infinity=False)
)
TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
VALUES = st.recursive(
    SCALARS | TEXTS | st.binary(max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXTS, inner, max_size=4),
    max_leaves=12,
)


@settings(max_examples=150, deadline=None)
@given(VALUES, st.sampled_from([None, True, False]), st.booleans())
def test_what_pyyaml_writes_is_read_back(value: Any, flow: bool | None, plain: bool) -> None:
    text = yaml.dump(value, Dumper=yaml.CSafeDumper, default_flow_style=flow, allow_unicode=plain)
    assert read(text) == value


# fmt: off
WORDS = [
    "null", "Null", "NULL", "~", "nULL", "yes", "Yes", "YES", "yEs", "y", "no", "on", "off", "true", "false", "TRUE",
    "True", "tRUE", "0", "-0", "+1", "017", "08", "0o17", "0x1F", "0xg", "0b11", "0b2", "1_000", "_1", "1_", "12e3",
    "1e3", "1.0e3", "1.0e+3", "1.", ".5", ".", "-", "+", "-.5", "+.5", "1.5.2", "0.1", "00", "01.5", ".inf1", "inf",
    "nan", ".Nan", "1,000", "2026-11-30", "2026-11-30T10:00:00Z", "0x", "0b", "18446744073709551615",
    "-9223372036854775808",
]
# fmt: on


@pytest.mark.parametrize("word", WORDS)
def test_a_word_without_quotes_means_what_pyyaml_makes_of_it(word: str) -> None:
    loader = yaml.CSafeLoader(word)
    resolved = yaml.CSafeLoader.yaml_implicit_resolvers
    dates = {first: [each for each in found if "timestamp" not in each[0]] for first, found in resolved.items()}
    loader.yaml_implicit_resolvers = dates
    assert (read(word), type(read(word))) == ((expected := loader.get_single_data()), type(expected))


@pytest.mark.parametrize("word", ["0b_", "0x_", "-0b__"])
def test_a_number_without_a_digit_is_a_word(word: str) -> None:
    assert read(word) == word


def test_collections_and_their_forms() -> None:
    assert read("a: [1, {b: c}]\n'd': \"e\\u0101\"\nf: |\n  g\n  h\n? i\n: - j\n") == {
        "a": [1, {"b": "c"}], "d": "e\u0101", "f": "g\nh\n", "i": ["j"],
    }  # fmt: skip
    assert read("") is None
    assert read("!!str 1") == "1"
    assert read("!!int '1'") == 1
    assert read("!!binary aGk=") == b"hi"
    assert read("1: {2: 3}") == {"1": {"2": 3}}  # keys are texts, as in JSON
    assert read("a: 1".encode("utf-16")) == {"a": 1}
    assert read("a: &x [1]\nb: *x\nc: &y z\nd: *y\n") == {"a": [1], "b": [1], "c": "z", "d": "z"}


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("a: &a {x: 1, y: 2}\nb: {<<: *a, y: 3}", {"x": 1, "y": 3}),
        ("a: &a {x: 1, y: 2}\nb: {y: 3, <<: *a}", {"x": 1, "y": 3}),
        ("a: &a {x: 1}\nc: &c {x: 2, z: 3}\nb: {<<: [*a, *c]}", {"x": 1, "z": 3}),
        ("b: {'<<': 1}", {"<<": 1}),
        ("b: &b {<<: *b, x: 1}", {"x": 1}),
    ],
)
def test_mappings_that_take_others_over(text: str, value: Any) -> None:
    assert read(text)["b"] == value
    if "&b" not in text:
        assert yaml.load(text, Loader=yaml.CSafeLoader)["b"] == value


@pytest.mark.parametrize("text", ["12:30", "12:30:45", "1:59.5"])
def test_times_of_day_are_no_numbers_to_the_base_of_sixty(text: str) -> None:
    assert read(text) == text


@pytest.mark.parametrize(
    ("text", "value", "change"),
    [
        ("9" * 5000, "9" * 5000, "an integer of 5000 digits is kept as text"),
        ("18446744073709551616", "18446744073709551616", "an integer of 20 digits is kept as text"),
        ("0x" + "f" * 17, "0x" + "f" * 17, "an integer of 19 digits is kept as text"),
        (".inf", ".inf", ".inf is kept as text"),
        ("-.INF", "-.INF", "-.INF is kept as text"),
        (".nan", ".nan", ".nan is kept as text"),
        ("1.0e+999", "1.0e+999", "a number beyond all range is kept as text"),
        ("{a: 1, a: 2}", {"a": 2}, "of two equal keys the last is kept: 'a'"),
    ],
)
def test_what_json_cannot_hold_is_told(text: str, value: Any, change: str) -> None:
    assert told(text) == (value, [change])


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("[", "no YAML"),
        ("a: b: c", "no YAML"),
        ("--- 1\n--- 2\n", "several documents"),
        ("!!python/object/apply:os.system ['true']", "'tag:yaml.org,2002:python/object/apply:os.system' stands for no"),
        ("!!python/name:os.system x", "stands for no value"),
        ("!ruby/object:Gem {}", "stands for no value"),
        ("!!set {a, b}", "stands for no value"),
        ("!!binary x", "no YAML"),
        ("*a", "no YAML|stands for nothing"),
        ("? [a]\n: b", "a key that is no text"),
        ("a: &a {x: 1}\n*a : b", "a key that is no text"),
        ("{<<: 1}", "only a mapping"),
        ("{<<: [[]]}", "only a mapping"),
        (b"a: \xff", "no YAML"),
        ('"\\ud800"', "no YAML"),
        ("[" * 100_000, "no YAML"),
        ("- " * 100_000, "no YAML"),
        ("&a [*a]", "aliases"),
        ("&a {b: [{c: *a}]}", "aliases"),
    ],
)
def test_what_is_refused(text: str | bytes, why: str) -> None:
    with pytest.raises(NotYaml, match=why):
        told(text)


def doubled(first: str, times: int) -> str:
    lines = [f"a0: &a0 {first}"]
    lines += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]" for n in range(1, times)]
    return "\n".join(lines)


def test_aliases_may_not_make_a_document_grow_beyond_reason() -> None:
    assert len(read(doubled("[x, x]", 5))["a4"]) == 10
    for bomb in (doubled("[x, x, x]", 9), doubled("x" * 100_000, 4), doubled("[]", 9)):
        assert len(bomb) * GROWTH < SMALL
        with pytest.raises(NotYaml, match="aliases"):
            told(bomb)


def test_mappings_may_not_take_over_without_end() -> None:
    wide = ", ".join(f"k{n}: 1" for n in range(2000))
    with pytest.raises(NotYaml, match="take over"):
        told(f"a: &a {{{wide}}}\nb: {{<<: [{', '.join(['*a'] * 2000)}]}}")

"""YAML without surprises, and the line of everything."""

import pytest
from hypothesis import given, strategies as st

from runwright.errors import FlowError
from runwright.flow.yaml_tree import MAX_BYTES, read_yaml

VALUES = [
    ("on", "on"),
    ("off", "off"),
    ("yes", "yes"),
    ("no", "no"),
    ("y", "y"),
    ("true", True),
    ("False", False),
    ("null", None),
    ("~", None),
    ("", None),
    ("40", 40),
    ("-0", 0),
    ("+4", 4),
    ("010", "010"),
    ("0o10", 8),
    ("0x10", 16),
    ("1_000", "1_000"),
    ("1:30", "1:30"),
    ("2026-01-02", "2026-01-02"),
    ("2026-01-02T03:04:05Z", "2026-01-02T03:04:05Z"),
    ("4.0", 4.0),
    ("1e3", 1000.0),
    (".5", 0.5),
    ("1.", 1.0),
    ("=", "="),
    ("<<", "<<"),
    ("'40'", "40"),
    ('"true"', "true"),
    ("!!str 40", "40"),
    ("9" * 30, int("9" * 30)),
    ("9" * 60, "9" * 60),
    ("|\n  a\n  b", "a\nb\n"),
    ("[a, {b: 1}]", ["a", {"b": 1}]),
]


@pytest.mark.parametrize(("written", "value"), VALUES)
def test_scalars_are_those_of_the_core_schema(written: str, value: object) -> None:
    found = read_yaml(f"key: {written}\n".encode(), "f").value
    assert found == {"key": value}
    assert type(found["key"]) is type(value)


REFUSED = [
    (b"", "f", "the file is empty"),
    (b"# nothing\n", "f", "the file is empty"),
    (b"a: 1\nb: 2\na: 3\n", "f:3", "key 'a' stands here a second time (first on line 1)"),
    (b"a:\n  - b: 1\n    b: 2\n", "f:3", "a second time"),
    (b"a: 1\n---\nb: 2\n", "f:2", "a second document"),
    (b"a: .nan\n", "f:1", ".nan is no JSON number"),
    (b"a: -.inf\n", "f:1", "is no JSON number"),
    (b"a: 1e999\n", "f:1", "beyond what a number can hold"),
    (b"a: !!python/object:os.system x\n", "f:1", "the tag"),
    (b"a: !include x\n", "f:1", "the tag '!include'"),
    (b"a: !!timestamp 2026-01-01\n", "f:1", "the tag"),
    (b"a:\n  ? [1, 2]\n  : 3\n", "f:2", "a key must be a text"),
    (b"a: &x [*x]\n", "f:1", "*x names nothing"),
    (b"a: *x\n", "f:1", "*x names nothing"),
    (b"a: 1\nb: [\n", "f:3", "not YAML"),
    (b"a: 1\n\tb: 2\n", "f:2", "not YAML"),
    (b"a: caf\xe9\nb: 1\n", "f:1", "not UTF-8: byte 0xe9"),
    (b"a: \x07\n", "f", "not YAML"),
    (b"[" * 5000, "f:1", "nest"),
    (b"a: " + b"[" * 100 + b"]" * 100 + b"\n", "f:1", "nested too deep"),
]


@pytest.mark.parametrize(("data", "place", "why"), REFUSED)
def test_what_is_not_plain_data_is_refused_with_its_line(data: bytes, place: str, why: str) -> None:
    with pytest.raises(FlowError) as caught:
        read_yaml(data, "f")
    assert caught.value.place == place
    assert why in caught.value.message


def test_aliases_are_values_and_cannot_explode() -> None:
    assert read_yaml(b"a: &x [1]\nb: *x\n", "f").value == {"a": [1], "b": [1]}
    lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x, x]"]
    lines += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]" for n in range(1, 9)]
    with pytest.raises(FlowError, match="absurdly large"):
        read_yaml("\n".join(lines).encode(), "f")


def test_a_file_has_a_limit() -> None:
    with pytest.raises(FlowError, match="more than such a file may have"):
        read_yaml(b"a: " + b"x" * MAX_BYTES, "f")


def test_every_part_has_its_line() -> None:
    document = read_yaml(b"\xef\xbb\xbfa: 1\nsteps:\n  - one: 1\n  - two:\n      three: [4]\n", "f")
    assert document.value["steps"][0] == {"one": 1}
    assert document.place(("steps", 1, "two", "three", 0)) == "f:5: $.steps[1].two.three[0]"
    assert document.place(("steps", 0)) == "f:3: $.steps[0]"
    assert document.place(("steps", 0, "not there")) == "f:3: $.steps[0]['not there']"
    assert document.place(()) == "f:1: $"


@given(st.binary(max_size=80) | st.text("ab:-[]{}&*!|>'\"#?%@` \n\t,0.", max_size=60).map(str.encode))
def test_any_bytes_are_read_or_refused(data: bytes) -> None:
    try:
        read_yaml(data, "f")
    except FlowError as error:
        place = error.place
    else:
        place = "f"
    assert place.startswith("f")

"""Foreign JSON: what is left as it is comes first, then what is told, then what is refused."""

from __future__ import annotations

import json
from typing import Any

import orjson
import pytest
from hypothesis import given, strategies as st

from runwright.readers.exact import DEEPEST, NotJson, _slowly, holds_all, parse_json
from runwright.readers.otlp.wire import any_value

VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**63), 2**64 - 1)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=6), inner, max_size=4),
    max_leaves=12,
)


def parsed(text: str | bytes) -> tuple[Any, list[str]]:
    told: list[str] = []
    return parse_json(text, told.append), told


@given(VALUES, st.booleans())
def test_what_fits_is_left_alone(value: Any, ascii_only: bool) -> None:
    if "\ud800" <= max(json.dumps(value, ensure_ascii=False), default="") <= "\udfff":
        return
    assert parsed(json.dumps(value, ensure_ascii=ascii_only)) == (value, [])


@pytest.mark.parametrize(
    "text",
    [
        "18446744073709551615",
        "-9223372036854775808",
        '["18446744073709551616"]',
        '{"a":"99999999999999999999999"}',
        "1e3",
        '"\\":"',
        "[]",
    ],
)
def test_these_are_left_alone_too(text: str) -> None:
    assert parsed(text) == (json.loads(text), [])


@given(VALUES, st.sampled_from([",", ", "]), st.booleans())
def test_two_equal_keys_anywhere_are_told(value: Any, comma: str, ascii_only: bool) -> None:
    if "\ud800" <= max(json.dumps(value, ensure_ascii=False), default="") <= "\udfff":
        return
    held = json.dumps(value, ensure_ascii=ascii_only, separators=(comma, ":"))
    assert parsed(f'[{held}{comma}{{"k":{held}{comma}"k":{held}}}]') == (
        [value, {"k": value}],
        ["of two equal keys the last is kept: 'k'"],
    )


@pytest.mark.parametrize(
    ("text", "value", "told"),
    [
        ("18446744073709551616", "18446744073709551616", "an integer of 20 digits is kept as text"),
        ("[-9223372036854775809]", ["-9223372036854775809"], "an integer of 20 digits is kept as text"),
        ('{"\\u00e9": 18446744073709551616}', {"é": "18446744073709551616"}, "an integer of 20 digits is kept as text"),
        ('["e", 18446744073709551616]', ["e", "18446744073709551616"], "an integer of 20 digits is kept as text"),
        ("[1e3, 18446744073709551616]", [1000.0, "18446744073709551616"], "an integer of 20 digits is kept as text"),
        ("[NaN]", ["NaN"], "NaN is kept as text"),
        ("-Infinity", "-Infinity", "-Infinity is kept as text"),
        (
            '["\\u00e9\\u00ee", 18446744073709551616]',
            ["éî", "18446744073709551616"],
            "an integer of 20 digits is kept as text",
        ),
        ("1e999", "1e999", "a number beyond all range is kept as text: 1e999"),
        ('{"a":1,"a":2}', {"a": 2}, "of two equal keys the last is kept: 'a'"),
        ('{"a" : 1, "a" : 2}', {"a": 2}, "of two equal keys the last is kept: 'a'"),
        ('{"a":"\\u0022:","a":2}', {"a": 2}, "of two equal keys the last is kept: 'a'"),
        ('{"\\u00e9":1,"a":2,"\\u00e9":3}', {"é": 3, "a": 2}, "of two equal keys the last is kept: 'é'"),
        ('["\\ud800"]', ["\ufffd"], "a lone surrogate is replaced"),
        ('{"\\udc00":1}', {"\ufffd": 1}, "a lone surrogate in a key is replaced"),
    ],
)
def test_what_does_not_fit_is_told(text: str, value: Any, told: str) -> None:
    assert parsed(text) == (value, [told])


@pytest.mark.parametrize(
    "text",
    ["", " ", "{", "nul", b"\xff", b'"\xff"', "[" * 97 + "]" * 97, "[" * 10**6, '["[", ' + "[" * 97 + "]" * 97 + "]"],
)
def test_what_is_no_json_is_refused(text: str | bytes) -> None:
    with pytest.raises(NotJson):
        parsed(text)


def test_as_deep_as_a_record_may_hold() -> None:
    assert parsed("[" * 96 + "]" * 96)[1] == []


@pytest.mark.parametrize(("deep", "fits"), [(96, True), (97, False)])
def test_structured_values_are_held_to_the_same_depth(deep: int, fits: bool) -> None:
    value: Any = {"stringValue": "x"}
    for _ in range(deep):
        value = {"arrayValue": {"values": [value]}}
    if fits:
        assert any_value(value)
    else:
        with pytest.raises(RecursionError):
            any_value(value)


MARKS = st.sampled_from(
    [
        "a",
        '\\"',
        "\\u0022",
        ":",
        ",",
        "é",
        "\\u00e9",
        "\\ud83d\\ude00",
        "\\/",
        "\\n",
        "\\\\",
        "\\u003a",
        "\\u0061",
        "[",
        "}",
        " : ",
        "12345678901234567890",
        ":12345678901234567890,",
        "-9223372036854775809",
    ]
)
SPELT = st.lists(MARKS, max_size=4).map(lambda marks: f'"{"".join(marks)}"')
NUMBERS = st.sampled_from(
    [
        "0",
        "-0",
        "1.0",
        "1e5",
        "1E+5",
        "0.00001",
        "1e-400",
        "1e309",
        "18446744073709551615",
        "18446744073709551616",
        "-9223372036854775808",
        "-9223372036854775809",
        "123456789012345678901.5",
        "12345678901234567890e3",
    ]
)
SPACE = st.sampled_from(["", " ", "\n\t"])


def objects_of(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    members = st.lists(st.tuples(SPELT, SPACE, inner), max_size=3)
    return members.map(lambda all_: f"{{{','.join(f'{key}{space}:{space}{held}' for key, space, held in all_)}}}")


TEXTS = st.recursive(
    SPELT | NUMBERS | st.just("null"),
    lambda inner: objects_of(inner) | st.lists(inner, max_size=3).map(lambda items: f"[{', '.join(items)}]"),
    max_leaves=10,
)


@given(TEXTS)
def test_the_quick_way_reads_every_spelling_as_the_slow_way_does(text: str) -> None:
    told: list[str] = []
    assert repr(parsed(text)) == repr((_slowly(text, told.append, DEEPEST), told))


@pytest.mark.parametrize(
    "text",
    [
        '{"a":"\\u00e9\\/","n":0.00001}',
        '["x: 123456789012345678901 \\u00e9"]',
        '{"at":"12345678901234567890\\u00e9"}',
        '[0.12345678901234567890123, "\\u0041"]',
    ],
)
def test_other_spellings_are_read_without_the_slow_way(text: str) -> None:
    assert holds_all(orjson.dumps(orjson.loads(text)), text.encode())


@pytest.mark.parametrize(
    "text",
    [
        '{"a":1,"\\u0061":2}',
        '["\\u0041",18446744073709551616]',
        '{"\\u0022:":1,"a":2,"a":3}',
        "[-9223372036854775809,1e5]",
    ],
)
def test_a_text_of_which_something_is_missing_is_not_held(text: str) -> None:
    assert not holds_all(orjson.dumps(orjson.loads(text)), text.encode())

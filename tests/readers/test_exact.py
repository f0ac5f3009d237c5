"""Foreign JSON: what is left as it is comes first, then what is told, then what is refused."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, strategies as st

from runwright.readers.exact import NotJson, parse_json
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

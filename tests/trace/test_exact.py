"""Nothing that a line says is changed silently."""

import json

import orjson
import pytest
from hypothesis import given, strategies as st

from runwright.trace.exact import MAX_DEPTH, InexactJson, parse_exact

json_values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**63), 2**64 - 1)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters(exclude_categories=["Cs"])),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=4),
    max_leaves=20,
)


@given(json_values)
def test_what_can_be_kept_is_kept_however_it_is_spelled(value: object) -> None:
    for line in (
        orjson.dumps(value),
        json.dumps(value).encode(),
        json.dumps(value, ensure_ascii=False, indent=1).encode(),
    ):
        found = parse_exact(line)
        assert found == value
        assert json.dumps(found) == json.dumps(value)


@pytest.mark.parametrize(
    ("line", "path", "words"),
    [
        (b'{"a":{"b":1,"b":1}}', "$.a.b", "occurs twice"),
        (b'[0,{"a":1,"\\u0061":2}]', "$[1].a", "occurs twice"),
        (b"[18446744073709551616]", "$[0]", "64 bits"),
        (b'{"x y":-9223372036854775809}', "$['x y']", "64 bits"),
        (b"[" + b"9" * 5000 + b"]", "$[0]", "64 bits"),
        (b"[NaN]", "$[0]", "NaN"),
        (b"[-Infinity]", "$[0]", "-Infinity"),
        (b"[-1e999]", "$[0]", "beyond a double"),
        (b'["\\udc00\\ud800"]', "$[0]", "surrogate"),
        (b'{"\\ud800":1}', "$", "surrogate"),
        (b'["a\\x"]', "$[0]", "escape"),
        (b'["a\n"]', "$[0]", "control character"),
        (b"[1] 2", "$", "follows"),
        (b"[1,]", "$[1]", "expected a value"),
        (b"[01]", "$", "expected"),
        (b"", "$", "expected a value"),
    ],
)
def test_what_cannot_be_kept_is_refused_with_its_path(line: bytes, path: str, words: str) -> None:
    with pytest.raises(InexactJson) as caught:
        parse_exact(line)
    assert caught.value.path == path
    assert words in str(caught.value)


def test_an_escaped_pair_of_surrogates_is_one_character() -> None:
    assert parse_exact(b'["\\ud83d\\ude00"]') == ["\U0001f600"]


def test_the_limit_of_nesting_is_exact_and_brackets_in_text_do_not_count() -> None:
    assert parse_exact(b"[" * MAX_DEPTH + b"]" * MAX_DEPTH)
    assert parse_exact(b'["' + b"[{" * 500 + b'\\""]') == ["[{" * 500 + '"']
    with pytest.raises(InexactJson, match="deeper than 254"):
        parse_exact(b"[" * (MAX_DEPTH + 1) + b"]" * (MAX_DEPTH + 1))

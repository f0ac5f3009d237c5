"""Texts that go on from earlier ones: whatever is not surely such a text is read as any other."""

from __future__ import annotations

import json
import tracemalloc
from typing import Any

import pytest
from hypothesis import given, strategies as st

from runwright.readers.again import HELD as MOST_HELD, LONG, Texts, once_each
from runwright.readers.exact import NotJson, parse_json

FILL = "x" * LONG
HELD = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-9, 9)
    | st.text(max_size=5)
    | st.sampled_from(['"], "a": [1', "]", ",", FILL]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["a", "messages"]), inner, max_size=2),
    max_leaves=6,
)
SPELT = st.sampled_from([(",", ":"), (", ", ": ")])


def read(texts: Texts, text: str) -> tuple[Any, list[str]]:
    told: list[str] = []
    try:
        return texts.value(text, told.append), told
    except NotJson as error:
        return str(error), told


def alone(text: str) -> tuple[Any, list[str]]:
    told: list[str] = []
    try:
        return parse_json(text, told.append), told
    except NotJson as error:
        return str(error), told


@given(
    st.lists(HELD, min_size=1, max_size=6), st.dictionaries(st.text(max_size=3), HELD, max_size=2), SPELT, st.booleans()
)
def test_a_growing_list_is_read_as_if_each_text_were_the_first(
    items: list[Any], beside: dict[str, Any], spelt: tuple[str, str], is_apart: bool
) -> None:
    texts = Texts()
    for count in range(1, len(items) + 1):
        told = [FILL, *items[:count]]
        value = {"model": "m", "messages": told, **beside} if is_apart else told
        text = json.dumps(value, separators=spelt)
        assert read(texts, text) == alone(text) == (value, [])


def test_what_both_texts_hold_is_one_object() -> None:
    texts = Texts()
    for wrap in ('{{"model": "m", "messages": [{0}], "n": 0}}', "[{0}]"):
        first, _ = read(texts, wrap.format(f'{{"a": "{FILL}"}}'))
        more, _ = read(texts, wrap.format(f'{{"a": "{FILL}"}}, {{"a": "b"}}'))
        earlier, later = (each["messages"] if isinstance(each, dict) else each for each in (first, more))
        assert later == [{"a": FILL}, {"a": "b"}]
        assert later[0] is earlier[0]
        assert len(earlier) == 1


@pytest.mark.parametrize(
    "after",
    [
        "]",
        "]1]", ",]", ", ]", ",,1]", ", 1", ", 1]]", ", 1], [2]", '], "x"]', ', {"a":1,"a":2}]',
        ", 18446744073709551616]", ", NaN]", ', "\\ud800"]', f", {'[' * 96}{']' * 96}]", f", {'[' * 95}{']' * 95}]",
    ],
)  # fmt: skip
@pytest.mark.parametrize("around", ["{0}", '{{"messages": {0}, "n": 1}}', '{{"n":1,"messages":{0}}}'])
def test_what_stands_after_a_known_text_is_judged_as_ever(after: str, around: str) -> None:
    texts = Texts()
    for known in (f'["{FILL}"]', f'["{FILL}", 1]'):
        text = around.format(known)
        assert read(texts, text) == alone(text)
    text = around.format(f'["{FILL}", 1{after}')
    assert read(texts, text) == alone(text)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ('{"a": {"messages": ["F"]}, "messages": ["F"]}', '{"a": {"messages": ["F", 1]}, "messages": ["F"]}'),
        ('{"a": ["F"], "a": ["F", 1]}', '{"a": ["F"], "a": ["F", 1, 2]}'),
        ('{"a":["F"], "b": 1}', '{"a":["F",2], "b": 1}'),
        ('{"a": "[\\"F\\"]", "b": ["F"]}', '{"a": "[\\"F\\"], 1", "b": ["F"]}'),
        ('["F"]', '["F"] '),
        ('["F"] ', '["F", 1] '),
        ('["F"] ', '["F"],1]'),
        ('["F1"]', '["F2", 3]'),
        ('{"messages": ["F"], "n": 1}', '{"messages": ["F", 1], "n": 2}'),
        ('{"n":  2, "messages": ["F", 1]}', '{"n":  2, "messages": ["F", ,7 1]}'),
        ('{"a": [["F"]]}', '{"a": [["F", 1]]}'),
    ],
)
def test_lists_in_other_places_do_not_grow(first: str, second: str) -> None:
    texts = Texts()
    for text in (first.replace("F", FILL), second.replace("F", FILL), first.replace("F", FILL)):
        assert read(texts, text) == alone(text)


def test_what_was_changed_is_told_each_time() -> None:
    texts = Texts()
    text = f'["{FILL}", NaN]'
    assert [read(texts, text)[1] for _ in range(2)] == [["NaN is kept as text"]] * 2


def test_values_are_told_apart_by_their_text() -> None:
    met: list[Any] = []
    look = once_each(lambda item: met.append(item) or repr(item))
    values = [{"a": 1}, {"a": 1.0}, {"a": True}, {"a": 1, "b": 2}, {"b": 2, "a": 1}]
    assert [look(each) for each in values] == [repr(each) for each in values]
    assert [look(dict(each)) for each in values] == [repr(each) for each in values]
    assert len(met) == len(values)


def test_what_has_no_text_is_worked_out_each_time() -> None:
    assert once_each(lambda item: item)("\ud800") == "\ud800"


def test_what_is_remembered_does_not_grow_with_what_is_read() -> None:
    look = once_each(lambda item: [item])
    tracemalloc.start()
    try:
        for number in range(800):
            look({"text": f"{number:020000}"})
        assert tracemalloc.get_traced_memory()[0] < 4 * MOST_HELD
    finally:
        tracemalloc.stop()

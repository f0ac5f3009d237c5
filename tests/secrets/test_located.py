import json

from hypothesis import given, settings, strategies as st

from runwright.secrets.located import located
from runwright.secrets.views import collapsed, unescaped

KEYS = st.text(max_size=4)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=3),
    max_leaves=12,
)


def places(value, parts=()):
    if isinstance(value, dict):
        for key, each in value.items():
            yield ((*parts, key), True), key
            yield from places(each, (*parts, key))
    elif isinstance(value, list):
        for at, each in enumerate(value):
            yield from places(each, (*parts, at))
    else:
        yield (parts, False), value


@settings(max_examples=300, deadline=None)
@given(VALUES, st.sampled_from([None, 1]), st.booleans())
def test_every_leaf_and_key_is_located(value, indent, ascii_only) -> None:
    text = json.dumps(value, indent=indent, ensure_ascii=ascii_only)
    expected = dict(places(value))
    found = located(text)
    assert found.keys() == expected.keys()
    for place, leaf in expected.items():
        raw = text[slice(*found[place])]
        assert json.loads(f'"{raw}"' if isinstance(leaf, str) else raw) == leaf


@given(st.text(), st.integers(0, 20), st.integers(0, 20))
def test_an_unescaped_view_leads_back_to_the_escaped_text(text, start, length) -> None:
    raw = json.dumps(text)[1:-1]
    view = unescaped(raw)
    shown = view.text if view else raw
    assert shown == text
    start, end = min(start, len(text)), min(start + length, len(text))
    outer = view.outer(start, end) if view else (start, end)
    assert json.loads(f'"{raw[slice(*outer)]}"') == text[start:end]


@given(st.lists(st.sampled_from(["a", "b ", " " * 17, " " * 400, "\t"]), max_size=8).map("".join))
def test_a_collapsed_view_leads_back(text) -> None:
    view = collapsed(text)
    if view is None:
        assert " " * 17 not in text
        return
    assert " " * 17 not in view.text
    for at, char in enumerate(view.text):
        assert text[view.outer(at, at + 1)[0]] == char

"""The canonical form is RFC 8785, but for integers beyond 2**53, which keep their digits."""

import pytest
import rfc8785
from hypothesis import example, given, strategies as st

from runwright.errors import TraceError
from runwright.trace import canonical, digest

safe_values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**53) + 1, 2**53 - 1)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters(exclude_categories=["Cs"])),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.text(st.characters(exclude_categories=["Cs"]), max_size=4), inner, max_size=4)
    ),
    max_leaves=20,
)


@given(safe_values)
@example({"\ue000": 1, "\U0001f600": 2})
@example([1e16, 1e21, 1e-7, -0.0, 5e-324, 1.7976931348623157e308, 123456.789])
@example({"a": ['\x00\x1f\x7f\u2028\\"/']})
def test_it_is_rfc_8785(value: object) -> None:
    assert canonical(value) == rfc8785.dumps(value)


def test_great_integers_keep_their_digits() -> None:
    assert canonical([2**53 + 1, 2**70, 0.5]) == b"[9007199254740993,1180591620717411303424,0.5]"


def test_the_order_of_keys_does_not_matter_and_every_value_does() -> None:
    assert digest({"a": 1, "b": 2}) == digest({"b": 2, "a": 1})
    assert digest({"a": 1}) != digest({"a": "1"})
    assert digest([1, 2]) != digest([2, 1])


def test_a_stored_digest_stays_what_it_was() -> None:
    assert digest({"b": [1.5, "é", None], "a": True}) == (
        "blake3:" + "03e458feaedf0d1b7aae097d443617864d1a5f45ac4a3a196741558b56e01641"
    )


@pytest.mark.parametrize("value", [float("nan"), float("inf"), ["\ud800"], {"\ud800": 1.5}])
def test_what_has_no_canonical_form_is_refused(value: object) -> None:
    with pytest.raises(TraceError):
        canonical(value)

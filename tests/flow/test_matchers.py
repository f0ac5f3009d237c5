"""What each matcher holds of, and of what it does not."""

import pytest

from runwright.flow.matchers import ABSENT, Clause, Test, at_path, satisfies

ROWS = [
    # op, wanted, holds of, does not hold of
    ("equals", 40, [40, 40.0, "40", "40.0"], [41, "0040", "forty", True, None, [40], {"a": 40}, ABSENT]),
    ("equals", "40", ["40", 40], ["40.0", 41, ABSENT]),
    ("equals", "a", ["a"], ["A", "ab", "", ABSENT]),
    ("equals", True, [True, "true"], [1, "True", False]),
    ("equals", None, [None, "null"], [0, "", False, ABSENT]),
    ("equals", 2**63, [2**63, str(2**63)], [2**63 + 1, 2**63 - 1]),
    ("equals", {"a": [1, {"b": 2}]}, [{"a": [1, {"b": 2.0}]}], [{"a": [1, {"b": "2"}]}, {"a": [1]}, "x", {}]),
    ("equals", [1, 2], [[1, 2]], [[2, 1], [1], [True, 2]]),
    (
        "contains",
        "fund",
        ["refund", ["x", "refunded"], {"a": {"b": "fund"}}],
        ["Fund", ["f", "und"], {"fund": 1}, ABSENT],
    ),
    ("contains", "4", [40, "a4", [4]], [30, None, ABSENT]),
    ("contains", "", ["", "a", None], [ABSENT, [], {}]),
    ("matches", "^a+$", ["aaa"], ["baa", "", ABSENT]),
    ("matches", "4", [40, [4], {"4": 1}], [30, None]),
    ("exists", None, [0, None, "", [], {}], [ABSENT]),
    ("greater_than", 40, [41, 40.5, "41"], [40, 39, "x", "", None, True, [41], ABSENT]),
    ("at_least", 40, [40, 41], [39, "x", ABSENT]),
    ("less_than", 40, [39, "-1", 0], [40, 41, "x", False, ABSENT]),
    ("at_most", 40, [40, 39], [41, ABSENT]),
]


@pytest.mark.parametrize(("op", "wanted", "yes", "no"), ROWS)
def test_a_matcher_and_its_negation(op, wanted, yes, no) -> None:
    for value in yes:
        assert Test(op=op, value=wanted).holds(value), value
        assert not Test(op=op, value=wanted, negated=True).holds(value), value
    for value in no:
        assert not Test(op=op, value=wanted).holds(value), value
        assert Test(op=op, value=wanted, negated=True).holds(value), value


@pytest.mark.parametrize(
    ("path", "found"),
    [
        ((), {"a": [{"b": 1}], "0": "zero"}),
        (("a", 0, "b"), 1),
        ((0,), "zero"),
        (("a", 1), ABSENT),
        (("a", "b"), ABSENT),
        (("a", 0, "b", "c"), ABSENT),
        (("z",), ABSENT),
    ],
)
def test_paths(path, found) -> None:
    assert at_path({"a": [{"b": 1}], "0": "zero"}, path) == found


def test_clauses_all_hold_and_alternatives_one_does() -> None:
    one, two = (Clause(path=(name,), test=Test(op="equals", value=1)) for name in "ab")
    assert satisfies((), ABSENT)
    assert satisfies(((one, two),), {"a": 1, "b": 1})
    assert not satisfies(((one, two),), {"a": 1, "b": 2})
    assert satisfies(((one,), (two,)), {"a": 0, "b": 1})
    assert not satisfies(((one,), (two,)), {"a": 0, "b": 0})

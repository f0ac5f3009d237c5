"""Values made for clauses: the recorded one where it fits, else one that does."""

from __future__ import annotations

import pytest

from runwright.flow.matchers import satisfies
from runwright.flow.structured import where_of
from runwright.run.prove.made import value_for
from runwright.trace.model import JSON


def test_a_recorded_value_that_fits_stays() -> None:
    recorded: JSON = {"amount": 40, "more": [1]}
    assert value_for(where_of({"amount": 40}, "x"), recorded) is recorded
    assert value_for((), recorded) is recorded


@pytest.mark.parametrize("recorded", [{}, {"amount": 1, "a": {"b": 2}}, [1, 2], "text", None, 7])
@pytest.mark.parametrize(
    "clauses",
    [
        {"amount": 40},
        {"amount": {"greater_than": 40}},
        {"amount": {"at_least": 40}, "state": {"contains": "paid"}},
        {"amount": {"less_than": 0}},
        {"amount": {"at_most": -3}},
        {"a.b.c": {"exists": True}, "a.d": {"absent": True}},
        {"a.b": {"absent": True}},
        {"amount": {"not": {"equals": 1}}},
        {"$": {"equals": "done"}},
        [{"amount": {"matches": "^[0-9]{9}$"}}, {"amount": 3}],
    ],
)
def test_a_value_is_made_from_the_recorded_one(clauses: JSON, recorded: JSON) -> None:
    where = where_of(clauses, "x")
    assert satisfies(where, value_for(where, recorded))


def test_where_none_is_found_there_is_none() -> None:
    assert value_for(where_of({"id": {"matches": "^[0-9]{9}$"}}, "x"), {}) is None

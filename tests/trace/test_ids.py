"""Ids that are counted up behave as a set of them does."""

from hypothesis import given, strategies as st

from runwright.trace.ids import Ids

near = [f"{letter}{number}" for letter in "mt" for number in range(6)]
ids = st.sampled_from([*near, "m01", "m\u0661", "m", "", "mm1", "1", "11", "-1", "m1 ", "m-1", "m" + "9" * 40])


@given(st.lists(ids), ids)
def test_ids_are_the_set_of_them(added: list[str], asked: str) -> None:
    mine, plain = Ids(), set()
    for each in added:
        assert (each in mine) == (each in plain)
        assert mine.add(each) == (each not in plain)
        plain.add(each)
    assert (asked in mine) == (asked in plain)
    assert mine.holds(added)
    assert mine.holds([*added, asked]) == (asked in plain)


def test_counted_ids_take_no_memory() -> None:
    mine = Ids()
    for number in range(1, 9000):
        mine.add(f"m{number}")
        mine.add(f"t{number}")
    assert mine._others == set()
    assert len(mine._recent) < 9000
    assert "m3" in mine
    assert "m9000" not in mine

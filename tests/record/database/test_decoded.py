"""What PostgreSQL's test_decoding writes, read without a server, and taken together row by row."""

from __future__ import annotations

import pytest

from runwright.record.database.decoded import Undecodable, decoded
from runwright.record.database.net import Identity, Net
from runwright.record.database.told import Told
from runwright.record.database.values import Same
from tests.record.database.look import lines

T = ("public", "t")


def net(*changes: str, full: bool = False, limit: int = 9, kept: int = 1 << 20) -> list[str]:
    found, told = Net({T: Identity(("id", "v"), ("id",), full)}, limit, kept), Told()
    for each in changes:
        change = decoded(f"table public.t: {each}")
        assert change is not None
        found.add(change, len(each))
    found.tell("pg", told)
    result = told.changes()
    return [*lines(result), *(f"{n} {rule}" for rule, n in result.counted.items()), *result.faults]


def insert(number: int, value: str = "a") -> str:
    return f"INSERT: id[integer]:{number} v[text]:'{value}'"


def test_a_line_of_each_kind() -> None:
    row = decoded(
        "table public.t: UPDATE: old-key: id[integer]:1 new-tuple: id[integer]:2 \"a b\"[character varying]:'it''s'"
    )
    assert row is not None
    assert (row.op, row.tables, row.old, row.new) == ("UPDATE", (T,), {"id": 1}, {"id": 2, "a b": "it's"})
    cut = decoded('table "A.b"."c,""d", public.t: TRUNCATE: restart_seqs cascade')
    assert cut is not None
    assert (cut.tables, cut.flags) == ((("A.b", 'c,"d'), T), "restart_seqs cascade")
    bare = decoded("table public.t: DELETE: (no-tuple-data)")
    assert bare is not None
    assert (bare.old, bare.new) == (None, None)
    long = decoded(
        "table public.t: UPDATE: id[integer]:1 v[text]:unchanged-toast-datum w[text]:'unchanged-toast-datum'"
    )
    assert long is not None
    assert long.new is not None
    assert isinstance(long.new["v"], Same)
    assert not isinstance(long.new["w"], Same)
    for each in ("BEGIN", "COMMIT 7", "message: transactional: 1 prefix: table , sz: 0 content:"):
        assert decoded(each) is None


@pytest.mark.parametrize(
    "line",
    [
        "table public.t: MERGE: id[integer]:1",
        "table public.t: INSERT: id[integer]:1 v[text]:'open",
        "table public.t: INSERT: id[integer]:1 and more",
        "table public.t: INSERT: id[integer]:one",
        "table public.t: UPDATE: old-key: id[integer]:1",
        "table t: INSERT: id[integer]:1",
    ],
)
def test_what_is_not_written_so_is_not_taken_for_something_else(line: str) -> None:
    with pytest.raises(Undecodable):
        decoded(line)


def test_a_row_that_came_and_went_is_none_and_one_that_came_back_is_changed() -> None:
    assert net(insert(1), "DELETE: id[integer]:1") == ["1 undone row"]
    assert net("DELETE: id[integer]:1", insert(1, "b")) == [
        'update pg/public.t/1 is {"id": 1, "v": "b"} {"before": "key alone"}'
    ]
    assert net("DELETE: id[integer]:1 v[text]:'b'", insert(1, "b"), full=True) == ["1 undone row"]


def test_beyond_the_limit_rows_are_counted_and_those_within_go_on() -> None:
    changes = [insert(1), insert(2), insert(3), "UPDATE: id[integer]:1 v[text]:'z'", "DELETE: id[integer]:3"]
    assert net(*changes, limit=2) == [
        'insert pg/public.t/1 is {"id": 1, "v": "z"}',
        'insert pg/public.t/2 is {"id": 2, "v": "a"}',
        'insert pg/public.t/* {"rows": 1}',
        'delete pg/public.t/* {"rows": 1}',
        "pg/public.t: 1 more rows (insert) than are told one by one",
        "pg/public.t: 1 more rows (delete) than are told one by one",
    ]


def test_beyond_the_room_the_key_is_held() -> None:
    first, second = net(insert(1, "x" * 60), insert(2, "y" * 60), kept=100)
    assert "xxx" in first
    assert second == 'insert pg/public.t/2 {"key": {"id": 2}}'
    update = "UPDATE: old-key: id[integer]:1 v[text]:'x' new-tuple: id[integer]:1 v[text]:'y'"
    assert net(update, kept=70, full=True) == ['update pg/public.t/1 {"before": "key alone", "key": {"id": 1}}']

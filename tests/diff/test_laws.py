"""What holds for any two runs: none differs from itself, sides may be exchanged, what is told makes one the other."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any, cast

import msgspec
from hypothesis import given, strategies as st
from msgspec.structs import replace

from runwright.diff import FieldDifference, diff
from runwright.diff.compared import encoded
from runwright.diff.fields import differences
from runwright.trace import (
    JSON,
    MessageRecord,
    ModelRecord,
    ModelResponse,
    Record,
    TextBlock,
    ToolCallBlock,
    ToolRecord,
    Trace,
    parse_path,
)
from tests.diff.made import conversation, everywhere, renamed, trace
from tests.diff.test_fields import RECORDS, changes

# --- values -------------------------------------------------------------------------------------

SCALARS = st.one_of(
    st.none(), st.booleans(), st.integers(-3, 3), st.floats(width=16), st.sampled_from(["", "a", "b c", "d'\"]", "$"])
)
NAMES = st.sampled_from(["a", "b", "name", "id", "type", "x y", "0", "__c"])
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=5) | st.dictionaries(NAMES, inner, max_size=4),
    max_leaves=14,
)
OBJECTS = st.dictionaries(NAMES, VALUES, max_size=4)


@st.composite
def edited(draw: st.DrawFn) -> tuple[dict[str, JSON], dict[str, JSON]]:
    """An object, and the same with some of its members and items changed."""
    left = draw(OBJECTS)
    kept = {key: _edited(draw, each) for key, each in left.items() if draw(st.integers(0, 6))}
    return left, cast("dict[str, JSON]", kept)


def _edited(draw: st.DrawFn, value: Any) -> Any:
    if draw(st.integers(0, 6)) == 0:
        return draw(VALUES)
    if isinstance(value, dict):
        kept = {key: _edited(draw, each) for key, each in value.items() if draw(st.integers(0, 6))}
        return {**kept, **draw(OBJECTS)} if draw(st.integers(0, 6)) == 0 else kept
    if isinstance(value, list):
        kept_items = [_edited(draw, each) for each in value if draw(st.integers(0, 6))]
        if draw(st.integers(0, 4)) == 0:
            kept_items.insert(draw(st.integers(0, len(kept_items))), draw(VALUES))
        return kept_items
    return value


PAIRS = edited() | st.tuples(OBJECTS, OBJECTS)


def same(one: Any, other: Any) -> bool:
    """Whether two values are equal as they are compared: 1 is 1.0, and is not true."""
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(same(one[key], other[key]) for key in one)
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(same, one, other))
    numbers = all(isinstance(each, int | float) and not isinstance(each, bool) for each in (one, other))
    return encoded(one) == encoded(other) or (numbers and one == other)


Edit = tuple[tuple[Any, ...], Any]
"""Steps to a place that is still to go, and what is there."""


def applied(value: Any, found: list[FieldDifference]) -> Any:
    """A value with what is told of it: what the left has by its own paths, what the right alone has by the right's."""
    by_left: list[Edit] = []
    by_right: list[Edit] = []
    for field in found:
        kept = field.before is not msgspec.UNSET
        (by_left if kept else by_right).append((tuple(parse_path(field.path)), field.after))
    return _applied(value, by_left, by_right)


def _applied(value: Any, by_left: list[Edit], by_right: list[Edit]) -> Any:
    if by_left and not by_left[0][0]:
        [(_, after)] = by_left
        assert not by_right
        return after
    if isinstance(value, dict):
        made = {key: _applied(value[key], _in(by_left, key), _in(by_right, key)) for key in value}
        made.update({steps[0]: after for steps, after in by_right if len(steps) == 1})
        return {key: each for key, each in made.items() if each is not msgspec.UNSET}
    if not isinstance(value, list):
        assert not by_left
        assert not by_right
        return value
    gone = {steps[0] for steps, after in by_left if len(steps) == 1 and after is msgspec.UNSET}
    come = {steps[0]: after for steps, after in by_right if len(steps) == 1}
    made_items: list[Any] = []
    for at in (at for at in range(len(value)) if at not in gone):
        while len(made_items) in come:
            made_items.append(come[len(made_items)])
        made_items.append(_applied(value[at], _in(by_left, at), _in(by_right, len(made_items))))
    while len(made_items) in come:
        made_items.append(come[len(made_items)])
    return made_items


def _in(edits: list[Edit], step: Any) -> list[Edit]:
    return [(steps[1:], after) for steps, after in edits if steps[0] == step]


@given(PAIRS)
def test_what_is_told_of_two_values_makes_one_the_other(pair: tuple[dict[str, JSON], dict[str, JSON]]) -> None:
    left, right = pair
    found = differences(left, right)
    assert same(applied(left, found), right)
    assert bool(found) is not same(left, right)
    assert differences(left, left) == []
    for field in found:
        assert field.path.startswith("$.") or field.path.startswith("$[")
        assert msgspec.UNSET in (field.before, field.after) or not same(field.before, field.after)


@given(PAIRS)
def test_our_walk_tells_what_deepdiff_tells(pair: tuple[dict[str, JSON], dict[str, JSON]]) -> None:
    def told(*, deep: bool) -> list[tuple[str, str, bytes, bytes]]:
        found = differences(*pair, deep=deep)
        return [(each.path, str(each.right_path), _shown(each.before), _shown(each.after)) for each in found]

    assert sorted(told(deep=True)) == sorted(told(deep=False))


def _shown(value: object) -> bytes:
    return b"" if value is msgspec.UNSET else encoded(value)


# --- runs ---------------------------------------------------------------------------------------


ANSWERS = st.sampled_from([None, True, 1, 1.5, "", "lost", "shipped on Monday"])


@st.composite
def runs(draw: st.DrawFn) -> Trace:
    """A run of some turns with parallel calls, whose tools, arguments and results repeat at times."""
    call = st.tuples(st.sampled_from(["look", "stock"]), st.fixed_dictionaries({"q": st.integers(0, 3)}), ANSWERS)
    turns = draw(st.lists(st.lists(call, min_size=1, max_size=3), max_size=5))
    return trace(conversation(*turns, prompt=draw(st.sampled_from(["one", "two"]))))


def reordered(value: Trace, seed: int) -> Trace:
    """The records of each turn's calls in another order: none comes after another."""
    chance = random.Random(seed)
    records: list[Record] = []
    turn: list[Record] = []
    for record in (*value.records, None):
        if isinstance(record, ToolRecord):
            turn.append(record)
            continue
        chance.shuffle(turn)
        records += [*turn, record] if record is not None else turn
        turn = []
    return replace(value, records=tuple(records))


@given(runs(), runs(), st.integers(0, 1000))
def test_a_run_is_itself_and_sides_may_be_exchanged(one: Trace, other: Trace, seed: int) -> None:
    assert diff(one, one) == replace_counts(one)
    assert diff(one, renamed(one, seed)).is_same
    assert diff(one, reordered(one, seed)).is_same
    assert diff(one, renamed(reordered(one, seed), seed)).is_same
    found = diff(one, other)
    assert diff(other, one) == found.mirrored()
    assert diff(renamed(one, seed), renamed(other, seed + 1)).is_same is found.is_same
    for change in found.changes:
        assert change.kind != "changed" or change.fields
        assert all(field.path.startswith("$.") for field in change.fields)


def replace_counts(one: Trace) -> Any:
    """What is found where nothing differs: as many records the same as there are, and nothing else."""
    from runwright.diff import TraceDiff

    size = len(one.records)
    return TraceDiff((), (), (), same=size, not_compared=0, carried=0, left=size, right=size)


def test_one_insertion_and_one_edit_among_a_thousand_records() -> None:
    made: list[Record] = []
    for part in range(40):
        turns = [[("look", {"q": at}, f"result {at * 7919}")] for at in range(part * 12, part * 12 + 12)]
        made += conversation(*turns, prompt=f"part {part}", start=part * 1000)
    one = trace(made)
    records = list(renamed(one).records)
    assert len(records) == 1000
    edited = records[701]
    assert isinstance(edited, ToolRecord)
    records[701] = replace(edited, result="edited")
    records.insert(300, ToolRecord(id="new", name="audit", outcome="ok", fidelity="raw"))
    found = diff(one, replace(one, records=tuple(records)))
    assert [(each.kind, [field.path for field in each.fields]) for each in found.changes] == [
        ("inserted", []), ("changed", ["$.result"]),
    ]  # fmt: skip
    assert (found.same, found.coarse) == (999, ())


def test_a_tool_that_is_renamed_in_half_its_calls_is_told_by_its_field() -> None:
    one = trace(conversation(*[[("look", {"q": at}, f"result {at}")] for at in range(8)]))
    other = one
    for at in range(4):
        other = everywhere(other, f'"name":"look","arguments":{{"q":{at}}}', f'"name":"find","arguments":{{"q":{at}}}')
    found = diff(one, renamed(other))
    assert [(each.lane, [field.path for field in each.fields]) for each in found.changes] == [
        ("model", ["$.response.content[0].name"]),
        ("tool", ["$.name"]),
    ] * 4
    assert {(field.before, field.after) for each in found.changes for field in each.fields} == {("look", "find")}


# --- records ------------------------------------------------------------------------------------

EVERY = [(record, where, other) for record in RECORDS for where, other in changes(record, Record, "$")]


def edited(left: Sequence[Record], right: Sequence[Record]) -> list[Record]:
    """The left records with everything done to them that is told of the two."""
    changes = diff(trace(left), trace(right)).changes
    gone = [change.left for change in changes if change.kind in ("deleted", "moved")]
    new = {change.left.id: change.right for change in changes if change.kind == "changed" and change.left}
    made = [new.get(each.id) or each for each in left if not any(each is other for other in gone)]
    places = {each.id: at for at, each in enumerate(right)}
    come = {
        places[change.right.id]: change.right
        for change in changes
        if change.right and change.kind in ("inserted", "moved")
    }
    for at in sorted(come):
        made.insert(at, come[at])
    assert len(made) == len(right)
    return [replace(each, id=f"m{at}") for at, each in enumerate(made)]


@given(st.lists(st.sampled_from(RECORDS), max_size=8), st.data())
def test_what_is_told_of_two_traces_makes_one_the_other(records: list[Record], data: st.DataObject) -> None:
    """Records of every lane, some inserted, some gone, some with another value in one field."""
    left = [replace(each, id=f"l{at}") for at, each in enumerate(records)]
    right: list[Record] = []
    for each in records:
        match data.draw(st.sampled_from(["keep", "keep", "keep", "edit", "drop", "insert"])):
            case "insert":
                right += [data.draw(st.sampled_from(RECORDS)), each]
            case "edit":
                right.append(data.draw(st.sampled_from([other for record, _, other in EVERY if record is each])))
            case "keep":
                right.append(each)
            case _:
                pass
    right = [replace(each, id=f"r{at}") for at, each in enumerate(right)]
    found = diff(trace(left), trace(right))
    made = left
    for _ in range(1 + found.carried):  # what exchanges carry on is told where it entered: it comes with the next round
        made = edited(made, right)
    assert diff(trace(made), trace(right)).is_same
    for change in found.changes:
        if change.kind == "changed" and not isinstance(change.left, ModelRecord):
            assert change.fields


def test_unequal_records_that_nothing_orders_keep_the_order_of_their_lines() -> None:
    [a] = (each for each in RECORDS if isinstance(each, MessageRecord))
    [b] = (each for each in RECORDS if isinstance(each, ModelRecord))
    other, changed = replace(b, request=replace(b.request, api="a!")), replace(b, agent="a!")
    left, right = [a, b, a, a, a, b, a, b], [replace(a, agent="a!"), other, a, a, a, b, a, changed]
    left, right = ([replace(each, id=f"{at}") for at, each in enumerate(side)] for side in (left, right))
    for one, two in ((left, right), (right, left)):
        made: Sequence[Record] = one
        for _ in range(1 + diff(trace(one), trace(two)).carried):
            made = edited(made, two)
        assert diff(trace(made), trace(two)).is_same


def test_equal_lookups_of_several_turns_are_each_of_their_own_turn() -> None:
    none, one_, two = ("look", {"q": 0}, None), ("look", {"q": 1}, None), ("look", {"q": 2}, None)
    one = trace(conversation([none, none, none], [none, one_, one_], [none, one_], [two, none, one_]))
    for seed in range(60):
        found = diff(one, reordered(one, seed))
        assert found.is_same, (seed, found.changes)


def test_calls_that_one_side_alone_has_are_each_told_and_stand_in_their_order() -> None:
    def said(*names: str) -> Trace:
        calls = tuple(
            ToolCallBlock(id=name, name=name, arguments={name: [f"{name}{at}" for at in range(30)]}) for name in names
        )
        return trace([MessageRecord(id="u", role="agent", content=(TextBlock(text="so"), *calls))])

    [change] = diff(said("a", "b"), said("c", "d", "e")).changes
    assert sorted(field.path for field in change.fields if field.before is msgspec.UNSET) == [
        f"$.content[{at}]" for at in (1, 2, 3)
    ]
    assert sorted(field.path for field in change.fields if field.after is msgspec.UNSET) == [
        f"$.content[{at}]" for at in (1, 2)
    ]
    [model] = trace(conversation()).models
    for names in ("abcd", "dcba"):
        calls = tuple(ToolCallBlock(id=name, name=name, arguments={}) for name in names)
        answered = replace(model, response=ModelResponse(content=calls))
        [change] = diff(trace([answered]), trace([replace(model, response=None)])).changes
        [field] = change.fields
        assert field.path == "$.response"
        assert [each["name"] for each in cast("Any", field.before)["content"]] == list(names)

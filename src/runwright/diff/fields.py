"""Where two values differ: lists are aligned here, DeepDiff explains what is nested, and places become JSONPaths."""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple, TypeAlias, cast

import msgspec

from runwright.diff.align import common
from runwright.diff.coarse import Notes
from runwright.diff.compared import encoded
from runwright.diff.model import FieldDifference, Given
from runwright.diff.pair import Item, likeness, paired
from runwright.trace.model import JSON
from runwright.trace.paths import Part, format_path

Steps: TypeAlias = "tuple[Part, ...]"


class Listed(list[JSON]):
    """A list in an order of its own, whose items remember the index they have in the record."""

    def __init__(self, items: Iterable[JSON], at: Iterable[int]) -> None:
        super().__init__(items)
        self.at = tuple(at)


class Slot(NamedTuple):
    """The place of an item in two aligned lists; None where a list lacks it."""

    left: int | None
    right: int | None


Tree: TypeAlias = "dict[str | Slot, Any]"
"""Two values cut down to where they differ; items of aligned lists under their places."""

Told: TypeAlias = "tuple[tuple[Any, ...], Given, Given]"
"""Steps to a place of both trees, and what is there."""


def plain(value: object) -> JSON:
    """A model value as JSON, with lists for tuples."""
    return _listed(msgspec.to_builtins(value))


def _listed(value: Any) -> JSON:
    if isinstance(value, dict):
        return {key: _listed(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [_listed(each) for each in value]
    return cast("JSON", value)


def differences(
    left: dict[str, JSON],
    right: dict[str, JSON],
    at: Steps = (),
    right_at: Steps | None = None,
    *,
    notes: Notes | None = None,
    deep: bool = True,
) -> list[FieldDifference]:
    """The fields in which two objects differ; `at` and `right_at` say where they stand.

    DeepDiff explains what differs in several places, unless it is not `deep`: that tells the same, in less time.
    """
    one, other = _members(left, right, notes)
    if not one and not other:
        return []
    where = at if right_at is None else right_at
    explain = _explained if deep and not _is_lone(one, other) else _walked
    found = (_difference((*at, *steps), (*where, *steps), *given) for steps, *given in explain(one, other))
    return sorted(found, key=lambda field: (field.path, field.before is msgspec.UNSET))


def _is_lone(one: Any, other: Any) -> bool:
    """Whether two values differ in one place."""
    while isinstance(one, dict) and isinstance(other, dict) and one.keys() == other.keys() and len(one) == 1:
        [one], [other] = one.values(), other.values()
    return not isinstance(one, dict) or not isinstance(other, dict)


def _walked(one: Tree, other: Tree, at: tuple[Any, ...] = ()) -> Iterator[Told]:
    for key in {**one, **other}:
        before, after = one.get(key, msgspec.UNSET), other.get(key, msgspec.UNSET)
        if isinstance(before, dict) and isinstance(after, dict):
            yield from _walked(before, after, (*at, key))
        else:
            yield (*at, key), _whole(before), _whole(after)


def _whole(value: Any) -> Given:
    return value if value is msgspec.UNSET else restored(value)


def _explained(one: Tree, other: Tree) -> Iterator[Told]:
    from deepdiff import DeepDiff  # slow to import, and seldom needed

    found = DeepDiff(
        one, other, view="tree", verbose_level=2, ignore_private_variables=False, threshold_to_diff_deeper=0
    )
    for levels in found.values():
        for level in levels:
            yield tuple(level.path(output_format="list")), _given(level.t1), _given(level.t2)


def _given(value: Any) -> Given:
    from deepdiff.helper import NotPresent

    return msgspec.UNSET if value is NotPresent or isinstance(value, NotPresent) else restored(value)


def restored(value: Any) -> JSON:
    """A value that one side alone has, as it stands in the record."""
    if isinstance(value, Listed):
        return [each for _, each in sorted(zip(value.at, map(restored, value), strict=True), key=lambda pair: pair[0])]
    if isinstance(value, dict):
        return {key: restored(each) for key, each in value.items()}
    if isinstance(value, list):
        return [restored(each) for each in value]
    return cast("JSON", value)


def _difference(steps: Sequence[Any], right_steps: Sequence[Any], before: Given, after: Given) -> FieldDifference:
    left = format_path(
        [step.left if isinstance(step, Slot) and step.left is not None else _right(step) for step in steps]
    )
    right = format_path([_right(step) for step in right_steps])
    if before is msgspec.UNSET:
        return FieldDifference(right, before, after)
    return FieldDifference(left, before, after, right if right != left and after is not msgspec.UNSET else None)


def _right(step: Any) -> Part:
    if isinstance(step, Slot):
        return step.right if step.right is not None else cast("int", step.left)
    return cast("Part", step)


# --- what differs, and nothing else -------------------------------------------------------------


def _members(left: dict[str, JSON], right: dict[str, JSON], notes: Notes | None) -> tuple[Tree, Tree]:
    """The members in which two objects differ."""
    one: Tree = {}
    other: Tree = {}
    for key in left:
        if key not in right:
            one[key] = left[key]
            continue
        differing = _differing(left[key], right[key], notes)
        if differing is not None:
            one[key], other[key] = differing
    other.update({key: right[key] for key in right if key not in left})
    return one, other


def _differing(left: JSON, right: JSON, notes: Notes | None) -> tuple[Any, Any] | None:
    """Both values, cut down to where they differ; None where they are the same, as 1 and 1.0 are."""
    if isinstance(left, dict) and isinstance(right, dict):
        one, other = _members(left, right, notes)
        return (one, other) if one or other else None
    if isinstance(left, list) and isinstance(right, list):
        return _items(left, right, notes)
    if encoded(left) == encoded(right) or (_number(left) and _number(right) and left == right):
        return None
    return left, right


def _number(value: JSON) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _items(left: list[JSON], right: list[JSON], notes: Notes | None) -> tuple[Tree, Tree] | None:
    """The items in which two lists differ, aligned."""
    one: Tree = {}
    other: Tree = {}
    places, others = _places(left), _places(right)
    for a, b in aligned(left, right, notes):
        slot = Slot(None if a is None else places[a], None if b is None else others[b])
        if a is not None and b is not None:
            differing = _differing(left[a], right[b], notes)
            if differing is not None:
                one[slot], other[slot] = differing
        elif a is not None:
            one[slot] = left[a]
        elif b is not None:
            other[slot] = right[b]
    return (one, other) if one or other else None


def _places(items: list[JSON]) -> Sequence[int]:
    return items.at if isinstance(items, Listed) else range(len(items))


def aligned(
    left: Sequence[JSON],
    right: Sequence[JSON],
    notes: Notes | None = None,
    *,
    keys: Sequence[bytes] | None = None,
    others: Sequence[bytes] | None = None,
) -> Iterator[tuple[int | None, int | None]]:
    """Pairs of positions of two lists: equal items first, unequal ones that belong together, then what stands alone.

    `keys` and `others` are what the items are encoded to, where it is known.
    """
    keys = [encoded(item) for item in left] if keys is None else keys
    others = [encoded(item) for item in right] if others is None else others
    pairs = common(keys, others, notes)
    lonely: list[int] = []
    lonely_right: list[int] = []
    a = b = 0
    for next_a, next_b in [*pairs, (len(left), len(right))]:
        mine, yours = range(a, next_a), range(b, next_b)
        items, right_items = (
            [item_of(side[at], given[at]) for at in span]
            for side, given, span in ((left, keys, mine), (right, others, yours))
        )
        near = paired(items, right_items, notes)
        yield from ((a + x, b + y) for x, y in near)
        lonely += sorted(set(mine) - {a + x for x, _ in near})
        lonely_right += sorted(set(yours) - {b + y for _, y in near})
        a, b = next_a + 1, next_b + 1
    yield from _across(left, right, lonely, lonely_right)


def _across(
    left: Sequence[JSON], right: Sequence[JSON], lonely: list[int], others: list[int]
) -> Iterator[tuple[int | None, int | None]]:
    """Calls, results and tools have no order among themselves: those that are left are paired wherever they stand."""
    if isinstance(left, Listed) and isinstance(right, Listed):
        waiting: defaultdict[Any, deque[int]] = defaultdict(deque)
        for b in others:
            waiting[item_of(right[b], b"")[:2]].append(b)
        for a in lonely:
            found = waiting.get(item_of(left[a], b"")[:2]) if _unordered(left[a]) else None
            yield a, found.popleft() if found else None
        others = sorted(b for each in waiting.values() for b in each)
    else:
        yield from ((a, None) for a in lonely)
    yield from ((None, b) for b in others)


def _unordered(item: JSON) -> bool:
    return isinstance(item, dict) and ("type" not in item or item["type"] in ("tool_call", "tool_result"))


def item_of(value: JSON, data: bytes) -> Item:
    """A list's item as something to be paired: objects by their type, then their role, name or id."""
    if isinstance(value, dict):
        name = value.get("role"), value.get("name"), value.get("id")
        return Item(encoded(value.get("type")), encoded(name), lambda: data)
    return Item(type(value).__name__, None, lambda: data)


__all__ = ["FieldDifference", "Listed", "Slot", "Steps", "aligned", "differences", "item_of", "likeness", "plain"]

"""What records say about each other, compared under the pairing: an id means what it leads to."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence

from runwright.diff.causes import Causes, lines_of
from runwright.diff.compared import block_key
from runwright.diff.model import FieldDifference
from runwright.diff.side import Answer, Call, Exchange, Prepared
from runwright.trace.model import JSON, FaultRecord, PolicyRecord, SideEffectRecord, ToolCallBlock


class Pairing:
    """Which line of the right side each line of the left is, and the other way round; -1 for none."""

    def __init__(self, left: int, right: int) -> None:
        self.to_right = [-1] * left
        self.to_left = [-1] * right

    def add(self, left: int, right: int) -> None:
        """These two are one record."""
        self.to_right[left] = right
        self.to_left[right] = left


class Links:
    """Compares the links of paired records."""

    def __init__(self, causes: Causes, pairing: Pairing) -> None:
        self._left, self._right = left, right = causes.sides
        self._pairing, self._by = pairing, causes
        self._ids, self._right_ids = causes.ids
        self._calls: dict[tuple[int, int], tuple[list[bytes | None], list[bytes]]] = {}
        self.unordered = (not any(each.after for each in left.records), not any(each.after for each in right.records))
        """Whether a side says nothing about what came after what."""

    def differences(self, a: int, b: int) -> Iterator[FieldDifference]:
        """The links in which the records on these lines differ."""
        one, other = self._left.records[a], self._right.records[b]
        if one.parent is not None or other.parent is not None:
            yield from self._named("$.parent", one.parent, other.parent)
        if not any(self.unordered):
            yield from self._order(a, b)
        if isinstance(one, SideEffectRecord) and isinstance(other, SideEffectRecord):
            yield from self._named("$.side_effect.caused_by", one.side_effect.caused_by, other.side_effect.caused_by)
        elif isinstance(one, PolicyRecord) and isinstance(other, PolicyRecord):
            yield from self._named("$.on", one.on, other.on)
        elif isinstance(one, FaultRecord) and isinstance(other, FaultRecord):
            yield from self._hidden(one, other)
        elif a in self._left.calls or b in self._right.calls:
            yield from self._ran(a, b)
        elif a in self._left.exchanges:
            yield from self._answers(self._left.exchanges[a], self._right.exchanges[b])

    def _named(self, path: str, one: str | None, other: str | None) -> Iterator[FieldDifference]:
        if one is None or other is None:
            if one is not other:
                yield FieldDifference(path, one, other)
            return
        a, b = self._ids.get(one, -1), self._right_ids.get(other, -1)
        if a < 0 and b < 0:
            return  # neither side has such a record: a name of another trace, which says nothing here
        if a >= 0 and b >= 0 and (self._pairing.to_right[a] < 0 or self._pairing.to_left[b] < 0):
            return  # that record is a difference by itself
        if a < 0 or self._pairing.to_right[a] != b:
            yield FieldDifference(path, one, other)

    def _hidden(self, one: FaultRecord, other: FaultRecord) -> Iterator[FieldDifference]:
        """What a fault hides: lanes and kinds by their names, records by what they lead to."""
        mine = Counter(self._known(name) for name in one.hides)
        yours = Counter(str(self._right_ids.get(name, name)) for name in other.hides)
        if mine != yours:
            yield FieldDifference("$.hides", list(one.hides), list(other.hides))

    def _known(self, name: str) -> str:
        line = self._ids.get(name)
        return name if line is None else str(self._pairing.to_right[line])

    # --- order ----------------------------------------------------------------------------------

    def _order(self, a: int, b: int) -> Iterator[FieldDifference]:
        one, other = self._left.records[a].after, self._right.records[b].after
        if not one and not other:
            return
        if len(one) == len(other) == 1:  # nearly always, and nearly always the same
            cause = self._ids.get(one[0])
            if cause is not None and self._pairing.to_right[cause] == self._right_ids.get(other[0]):
                return
        if not (self._ids.keys() >= set(one) and self._right_ids.keys() >= set(other)):
            return  # an edge that leads nowhere says nothing
        mine = {self._pairing.to_right[line] for line in self._causes(self._left, self._ids, self._pairing.to_right, a)}
        yours = self._causes(self._right, self._right_ids, self._pairing.to_left, b)
        lost = {line for line in mine - yours if not self._by.comes_after(1, b, line)}
        gained = {line for line in yours - mine if not self._by.comes_after(0, a, self._pairing.to_left[line])}
        if lost or gained:
            yield FieldDifference("$.after", list(one), list(other))

    def _causes(self, side: Prepared, ids: Mapping[str, int], partner: Sequence[int], line: int) -> set[int]:
        """The paired records that this one comes after, through records that one side alone has."""
        found: set[int] = set()
        seen: set[int] = set()
        waiting = lines_of(side.records[line].after, ids)
        while waiting:
            each = waiting.pop()
            if each in seen:
                continue
            seen.add(each)
            if partner[each] >= 0:
                found.add(each)
            else:
                waiting += lines_of(side.records[each].after, ids)
        return found

    # --- calls ----------------------------------------------------------------------------------

    def _ran(self, a: int, b: int) -> Iterator[FieldDifference]:
        """Whether both records ran the same call."""
        call, other = self._left.calls.get(a), self._right.calls.get(b)
        if call is None and other is not None:
            if self._pairing.to_left[other.line] >= 0:
                yield FieldDifference("$.call_id", None, self._shown(self._right, other))
        elif other is None and call is not None:
            if self._pairing.to_right[call.line] >= 0:
                yield FieldDifference("$.call_id", self._shown(self._left, call), None)
        elif call is not None and other is not None and not self._may_be_same(call, other):
            yield FieldDifference("$.call_id", self._shown(self._left, call), self._shown(self._right, other))

    def _answers(self, one: Exchange, other: Exchange) -> Iterator[FieldDifference]:
        """Results that say the same and answer different calls."""
        mine, yours = one.answers, other.answers
        if len(mine) != len(yours) or not mine:
            return  # other results: told by the messages
        if len(mine) == 1 and self._may_be_same(mine[0].call, yours[0].call):
            return
        waiting = [(block_key(each.result), each) for each in yours]
        for answer in mine:
            found = self._answer(answer, waiting)
            if found is None or self._may_be_same(answer.call, found.call):
                continue
            path = f"$.request.messages[{answer.message}].content[{answer.block}].call_id"
            right = f"$.request.messages[{found.message}].content[{found.block}].call_id"
            before, after = self._shown(self._left, answer.call), self._shown(self._right, found.call)
            yield FieldDifference(path, before, after, right if right != path else None)

    def _answer(self, answer: Answer, waiting: list[tuple[bytes, Answer]]) -> Answer | None:
        """Take the result on the right that says the same, of several the one that answers the same call."""
        key = block_key(answer.result)
        alike = [each for each in waiting if each[0] == key]
        if not alike:
            return None
        found = next((each for each in alike if self._may_be_same(answer.call, each[1].call)), alike[0])
        waiting.remove(found)
        return found[1]

    def _may_be_same(self, call: Call | None, other: Call | None) -> bool:
        """Whether two calls are one; true too where that cannot be told, since what hides it is a difference itself."""
        if call is None or other is None:
            return True
        line = self._pairing.to_right[call.line]
        if line != other.line:
            return line < 0 or self._pairing.to_left[other.line] < 0
        asked, others = self._left.exchanges[call.line].asked, self._right.exchanges[line].asked
        if len(asked) == len(others) == 1:
            return True
        known = self._calls.get((call.line, line))
        if known is None:
            known = self._calls[call.line, line] = _became(asked, others)
        mine, yours = known
        return mine[call.at] is None or mine[call.at] == yours[other.at]

    def _shown(self, side: Prepared, call: Call | None) -> JSON:
        if call is None:
            return None
        block = side.exchanges[call.line].asked[call.at]
        return {"name": block.name, "arguments": block.arguments}


def _became(asked: Sequence[ToolCallBlock], others: Sequence[ToolCallBlock]) -> tuple[list[bytes | None], list[bytes]]:
    """For each call of the left the key it has on the right, and the keys of the right; None where it is gone.

    First comes the equal one in the same place, then an equal one, then one of that name, then any.
    """
    keys, right_keys = [block_key(block) for block in asked], [block_key(block) for block in others]
    fits: tuple[Callable[[int, int], bool], ...] = (
        lambda a, b: a == b and keys[a] == right_keys[b],
        lambda a, b: keys[a] == right_keys[b],
        lambda a, b: asked[a].name == others[b].name,
        lambda *_: True,
    )
    waiting = list(range(len(others)))
    found: list[bytes | None] = [None] * len(asked)
    for fit in fits:
        for a in range(len(asked)):
            b = next((each for each in waiting if fit(a, each)), None) if found[a] is None else None
            if b is not None:
                waiting.remove(b)
                found[a] = right_keys[b]
    return found, right_keys

"""What each node comes after by the edges of its record, before what follows from other edges is left out."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from typing import TypeAlias

    from runwright.fingerprint.node import Node
    from runwright.fingerprint.note import Note

    Leads: TypeAlias = tuple[tuple[int, ...], tuple[int, ...]]
    """Nodes that edges lead back to: by contents alone, and over at least one edge that was inferred from times."""

DEEPEST = 64
"""How many calls around a node are looked at."""


def wanted(
    notes: Sequence[Note], nodes: Sequence[Node], place_of: Mapping[str, int], inside: Sequence[int | None]
) -> list[set[int]]:
    """What each node comes after. A call of a reply comes after that reply alone, since calls of a reply are parallel.

    So is what runs inside of them: times order nothing between the insides of two such calls.
    """
    leads = _leads(notes, place_of)
    around = _Around(nodes, inside)
    found: list[set[int]] = []
    for place, node in enumerate(nodes):
        if not node.leads:
            found.append({place_of[node.origin]})
            continue
        known, guessed = leads[node.origin]
        mine = set(known)
        for each in guessed:
            beside = around.sibling(each, place)
            mine |= {each} if beside is None else around.exits(each, beside, found)
        found.append({each for each in mine if each < place})
    return found


def _leads(notes: Sequence[Note], place_of: Mapping[str, int]) -> dict[str, Leads]:
    """For each record the nodes that its edges lead back to, through records that are no nodes."""
    passed: dict[str, Leads] = {}
    found: dict[str, Leads] = {}
    for note in notes:
        if len(note.after) == 1 and not note.after_inferred and note.after[0] in place_of:
            leads: Leads = (place_of[note.after[0]],), ()
        else:
            leads = _through(note, place_of, passed)
        found[note.id] = leads
        if note.id not in place_of:
            passed[note.id] = leads
    return found


def _through(note: Note, place_of: Mapping[str, int], passed: Mapping[str, Leads]) -> Leads:
    known: dict[int, None] = {}
    guessed: dict[int, None] = {}
    for edges, sure in ((note.after, True), (note.after_inferred, False)):
        for each in edges:
            here: Leads = ((place_of[each],), ()) if each in place_of else passed.get(each, ((), ()))
            (known if sure else guessed).update(dict.fromkeys(here[0]))
            guessed.update(dict.fromkeys(here[1]))
    return tuple(known), tuple(each for each in guessed if each not in known)


class _Around:
    """Which calls nodes lie in, and the ways out of them that were found before."""

    def __init__(self, nodes: Sequence[Node], inside: Sequence[int | None]) -> None:
        self._nodes = nodes
        self._inside = inside
        self._exits: dict[tuple[int, int], set[int]] = {}

    def sibling(self, earlier: int, later: int) -> int | None:
        """The call that the earlier node is or lies in, if the same reply asked for another that the later lies in."""
        if self._inside[later] is None:
            return None
        mine = {self._nodes[call].origin: call for call in self._calls(self._inside[later])}
        for call in self._calls(earlier):
            beside = mine.get(self._nodes[call].origin)
            if beside is not None and beside != call:
                return call
        return None

    def _calls(self, node: int | None) -> Iterator[int]:
        """The node itself if it is a call of a reply, and such calls around it, innermost first."""
        for _ in range(DEEPEST):
            if node is None:
                return
            if not self._nodes[node].leads:
                yield node
            node = self._inside[node]

    def exits(self, start: int, call: int, befores: Sequence[set[int]]) -> set[int]:
        """What comes before the call and its inside, seen from a node in it."""
        if (start, call) not in self._exits:
            found, seen, waiting = set[int](), {start}, [start]
            while waiting:
                for each in befores[waiting.pop()] - seen:
                    seen.add(each)
                    if call in self._calls(each):
                        waiting.append(each)
                    else:
                        found.add(each)
            self._exits[start, call] = found
        return self._exits[start, call]

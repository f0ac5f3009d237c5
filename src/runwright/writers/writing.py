"""What a form does not hold, collected while a trace is written: found by comparison, so that all of it is told."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from runwright.trace import ID_LETTER, JSON, Header, Loss, LossKind, Part, Record, format_path, lane_of, plain

DETAILS: dict[str, tuple[LossKind, str]] = {
    "id": ("inexact", "ids are given anew when it is read"),
    "t": ("not_representable", "times are not kept"),
    "duration": ("not_representable", "times are not kept"),
    "parent": ("not_representable", "nesting is not kept"),
    "agent": ("not_representable", "the agents' names are not kept"),
    "after": ("not_representable", "edges are found anew when it is read"),
    "after_inferred": ("not_representable", "edges are found anew when it is read"),
    "ext": ("not_representable", "what other tools said beside the record is not kept"),
    "fidelity": ("inexact", "how much was known of an exchange is not kept: it reads as it is written"),
    "unknown": ("inexact", "what is unknown is left out, and reads as not there"),
    "reconstructed": ("inexact", "what follows from other facts reads as recorded"),
    "adopted": ("inexact", "what was adopted reads as recorded"),
    "chunks": ("inexact", "the pieces of a stream"),
    "streamed": ("inexact", "whether it was streamed"),
}
"""What is told of the fields of a record; of any other, the field itself is named."""

HEADER: dict[str, str] = {
    "kind": "it reads as a run",
    "agent": "the agent's name, version and command are not kept",
    "losses": "what the trace itself had lost is not kept",
    "lineage": "what it came from is not kept",
    "ext": "what other tools said of the run is not kept",
}


class Writing:
    """Collects the losses of one file."""

    def __init__(self) -> None:
        self._losses: list[Loss] = []

    def lose(self, kind: LossKind, detail: str, id: str, path: str = "") -> None:
        """Note something that the form cannot hold; without a path, the record as a whole."""
        self._losses.append(Loss(kind=kind, detail=detail, where=f"{id}: {path}" if path else id))

    def leave_out(self, record: Record, why: str) -> None:
        """Note a record that is not written."""
        self.lose("not_representable", why, record.id)

    def holds(self, record: Record, held: Record) -> None:
        """Note each field in which a record differs from what the form holds of it."""
        for path in differing(plain(record), plain(held)):
            field = str(path[0])
            kind, detail = DETAILS.get(field, ("not_representable", f"fields of the {field} that have no place in it"))
            self.lose(kind, detail, record.id, format_path(path))

    def header(self, header: Header, kept: Sequence[str] = ()) -> None:
        """Note what the header says and the form does not."""
        given = plain(header)
        for field, detail in HEADER.items():
            if field not in kept and given.get(field) not in (None, "run"):
                self.lose("not_representable", detail, "header", f"$.{field}")

    def numbered(self, records: Iterable[Record]) -> None:
        """Note the records, in the order they are read in, whose ids will be others."""
        counts: dict[str, int] = {}
        for record in records:
            letter = ID_LETTER[lane_of(record)]
            counts[letter] = counts.get(letter, 0) + 1
            if record.id != f"{letter}{counts[letter]}":
                self.lose(*DETAILS["id"], record.id, "$.id")

    def losses(self) -> tuple[Loss, ...]:
        """Everything noted, each place once."""
        return tuple({(each.where, each.kind): each for each in self._losses}.values())


def in_short(losses: Iterable[Loss]) -> list[Loss]:
    """The losses with equal ones counted, each at the first place it was met at."""
    found: dict[tuple[LossKind, str], Loss] = {}
    for each in losses:
        known = found.get((each.kind, each.detail))
        count = each.count + (known.count if known else 0)
        where = known.where if known else each.where
        found[each.kind, each.detail] = Loss(kind=each.kind, detail=each.detail, where=where, count=count)
    return list(found.values())


def differing(one: JSON, other: JSON, where: tuple[Part, ...] = ()) -> Iterator[tuple[Part, ...]]:
    """The places in which two values differ; lists of different lengths differ as a whole."""
    if isinstance(one, dict) and isinstance(other, dict):
        for key in {**one, **other}:
            if key not in one or key not in other:
                yield (*where, key)
            else:
                yield from differing(one[key], other[key], (*where, key))
    elif isinstance(one, list | tuple) and isinstance(other, list | tuple) and len(one) == len(other):
        for at, (mine, its) in enumerate(zip(one, other, strict=True)):
            yield from differing(mine, its, (*where, at))
    elif type(one) is not type(other) or one != other:
        yield where

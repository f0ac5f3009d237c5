"""The effects of one look at databases, as they are found: told whole while there is room, and counted beyond."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

from runwright.record.database.model import CHANGE, CONTENT, ROWS, DatabaseChanges
from runwright.record.database.values import Row, key_text, row_text, shown
from runwright.record.observe.content import SHOWN
from runwright.trace import digest_bytes
from runwright.trace.model import JSON, EffectState, SideEffect

ALL = "*"
"""The key of rows that are not told one by one."""


class Told:
    """What is told so far."""

    def __init__(self, rows: int = ROWS, content: int = CONTENT) -> None:
        self.limit = rows
        self.counted: Counter[str] = Counter()
        self._room = content
        self._effects: list[SideEffect] = []
        self._faults: dict[str, None] = {}
        self._covered: set[bytes] = set()

    def changes(self) -> DatabaseChanges:
        """All of it, as a value."""
        return DatabaseChanges(
            tuple(self._effects), dict(sorted(self.counted.items())), tuple(self._faults), frozenset(self._covered)
        )

    def row(
        self,
        table: str,
        op: str,
        key: Row,
        before: Row | None,
        after: Row | None,
        columns: Iterable[str] | None = None,
        note: Mapping[str, JSON] | None = None,
    ) -> None:
        """One row. Where its content is too long, or there is no more room, the values of the key are told."""
        old, new = self._state(before), self._state(after)
        whole = (old is not None or before is None) and (new is not None or after is None)
        detail: dict[str, JSON] = {} if columns is None else {"columns": list(columns)}
        if not whole or not (before or after):
            detail["key"] = {name: shown(name, cell) for name, cell in key.items()}
        detail |= note or {}
        target = f"{table}/{key_text(key)}"
        self._effects.append(SideEffect(kind=CHANGE, target=target, op=op, before=old, after=new, detail=detail))

    def more(self, table: str, op: str, rows: int) -> None:
        """Rows that there is no room for: one effect with their number, and a fault, since a key may be among them."""
        if rows > 0:
            self._effects.append(SideEffect(kind=CHANGE, target=f"{table}/{ALL}", op=op, detail={"rows": rows}))
            self.fault(f"{table}: {rows} more rows ({op}) than are told one by one")

    def every(self, table: str, op: str, **note: JSON) -> None:
        """All rows of a table at once, whichever they were."""
        self._effects.append(SideEffect(kind=CHANGE, target=f"{table}/{ALL}", op=op, detail={"rows": "all", **note}))

    def whole(
        self,
        target: str,
        op: str,
        before: str | None = None,
        after: str | None = None,
        detail: Mapping[str, JSON] | None = None,
    ) -> None:
        """A table, or another thing that has a definition."""
        self._effects.append(
            SideEffect(
                kind=CHANGE,
                target=target,
                op=op,
                before=_defined(before),
                after=_defined(after),
                detail=dict(detail or {}),
            )
        )

    def fault(self, detail: str) -> None:
        """Something that may have hidden an effect."""
        self._faults[detail] = None

    def cover(self, paths: Iterable[bytes]) -> None:
        """Files whose changes are told."""
        self._covered.update(paths)

    def _state(self, row: Row | None) -> EffectState | None:
        if not row or self._room <= 0:
            return None
        text = row_text(row)
        self._room -= len(text)
        return _defined(text)


def _defined(text: str | None) -> EffectState | None:
    """A text that is kept whole or not at all: a digest of one that is not there lets what is in it be guessed."""
    data = None if text is None else text.encode()
    if data is None or len(data) > SHOWN:
        return None
    return EffectState(digest=digest_bytes(data), size=len(data), content=text)

"""The losses of one import, collected while it runs."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import msgspec

from runwright.readers.again import Texts
from runwright.readers.exact import DEEPEST, NotJson, parse_json
from runwright.trace.model import JSON, FaultRecord, Loss, LossKind

HIDDEN = ("model", "tool", "mcp", "http", "side_effect")
"""What a line that cannot be read may have held."""


class Reading:
    """Collects losses; equal ones are counted, and keep the first place they were met at.

    It begins with those that were met before, such as in a file that holds several runs.
    """

    def __init__(self, met: Iterable[Loss] = ()) -> None:
        self._losses: dict[tuple[LossKind, str], Loss] = {(each.kind, each.detail): each for each in met}
        self._texts = Texts()

    def lose(self, kind: LossKind, detail: str, where: str | None = None) -> None:
        """Note something that could not be kept."""
        known = self._losses.get((kind, detail))
        place, count = (known.where, known.count + 1) if known else (where, 1)
        self._losses[kind, detail] = Loss(kind=kind, detail=detail, where=place, count=count)

    def add(self, losses: Iterable[Loss]) -> None:
        """Note what was met elsewhere, later."""
        for each in losses:
            known = self._losses.get((each.kind, each.detail), each)
            count = known.count + each.count if known is not each else each.count
            self._losses[each.kind, each.detail] = msgspec.structs.replace(known, count=count)

    def changed(self, where: str) -> Callable[[str], None]:
        """Where a parser reports the values that it could not keep as they were."""
        return lambda detail: self.lose("inexact", detail, where)

    def json(self, text: str | bytes, where: str, deepest: int = DEEPEST) -> JSON:
        """The value of a JSON text, its changes noted as losses; NotJson if it is none."""
        if isinstance(text, str) and deepest == DEEPEST:
            return self._texts.value(text, self.changed(where))
        return parse_json(text, self.changed(where), deepest)

    def json_or_text(self, text: str, where: str) -> JSON:
        """The value of a JSON text, or the text itself."""
        try:
            return self.json(text, where)
        except NotJson:
            return text

    def losses(self) -> tuple[Loss, ...]:
        """Everything noted, in the order it was first met."""
        return tuple(self._losses.values())


def unread(losses: Iterable[Loss]) -> tuple[FaultRecord, ...]:
    """One fault for all that is malformed among these losses, since it may have held anything."""
    found = [loss for loss in losses if loss.kind == "malformed"]
    if not found:
        return ()
    count = sum(loss.count for loss in found)
    first = next((f", the first at {loss.where}" for loss in found if loss.where), "")
    detail = f"{count} {'line or entry' if count == 1 else 'lines or entries'} of the source could not be read{first}"
    return (FaultRecord(id="", kind="truncation", detail=detail, hides=HIDDEN),)

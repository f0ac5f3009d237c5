"""The fingerprint of the lines of a trace, as plain JSON."""

from __future__ import annotations

from operator import is_

from runwright.fingerprint.note import Exchange, Noted
from runwright.fingerprint.summary import summary
from runwright.fingerprint.taking import take, take_header
from runwright.trace.holds import NotSure

TYPE_CHECKING = False  # the module typing takes longer to load than a small trace to read
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from runwright.fingerprint.note import Note
    from runwright.fingerprint.summary import Summary
    from runwright.trace.requests import Plain

NEAR = 64
"""The records that are looked through, backwards along the edges, for the exchange that a request continues."""


def summary_of_lines(lines: Iterable[Plain]) -> Summary:
    """The fingerprint of a whole trace: of its header and its records, which refer to no other lines.

    NotSure where two messages differ in how they are written, so that only the model tells whether they are equal.
    """
    noted = Noted()
    by_id: dict[str, Note] = {}
    requests: dict[str, Sequence[Plain]] = {}
    for line in lines:
        if "lane" not in line:
            take_header(noted, line)
        elif line["lane"] != "blob":
            if line["lane"] == "model":
                messages = requests[line["id"]] = line["request"]["messages"]
                before = requests.get(continued(line, by_id) or "", ())
                take(noted, line, _carried(_new(messages, before)))
            else:
                take(noted, line)
            by_id[line["id"]] = noted.notes[-1]
    return summary(noted)


def continued(line: Plain, by_id: Mapping[str, Note]) -> str | None:
    """An exchange that this one comes after, with only calls and other lanes between; None where none is near."""
    waiting = [*line.get("after", ()), *line.get("after_inferred", ())]
    for _ in range(NEAR):
        if not waiting:
            return None
        each = by_id.get(waiting.pop(0))
        if type(each) is Exchange:
            return each.id
        if each is not None:
            waiting += (*each.after, *each.after_inferred)
    return None


def _new(mine: Sequence[Plain], theirs: Sequence[Plain]) -> Sequence[Plain]:
    """The messages after those that both requests begin with; all of them where they begin otherwise."""
    if len(mine) < len(theirs):
        return mine
    if not all(map(is_, mine, theirs)) and mine[: len(theirs)] != theirs:
        raise NotSure
    return mine[len(theirs) :]


def _carried(messages: Iterable[Plain]) -> tuple[str, ...]:
    found = (
        block["call_id"] for each in messages for block in each.get("content", ()) if block["type"] == "tool_result"
    )
    return tuple(dict.fromkeys(found))

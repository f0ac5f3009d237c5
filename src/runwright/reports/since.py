"""What an earlier report checked and a later one does not: a pure comparison of two reports."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from runwright.reports.audit_model import Loss, LossKind, Since
from runwright.reports.model import FlowReport, RunReport
from runwright.reports.shown import plural
from runwright.reports.verdict import file_of, verdict_of

_NUMBERED = re.compile(r"(\[\[redacted:[a-z0-9-]+):[0-9]+\]\]")
"""The number of a token counts the secrets of one report; in another the same secret may have another one."""


def since_of(earlier: RunReport, later: RunReport) -> Since:
    """The comparison. A flow is the same one where it names the same control, else where its file is the same."""
    pairs = _paired(earlier.flows, later.flows)
    controls = {flow.control.id for flow in later.flows if flow.control}
    lost = [loss for before, now in pairs for loss in _lost(before, now, controls)]
    return Since(
        started_at=earlier.started_at,
        lost=tuple(lost),
        changed=tuple(_changed(pairs, earlier, later)),
    )


Pair = tuple[FlowReport, FlowReport | None]


def _paired(earlier: Sequence[FlowReport], later: Sequence[FlowReport]) -> list[Pair]:
    """Each earlier flow with the later one that it became, if any; each later one at most once."""
    free, found = list(later), dict[int, FlowReport]()
    for same in (_same_control_and_file, _same_control, _same_file):
        for number, before in enumerate(earlier):
            now = next((flow for flow in free if same(before, flow)), None) if number not in found else None
            if now is not None:
                found[number] = now
                free.remove(now)
    return [(before, found.get(number)) for number, before in enumerate(earlier)]


def _same_control_and_file(before: FlowReport, now: FlowReport) -> bool:
    return _same_control(before, now) and _same_file(before, now)


def _same_control(before: FlowReport, now: FlowReport) -> bool:
    return before.control is not None and now.control is not None and before.control.id == now.control.id


def _same_file(before: FlowReport, now: FlowReport) -> bool:
    return file_of(before) == file_of(now)


# --- losses ----------------------------------------------------------------------------------------


def _lost(before: FlowReport, now: FlowReport | None, controls: set[str]) -> Iterator[Loss]:
    control = before.control.id if before.control else ""
    file = file_of(now or before)
    if control and control not in controls:
        yield Loss(kind="control_vanished", flow=file, control=control, detail=_whereabouts(now))
    if now is None:
        yield Loss(kind="flow_vanished", flow=file, control=control, detail=f"{before.name!r} is gone")
        return
    yield from _worse(before, now, control, file)
    if now.assertions is not None:
        yield from (
            Loss(kind="assertion_vanished", flow=file, control=control, detail=text) for text in _vanished(before, now)
        )
    if verdict_of(now) == "holds":
        yield from (
            Loss(kind="assertion_not_judged", flow=file, control=control, detail=text) for text in _open(before, now)
        )


def _whereabouts(now: FlowReport | None) -> str:
    if now is None:
        return "its flow is gone"
    return "its flow cannot be read" if now.assertions is None else "its flow no longer names it"


def _worse(before: FlowReport, now: FlowReport, control: str, file: str) -> Iterator[Loss]:
    then, today = verdict_of(before), verdict_of(now)
    if then != "not_judged" and today == "not_judged":
        kind: LossKind = "control_not_judged" if control else "flow_not_judged"
        yield Loss(kind=kind, flow=file, control=control, detail=f"{before.word} -> {now.summary}")
    elif then == "holds" and today == "fails":
        yield Loss(kind="verdict_worse", flow=file, control=control, detail=f"{before.word} -> {now.summary}")


def _vanished(before: FlowReport, now: FlowReport) -> Iterator[str]:
    yield from (_asserted(before) - _asserted(now)).elements()


def _open(before: FlowReport, now: FlowReport) -> Iterator[str]:
    """Assertions that are still there, were judged then, and are not any more."""
    gone = _asserted(before) - _asserted(now)
    yield from (_judged(before) - _judged(now) - gone).elements()


def _asserted(flow: FlowReport) -> Counter[str]:
    texts: Iterable[str] = (each.assertion for each in flow.judgements) if flow.assertions is None else flow.assertions
    return _multiset(texts)


def _multiset(texts: Iterable[str]) -> Counter[str]:
    return Counter(map(_comparable, texts))


def _judged(flow: FlowReport) -> Counter[str]:
    return Counter(_comparable(each.assertion) for each in flow.judgements if each.state in ("held", "failed"))


def _comparable(text: str) -> str:
    return _NUMBERED.sub(r"\1]]", text)


# --- what else changed -----------------------------------------------------------------------------


def _changed(pairs: Sequence[Pair], earlier: RunReport, later: RunReport) -> Iterator[str]:
    """Differences that fail nothing and that a reviewer wants to see."""
    for before, now in pairs:
        if now is not None:
            yield from (f"{file_of(now)}: {text}" for text in _differences(before, now))
    known = {id(now) for _, now in pairs}
    yield from (f"{file_of(flow)}: new flow" for flow in later.flows if id(flow) not in known)
    before_ids = {flow.control.id for flow in earlier.flows if flow.control}
    yield from (
        f"{file_of(flow)}: new control {flow.control.id}"
        for flow in later.flows
        if flow.control and flow.control.id not in before_ids
    )


def _differences(before: FlowReport, now: FlowReport) -> Iterator[str]:
    if file_of(before) != file_of(now):
        yield f"was {file_of(before)}"
    for text in (_asserted(now) - _asserted(before)).elements():
        yield f"new assertion: {text}"
    for text in (_multiset(now.ignored) - _multiset(before.ignored)).elements():
        yield f"ignores more: {text}"
    if before.cassette and now.cassette and before.cassette.digest != now.cassette.digest:
        yield "another recording"
    if len(now.matched) < len(before.matched):
        yield f"{plural(len(now.matched), 'exchange')} matched, {len(before.matched)} before"
    unknown = sorted(set(now.never_compared) - set(before.never_compared))
    if unknown:
        yield f"no longer compared: {', '.join(unknown)}"
    if verdict_of(before) == verdict_of(now) == "holds" and _comparable(before.summary) != _comparable(now.summary):
        yield f"{before.summary} -> {now.summary}"

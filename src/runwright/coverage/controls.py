"""The controls that flows name, and those that something else names and no flow guards."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from runwright.flow import Flow
from runwright.trace import PolicyRecord, Trace


@dataclass(frozen=True)
class ControlCoverage:
    """A control: the flows that name it, and how often a policy of its name decided what in the traces."""

    id: str
    title: str
    flows: tuple[str, ...]
    decided: Mapping[str, int]

    @property
    def guarded(self) -> bool:
        """Whether a flow names it."""
        return bool(self.flows)


def controls_of(flows: Sequence[Flow], traces: Iterable[Trace], policies: Sequence[str]) -> tuple[ControlCoverage, ...]:
    """Every control that a flow, a policy's decision in a trace or the agent names."""
    named: dict[str, list[Flow]] = defaultdict(list)
    for flow in flows:
        if flow.control is not None:
            named[flow.control.id].append(flow)
    decided: dict[str, Counter[str]] = defaultdict(Counter)
    for trace in traces:
        for record in trace.records:
            if isinstance(record, PolicyRecord):
                decided[record.policy][record.verdict] += 1
    return tuple(
        ControlCoverage(
            id=id,
            title=next((flow.control.title for flow in named[id] if flow.control and flow.control.title), ""),
            flows=tuple(str(flow.path) for flow in named[id]),
            decided=dict(sorted(decided[id].items())),
        )
        for id in sorted({*named, *decided, *policies})
    )

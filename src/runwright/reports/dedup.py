"""The behaviours of many runs, for people and for programs."""

from __future__ import annotations

from collections.abc import Iterator

from runwright.corpus import Dedup, GuardedBehaviour, GuardedGroup, Left
from runwright.errors import Exit
from runwright.fingerprint import as_json, fingerprint_digest
from runwright.reports.shown import WIDTH, one_line, plural
from runwright.secrets.shortened import shortened
from runwright.trace import JSON

NO_RUN = "no run could be grouped"


def dedup_exit(found: Dedup) -> Exit:
    """0 where every run is in a group, 2 where something could not be read or judged, or nothing was."""
    return Exit.NOT_JUDGED if found.left or not found.groups else Exit.OK


def dedup_json(found: Dedup) -> JSON:
    """What schema/dedup-report-v1.schema.json describes."""
    return {
        "format": "runwright.dedup-report",
        "version": 1,
        "exit": int(dedup_exit(found)),
        "threshold": found.threshold,
        "runs": found.runs,
        "groups": [_group_json(each) for each in found.groups],
        "left": [_left_json(each) for each in found.left],
    }


def _group_json(group: GuardedGroup) -> JSON:
    return {
        "name": list(group.name),
        "runs": group.count,
        "guarded": group.guarded,
        "flows": list(group.flows),
        "exemplar": group.exemplar.name,
        "fingerprint": as_json(group.exemplar.print),
        "behaviours": [_behaviour_json(each) for each in group.behaviours],
    }


def _behaviour_json(each: GuardedBehaviour) -> JSON:
    return {
        "digest": fingerprint_digest(each.behaviour.exemplar.print),
        "flows": list(each.flows),
        "runs": [run.name for run in each.behaviour.runs],
    }


def _left_json(each: Left) -> JSON:
    error = each.error
    return {"place": error.place, "message": error.message, "slug": error.slug, "hint": error.hint}


def dedup_text(found: Dedup) -> str:
    """A block a group, then the count."""
    return "".join(f"{one_line(line)}\n" for line in (*_blocks(found), _total(found)))


def _blocks(found: Dedup) -> Iterator[str]:
    for number, group in enumerate(found.groups, 1):
        yield f"{number}. {plural(group.count, 'run')}: {', '.join(group.name)}"
        if len(group.behaviours) > 1:
            yield f"   behaviours  {len(group.behaviours)}"
        yield f"   exemplar    {group.exemplar.name}"
        for at, each in enumerate(group.exemplar.print.tool_sequences or (("no tool call",),)):
            yield f"   {'calls' if at == 0 else '':10}  {_cut(', '.join(each))}"
        yield f"   outcome     {group.exemplar.print.outcome_class}"
        yield f"   flow        {_flows(group)}"


def _flows(group: GuardedGroup) -> str:
    if not group.flows:
        return "none"
    part = f" ({group.guarded} of {plural(group.count, 'run')})" if group.guarded < group.count else ""
    return f"{', '.join(group.flows)}{part}"


def _cut(text: str) -> str:
    return shortened(text, WIDTH)


def _total(found: Dedup) -> str:
    if not found.groups:
        return NO_RUN
    bare = sum(not each.flows for each in found.groups)
    left = f"; {len(found.left)} not judged" if found.left else ""
    return f"{plural(found.runs, 'run')}, {plural(len(found.groups), 'group')}, {bare} without a flow{left}"

"""What would kill a survivor: an assertion, as a step of the flow, or a field that must be compared."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from runwright.convert.flow_text import step_text
from runwright.flow import Call, Facts, Flow, ToolCall
from runwright.flow.prose import prose
from runwright.perturb import Affect, Drop, End, Follow, Mutant, Request, Run, Say, Side
from runwright.perturb.mutant import MoveBefore
from runwright.trace.model import JSON


def remedy_of(mutant: Mutant, flow: Flow, recorded: Side, green: Facts, found: Facts) -> str:
    """What kills the mutant; `green` are the facts of the unmutated side, `found` those of the mutant."""
    change = mutant.change
    match change:
        case Say():
            changed = next(one for one, other in zip(recorded.said, change.said, strict=True) if one != other)
            return _step({"assert": {"reply": {"contains": changed.strip()}}})
        case Run():
            return _counted(change.ran.tool, flow, green.evidence.calls)
        case Follow():
            return _of_the_fault(flow, green, found)
        case Affect():
            return _step(_effect(change, recorded))
        case Request():
            return f"compare {mutant.path} of {mutant.exchange}: matching lets it pass"
        case Drop():
            return f"miss {mutant.exchange} where it is never asked for: matching lets it pass"
        case MoveBefore():
            return f"name {change.other} in `after` of {mutant.exchange}: matching lets them come in any order"
        case End():
            return "judge how the agent ends: the verdict lets it pass"
        case _:
            return "count the requests: matching lets one more pass"


def _step(assertion: JSON) -> str:
    return f"- {step_text(assertion)}"


def _counted(tool: str, flow: Flow, calls: Iterable[Call]) -> str:
    """The assertion that the tool is called as often as it was and no more, and the one that it takes the place of."""
    times = sum(call.tool == tool and call.happened for call in calls)
    if not times:
        return _step({"assert_no_tool_call": {"tool": tool}})
    there = [
        prose(step.assertion)
        for step in flow.steps
        if isinstance(step.assertion, ToolCall) and step.assertion.tool == tool
    ]
    instead = f"  # in place of: {there[0]}" if there else ""
    return _step({"assert_tool_call": {"tool": tool, "times": times}}) + instead


def _of_the_fault(flow: Flow, green: Facts, found: Facts) -> str:
    """The assertions on the calls that the recorded run makes more of than the repaired one."""
    before, after = (_happened(each.evidence.calls) for each in (green, found))
    more = [tool for tool, times in after.items() if times > before[tool]]
    asked = {call.tool for call in found.evidence.calls} - {call.tool for call in green.evidence.calls}
    tools = list(dict.fromkeys([*more, *sorted(asked)]))
    if not tools:
        return "move `until`: what was recorded after it makes no call that is not made before"
    return "\n".join(_counted(tool, flow, green.evidence.calls) for tool in tools)


def _happened(calls: Iterable[Call]) -> Counter[str]:
    return Counter(call.tool for call in calls if call.happened)


def _effect(change: Affect, recorded: Side) -> JSON:
    gone = [each for each in recorded.effects if each not in change.effects]
    if gone:
        return {"assert_side_effect": {"kind": gone[0].kind, "target": gone[0].target}}
    more = next(each for each in change.effects if each not in recorded.effects)
    kept: list[JSON] = [each.target for each in recorded.effects if each.kind == more.kind]
    return {"assert_no_side_effect": {"kind": more.kind, **({"except": kept} if kept else {})}}

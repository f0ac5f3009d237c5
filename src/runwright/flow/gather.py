"""From the live side of a run to evidence: which calls were requested, answered, executed, and what was said."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from runwright.flow.asked import answer_in, call_in, parsed
from runwright.flow.evidence import Call, Effect, Evidence, Said, Sent, Surroundings
from runwright.flow.matchers import ABSENT, Found
from runwright.flow.sent import sent_texts
from runwright.flow.targets import SERVER
from runwright.flow.threads import Turns, turns_of
from runwright.trace import canonical
from runwright.trace.model import (
    EFFECT_KINDS,
    FaultRecord,
    McpRecord,
    ModelRecord,
    ModelRequest,
    Record,
    ToolRecord,
    Trace,
)
from runwright.trace.outcome import outcome_class

RECORDED = "recorded"
"""The key in a live record's `ext` that names the recorded exchange it was served."""

_Key: TypeAlias = tuple[str, bytes]


def evidence_of(live: Trace, surroundings: Surroundings) -> Evidence:
    """The evidence that a live trace holds. A missed request belongs in it, without a response."""
    turns = turns_of(live.models)
    return Evidence(
        calls=_calls(live, turns),
        reply=_reply(turns, surroundings),
        replies=turns.replies,
        deliveries=max(turns.of, default=-1) + 1,
        effects=tuple(Effect(id=record.id, effect=record.side_effect) for record in live.effects),
        observation=dict(live.header.observation),
        servers=_servers(live),
        outcome=outcome_class(live),
        sent=tuple(_sent(live, surroundings)),
        surroundings=surroundings,
        hidden=hidden_in(live),
    )


def _servers(live: Trace) -> tuple[str, ...]:
    """The databases of servers that were observed: those that are said to have been, and those of rows."""
    told = live.header.ext.get("observe")
    said = told.get("servers") if isinstance(told, dict) else None
    rows = (each.side_effect.target for each in live.effects if each.side_effect.kind == "db_change")
    named = ("/".join(each.split("/")[:2]) for each in rows if each.startswith(SERVER))
    return tuple(dict.fromkeys((*map(str, said if isinstance(said, list) else ()), *named)))


def cited(record: Record) -> str:
    """How a person finds the record: the recorded exchange that was served; a request that none was is `live m3`."""
    recorded = record.ext.get(RECORDED)
    if isinstance(recorded, str):
        return recorded
    missed = isinstance(record, ModelRecord) and record.response is None and record.error is None
    return f"live {record.id}" if missed else record.id


def _reply(turns: Turns, surroundings: Surroundings) -> Said | None:
    if surroundings.output is not None and surroundings.output.strip():
        return Said(text=surroundings.output, source="own")
    return None if turns.last is None else Said(text=turns.last, source="recorded")


def hidden_in(trace: Trace) -> tuple[str, ...]:
    """The lanes, effect kinds and records that the faults of a trace may hide."""
    return tuple(dict.fromkeys(each for record in trace.records for each in _hides(record)))


def _hides(record: Record) -> Iterable[str]:
    """What a fault may hide; an observer that failed without saying what it watched may hide every effect and call."""
    if not isinstance(record, FaultRecord):
        return ()
    if record.hides or record.kind not in ("observer_failed", "dropped_spans"):
        return record.hides
    return ("side_effect", "tool", "mcp", *EFFECT_KINDS)


def _sent(live: Trace, surroundings: Surroundings) -> Iterator[Sent]:
    seen: set[str] = set()
    before: ModelRequest | None = None
    for record in live.records:
        for text in sent_texts(record, before):
            if text not in seen:
                seen.add(text)
                yield Sent(place=cited(record), text=text)
        before = record.request if isinstance(record, ModelRecord) else before
    if surroundings.output:
        yield Sent(place="the agent's output", text=surroundings.output)
    for number, answer in enumerate(surroundings.answers, 1):
        yield Sent(place=f"the agent's answer {number}", text=answer)


# --- calls ---------------------------------------------------------------------------------------


def _calls(live: Trace, turns: Turns) -> tuple[Call, ...]:
    """Every call once: those that served replies ask for, then executions that no reply asked for, in their order."""
    calls = _with_answers(_requested(live.models, turns), live.models)
    for record in live.records:
        seen = _execution(record)
        if seen is None:
            continue
        at = next((n for n, call in enumerate(calls) if call.executed is None and _is_of(seen, call)), None)
        if at is None:
            calls.append(seen)
        else:
            result = seen.result if calls[at].result is ABSENT else calls[at].result
            calls[at] = replace(calls[at], executed=seen.executed, result=result, server=seen.server)
    return tuple(_with_effects(calls, live))


@dataclass(frozen=True)
class _Asked:
    """A call in a served reply, and how many live requests had arrived by then."""

    call: Call
    after: int


def _requested(models: Sequence[ModelRecord], turns: Turns) -> list[_Asked]:
    return [
        _Asked(replace(call, requested=cited(record), turn=turns.of[n]), n)
        for n, record in enumerate(models)
        if record.response is not None
        for block in record.response.content
        if (call := call_in(block)) is not None
    ]


def _with_answers(asked: Sequence[_Asked], models: Sequence[ModelRecord]) -> list[Call]:
    """Each call with the first later request that carries its result.

    Where an id was given out more than once, a result answers the call whose name and arguments stand beside it in
    that request, and the nth of equal ones the nth.
    """
    requests = [_answers(record) for record in models]
    given = defaultdict(list)
    for each in asked:
        given[each.call.call_id].append(each)
    calls = []
    for each in asked:
        same = given[each.call.call_id]
        reused = len(same) > 1
        nth = [one for one in same if _key(one.call) == _key(each.call)].index(each) if reused else 0
        found = _answered(each, nth, requests, reused=reused)
        calls.append(
            each.call if found is None else replace(each.call, answered=cited(models[found[0]]), result=found[1])
        )
    return calls


def _answered(
    each: _Asked, nth: int, requests: Sequence[dict[str, list[_Answer]]], *, reused: bool
) -> tuple[int, Found] | None:
    for n in range(each.after + 1, len(requests)):
        answers = requests[n].get(each.call.call_id or "", [])
        if reused:
            answers = [one for one in answers if one.call is None or _key(one.call) == _key(each.call)]
        if len(answers) > nth:
            return n, parsed(answers[nth].text)
    return None


@dataclass(frozen=True)
class _Answer:
    """A result in a request, and the call that the same request shows for it."""

    text: str
    call: Call | None


def _answers(record: ModelRecord) -> dict[str, list[_Answer]]:
    shown: dict[str, Call] = {}
    found: dict[str, list[_Answer]] = defaultdict(list)
    for message in record.request.messages:
        for block in message.content:
            answer = answer_in(block)
            if answer is not None:
                found[answer.call_id].append(_Answer(answer.text, shown.get(answer.call_id)))
            elif (call := call_in(block)) is not None:
                shown[call.call_id or ""] = call
    return found


def _key(call: Call) -> _Key:
    return call.tool, canonical(call.arguments)


def _execution(record: Record) -> Call | None:
    """The call that a tool or MCP record shows to have run; a denied or throttled one did not."""
    if isinstance(record, ToolRecord) and record.outcome in ("ok", "error"):
        result: Found = record.error.message if record.error else record.result
        return Call(
            tool=record.name,
            arguments=record.arguments,
            call_id=record.call_id,
            executed=cited(record),
            result=result,
            turn=None,
        )
    if isinstance(record, McpRecord) and record.method == "tools/call" and isinstance(record.params, dict):
        return Call(
            tool=str(record.params.get("name")),
            arguments=record.params.get("arguments"),
            call_id=record.call_id,
            executed=cited(record),
            result=record.error.message if record.error else record.result,
            server=record.server,
            turn=None,
        )
    return None


def _is_of(execution: Call, call: Call) -> bool:
    if execution.call_id is not None:
        return execution.call_id == call.call_id and execution.tool == call.tool
    return _key(execution) == _key(call)


def _with_effects(calls: Iterable[Call], live: Trace) -> Iterator[Call]:
    """An effect that names a call as its cause shows that it ran."""
    causes = {each.side_effect.caused_by: cited(each) for each in live.effects if each.side_effect.caused_by}
    for call in calls:
        effect = causes.get(call.call_id) if call.call_id and call.executed is None else None
        yield call if effect is None else replace(call, executed=effect)

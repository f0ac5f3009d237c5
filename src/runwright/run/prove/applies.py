"""Why a mutant that no check turned red is none of the flow's business."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import msgspec

from runwright.flow import Flow
from runwright.perturb import Affect, Drop, End, Follow, Mutant, Request, Run, Say, Side
from runwright.perturb.mutant import Append, Repeat
from runwright.run.cassette import served_results
from runwright.run.prove.options import Watched
from runwright.trace.model import JSON, MessageRecord, ModelRecord, ModelRequest, ToolResultBlock, Trace, calls_of
from runwright.trace.paths import covers, parse_path

_OPEN = "$.request.parameters.*"


@dataclass(frozen=True, kw_only=True)
class Case:
    """What a flow and its cassette say about where mutants apply. `head` are the strict exchanges, None for all."""

    flow: Flow
    cassette: Trace
    recorded: Side
    head: frozenset[str] | None
    watched: Watched

    def exchange(self, id: str | None) -> ModelRecord | None:
        """The recorded exchange of that id."""
        return next((record for record in self.cassette.models if record.id == id), None)


def out_of_reach(mutant: Mutant, case: Case) -> str:
    """Why the mutant is not even played; empty where it is."""
    change = mutant.change
    if isinstance(change, Affect):
        kind = mutant.path.partition(" ")[0]
        return "" if kind in case.watched.effects else "effects of its kind are not observed at replay"
    if isinstance(change, Run):
        seen = case.watched.calls
        return "" if seen else "no boundary that tools run behind is observed at replay: a call of the agent's own"
    if case.head is None or isinstance(change, (Say, End, Follow)):
        return ""
    last = [each.of for each in case.recorded.sent if each.of in case.head][-1]
    later = isinstance(change, Append) or mutant.exchange not in case.head
    if later or (isinstance(change, Repeat) and mutant.exchange == last):
        return f"after {case.flow.replay.until}: what the agent does there is left to the assertions"
    return ""


def let_pass(mutant: Mutant, case: Case) -> str:
    """Why a mutant that is green, or cannot be judged, may be; empty where it may not."""
    change = mutant.change
    record = case.exchange(mutant.exchange)
    if isinstance(change, Request) and record is not None:
        return _of_the_request(mutant, change, record, case)
    if case.head is not None and isinstance(change, Say):
        return f"after {case.flow.replay.until}: what the agent says there is left to the assertions"
    if case.head is not None and isinstance(change, End):
        return f"after {case.flow.replay.until}: an exit code or a signal may come of the refusal, and is not judged"
    if isinstance(change, Drop) and len(case.recorded.sent) == 1:
        return "an agent that never asks its model is not judged at all: its exit is 2"
    if isinstance(change, Say) and not any(change.said):
        return "an agent that prints nothing is judged by the reply it was served"
    if case.flow.expect == "fail" and not isinstance(change, Follow):
        return "while the flow expects to fail, an assertion that fails is what it expects"
    return ""


def _of_the_request(mutant: Mutant, change: Request, record: ModelRecord, case: Case) -> str:
    unknown = next((each for each in record.unknown if _unknown(each, mutant.path, record)), None)
    if unknown is not None or (mutant.path == "$.streamed" and record.streamed is None):
        return f"unknown in the recording, so never compared: {unknown or '$.streamed'}"
    ignored = next((each for each in case.flow.ignore if each.lane == "model" and covers(each.path, mutant.path)), None)
    if ignored is not None:
        return f"the flow ignores {ignored.path}"
    if mutant.swapped and mutant.what != "five years later" and not _given(mutant.swapped, record, case):
        return "it first appears in a request, so a fresh one may take its place"
    tool = _answered_tool(mutant.path, change.request)
    if tool in served_results(case.flow, case.cassette):
        return f"the flow gives the result of {tool}"
    return ""


def _unknown(pattern: str, path: str, record: ModelRecord) -> bool:
    """Whether the recording does not know the field; parameters that it lists it knows."""
    if pattern in record.adopted or not covers(pattern, path):
        return False
    parts = parse_path(path)
    return pattern != _OPEN or (len(parts) > 2 and parts[2] not in record.request.parameters)


def _given(value: str, record: ModelRecord, case: Case) -> bool:
    """Whether the flow, the user or an earlier reply gave the agent this value."""
    folded = value.casefold()
    return any(folded in text.casefold() for text in _gifts(record, case))


def _gifts(record: ModelRecord, case: Case) -> Iterator[str]:
    flow = case.flow
    yield from flow.turns
    if flow.agent is not None:
        yield from (*flow.agent.env.values(), *flow.agent.command, *flow.agent.headers.values())
    yield from map(_written, served_results(flow, case.cassette).values())
    for each in case.cassette.records:
        if each.id == record.id:
            return
        if isinstance(each, MessageRecord) and each.role == "user":
            yield _written(msgspec.to_builtins(each.content))
        elif isinstance(each, ModelRecord):
            yield _written(msgspec.to_builtins(each.response if each.response is not None else each.error))


def _written(value: JSON) -> str:
    return msgspec.json.encode(value).decode()


def _answered_tool(path: str, request: ModelRequest) -> str | None:
    """The tool whose result the path is in."""
    parts = parse_path(path)
    if len(parts) < 5 or parts[1] != "messages" or parts[3] != "content":
        return None
    index, at = parts[2], parts[4]
    if not isinstance(index, int) or not isinstance(at, int) or index >= len(request.messages):
        return None
    content = request.messages[index].content
    block = content[at] if at < len(content) else None
    if not isinstance(block, ToolResultBlock):
        return None
    names = {call.id: call.name for message in request.messages for call in calls_of(message.content)}
    return names.get(block.call_id)

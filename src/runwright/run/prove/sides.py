"""The side of a replay that an agent would show which does just what was recorded, and the green one beside it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

import msgspec

from runwright.flow import Flow, NoToolCall, ToolCall
from runwright.flow.matchers import satisfies
from runwright.flow.threads import turns_of
from runwright.match.order import strict_part
from runwright.perturb import Sent, Side, answered
from runwright.run.prove.made import value_for
from runwright.run.prove.secrets import Secrets
from runwright.trace.model import (
    JSON,
    Block,
    Message,
    MessageRecord,
    ModelRecord,
    ModelRequest,
    TextBlock,
    ToolResultBlock,
    Trace,
    calls_of,
    text_of,
)

MARK = " (as it is now)"


def recorded_side(cassette: Trace, secrets: Secrets) -> Side:
    """The agent that behaves as recorded: its requests in their order, its output, its effects, exit code 0."""
    return Side(
        sent=tuple(_sent(cassette, secrets)),
        said=_said(cassette),
        effects=tuple(record.side_effect for record in cassette.effects),
    )


def green_side(flow: Flow, cassette: Trace, recorded: Side) -> Side:
    """The side on which the flow must pass.

    Without `until` it is the recorded one. With it, it is the repaired agent's: as recorded up to `until` and on to the
    first request that answers it, which differs. While the flow expects to fail, the recorded side is what it expects.
    """
    strict = strict_part(cassette.records, flow.replay.until)
    if strict is None or flow.expect == "fail":
        return recorded
    head = sum(each.of in strict for each in recorded.sent)
    rest = recorded.sent[head:]
    if not rest:
        return recorded
    held = answered(cassette)
    last = recorded.sent[head - 1].of
    at = next((n for n, each in enumerate(rest) if last in held.get(each.of or "", ())), 0)
    return replace(recorded, sent=(*recorded.sent[: head + at], Sent(None, _otherwise(rest[at].request, flow), False)))


def head_of(flow: Flow, cassette: Trace) -> frozenset[str] | None:
    """The exchanges that are strict, None where all are."""
    return None if flow.expect == "fail" else strict_part(cassette.records, flow.replay.until)


def _sent(cassette: Trace, secrets: Secrets) -> Iterator[Sent]:
    for record in cassette.records:
        if isinstance(record, MessageRecord) and record.role == "user":
            secrets.give(text_of(record.content))
        elif isinstance(record, ModelRecord):
            yield Sent(record.id, secrets.spoken(record.request), bool(record.streamed))
            answer = record.response if record.response is not None else record.error
            secrets.give(msgspec.json.encode(answer).decode())


def _said(cassette: Trace) -> tuple[str, ...]:
    """What the agent said across the run's boundary; where that was not recorded, the replies it was served."""
    said = [
        text_of(record.content)
        for record in cassette.records
        if isinstance(record, MessageRecord) and record.role == "agent"
    ]
    return tuple(said or turns_of(cassette.models).replies)


def _otherwise(request: ModelRequest, flow: Flow) -> ModelRequest:
    """The request as a repaired agent sends it: with the results that the flow asks for, and no recorded one."""
    names = {call.id: call.name for message in request.messages for call in calls_of(message.content)}
    more = Message(role="assistant", content=(TextBlock(text=f"Something else.{MARK}"),))
    messages = tuple(
        msgspec.structs.replace(each, content=tuple(_repaired(block, names, flow) for block in each.content))
        for each in request.messages
    )
    return msgspec.structs.replace(
        request,
        model=f"{request.model}{MARK}",
        parameters={**request.parameters, "repaired": True},
        messages=(*messages, more),
    )


def _repaired(block: Block, names: Mapping[str, str], flow: Flow) -> Block:
    """A tool's result as the flow's assertions on it want it; any other block as it is."""
    if not isinstance(block, ToolResultBlock):
        return block
    text = text_of(block.content)
    result = before = _parsed(text)
    for step in flow.steps:
        assertion = step.assertion
        if (
            isinstance(assertion, (ToolCall, NoToolCall))
            and assertion.result
            and assertion.tool == names.get(block.call_id)
        ):
            result = _asked(assertion, result)
    if result is before:
        return block
    written = msgspec.json.encode(result).decode()
    return msgspec.structs.replace(block, content=(TextBlock(text=written),))


def _asked(assertion: ToolCall | NoToolCall, result: JSON) -> JSON:
    if isinstance(assertion, NoToolCall):
        return {"repaired": True} if satisfies(assertion.result, result) else result
    made = value_for(assertion.result, result)
    return result if made is None else made


def _parsed(text: str) -> JSON:
    try:
        value: JSON = msgspec.json.decode(text)
    except msgspec.DecodeError:
        return text
    return value

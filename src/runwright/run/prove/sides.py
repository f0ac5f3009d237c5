"""The side of a replay that an agent would show which does just what was recorded, and the green one beside it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import msgspec

from runwright.flow import Flow
from runwright.flow.threads import turns_of
from runwright.match.order import strict_part
from runwright.perturb import Sent, Side, answered
from runwright.run.prove.secrets import Secrets
from runwright.trace.model import Message, MessageRecord, ModelRecord, ModelRequest, TextBlock, Trace, text_of

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
    return replace(recorded, sent=(*recorded.sent[: head + at], Sent(None, _otherwise(rest[at].request), False)))


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


def _otherwise(request: ModelRequest) -> ModelRequest:
    """The request with the same results in it that yet is no recorded one."""
    more = Message(role="assistant", content=(TextBlock(text=f"Something else.{MARK}"),))
    return msgspec.structs.replace(
        request,
        model=f"{request.model}{MARK}",
        parameters={**request.parameters, "repaired": True},
        messages=(*request.messages, more),
    )

"""What an agent does otherwise beside its requests: it asks less or more or too early, says something else, acts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from msgspec.structs import replace

from runwright.perturb.messages import ADDED
from runwright.perturb.mutant import Affect, Append, Drop, End, MoveBefore, Mutant, Repeat, Request, Run, Say
from runwright.perturb.side import Ran, Sent, Side
from runwright.perturb.values import MARK
from runwright.trace import format_path
from runwright.trace.model import (
    EFFECT_KINDS,
    Message,
    ModelRecord,
    SideEffect,
    TextBlock,
    ToolCallBlock,
    ToolResultBlock,
)

INSTEAD = f"Something else altogether.{MARK}"
_ID = "call_added_by_prove"
_SIGNAL = -11


def order_mutants(side: Side, before: Mapping[str, Sequence[str]]) -> Iterator[Mutant]:
    """Each exchange left out, asked for twice, and asked for before each one whose answer it holds."""
    for sent in side.sent:
        if sent.of is None:
            continue
        yield Mutant(kind="drop", what="never asked for", change=Drop(), exchange=sent.of)
        yield Mutant(kind="duplicate", what="asked for twice", change=Repeat(), exchange=sent.of)
        for other in before.get(sent.of, ()):
            what = f"asked for before {other}, whose answer it holds"
            yield Mutant(kind="reorder", what=what, change=MoveBefore(other), exchange=sent.of)


def one_more(side: Side, answers: Mapping[str, ModelRecord]) -> Iterator[Mutant]:
    """The agent answers the last reply where there is nothing to answer."""
    last = next((each for each in reversed(side.sent) if each.of in answers), None)
    if last is None or last.of is None:
        return
    response = answers[last.of].response
    said = (Message(role="assistant", content=response.content),) if response and response.content else ()
    request = replace(last.request, messages=(*last.request.messages, *said, ADDED))
    change = Append(request, last.streamed)
    yield Mutant(kind="duplicate", what=f"one more request after {last.of}", change=change)


def reply_mutants(side: Side) -> Iterator[Mutant]:
    """Another reply to each delivery, and none to any."""
    said = side.said
    for at, text in enumerate(said):
        if text.strip():
            what = "says something else" + (f" to delivery {at + 1}" if len(said) > 1 else "")
            yield Mutant(kind="reply", what=what, change=Say((*said[:at], INSTEAD, *said[at + 1 :])))
    if side.output.strip():
        yield Mutant(kind="reply", what="says nothing", change=Say(("",) * len(said)))


def outcome_mutants() -> Iterator[Mutant]:
    """Other ends than exit code 0."""
    yield Mutant(kind="outcome", what="exits with 1", change=End("exited", 1))
    yield Mutant(kind="outcome", what="is ended by a signal", change=End("exited", _SIGNAL))
    yield Mutant(kind="outcome", what="does not end", change=End("timeout", 0))


def effect_mutants(side: Side) -> Iterator[Mutant]:
    """Each effect missing, each on another target, and one more of every kind."""
    for at, effect in enumerate(side.effects):
        rest = (*side.effects[:at], *side.effects[at + 1 :])
        where = f"{effect.kind} {effect.target}"
        yield Mutant(kind="effect", what="does not happen", change=Affect(rest), path=where)
        other = replace(effect, target=f"{effect.target}{MARK}")
        yield Mutant(kind="effect", what="on another target", change=Affect((*rest, other)), path=where)
    for kind in EFFECT_KINDS:
        more = SideEffect(kind=kind, target=f"added{MARK}")
        yield Mutant(kind="effect", what="one more", change=Affect((*side.effects, more)), path=kind)


def call_mutants(side: Side, calls: Sequence[Ran]) -> Iterator[Mutant]:
    """Calls that no reply asked for: run by the agent alone, and then shown to the model as if it had asked."""
    for ran in calls:
        yield Mutant(kind="call", what="run once more than asked for", change=Run(ran), path=ran.tool)
    for at, sent in enumerate(side.sent):
        if calls and sent.of is not None:
            yield _shown(sent, calls[at % len(calls)])


def _shown(sent: Sent, ran: Ran) -> Mutant:
    call = ToolCallBlock(id=_ID, name=ran.tool, arguments=ran.arguments)
    result = ToolResultBlock(call_id=_ID, content=(TextBlock(text="{}"),))
    told = (Message(role="assistant", content=(call,)), Message(role="tool", content=(result,)))
    request = replace(sent.request, messages=(*sent.request.messages, *told))
    path = format_path(("request", "messages", len(sent.request.messages)))
    what = f"a call of {ran.tool} is shown to the model that no reply asked for"
    return Mutant(kind="call", what=what, change=Request(request, sent.streamed), exchange=sent.of, path=path)

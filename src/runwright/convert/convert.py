"""A captured run becomes a proposal: a pure function of the trace and the options."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from runwright.convert.cassette import cassette_of
from runwright.convert.completeness import require_answers, require_known, whole_exchanges
from runwright.convert.covered import same_behaviour
from runwright.convert.decidable import require_decidable
from runwright.convert.effects import with_effects
from runwright.convert.flow_text import flow_name, flow_text, parsed_assertion, step_text
from runwright.convert.gate import through_gate
from runwright.convert.noise import Dropped, noise
from runwright.convert.options import ConvertOptions, Paths, check, paths_for
from runwright.convert.proposal import Exchange, Fields, Proposal, Suggested, Summary
from runwright.convert.suggest import Suggestion, suggest
from runwright.convert.suspicion import suspicions
from runwright.convert.turns import Turn, user_turns
from runwright.convert.until import Until, choose_until, does
from runwright.errors import NotConvertible
from runwright.flow import parse_flow
from runwright.flow.variables import as_written
from runwright.secrets import Allowlist, gate_text, tokens_in
from runwright.trace import without
from runwright.trace.model import Trace, lane_of


def convert(trace: Trace, options: ConvertOptions) -> Proposal:
    """The proposal for a captured run; the same bytes for the same arguments, on any machine.

    Raises UsageError (contradicting options, unknown `until`), IncompleteTrace, NotConvertible (answers or the user's
    words were not captured), FlowError (an assertion that this flow cannot hold) and SecretsFound.
    """
    check(options)
    paths = paths_for(options.out)
    kept, dropped = _kept(trace)
    require_answers(kept)
    if options.strict:
        require_known(kept)
    until = choose_until(kept, options.until, dropped)
    gated, redacted = through_gate(with_effects(kept), options, paths.cassette)
    cassette = cassette_of(gated)
    turns = _turns(cassette, options)
    given = [parsed_assertion(each) for each in options.asserts]
    suggested = [each for each in suggest(cassette, until) if each.assertion not in given]
    flow = flow_text(cassette, options, paths, until, turns, suggested)
    require_decidable(parse_flow(flow.encode(), Path(paths.flow), as_written(flow)), cassette, paths.flow)
    gate_text(flow, paths.flow, options.allow or Allowlist())
    summary = _summary(cassette, options, paths, until, dropped, suggested, redacted, turns)
    return Proposal(name=flow_name(options, paths), paths=paths, flow=flow, cassette=cassette, summary=summary)


def _kept(trace: Trace) -> tuple[Trace, tuple[Dropped, ...]]:
    """The run without what its end left open and without noise, and what that was."""
    whole, cut = whole_exchanges(trace)
    noisy = noise(without(whole, [each.id for each in cut]) if cut else whole)
    dropped = (*cut, *noisy)
    return (without(whole, [each.id for each in dropped]) if dropped else whole), dropped


def _turns(cassette: Trace, options: ConvertOptions) -> tuple[Turn, ...]:
    turns = user_turns(cassette)
    if options.prompt is not None:
        turns = (Turn(options.prompt, turns[0].record if turns else ""), *turns[1:])
    if not turns:
        raise NotConvertible("no user message was captured: the agent cannot be asked again", hint="give --prompt TEXT")
    wordless = next((turn for turn in turns if not turn.text), None)
    if wordless is not None:
        hint = "give --prompt TEXT" if wordless is turns[0] else "a turn of a flow is text: record a run without it"
        raise NotConvertible(f"{wordless.record}: the user's message holds no text to ask the agent with", hint=hint)
    return turns


def _summary(
    cassette: Trace,
    options: ConvertOptions,
    paths: Paths,
    until: Until,
    dropped: Sequence[Dropped],
    suggested: Sequence[Suggestion],
    redacted: dict[str, int],
    turns: Sequence[Turn],
) -> Summary:
    covering = [
        flow for flow, accepted in options.accepted if flow != paths.flow and same_behaviour(cassette, accepted)
    ]
    return Summary(
        source=cassette.header.source,
        exchanges=tuple(Exchange(exchange.id, does(exchange)) for exchange in cassette.models),
        kept=dict(Counter(lane_of(record) for record in cassette.records)),
        dropped=tuple(dropped),
        lost=cassette.header.losses,
        suspected=suspicions(cassette),
        unknown=tuple(Fields(each.id, each.unknown) for each in cassette.models if each.unknown),
        adopted=tuple(Fields(each.id, each.adopted) for each in cassette.models if each.adopted),
        until=until,
        asserted=tuple(step_text(parsed_assertion(each)) for each in options.asserts),
        suggested=tuple(Suggested(step_text(each.assertion), each.cites, each.why) for each in suggested),
        redacted=redacted,
        covered_by=tuple(sorted(covering)),
        notes=tuple(_notes(options, until, turns)),
    )


def _notes(options: ConvertOptions, until: Until, turns: Sequence[Turn]) -> Iterator[str]:
    if options.agent_command is None:
        yield "no agent was named: the flow can only check its own recording; give --agent and --tools"
    if not options.asserts:
        yield "no assertion was accepted: the flow guards matching alone until a suggested line is taken"
        if until.id is not None:
            yield f"after {until.id} only assertions judge the agent, and there is none yet"
    for turn in turns:
        if turn.extra:
            yield f"{turn.record}: the user's message held more than text; the prompt carries its text alone"
        if tokens_in(turn.text):
            yield f"{turn.record}: the prompt holds a redacted value: put a made-up one of the same kind in its place"

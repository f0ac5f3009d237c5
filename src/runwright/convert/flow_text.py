"""The proposed flow as YAML: what is certain as keys, what is only suggested as commented lines."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import yaml

from runwright.convert.options import ConvertOptions, Paths
from runwright.convert.suggest import Suggestion
from runwright.convert.suggest_effects import WATCHED
from runwright.convert.turns import Turn
from runwright.convert.until import Until, does
from runwright.convert.yaml_text import comment, inline, scalar, text_at
from runwright.errors import UsageError
from runwright.trace.model import EFFECT_KINDS, JSON, Trace

SHOWN = 40
"""Exchanges listed in the flow's first comment; `view` shows them all."""


def flow_text(
    trace: Trace,
    options: ConvertOptions,
    paths: Paths,
    until: Until,
    turns: Sequence[Turn],
    suggested: Sequence[Suggestion],
) -> str:
    """The flow's text; the same for the same arguments, on any machine."""
    lines = [
        *_exchanges(trace),
        "flow: 1",
        f"name: {scalar(flow_name(options, paths))}",
        "app: agent",
        *_agent(options),
        f"cassette: {scalar(_relative(paths))}",
        *_replay(until),
        *_compared(trace),
        "steps:",
        *_turns(turns),
        *(f"  - {step_text(parsed_assertion(each))}" for each in options.asserts),
        *_suggestions(suggested),
    ]
    return "\n".join(lines) + "\n"


def flow_name(options: ConvertOptions, paths: Paths) -> str:
    """The flow's name: the one given, or the last part of its path."""
    return options.name or paths.flow.rsplit("/", 1)[-1].split(".", 1)[0]


def parsed_assertion(snippet: str) -> JSON:
    """An assertion given as YAML, as a mapping of one key or a bare word; UsageError if it is neither."""
    text = snippet.strip().removeprefix("- ")
    hint = "one YAML step, such as 'assert_tool_call: {tool: issue_refund, times: 1}'"
    try:
        value = yaml.safe_load(text)
    except yaml.YAMLError as error:
        raise UsageError(f"--assert {snippet!r} is not YAML: {str(error).splitlines()[0]}", hint=hint) from error
    if isinstance(value, str) and value.startswith("assert"):
        return value
    if isinstance(value, dict) and len(value) == 1 and str(next(iter(value))).startswith("assert"):
        return value
    raise UsageError(f"--assert {snippet!r} is not an assertion", hint=hint)


def step_text(assertion: JSON) -> str:
    """One step on one line."""
    if isinstance(assertion, dict) and len(assertion) == 1:
        ((key, value),) = assertion.items()
        return f"{scalar(key)}: {inline(value)}"
    return inline(assertion)


def _exchanges(trace: Trace) -> Iterator[str]:
    """The ids that `until` can name, and what each exchange does."""
    listed = [f"{exchange.id} {does(exchange)}" for exchange in trace.models[:SHOWN]]
    more = f"; and {len(trace.models) - SHOWN} more" if len(trace.models) > SHOWN else ""
    yield comment(f"recorded: {'; '.join(listed)}{more}")


def _agent(options: ConvertOptions) -> Iterator[str]:
    if options.agent_command is not None and options.tools is not None:
        yield "agent:"
        yield f"  command: {scalar(options.agent_command)}"
        yield f"  tools: {options.tools}"


def _relative(paths: Paths) -> str:
    """The cassette's path as seen from the flow's folder."""
    folder, cassette = paths.flow.split("/")[:-1], paths.cassette.split("/")
    shared = next((n for n, (a, b) in enumerate(zip(folder, cassette, strict=False)) if a != b), len(folder))
    return "/".join([".."] * (len(folder) - shared) + cassette[shared:])


def _replay(until: Until) -> Iterator[str]:
    if until.id is not None:
        yield "replay:"
        yield f"  until: {scalar(until.id)}" + (f"  {comment(until.why)}" if until.why else "")


def _compared(trace: Trace) -> Iterator[str]:
    """The key that holds a replay to the side effects of a recording that somebody watched."""
    watched = [kind for kind in EFFECT_KINDS if trace.header.observation.get(kind) in WATCHED]
    if watched:
        names = ", ".join(watched)
        yield f"# effects: strict  {comment(f'the recording observed {names}')}"


def _turns(turns: Sequence[Turn]) -> Iterator[str]:
    """One prompt, or a conversation of as many turns as the user took."""
    if len(turns) == 1:
        yield f"  - prompt: {text_at(turns[0].text, 6)}"
        return
    yield "  - conversation:"
    for turn in turns:
        yield f"      - user: {text_at(turn.text, 10)}"


def _suggestions(suggested: Sequence[Suggestion]) -> Iterator[str]:
    if suggested:
        yield "  # suggested by the recording; take the '# ' away from what must hold"
    for each in suggested:
        yield f"  # - {step_text(each.assertion)}  {comment(each.why)}"

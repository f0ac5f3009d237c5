"""`runwright convert`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import typer


def convert(
    files: Annotated[list[Path], typer.Argument(help="The captured run: a trace, or another tool's export.")],
    out: Annotated[str, typer.Option("--out", help="The flow to propose, such as flows/regressions/NAME.")],
    agent: Annotated[str | None, typer.Option("--agent", metavar="COMMAND", help="How the agent is started.")] = None,
    tools: Annotated[
        Literal["real", "served"] | None,
        typer.Option("--tools", help="Whether the agent's tools really run at replay."),
    ] = None,
    until: Annotated[
        str | None, typer.Option("--until", metavar="ID", help="Match strictly up to this exchange; 'end' for all.")
    ] = None,
    asserts: Annotated[
        list[str] | None, typer.Option("--assert", metavar="YAML", help="An assertion of the flow; may be repeated.")
    ] = None,
    prompt: Annotated[str | None, typer.Option("--prompt", help="The prompt, where the export lacks it.")] = None,
    adopt: Annotated[
        bool, typer.Option("--adopt", help="Replay once and propose the live values of unknown fields.")
    ] = False,
    redact: Annotated[bool, typer.Option("--redact", help="Replace secrets by tokens that still match.")] = False,
    strict: Annotated[bool, typer.Option("--strict", help="Refuse a run with unknown fields.")] = False,
    format: Annotated[str | None, typer.Option("--format", help="The files' format, where it cannot be told.")] = None,
    trace_id: Annotated[
        str | None, typer.Option("--trace-id", help="Which trace of an OTLP export that holds several.")
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="Print the proposal file as JSON.")] = False,
) -> int:
    """Turn a captured run into a flow and a cassette that wait for review; accepted files stay as they are."""
    from runwright.cli.output import say, say_json, say_note
    from runwright.convert import ConvertOptions
    from runwright.errors import Exit
    from runwright.readers import read_foreign
    from runwright.review import as_json, propose, show

    options = ConvertOptions(
        out=out,
        agent_command=agent,
        tools=tools,
        until=until,
        asserts=tuple(asserts or ()),
        prompt=prompt,
        strict=strict,
        redact=redact,
    )
    proposed = propose(read_foreign(files, format, trace_id=trace_id), options, Path.cwd(), say_note, adopting=adopt)
    if json:
        say_json(as_json([proposed]))
    else:
        say(show(proposed).rstrip("\n"))
        say(f"\nnext: runwright review --accept {proposed.name}   (or edit {proposed.paths.flow_new} first)")
    return int(Exit.OK)

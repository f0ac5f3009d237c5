"""Flow files: YAML in, checked `Flow` out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TypeAlias, cast

from runwright.errors import FlowError, UsageError
from runwright.flow.cassette_path import cassette_path
from runwright.flow.keys import unknown_keys
from runwright.flow.load_agent import agent_of
from runwright.flow.load_effects import effects_of
from runwright.flow.load_steps import steps_of, turns_of
from runwright.flow.other_apps import refuse_other_apps
from runwright.flow.spec import (
    DEFAULT_TIMEOUT,
    AgentSpec,
    Control,
    Expect,
    Flow,
    IgnoreSpec,
    McpSpec,
    Replay,
    ToolStub,
)
from runwright.flow.variables import as_written, command_words, flowproof_words, resolved
from runwright.flow.yaml_tree import Document, Where, read_yaml
from runwright.trace.model import JSON
from runwright.trace.paths import format_path, parse_path
from runwright.trace.schemas import problems

Object: TypeAlias = Mapping[str, JSON]


def load_flow(path: Path, env: Mapping[str, str]) -> Flow:
    """The flow that a file holds; FlowError where it is wrong, UnsetVariable where a `${VAR}` is not in `env`.

    A variable that is missing is no error where `skip_unless_env` says that the flow is then skipped.
    """
    try:
        data = path.read_bytes()
    except OSError as error:
        raise FlowError(f"cannot read the flow: {error.strerror}", place=str(path)) from error
    return parse_flow(data, path, env)


def parse_flow(data: bytes, path: Path, env: Mapping[str, str]) -> Flow:
    """The flow in the bytes of the file `path`, which places messages and the cassette."""
    document = read_yaml(data, str(path))
    form = checked(document)
    legacy = "flow" not in form
    skip = tuple(map(str, _list(form.get("skip_unless_env"))))
    if missing_of(skip, env):
        env = {**as_written(data.decode("utf-8-sig")), **env}
    notes: list[str] = []
    steps = steps_of(document, legacy=legacy, notes=notes)
    agent = agent_of(document, env, steps, legacy=legacy, notes=notes)
    replay = cast("Object", form.get("replay", {}))
    turns = turns_of(document)
    if legacy:
        _check_legacy(document, agent, turns)
    return Flow(
        path=path,
        name=str(form["name"]),
        agent=agent,
        cassette=cassette_path(path, cast("str | None", form.get("cassette"))),
        replay=Replay(until=cast("str | None", replay.get("until")), split=replay.get("split") is True),
        expect=cast("Expect", form.get("expect", "pass")),
        tools=_tools(document, form.get("tools"), ("tools",), legacy=legacy),
        mcp=tuple(_mcp(document, form, env, legacy=legacy)),
        ignore=tuple(_ignores(document, form)),
        effects=effects_of(document, env),
        control=_control(form),
        turns=turns,
        steps=steps,
        skip_unless_env=skip,
        strict=form.get("strict") is True,
        timeout=float(cast("float", form.get("timeout", DEFAULT_TIMEOUT))),
        declared_by="flowproof" if legacy else "runwright",
        notes=tuple(notes),
    )


def missing_of(names: Iterable[str], env: Mapping[str, str]) -> tuple[str, ...]:
    """The variables of `skip_unless_env` that are not set, or set to nothing."""
    return tuple(name for name in names if not env.get(name))


def _check_legacy(document: Document, agent: AgentSpec | None, turns: Sequence[str]) -> None:
    """What flowproof asks of a flow and `flow: 1` does not."""
    if agent is None:
        hint = "name the command that starts it; under 'flow: 1' a flow without an agent checks its own recording"
        raise FlowError("'agent' is missing", place=document.place(()), hint=hint)
    if not turns:
        hint = "add a 'prompt' step; under 'flow: 1' an agent can have its task elsewhere"
        raise FlowError("no step says what the user says", place=document.place(("steps",)), hint=hint)


def checked(document: Document) -> Object:
    """The document's value, which fits schema/flow-v1; the first thing wrong is raised with its place."""
    value = document.value
    if not isinstance(value, dict):
        raise FlowError("a flow is a mapping of keys", place=document.place(()))
    _check_kind(document, value)
    for path, key, hint in unknown_keys("flow-v1", value):
        raise FlowError(f"unknown key {key!r}", place=document.place(path), hint=hint)
    for where, message in problems("flow-v1", value):
        steps = cast("Where", parse_path(where))
        raise FlowError(_readable(message), place=document.place(steps))
    return value


def _check_kind(document: Document, value: Object) -> None:
    version = value.get("flow")
    if isinstance(version, int) and not isinstance(version, bool) and version > 1:
        hint = "upgrade runwright, or write the flow for version 1"
        raise FlowError(
            f"flow: {version} is newer than this version knows (1)", place=document.place(("flow",)), hint=hint
        )
    refuse_other_apps(document, value)


def _readable(message: str) -> str:
    return message[:1].lower() + message[1:] if message[:1].isupper() else message


def _tools(document: Document, value: JSON, path: Where, *, legacy: bool) -> tuple[ToolStub, ...]:
    """The tools; in a flowproof flow `result: null` gives no result, as it does there."""
    tools = [
        ToolStub(
            name=str(each["name"]),
            result=each.get("result"),
            has_result=each.get("result") is not None if legacy else "result" in each,
        )
        for each in cast("list[Object]", _list(value))
    ]
    _unique(document, [each.name for each in tools], path)
    return tuple(tools)


def _mcp(document: Document, form: Object, env: Mapping[str, str], *, legacy: bool) -> Iterator[McpSpec]:
    servers = cast("list[Object]", _list(form.get("mcp")))
    _unique(document, [str(each["name"]) for each in servers], ("mcp",))
    stubbed = {str(each["name"]) for each in cast("list[Object]", _list(form.get("tools")))}
    words = flowproof_words if legacy else command_words
    for n, each in enumerate(servers):
        path: Where = ("mcp", n)
        place = document.place(path)
        if ("command" in each) == ("url" in each):
            raise FlowError("an MCP server has either a command or a url", place=place)
        if "port" in each and "url" not in each:
            raise FlowError("'port' belongs beside 'url'", place=place)
        if "url" in each and "port" not in each and "url" in cast("Object", form.get("agent", {})):
            hint = "an agent that runs already cannot be told another one"
            raise FlowError("'port' is missing: where the agent expects this server", place=place, hint=hint)
        tools = _tools(document, each.get("tools"), (*path, "tools"), legacy=legacy)
        both = sorted(stubbed & {tool.name for tool in tools})
        if both:
            raise FlowError(f"tool {both[0]!r} is given both here and under tools", place=place, hint="drop one")
        yield McpSpec(
            name=str(each["name"]),
            command=words(str(each["command"]), env, place) if "command" in each else (),
            url=resolved(str(each["url"]), env, place) if "url" in each else None,
            port=cast("int | None", each.get("port")),
            tools=tools,
        )


def _unique(document: Document, names: list[str], path: Where) -> None:
    for n, name in enumerate(names):
        if name in names[:n]:
            raise FlowError(f"{name!r} stands here a second time", place=document.place((*path, n)))


def _ignores(document: Document, form: Object) -> Iterator[IgnoreSpec]:
    for n, each in enumerate(cast("list[Object]", _list(form.get("ignore")))):
        written = str(each["path"])
        try:
            parts = parse_path(written)
        except UsageError as error:
            raise FlowError(error.message, place=document.place(("ignore", n, "path")), hint=error.hint) from error
        if not parts:
            raise FlowError("an ignore of $ leaves nothing to compare", place=document.place(("ignore", n, "path")))
        yield IgnoreSpec(lane=str(each["lane"]), path=format_path(parts), shape=cast("str | None", each.get("as")))


def _control(form: Object) -> Control | None:
    control = cast("Mapping[str, str] | None", form.get("control"))
    return None if control is None else Control(**control)


def _list(value: JSON) -> list[JSON]:
    return value if isinstance(value, list) else []

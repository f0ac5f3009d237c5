"""The `agent` block of a flow."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TypeAlias, cast

from runwright.errors import FlowError
from runwright.flow.assertions import NoEgress, NoSecretLeak
from runwright.flow.egress import FORMS, is_destination, port_here
from runwright.flow.handles import KNOWN, first_handle, unknown_handles
from runwright.flow.spec import AgentSpec, Step, Tools
from runwright.flow.variables import command_words, flowproof_words, resolved, variables_in
from runwright.flow.yaml_tree import Document
from runwright.trace.model import JSON

Object: TypeAlias = Mapping[str, JSON]

UNDECLARED = "agent.tools is not declared, so the agent's tools run for real"
_HELD = ("allow_egress", "allow_local", "protect")
_ONLY_COMMAND = ("env", "env_allow", "cwd", *_HELD, "contain")
_ONLY_URL = ("proxy_port", "headers")


def agent_of(
    document: Document, env: Mapping[str, str], steps: Iterable[Step], *, legacy: bool, notes: list[str]
) -> AgentSpec | None:
    """How to reach the agent, variables resolved; None where the flow has none.

    A variable that `assert_no_secret_leak` names is given to the agent: one that it never had it cannot leak.
    """
    form = cast("Object", document.value).get("agent")
    if not isinstance(form, dict):
        return None
    steps = tuple(steps)
    _check(document, form, legacy=legacy)
    if "tools" not in form:
        notes.append(UNDECLARED)
    secrets = [name for step in steps if isinstance(step.assertion, NoSecretLeak) for name in step.assertion.names]
    egress = tuple(
        _destination(each, env, document.place(("agent", "allow_egress", n)), legacy=legacy)
        for n, each in enumerate(cast("list[str]", form.get("allow_egress", [])))
    )
    protect = cast("list[str]", form.get("protect", []))
    place = document.place(("agent", "command"))
    words = flowproof_words if legacy else command_words
    return AgentSpec(
        command=words(str(form["command"]), env, place) if "command" in form else (),
        url=_text(document, form, "url", env),
        proxy_port=cast("int | None", form.get("proxy_port")),
        headers=_texts(document, form, "headers", env),
        tools=cast("Tools", form.get("tools", "real")),
        env=_texts(document, form, "env", env),
        env_allow=tuple(dict.fromkeys([*cast("list[str]", form.get("env_allow", [])), *secrets])),
        cwd=_text(document, form, "cwd", env),
        allow_egress=egress,
        allow_local=(*cast("list[int]", form.get("allow_local", [])), *filter(None, map(port_here, egress))),
        protect=tuple(resolved(each, env, document.place(("agent", "protect", n))) for n, each in enumerate(protect)),
        contain=_contained(document, form, steps, legacy=legacy),
    )


def _contained(document: Document, form: Object, steps: Iterable[Step], *, legacy: bool) -> bool:
    """Whether the agent is held: where a flow of today has a command, and wherever a flow says what it may reach."""
    said = form.get("contain")
    asserts = any(isinstance(step.assertion, NoEgress) for step in steps)
    asks = next((key for key in _HELD if key in form), "assert_no_egress" if asserts else None)
    if said is False and asks is not None:
        place = document.place(("agent", "contain"))
        raise FlowError(
            f"{asks!r} is held by nothing where 'contain' is false", place=place, hint="drop one of the two"
        )
    if isinstance(said, bool):
        return said
    return "command" in form and (not legacy or asks is not None)


def _destination(written: str, env: Mapping[str, str], place: str, *, legacy: bool) -> str:
    """What an entry of `allow_egress` says. Flowproof has no other key for a port of this machine."""
    entry = resolved(written, env, place)
    if not is_destination(entry) and variables_in(entry) == []:
        raise FlowError(f"{written!r} is no destination", place=place, hint=f"as in {FORMS}")
    port = port_here(entry)
    if port is not None and not (legacy and port):
        hint = f"{written}:PORT" if legacy else f"allow_local: [{port or 'PORT'}]"
        raise FlowError(f"{written!r} is this machine, and nothing off it", place=place, hint=hint)
    return entry


def _check(document: Document, form: Object, *, legacy: bool) -> None:
    place = document.place(("agent",))
    if ("command" in form) == ("url" in form):
        raise FlowError("an agent has either a command or a url", place=place)
    used, foreign = ("command", _ONLY_URL) if "command" in form else ("url", _ONLY_COMMAND)
    for key in foreign:
        if key in form:
            raise FlowError(f"{key!r} means nothing beside {used!r}", place=document.place(("agent", key)))
    if "url" in form and "proxy_port" not in form:
        raise FlowError("'url' needs 'proxy_port': the port at which the agent expects its model", place=place)
    if "command" in form and "tools" not in form and not legacy:
        hint = "tools: real runs them as the agent does; tools: served gives their recorded results"
        raise FlowError("'tools' is missing beside 'command'", place=place, hint=hint)
    if not legacy:
        _check_handles(document, form)


def _check_handles(document: Document, form: Object) -> None:
    """Handles are replaced in `env`, where they must be known ones, and nowhere else."""
    servers = cast("list[Object]", cast("Object", document.value).get("mcp", []))
    known = frozenset(str(each["name"]) for each in servers)
    for name, value in cast("Object", form.get("env", {})).items():
        for handle in unknown_handles(str(value), known):
            hint = f"handles are {KNOWN}"
            raise FlowError(f"unknown handle {handle}", place=document.place(("agent", "env", name)), hint=hint)
    for key in ("command", "cwd", "url"):
        if key in form and (handle := first_handle(str(form[key]))):
            hint = "set a variable in agent.env to it, and let the agent read that"
            raise FlowError(f"{handle} means nothing here", place=document.place(("agent", key)), hint=hint)


def _text(document: Document, form: Object, key: str, env: Mapping[str, str]) -> str | None:
    return resolved(str(form[key]), env, document.place(("agent", key))) if key in form else None


def _texts(document: Document, form: Object, key: str, env: Mapping[str, str]) -> dict[str, str]:
    values = cast("Object", form.get(key, {}))
    return {name: resolved(_scalar(each), env, document.place(("agent", key, name))) for name, each in values.items()}


def _scalar(value: JSON) -> str:
    """A variable's value as text: true and false as YAML writes them."""
    return str(value).lower() if isinstance(value, bool) else str(value)

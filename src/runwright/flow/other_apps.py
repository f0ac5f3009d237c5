"""What flowproof's flows say about other kinds of applications: known by name, and not run here."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias

from runwright.errors import CapabilityError
from runwright.flow.yaml_tree import Document, Where
from runwright.trace.model import JSON

Object: TypeAlias = Mapping[str, JSON]

KEYS: Mapping[str, str] = {
    "apps": "flows over several applications",
    "browser": "web flows",
    "connection": "SAP flows",
    "exports": "flows that hand values to others",
    "goal": "flows that a model writes",
    "login": "SAP flows",
    "mock": "web flows",
    "redact": "flows with screenshots",
    "session": "web flows",
    "url": "web flows",
    "window": "desktop flows",
}
"""Keys of a flow that mean nothing to an agent, and what they are for."""

STEPS: Mapping[str, str] = {
    "assert_api": "API flows",
    "assert_screenshot": "web flows",
    "assert_spreadsheet": "flows over spreadsheets",
    "assert_sql": "flows over databases",
    "foreach": "web, desktop and API flows",
    "repeat": "web, desktop and API flows",
    "rules": "web and desktop flows",
    "when": "web, desktop and API flows",
}
"""Steps of the same kind."""

_HINT = "flows of 'app: agent' can be run; keep the others with the tool that runs them"


def refuse_other_apps(document: Document, value: Object) -> None:
    """Raise CapabilityError for a flow about another application, or with a key or step that only such a flow has."""
    app = value.get("app")
    if isinstance(app, dict):
        raise _cannot(document, ("app",), "flows that start a desktop application")
    if isinstance(app, str) and app != "agent":
        raise _cannot(document, ("app",), f"flows of 'app: {app}'")
    if "flow" in value:
        return
    for key in value:
        if key in KEYS:
            raise _cannot(document, (key,), f"{key!r} is for {KEYS[key]}, which")
    for n, step in enumerate(_list(value.get("steps"))):
        _refuse_step(document, n, step)


def _refuse_step(document: Document, n: int, step: JSON) -> None:
    if not isinstance(step, dict):
        return
    for key, value in step.items():
        if key in STEPS:
            raise _cannot(document, ("steps", n, key), f"{key!r} is for {STEPS[key]}, which")
        if key == "conversation" and _interactive(value):
            raise CapabilityError(
                "a conversation that a person holds at the terminal cannot be replayed",
                place=document.place(("steps", n, key)),
                hint="write its deliveries down: a list of 'user' texts",
            )


def _interactive(value: JSON) -> bool:
    deliveries = value if isinstance(value, list) else [value]
    return any(each == "interactive" or (isinstance(each, dict) and "interactive" in each) for each in deliveries)


def _cannot(document: Document, path: Where, what: str) -> CapabilityError:
    return CapabilityError(f"{what} cannot be run yet", place=document.place(path), hint=_HINT)


def _list(value: JSON) -> list[JSON]:
    return value if isinstance(value, list) else []

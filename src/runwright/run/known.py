"""Values that are secret because of where they come from, in the forms in which a report might show them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache

from runwright.flow import Flow, NoSecretLeak
from runwright.flow.sent import SHORTEST, forms_of
from runwright.run.options import RunOptions
from runwright.secrets.names import Naming, naming
from runwright.trace.model import JSON
from runwright.trace.schemas import schema


def secrets_of(flow: Flow, options: RunOptions) -> Mapping[str, str]:
    """By name, what no report on the flow may show: of the options, of its assertions and of its headers."""
    asserted = {name: options.environment[name] for name in given_secrets(flow) if name in options.environment}
    return {**options.known, **asserted, **header_secrets(flow)}


def given_secrets(flow: Flow) -> tuple[str, ...]:
    """The variables whose values must not leave the agent: those that its `assert_no_secret_leak` steps name."""
    asserted = (step.assertion.names for step in flow.steps if isinstance(step.assertion, NoSecretLeak))
    return tuple(dict.fromkeys(name for names in asserted for name in names))


def asked_about(flow: Flow, options: RunOptions) -> Mapping[str, str]:
    """Those variables with their values, as they stand for the environment of an agent that was not started here."""
    return {name: options.environment.get(name, "") for name in given_secrets(flow)}


def known_secrets(values: Mapping[str, str]) -> tuple[str, ...]:
    """The values as they are, in JSON, base64, hexadecimal and URLs.

    A value that is a word of the formats themselves (`timeout`, `assistant`) is none: without it nothing could be told.
    """
    telling = (value for value in values.values() if value and value not in _vocabulary())
    return tuple(dict.fromkeys(form for value in telling for form in forms_of(value)))


def header_secrets(flow: Flow) -> dict[str, str]:
    """What the headers for an agent that runs already hold, where their names say that it is secret.

    Of `Bearer ...` and of a cookie the secret itself too. What is too short to be told from other text is none.
    """
    headers = flow.agent.headers if flow.agent else {}
    return {
        f"{name} {number}": part
        for name, value in headers.items()
        if naming(name) is not Naming.NONE
        for number, part in enumerate(_parts(name, value))
        if len(part) >= SHORTEST
    }


def _parts(name: str, value: str) -> Iterator[str]:
    yield value
    if name.lower() == "cookie":
        yield from (each.partition("=")[2].strip() for each in value.split(";"))
    elif " " in value.strip():
        yield value.split()[-1]


@cache
def _vocabulary() -> frozenset[str]:
    return frozenset(word for name in ("trace-v1", "run-report-v1") for word in _words(schema(name)))


def _words(node: JSON) -> Iterator[str]:
    """The names of fields and the values of enumerations in a schema."""
    if isinstance(node, list):
        for each in node:
            yield from _words(each)
    if not isinstance(node, dict):
        return
    for key, value in node.items():
        if key in ("enum", "const"):
            yield from (each for each in (value if isinstance(value, list) else [value]) if isinstance(each, str))
        elif key == "properties" and isinstance(value, dict):
            yield from value
        yield from _words(value)

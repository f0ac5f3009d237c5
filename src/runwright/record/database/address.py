"""The address of a PostgreSQL database as a user gives it."""

from __future__ import annotations

import re
from collections.abc import Mapping

from runwright.errors import UsageError

VARIABLE = re.compile(r"\$(?:\{(\w+)\}|(\w+))")


def address_of(given: str, environment: Mapping[str, str]) -> str:
    """The address, or what the variable holds that it is said to stand in: `$NAME` or `${NAME}`."""
    found = VARIABLE.fullmatch(given)
    if found is None:
        return given
    name = found[1] or found[2]
    if not environment.get(name):
        raise UsageError("the variable is not set", place=f"${name}", hint="it is to hold postgresql://USER@HOST/NAME")
    return environment[name]

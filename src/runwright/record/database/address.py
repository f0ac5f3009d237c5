"""The address of a database as a user gives it."""

from __future__ import annotations

import re
from collections.abc import Mapping

from runwright.errors import UsageError

VARIABLE = re.compile(r"\$(?:\{(\w+)\}|(\w+))")
SERVER = re.compile(r"\s*(?:postgres(?:ql)?://|[a-z_]+\s*=)")
HINT = "postgresql://USER@HOST:PORT/NAME, or host=... dbname=..., or $VARIABLE that holds one"


def is_server(address: str) -> bool:
    """Whether it is the address of a server, and not the path of a file."""
    return SERVER.match(address) is not None


def address_of(given: str, environment: Mapping[str, str]) -> str:
    """The address of a server, or what the variable holds that it is said to stand in: `$NAME` or `${NAME}`."""
    found = VARIABLE.fullmatch(given)
    name = (found[1] or found[2]) if found else ""
    address = environment.get(name, "") if found else given
    if not address:
        raise UsageError("the variable is not set", place=f"${name}", hint=HINT)
    if not is_server(address):
        raise UsageError("it is no address of a PostgreSQL database", place=f"${name}" if found else "", hint=HINT)
    return address

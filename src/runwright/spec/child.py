"""The process in which an agent is imported: it answers in a file, and whatever the agent prints is not data."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

import msgspec

from runwright.spec.given import spec_of
from runwright.spec.named import named, why
from runwright.trace import digest


def main() -> None:
    """Write the specification of the agent that is named, or why it has none, to the file that is named."""
    name, file = sys.argv[1:3]
    answer: dict[str, object]
    try:
        spec = msgspec.to_builtins(spec_of(named(name), name))
        digest(spec)  # what cannot be digested cannot be compared
        answer = {"spec": spec}
    except BaseException as error:  # noqa: BLE001  the agent's code may raise anything, SystemExit included
        told = why(error)
        answer = {"error": {"message": told.message, "place": told.place, "hint": told.hint}}
    Path(file).write_text(json.dumps(answer), encoding="utf-8")
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(0)  # threads that the agent started may never end

"""What was observed of one command."""

from __future__ import annotations

from typing import NamedTuple

from runwright.trace.model import EffectKind, Trace

SEEN: tuple[EffectKind, ...] = ("fs_write", "fs_delete", "fs_rename", "fs_truncate")
"""The kinds of side effect that are told of files."""


class Observed(NamedTuple):
    """A command's side effects and faults as a trace, and what is no effect.

    `status` is the command's own, negative for the signal that ended it, and None where it is not known. `unchanged`
    are files that were written to and hold what they held. `filtered` counts what was left out, by rule. `operations`
    counts the calls that could have changed a file, `idle` those of them that changed nothing. `outside` are the
    real names of files outside the workspace by the names that they have in the trace: for a person's eyes alone.
    `refused` are the names of files that could only be read and that it tried to change. `began` is when the times of
    the effects are counted from, on the machine's monotonic clock.
    """

    trace: Trace
    status: int | None
    unchanged: tuple[str, ...]
    filtered: dict[str, int]
    operations: int
    idle: int
    outside: dict[str, str]
    interrupted: bool
    began: float = 0.0
    refused: tuple[str, ...] = ()

"""What the caller of a run decides."""

from __future__ import annotations

import os
import threading
from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, kw_only=True)
class RunOptions:
    """How flows are run.

    `timeout` (seconds) and `until` override the flows' own. `strict` makes fields that were never compared exit 2.
    `recording_only` lets a flow without an agent check its own recording. `keep` writes the live side of each run,
    redacted, under `.runwright/runs/`. `dry_world` throws away whatever the agents change. `jobs` flows run at a time.
    `stop`, once set, ends the run as an interruption. `environment` is what `${VAR}` sees; agents get the part of it
    that is allowed, and what `passed` names. `known` are secrets by name, which no report ever shows.
    """

    timeout: float | None = None
    until: str | None = None
    strict: bool = False
    recording_only: bool = False
    keep: bool = False
    dry_world: bool = False
    jobs: int = 1
    environment: Mapping[str, str] = field(default_factory=lambda: dict(os.environ), repr=False)
    passed: tuple[str, ...] = ()
    known: Mapping[str, str] = field(default_factory=dict, repr=False)
    stop: threading.Event = field(default_factory=threading.Event, repr=False)

"""Flow files: YAML in, checked `Flow` out."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from runwright.flow.spec import Flow


def load_flow(path: Path, env: Mapping[str, str]) -> Flow:
    """The flow that a file holds; FlowError where it is wrong, UnsetVariable where `${VAR}` is not in `env`."""
    raise NotImplementedError

"""What the caller of pytest decides, on the command line or in the configuration file."""

from __future__ import annotations

from typing import NamedTuple

import pytest


class Settings(NamedTuple):
    """The options of a flow that pytest can set."""

    strict: bool
    keep: bool
    timeout: float | None


def settings_of(config: pytest.Config) -> Settings:
    """The settings; the command line wins. UsageError for a time limit that is no number."""
    written = config.getini("runwright_timeout")
    try:
        timeout = config.getoption("--runwright-timeout") or (float(written) if written else None)
    except ValueError as error:
        raise pytest.UsageError(f"runwright_timeout: expected seconds, found {written!r}") from error
    return Settings(
        strict=bool(config.getoption("--runwright-strict") or config.getini("runwright_strict")),
        keep=bool(config.getoption("--runwright-keep") or config.getini("runwright_keep")),
        timeout=timeout,
    )

"""The gate on the way out of a conversion: secrets stop it, or become tokens where that was asked for."""

from __future__ import annotations

from runwright.convert.options import ConvertOptions
from runwright.secrets import Allowlist, gate_trace, redact_trace
from runwright.trace.model import Trace


def through_gate(trace: Trace, options: ConvertOptions, name: str) -> tuple[Trace, dict[str, int]]:
    """The trace as it may be written, and how many values of each rule were redacted; SecretsFound otherwise."""
    allow = options.allow or Allowlist()
    if not options.redact:
        return gate_trace(trace, redact=False, allow=allow, name=name), {}
    redacted, counts = redact_trace(trace, allow, file=name)
    return gate_trace(redacted, redact=False, allow=allow, name=name), dict(sorted(counts.items()))

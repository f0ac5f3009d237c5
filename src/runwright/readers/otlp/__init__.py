"""OpenTelemetry exports as JSON: spans and log records of agents, whichever instrumentation wrote them."""

from runwright.readers.otlp.read import read_otlp, sniff_otlp

__all__ = ["read_otlp", "sniff_otlp"]

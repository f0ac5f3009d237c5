"""OpenTelemetry spans in the gen_ai conventions, as the JSON of an OTLP request."""

from runwright.writers.otlp.write import write_otlp
from runwright.writers.writer import Writer

OTLP = Writer(
    name="otlp",
    write=write_otlp,
    suffix=".json",
    used="collectors and every backend that takes OTLP over HTTP",
    kept="model and tool calls with nesting, agents and times; messages, tools, usage, stop reasons, errors",
    lost="other records; parameters without a name in the conventions; cache marks, signatures, wire bodies, pieces of "
    "streams",
)

__all__ = ["OTLP", "write_otlp"]

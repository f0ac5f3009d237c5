"""OpenTelemetry exports, as JSON or binary protobuf: spans and log records, whichever instrumentation wrote them."""

from runwright.readers.otlp.read import read_otlp, sniff_otlp, together
from runwright.readers.reader import Reader, only

OTLP = Reader(
    name="otlp",
    sniff=sniff_otlp,
    read=only(read_otlp),
    together=together,
    recognised="JSON or JSON Lines with `resourceSpans` or `resourceLogs`; binary protobuf (`runwright[otlp]`), one "
    "request or many with their lengths, as the collector's file exporter writes them",
    kept="model and tool calls with nesting, agents (also nodes of graphs), times, errors; content from spans, events "
    "and log records",
    lost="what the instrumentation did not capture, named with the setting that turns it on; wire bodies; HTTP spans",
    versions="gen_ai conventions old and new, `gen_ai.prompt.N`, OpenInference, pydantic-ai 2-6, Traceloop 0.62, "
    "Langfuse 5, AI SDK 6 and the names of 3-5, LangChain 1 and LangGraph 1 through Traceloop and OpenInference",
)

__all__ = ["OTLP", "read_otlp", "sniff_otlp"]

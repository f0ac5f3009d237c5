"""Run the agent the way production did: official OpenTelemetry instrumentation, exported as OTLP JSON Lines.

python production.py AGENT.py OUT_DIR      writes OUT_DIR/spans.jsonl and OUT_DIR/logs.jsonl
"""

import base64
import importlib.util
import json
import os
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

import model_server
from google.protobuf.json_format import MessageToDict
from google.protobuf.message import Message
from opentelemetry import trace
from opentelemetry.exporter.otlp.proto.common._log_encoder import encode_logs
from opentelemetry.exporter.otlp.proto.common.trace_encoder import encode_spans
from opentelemetry.instrumentation.openai_v2 import OpenAIInstrumentor
from opentelemetry.sdk._logs import LoggerProvider
from opentelemetry.sdk._logs.export import InMemoryLogRecordExporter, SimpleLogRecordProcessor
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

CAPTURE = "OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT"


def main(agent_file: str, out: Path) -> None:
    """Run the agent once, instrumented, against the scripted model; write what was exported."""
    os.environ.setdefault(CAPTURE, "true")
    os.environ["OPENAI_BASE_URL"] = model_server.start()
    os.environ["OPENAI_API_KEY"] = "stands-for-the-production-key"
    spans, logs = InMemorySpanExporter(), InMemoryLogRecordExporter()
    resource = Resource.create({"service.name": "support-agent"})
    tracers, loggers = TracerProvider(resource=resource), LoggerProvider(resource=resource)
    tracers.add_span_processor(SimpleSpanProcessor(spans))
    loggers.add_log_record_processor(SimpleLogRecordProcessor(logs))
    OpenAIInstrumentor().instrument(tracer_provider=tracers, logger_provider=loggers)
    agent = load(agent_file)
    with trace.get_tracer("support-agent", tracer_provider=tracers).start_as_current_span("support request"):
        print(agent.run(agent.TASK))
    write(out / "spans.jsonl", [encode_spans([span]) for span in spans.get_finished_spans()])
    write(out / "logs.jsonl", [encode_logs([log]) for log in logs.get_finished_logs()])


def load(agent_file: str):
    """The agent's module, from its file."""
    spec = importlib.util.spec_from_file_location("agent", agent_file)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def write(path: Path, exports: Sequence[Message]) -> None:
    """One export request a line, as the OTLP file exporter writes them: ids in hex."""
    path.parent.mkdir(parents=True, exist_ok=True)
    lines = (json.dumps(_hex_ids(MessageToDict(export, use_integers_for_enums=True))) for export in exports)
    path.write_text("".join(line + "\n" for line in lines), encoding="utf-8")


def _hex_ids(value):
    """OTLP's JSON wants ids in hex; protobuf's own JSON writes base64."""
    if isinstance(value, dict):
        return {key: _id(key, each) for key, each in value.items()}
    if isinstance(value, Iterable) and not isinstance(value, str):
        return [_hex_ids(each) for each in value]
    return value


def _id(key: str, value):
    if key in {"traceId", "spanId", "parentSpanId"}:
        return base64.b64decode(value).hex()
    return _hex_ids(value)


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]))

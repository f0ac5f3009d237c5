"""Binary OTLP as the documents that its JSON form has."""

from __future__ import annotations

from collections.abc import Iterator

from runwright.errors import ReaderError
from runwright.readers.exact import NotJson
from runwright.readers.input import Input
from runwright.readers.lines import DEEPEST, Located, file_name
from runwright.readers.otlp.framing import Frame, frames, signal_of
from runwright.readers.packed import RATIO, SMALL, unpacked
from runwright.readers.reading import Reading
from runwright.trace.model import JSON

UNDECODED = "a message of the export that cannot be decoded"


def messages(source: Input, reading: Reading) -> Iterator[Located]:
    """The messages of a binary file, each with its place `file@offset`; one that cannot be decoded is a loss."""
    left = max(SMALL, RATIO * len(source.data))
    for frame in frames(source.data):
        place = f"{file_name(source)}@{frame.offset}"
        if frame.cut:
            reading.lose("truncated", "the file ends within a message", place)
            reading.lose("malformed", UNDECODED, place)
            continue
        data = unpacked(frame.data, place)
        left -= len(data)
        if left < 0:
            hint = "expand it yourself if it is what you think it is"
            raise ReaderError(f"expands to more than {RATIO} times its size", place=source.name, hint=hint)
        document = _decoded(Frame(data, frame.offset), place, reading)
        if document is None:
            reading.lose("malformed", UNDECODED, place)
        else:
            yield Located(document, place)


def _decoded(frame: Frame, place: str, reading: Reading) -> JSON:
    """The document of a message; None where it is none."""
    if frame.data[:1] == b"{":
        try:
            return reading.json(frame.data, place, DEEPEST)
        except NotJson:
            return None
    return _from_protobuf(frame.data)


def _from_protobuf(data: bytes) -> JSON:
    signal = signal_of(data)
    if signal is None:
        return None
    try:
        from google.protobuf.json_format import Error, MessageToDict
        from google.protobuf.message import DecodeError
        from opentelemetry.proto.collector.logs.v1.logs_service_pb2 import ExportLogsServiceRequest
        from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
    except ImportError as error:
        raise ReaderError("binary OTLP needs a library", hint="pip install 'runwright[otlp]'") from error
    kind = ExportTraceServiceRequest if signal == "spans" else ExportLogsServiceRequest
    try:
        document: JSON = MessageToDict(kind.FromString(data))
    except (DecodeError, Error, ValueError, RecursionError):
        return None
    return document

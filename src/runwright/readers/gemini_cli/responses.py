"""Responses that the CLI's tests recorded, to play back in place of the model: a line each, without its request."""

from __future__ import annotations

from collections.abc import Sequence

from runwright.dialects.gemini import GEMINI as DIALECT
from runwright.errors import DialectError
from runwright.readers.assembled import Found
from runwright.readers.known import CONTENT, EVERY_PARAMETER, GEMINI, MESSAGES, TOOLS
from runwright.readers.lenient import a_text, objects
from runwright.readers.lines import Located
from runwright.readers.reading import Reading
from runwright.secrets.shortened import shortened
from runwright.trace.model import JSON, ModelRecord, ModelRequest, ModelResponse

METHODS = ("generateContent", "generateContentStream")
UNKNOWN = (MESSAGES, TOOLS, EVERY_PARAMETER)


def recorded(lines: Sequence[Located], reading: Reading) -> list[Found]:
    """An exchange for each response, in the order of the file."""
    found = []
    for line in lines:
        fields = line.value if isinstance(line.value, dict) else {}
        method = a_text(fields.get("method"))
        if method in METHODS:
            record = _exchange(fields.get("response"), method == METHODS[1], line.place, reading)
            found.append(Found(record=record, key=line.place))
        else:
            reading.lose("dropped", f"responses of the method {shortened(method, 60)!r}", line.place)
    return found


def _exchange(response: JSON, streamed: bool, place: str, reading: Reading) -> ModelRecord:
    decoded, chunks, kept = ModelResponse(), None, True
    try:
        if streamed:
            decoded, chunks = DIALECT.decode_stream(objects(response))
        else:
            decoded = DIALECT.decode_response(response if isinstance(response, dict) else {})
    except DialectError as error:
        reading.lose("not_representable", f"a response: {shortened(str(error), 200)}", place)
        kept = False
    return ModelRecord(
        id="",
        request=ModelRequest(api=GEMINI, provider="google", model=decoded.model or ""),
        response=decoded,
        streamed=streamed,
        chunks=chunks,
        fidelity="partial",
        unknown=(*UNKNOWN, *(() if kept else (CONTENT,)), *(() if decoded.model else ("$.request.model",))),
        ext={"source": place},
    )

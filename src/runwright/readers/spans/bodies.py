"""What the body of a request shows."""

from __future__ import annotations

from runwright.dialects import DIALECTS
from runwright.readers.bodies import decoded_request
from runwright.readers.spans.captured import Captured
from runwright.trace.model import JSON


def request_of(body: dict[str, JSON], api: str) -> Captured:
    """What the body of a request to this API shows: all of it. DialectError where it is none, or RecursionError."""
    request, streamed = decoded_request(body, DIALECTS[api], prompt_first=True)
    return Captured(
        messages=request.messages,
        tools=request.tools,
        parameters=dict(request.parameters),
        complete=True,
        streamed=streamed,
        model=request.model,
    )

"""A dialect: one model API's wire bodies and the trace's model exchange, both ways."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from runwright.trace.model import JSON, ModelError, ModelRequest, ModelResponse

Body: TypeAlias = dict[str, JSON]
Chunks: TypeAlias = tuple[tuple[int, int], ...]


def _never(_: Body) -> bool:
    """No event is one: the stream has an end mark of its own, and breaks off without a word."""
    return False


@dataclass(frozen=True)
class Dialect:
    """The functions of one model API; each raises DialectError for what it cannot represent.

    `path` is the suffix of the URL path that the API is called at, `{model}` standing for a model's name;
    `stream_path` that of its streamed calls where it is another one. What only the path tells is a body's `model` and
    `stream` (`addressed`). `decode_stream` takes the parsed data of each event, without the end mark; `encode_stream`
    yields whole server-sent events, and takes the live request's body because it decides which events the client
    wants. `is_end` and `is_break` know the event that a stream ends or breaks off with, and `encode_break` writes what
    came before an error, and the error.
    """

    api: str
    provider: str
    path: str
    decode_request: Callable[[Body], tuple[ModelRequest, bool]]
    encode_request: Callable[[ModelRequest, bool], Body]
    decode_response: Callable[[Body], ModelResponse]
    encode_response: Callable[[ModelResponse, ModelRequest], Body]
    decode_stream: Callable[[Sequence[Body]], tuple[ModelResponse, Chunks]]
    encode_stream: Callable[[ModelResponse, Body, Chunks | None], Iterator[bytes]]
    decode_error: Callable[[int | None, JSON], ModelError]
    encode_error: Callable[[ModelError], tuple[int, Body]]
    stream_path: str | None = None
    is_end: Callable[[Body], bool] = _never
    is_break: Callable[[Body], bool] = _never
    encode_break: Callable[[ModelResponse | None, ModelError, Body, Chunks | None], Iterator[bytes]] | None = None

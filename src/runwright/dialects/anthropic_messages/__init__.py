"""Anthropic's Messages."""

from runwright.dialects.anthropic_messages.request import API, PROVIDER, decode_request, encode_request
from runwright.dialects.anthropic_messages.response import (
    decode_error,
    decode_response,
    encode_error,
    encode_response,
)
from runwright.dialects.anthropic_messages.stream import decode_stream, is_break, is_end
from runwright.dialects.anthropic_messages.stream_write import encode_break, encode_stream
from runwright.dialects.dialect import Dialect

ANTHROPIC_MESSAGES = Dialect(
    api=API,
    provider=PROVIDER,
    path="/v1/messages",
    decode_request=decode_request,
    encode_request=encode_request,
    decode_response=decode_response,
    encode_response=encode_response,
    decode_stream=decode_stream,
    encode_stream=encode_stream,
    decode_error=decode_error,
    encode_error=encode_error,
    is_end=is_end,
    is_break=is_break,
    encode_break=encode_break,
)

"""Gemini's generateContent, of Google's AI Studio and of Vertex AI."""

from runwright.dialects.dialect import Dialect
from runwright.dialects.gemini.request import API, PROVIDER, decode_request, encode_request
from runwright.dialects.gemini.response import decode_error, decode_response, encode_error, encode_response
from runwright.dialects.gemini.stream import decode_stream, encode_break, encode_stream, is_break, is_end

GEMINI = Dialect(
    api=API,
    provider=PROVIDER,
    path="/models/{model}:generateContent",
    stream_path="/models/{model}:streamGenerateContent",
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

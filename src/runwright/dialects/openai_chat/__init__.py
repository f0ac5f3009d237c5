"""OpenAI's Chat Completions, and the many servers that speak it."""

from runwright.dialects.dialect import Dialect
from runwright.dialects.openai_chat.request import API, PROVIDER, decode_request, encode_request
from runwright.dialects.openai_chat.response import decode_error, decode_response, encode_error, encode_response
from runwright.dialects.openai_chat.stream import decode_stream
from runwright.dialects.openai_chat.stream_write import encode_stream

OPENAI_CHAT = Dialect(
    api=API,
    provider=PROVIDER,
    path="/chat/completions",
    decode_request=decode_request,
    encode_request=encode_request,
    decode_response=decode_response,
    encode_response=encode_response,
    decode_stream=decode_stream,
    encode_stream=encode_stream,
    decode_error=decode_error,
    encode_error=encode_error,
)

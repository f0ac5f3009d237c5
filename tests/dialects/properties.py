"""Values that any dialect carries, bodies that nobody sends, and what must hold of every dialect for both."""

from __future__ import annotations

import contextlib
import json

from hypothesis import strategies as st

from runwright.dialects import parse_stream_body
from runwright.errors import DialectError
from runwright.trace.model import ModelRequest

TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=30)
NAME = st.text("abcxyz_", min_size=1, max_size=6)
JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**63), 2**64 - 1)
    | st.floats(allow_nan=False, allow_infinity=False)
    | TEXT,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXT, inner, max_size=3),
    max_leaves=8,
)
OBJECT = st.dictionaries(TEXT, JSON, max_size=3)
NOT_NULL = JSON.filter(lambda value: value is not None)
FIELD = st.text("pqr_", min_size=1, max_size=4)
FIELDS = st.dictionaries(FIELD, JSON, max_size=3)
SAID = st.dictionaries(FIELD, NOT_NULL, max_size=3)
"""Further fields where a null one is absent."""

COUNTS = {"input_tokens": st.integers(0, 9), "output_tokens": st.integers(0, 9)}


def anything(words):
    """Any JSON value, mostly of these words."""
    return st.recursive(
        st.none() | st.booleans() | st.integers(-1, 3) | st.floats(allow_nan=False) | words | TEXT,
        lambda inner: st.lists(inner, max_size=4) | st.dictionaries(words, inner, max_size=5),
        max_leaves=25,
    )


def mixed(known, events, random):
    """As many events that a stream is made of, some of them with the fields of others."""
    return [{**random.choice(known), **each} if random.random() < 0.5 else random.choice(known) for each in events]


def assert_a_request_comes_back(dialect, request, streamed):
    body = dialect.encode_request(request, streamed)
    assert dialect.decode_request(body) == (request, streamed)
    assert dialect.decode_request(json.loads(json.dumps(body))) == (request, streamed)


def assert_a_response_comes_back(dialect, response):
    request = ModelRequest(api=dialect.api, model="m")
    assert dialect.decode_response(dialect.encode_response(response, request)) == response


def events_of(dialect, response, body, chunks=None):
    """The response as the events of a stream with these boundaries."""
    return parse_stream_body(b"".join(dialect.encode_stream(response, body, chunks))).values


def assert_a_stream_comes_back(dialect, response, body):
    """The response comes back from its stream, and so do the boundaries that it was cut at, which are returned."""
    first, chunks = dialect.decode_stream(events_of(dialect, response, body))
    assert first == response
    assert dialect.decode_stream(events_of(dialect, response, body, chunks)) == (response, chunks)
    return chunks


def assert_what_is_read_of_requests_comes_back(dialect, *wires):
    """Each body is refused by name, or what it says survives being written."""
    for wire in wires:
        with contextlib.suppress(DialectError):
            read = dialect.decode_request(wire)
            assert dialect.decode_request(dialect.encode_request(*read)) == read


def assert_streams_are_read_or_refused(dialect, *streams):
    """Each stream is refused by name, or what it says can be streamed."""
    for stream in streams:
        with contextlib.suppress(DialectError):
            response, chunks = dialect.decode_stream(stream)
            b"".join(dialect.encode_stream(response, {}, chunks))


def assert_an_error_has_a_status(dialect, body):
    assert dialect.encode_error(dialect.decode_error(None, body))[0] == 500

"""Server-sent events: the standard's rules, cut anywhere."""

from __future__ import annotations

import pytest
from hypothesis import given, strategies as st

from runwright.dialects.sse import Event, SseParser, parse_sse, parse_stream_body, write_event
from runwright.errors import DialectError


def test_leaves_comments_unknown_fields_and_empty_events_alone():
    assert parse_sse(": ping\n\nretry: 3\n\nfoo: bar\n\ndata\n\n") == [Event("")]
    assert parse_sse("event: x\n\ndata: 1\n\n") == [Event("1")]


@pytest.mark.parametrize("end", ["\n", "\r", "\r\n"])
def test_every_line_end(end):
    text = end.join(["event: a", "id: 7", "data: one", "data:two", "data:  three", "", "data: next", "", ""])
    assert parse_sse(text) == [Event("one\ntwo\n three", "a", "7"), Event("next", "message", "7")]


def test_a_leading_mark_is_dropped_and_a_later_one_is_kept():
    assert parse_sse(b"\xef\xbb\xbfdata: 1\n\n\xef\xbb\xbfdata: 2\n\n") == [Event("1")]


def test_an_event_without_its_blank_line_is_no_event():
    parser = SseParser()
    assert parser.feed(b"data: 1\n\ndata: 2\nda") == [Event("1")]
    assert parser.unfinished == "da"


def test_bytes_that_are_not_utf8_are_refused():
    with pytest.raises(DialectError, match="byte 0xff is not UTF-8"):
        parse_sse(b"data: \xff\n\n")


@given(st.data())
def test_cut_anywhere(data):
    piece = st.sampled_from(["data: é\U0001f600", "data:x", ": c", "event: e", "id: 1", "", "\r", "\n", "\r\n", "\n\n"])
    raw = "\r\n".join(data.draw(st.lists(piece))).encode()
    parser, events, rest = SseParser(), [], raw
    while rest:
        size = data.draw(st.integers(1, len(rest)))
        events += parser.feed(rest[:size])
        rest = rest[size:]
    assert events == parse_sse(raw)


@given(st.text(st.characters(exclude_categories=["Cs"])), st.sampled_from([None, "delta"]))
def test_what_is_written_is_read(data, name):
    expected = data.replace("\r\n", "\n").replace("\r", "\n")
    assert parse_sse(write_event(data, name)) == [Event(expected, name or "message")]


def test_a_stream_body_ends_at_its_mark():
    body = parse_stream_body('data: {"a":1}\n\n: ping\n\ndata: [DONE]\n\ndata: junk\n\n')
    assert body.values == ({"a": 1},)
    assert body.done


@pytest.mark.parametrize("tail", ["data: [DONE]", "data: [DONE]\n", "data: [DONE]\n\n", "data: [DONE]\r\n"])
def test_a_trimmed_end_mark_still_counts(tail):
    assert parse_stream_body('data: {"a":1}\n\n' + tail).done


def test_a_stream_that_broke_off_is_not_done():
    assert parse_stream_body('data: {"a":1}\n\ndata: {"a":') == parse_stream_body('data: {"a":1}\n\n')
    assert parse_stream_body('data: {"a":1}\n\ndata: {"a":2}').values == ({"a": 1}, {"a": 2})
    assert not parse_stream_body('data: {"a":1}\n\n').done


@pytest.mark.parametrize("data", ["nonsense", "[1]", '{"a":1,"a":2}', '{"a":18446744073709551616}'])
def test_an_event_that_is_no_exact_object_is_refused_by_place(data):
    with pytest.raises(DialectError) as caught:
        parse_stream_body(f'data: {{"a":1}}\n\ndata: {data}\n\n')
    assert caught.value.place == "event 1"

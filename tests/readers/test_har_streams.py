"""Streams in HTTP archives: mitmproxy tells their UTF-8 as Latin-1 where the answer names no charset."""

from __future__ import annotations

import base64
import json
from typing import Any

import pytest

from runwright.readers import Input, read_foreign
from runwright.trace.model import Trace
from tests.readers.exports import fixture, losses, words

SAID = ["Let me look.", "A-17 is on its way, B-4 waits in Århus."]


def archive() -> dict[str, Any]:
    (file,) = fixture("mitmproxy-streamed.har", folder="order_desk")
    found: dict[str, Any] = json.loads(file.data)
    return found


def read(value: Any) -> Trace:
    return read_foreign([Input("x.har", json.dumps(value).encode())])


def last(value: Any) -> dict[str, Any]:
    content: dict[str, Any] = value["log"]["entries"][-1]["response"]["content"]
    return content


def test_what_mitmproxy_wrote() -> None:
    assert "\u00c3\u0085rhus" in last(archive())["text"]
    trace = read(archive())
    assert words(trace) == SAID
    assert len(losses(trace, "inexact")) == 1
    assert {each.fidelity for each in trace.models} == {"raw"}


def right(content: dict[str, Any]) -> None:
    content["text"] = content["text"].encode("latin-1").decode("utf-8")


def in_base64(content: dict[str, Any]) -> None:
    data = content["text"].encode("latin-1")
    content.update(text=base64.b64encode(data).decode(), encoding="base64", size=len(data))


@pytest.mark.parametrize("change", [right, in_base64])
def test_a_stream_that_is_right_is_left_alone(change: Any) -> None:
    value = archive()
    change(last(value))
    trace = read(value)
    assert words(trace) == SAID
    assert not losses(trace, "inexact")


def test_words_that_only_look_like_it_are_left_alone_where_the_size_says_so() -> None:
    """The model may have said it itself: then the size is that of the text as it is told."""
    value = archive()
    content = last(value)
    content["size"] = len(content["text"].encode())
    trace = read(value)
    assert words(trace)[1] == SAID[1].replace("Å", "\u00c3\u0085")
    assert not losses(trace, "inexact")

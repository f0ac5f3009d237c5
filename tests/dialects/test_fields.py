"""Fields of a request that every dialect reads alike."""

from __future__ import annotations

import pytest

from runwright.dialects import DIALECTS
from runwright.errors import DialectError
from runwright.trace.model import ModelRequest


def without_others(api):
    """The least body that this dialect reads."""
    held = {"openai.responses": "input", "gemini.generate_content": "contents"}.get(api, "messages")
    return {"model": "m", held: []}


@pytest.mark.parametrize("api", DIALECTS)
@pytest.mark.parametrize("stream", ["yes", 1, [], {}])
def test_stream_is_a_boolean(api, stream):
    with pytest.raises(DialectError, match="expected a boolean") as caught:
        DIALECTS[api].decode_request({**without_others(api), "stream": stream})
    assert caught.value.place == "$.stream"


@pytest.mark.parametrize("api", DIALECTS)
@pytest.mark.parametrize(("stream", "streamed"), [({}, False), ({"stream": None}, False), ({"stream": True}, True)])
def test_stream_is_read(api, stream, streamed):
    assert DIALECTS[api].decode_request({**without_others(api), **stream})[1] is streamed


@pytest.mark.parametrize("api", DIALECTS)
@pytest.mark.parametrize("name", ["model", "tools", "stream"])
def test_a_parameter_has_no_name_of_the_body_s_own(api, name):
    with pytest.raises(DialectError, match="cannot be a parameter") as caught:
        DIALECTS[api].encode_request(ModelRequest(api=api, model="m", parameters={name: None}), False)
    assert caught.value.place == f"$.{name}"

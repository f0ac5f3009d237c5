"""The arguments of a call in a trajectory are the call's own object, however they were spelt on the wire."""

from __future__ import annotations

import json

from runwright.readers import Input, read_foreign
from runwright.trace.model import calls_of
from runwright.writers import write_foreign
from tests.readers.exports import fixture


def test_arguments_that_have_a_spelling_are_still_an_object() -> None:
    written = write_foreign(read_foreign(fixture("wire.jsonl", folder="order_desk")), "atif")
    calls = [call for step in json.loads(written.data)["steps"] for call in step.get("tool_calls", [])]
    assert [each["arguments"] for each in calls] == [{"order": "A-17"}, {"order": "B-4"}]
    (first, _) = read_foreign([Input("x", written.data)], "atif").models
    assert first.response is not None
    assert [each.arguments for each in calls_of(first.response.content)] == [{"order": "A-17"}, {"order": "B-4"}]
    lost = [loss.where or "" for loss in written.losses]
    assert any(where.endswith(".arguments_text") for where in lost)
    assert not any(".arguments." in where for where in lost)

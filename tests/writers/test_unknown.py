"""What is not whole is never written as if it were."""

from __future__ import annotations

import msgspec

from runwright.readers import READERS, Input
from runwright.trace import Message, ModelRecord, ThinkingBlock, Trace
from runwright.writers import Written, write_har, write_otlp, write_vcr
from tests.writers.crossing import places_of
from tests.writers.test_foreign import ANSWERED, RUN, SAID


def of(record: ModelRecord) -> Trace:
    return msgspec.structs.replace(RUN, records=(record,))


def read(written: Written, form: str) -> list[ModelRecord]:
    (run,) = READERS[form].read([Input("it", written.data)])
    return run.trace.models


def test_a_reply_that_is_partly_unknown_is_no_reply() -> None:
    partly = msgspec.structs.replace(ANSWERED, fidelity="partial", unknown=("$.response.content",))
    assert places_of(write_vcr(of(partly)))["m1"] == [()]
    for written, form in ((write_har(of(partly)), "har"), (write_otlp(of(partly)), "otlp")):
        (found,) = read(written, form)
        assert "$.response.content" in found.unknown
        assert b"hello" not in written.data.partition(b'"response"')[2] or form == "otlp"


def test_messages_that_are_unknown_are_not_written_as_none() -> None:
    unasked = msgspec.structs.replace(ANSWERED, fidelity="partial", unknown=("$.request.messages",))
    assert places_of(write_vcr(of(unasked)))["m1"] == [()]
    assert places_of(write_har(of(unasked)))["m1"] == [()]
    (found,) = read(write_otlp(of(unasked)), "otlp")
    assert "$.request.messages" in found.unknown


def test_reasoning_that_nobody_can_read_is_no_text() -> None:
    sealed = Message(role="assistant", content=(ThinkingBlock(text="c2VhbGVk", redacted=True), *SAID))
    request = msgspec.structs.replace(ANSWERED.request, messages=(sealed,))
    written = write_otlp(of(msgspec.structs.replace(ANSWERED, request=request)))
    assert b"c2VhbGVk" not in written.data
    assert ("request", "messages", 0, "content") in places_of(written)["m1"]

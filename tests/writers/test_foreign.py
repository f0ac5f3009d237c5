"""What is never written, and what is told of what is."""

from __future__ import annotations

import msgspec
import pytest

from runwright.errors import IncompleteTrace, NotConvertible, UnknownFormat
from runwright.trace import Header, Message, MessageRecord, ModelRecord, ModelRequest, ModelResponse, TextBlock, Trace
from runwright.writers import WRITERS, in_short, write_foreign

SAID = (TextBlock(text="hello"),)
ANSWERED = ModelRecord(
    id="m1",
    request=ModelRequest(
        api="openai.chat_completions", provider="openai", model="m", messages=(Message(role="user", content=SAID),)
    ),
    response=ModelResponse(content=SAID, stop_reason="end_turn"),
    streamed=False,
    fidelity="raw",
)
RUN = Trace(header=Header(kind="run", trace_id="a"), records=(ANSWERED,))


@pytest.mark.parametrize("form", sorted(WRITERS))
def test_an_incomplete_trace_is_refused(form: str) -> None:
    assert write_foreign(RUN, form).data
    with pytest.raises(IncompleteTrace):
        write_foreign(msgspec.structs.replace(RUN, complete=False), form)


@pytest.mark.parametrize("form", sorted(WRITERS))
def test_an_export_of_nothing_is_refused(form: str) -> None:
    said = MessageRecord(id="u1", role="user", content=SAID)
    with pytest.raises(NotConvertible, match="said"):
        write_foreign(msgspec.structs.replace(RUN, records=(said,)), form)


def test_a_form_that_nobody_writes_is_refused() -> None:
    with pytest.raises(UnknownFormat) as caught:
        write_foreign(RUN, "csv")
    assert "har" in caught.value.hint


@pytest.mark.parametrize("form", sorted(WRITERS))
def test_equal_losses_are_counted_at_their_first_place(form: str) -> None:
    second = msgspec.structs.replace(ANSWERED, id="m2", ext={"x": 1})
    third = msgspec.structs.replace(ANSWERED, id="m3", ext={"x": 1})
    records = (ANSWERED, second, third)
    told = in_short(write_foreign(msgspec.structs.replace(RUN, records=records), form).losses)
    (beside,) = (each for each in told if "beside the record" in each.detail)
    assert (beside.where, beside.count) == ("m2: $.ext", 2)


@pytest.mark.parametrize("form", sorted(WRITERS))
def test_the_same_trace_gives_the_same_bytes(form: str) -> None:
    assert WRITERS[form].write(RUN) == WRITERS[form].write(RUN)
    assert WRITERS[form].name == form

"""A run is replayed only if its answers were captured; a crashed one up to its last whole exchange."""

import re

import msgspec
import pytest

from runwright.convert.completeness import partial_answer, require_answers, require_known, whole_exchanges
from runwright.dialects import DIALECTS
from runwright.errors import IncompleteTrace, NotConvertible
from runwright.trace.model import FaultRecord, HttpRecord, HttpRequest, HttpResponse, Loss, ModelError, TextBlock
from tests.convert.traces import TASK, exchange, replaced, story, text, trace

TALK = [text("user", TASK)]
HI = TextBlock(text="hi")
CAPTURE_OFF = Loss(kind="not_captured", detail="set OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT=true")


def test_a_whole_run_passes():
    require_answers(story())
    require_known(story())


def test_an_error_is_an_answer():
    require_answers(trace(exchange(1, TALK, error=ModelError(message="overloaded", status=503))))


def test_derived_parts_of_an_answer_may_be_unknown():
    require_answers(replaced(story(), "m1", unknown=("$.response.usage", "$.response.stop_reason")))


def test_answers_that_were_not_captured_are_named_with_the_setting():
    run = trace(exchange(1, TALK), exchange(2, TALK), losses=(CAPTURE_OFF,))
    with pytest.raises(NotConvertible) as raised:
        require_answers(run)
    assert str(raised.value) == "no answer was captured for m1, m2"
    assert raised.value.hint == CAPTURE_OFF.detail
    assert raised.value.exit_code == 2


def http(number, url):
    asked = HttpRequest(method="POST", url=url)
    return HttpRecord(id=f"h{number}", request=asked, response=HttpResponse(status=200), fidelity="raw")


ELSEWHERE = http(1, "https://bedrock.test/model/x/converse?key=abc")


@pytest.mark.parametrize("records", [(), (ELSEWHERE,)], ids=["of nothing", "of another API"])
def test_a_run_without_exchanges_is_refused(records):
    with pytest.raises(NotConvertible, match="nothing to replay") as raised:
        require_answers(trace(*records, losses=(CAPTURE_OFF,)))
    assert raised.value.hint == CAPTURE_OFF.detail


def test_nothing_is_hinted_at_where_nothing_is_known():
    with pytest.raises(NotConvertible, match="nothing to replay") as raised:
        require_answers(trace())
    assert raised.value.hint == ""


def test_an_api_that_is_not_read_is_shown():
    with pytest.raises(NotConvertible, match="nothing to replay") as raised:
        require_answers(trace(ELSEWHERE))
    read = ", ".join(DIALECTS)
    assert raised.value.hint == f"read are {read}; and it holds POST https://bedrock.test/model/x/converse"


def test_of_many_requests_the_first_few_are_shown_each_once():
    run = trace(*(http(number, f"https://a.test/{number // 2}?n={number}") for number in range(2, 12)))
    with pytest.raises(NotConvertible) as raised:
        require_answers(run)
    assert raised.value.hint.endswith(
        "and it holds POST https://a.test/1, POST https://a.test/2, POST https://a.test/3 and 2 more"
    )


@pytest.mark.parametrize("path", ["$.response", "$.response.content", "$.response.content[0].text"])
def test_an_answer_captured_in_part_is_refused(path):
    run = replaced(story(), "m2", unknown=(path,), fidelity="partial")
    with pytest.raises(NotConvertible, match=re.escape(f"only in part for m2 ({path})")):
        require_answers(run)


def test_an_unknown_request_is_no_partial_answer():
    assert partial_answer(exchange(1, TALK, HI, unknown=("$.request.tools", "$.responses"))) == ()


def test_strict_names_the_unknown_fields():
    run = replaced(story(), "m2", unknown=("$.request.tools[0].description",))
    require_answers(run)
    with pytest.raises(NotConvertible, match=r"1 fields.*m2: \$\.request\.tools\[0\]\.description"):
        require_known(run)


# --- crashed runs -------------------------------------------------------------------------------

CRASH = FaultRecord(id="f1", kind="interruption", detail="no seal")


def crashed(*records):
    return msgspec.structs.replace(trace(*records), complete=False)


def test_a_sealed_run_is_taken_whole():
    assert whole_exchanges(story()) == (story(), ())


def test_a_crashed_run_loses_only_what_its_end_left_open():
    run = crashed(exchange(1, TALK, HI), exchange(2, TALK), CRASH)
    whole, cut = whole_exchanges(run)
    assert whole.complete
    assert [(each.id, each.reason) for each in cut] == [("m2", "the run was interrupted before this was answered")]


def test_a_gap_before_the_last_answer_is_no_crash():
    whole, cut = whole_exchanges(crashed(exchange(1, TALK), exchange(2, TALK, HI), CRASH))
    assert cut == ()
    with pytest.raises(NotConvertible, match="m1"):
        require_answers(whole)


def test_an_incomplete_trace_that_does_not_say_why_is_refused():
    with pytest.raises(IncompleteTrace, match="seal"):
        whole_exchanges(crashed(exchange(1, TALK, HI)))

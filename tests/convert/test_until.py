"""Up to where the replay is strict: said by the caller, or by what went wrong."""

import msgspec
import pytest

from runwright.convert.noise import Dropped
from runwright.convert.until import Until, choose_until, does
from runwright.errors import UsageError
from runwright.trace.model import McpError, McpRecord, ModelError, PolicyRecord, TextBlock, ToolError
from tests.convert.traces import TASK, exchange, replaced, story, text, trace

TALK = [text("user", TASK)]


def test_nothing_asked_and_nothing_wrong_is_the_end():
    assert choose_until(story(), None) == Until(None)


def test_the_callers_exchange():
    assert choose_until(story(), "m2") == Until("m2")


def test_an_unknown_exchange_lists_what_each_does():
    with pytest.raises(UsageError) as raised:
        choose_until(story(), "m9")
    assert "m1 lookup_order; m2 issue_refund; m3 issue_refund; m4 reply" in raised.value.hint


def test_a_tool_record_is_no_exchange():
    with pytest.raises(UsageError):
        choose_until(story(), "t1")


def test_an_exchange_that_was_noise_says_so():
    with pytest.raises(UsageError, match="captured twice"):
        choose_until(story(), "m9", [Dropped("m9", "m1 captured twice")])


@pytest.mark.parametrize("outcome", ["error", "denied"])
def test_a_failed_or_denied_call_points_at_the_exchange_that_asked(outcome):
    run = replaced(story(), "t2", outcome=outcome, error=ToolError(message="no"))
    chosen = choose_until(run, None)
    assert chosen.id == "m2"
    assert "t2: issue_refund" in chosen.why


def test_a_throttled_call_is_nothing_wrong():
    assert choose_until(replaced(story(), "t2", outcome="throttled"), None) == Until(None)


def test_parallel_exchanges_do_not_mislead():
    run = story()
    order = sorted(run.records, key=lambda record: record.id != "m1")
    late = [*order[:1], run.records[2], replaced(run, "t1", outcome="denied").records[1], *run.records[3:]]
    assert choose_until(msgspec.structs.replace(run, records=tuple(late)), None).id == "m1"


@pytest.mark.parametrize("verdict", ["deny", "violated"])
def test_a_violated_policy_points_at_the_exchange_before_it(verdict):
    run = trace(exchange(1, TALK, TextBlock(text="hi")), PolicyRecord(id="p1", policy="no-refund", verdict=verdict))
    assert choose_until(run, None).id == "m1"


def test_an_allowing_policy_points_nowhere():
    run = trace(exchange(1, TALK, TextBlock(text="hi")), PolicyRecord(id="p1", policy="no-refund", verdict="allow"))
    assert choose_until(run, None) == Until(None)


def test_a_failed_mcp_call():
    failed = McpRecord(id="c1", server="s", method="tools/call", error=McpError(code=-1, message="no"), fidelity="raw")
    assert choose_until(trace(exchange(1, TALK, TextBlock(text="hi")), failed), None).id == "m1"


def test_the_end_overrules_what_went_wrong():
    assert choose_until(replaced(story(), "t2", outcome="error"), "end") == Until(None)


def test_what_an_exchange_does():
    assert does(exchange(1, TALK, error=ModelError(message="api_key=hunter2 is wrong", status=401))) == "error 401"
    assert "hunter2" not in does(exchange(1, TALK, error=ModelError(message="hunter2")))

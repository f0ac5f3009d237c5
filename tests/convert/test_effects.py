"""Effects are recorded or certain; nothing is guessed."""

import pytest

from runwright.convert.effects import with_effects
from runwright.trace.model import HttpBody, HttpRequest, SideEffect, SideEffectRecord, TextBlock
from tests.convert.traces import TASK, exchange, http, text, trace

HELLO = exchange(1, [text("user", TASK)], TextBlock(text="hi"))
REFUNDS = "https://api.example.com/v1/refunds"


def effects(*records, **header):
    return [
        (each.id, each.side_effect.op, each.side_effect.target)
        for each in with_effects(trace(*records, **header)).effects
    ]


@pytest.mark.parametrize(
    ("method", "url", "status"),
    [
        ("GET", REFUNDS, 200),
        ("POST", REFUNDS, 500),
        ("POST", "https://api.openai.com/v1/chat/completions", 200),
        ("POST", "https://api.anthropic.com/v1/messages", 200),
        ("POST", "http://collector:4318/v1/traces", 200),
    ],
)
def test_what_changed_nothing_is_no_effect(method, url, status):
    assert effects(HELLO, http(1, method, url, status)) == []


def test_json_rpc_is_no_effect_of_its_own():
    call = http(1, "POST", "http://tools.example/mcp")
    body = HttpBody(text='{"jsonrpc": "2.0", "method": "tools/list", "id": 1}')
    call = type(call)(
        id="h1",
        fidelity="raw",
        response=call.response,
        request=HttpRequest(method="POST", url="http://tools.example/mcp", body=body),
    )
    assert effects(HELLO, call) == []


def test_a_call_that_no_answer_came_to_is_no_effect():
    call = http(1, "POST", REFUNDS)
    assert effects(HELLO, type(call)(id="h1", request=call.request, error="reset", fidelity="raw")) == []


def test_a_mutating_call_is_inferred_without_credentials_or_query():
    url = "https://user:pass@api.example.com/v1/refunds?token=t#f"
    assert effects(HELLO, http(1, "post", url, 201)) == [("e1", "POST", REFUNDS)]


def test_an_inferred_effect_says_so_and_names_its_cause():
    run = with_effects(trace(HELLO, http(1, "DELETE", REFUNDS)))
    assert run.header.observation == {"http_request": "inferred"}
    assert run.effects[0].side_effect.caused_by == "h1"
    assert run.effects[0].after == ("h1",)


def test_a_recorded_effect_is_kept_and_not_inferred_again():
    recorded = SideEffectRecord(id="e1", side_effect=SideEffect(kind="http_request", target="x", caused_by="h1"))
    assert effects(HELLO, http(1, "POST", REFUNDS), recorded) == [("e1", None, "x")]


def test_ids_do_not_collide():
    recorded = SideEffectRecord(id="e1", side_effect=SideEffect(kind="fs_write", target="x"))
    assert [each for each, *_ in effects(HELLO, http(1, "POST", REFUNDS), recorded)] == ["e2", "e1"]


def test_an_observer_that_watched_has_the_last_word():
    assert effects(HELLO, http(1, "POST", REFUNDS), observation={"http_request": "observed"}) == []
    assert len(effects(HELLO, http(1, "POST", REFUNDS), observation={"http_request": "not_observed"})) == 1

"""What is left out as noise, and first of all what never is."""

import msgspec
import pytest

from runwright.convert.noise import noise
from runwright.trace.model import McpRecord, ModelError, TextBlock
from tests.convert.traces import TASK, exchange, http, replaced, story, text, trace

TALK = [text("user", TASK)]
HI = TextBlock(text="hi")
OVERLOADED = ModelError(message="server overloaded", status=503)


def dropped(*records):
    return [(each.id, each.reason) for each in noise(trace(*records))]


# --- left alone ---------------------------------------------------------------------------------


def test_a_run_without_noise_is_left_alone():
    assert noise(story()) == ()


def test_a_repeated_call_with_an_id_of_its_own_is_never_noise():
    assert dropped(exchange(1, TALK, HI), exchange(2, TALK, HI)) == []


def test_a_server_that_gives_every_answer_one_id_has_not_made_two_calls_one():
    second = exchange(2, TALK, HI)
    same_id = msgspec.structs.replace(second, response=msgspec.structs.replace(second.response, id="chatcmpl-1"))
    assert dropped(exchange(1, TALK, HI), same_id) == []


def test_one_id_over_different_answers_is_no_duplicate():
    second = exchange(2, TALK, TextBlock(text="other"), t=2.0)
    same_id = msgspec.structs.replace(second, response=msgspec.structs.replace(second.response, id="chatcmpl-1"))
    assert dropped(exchange(1, TALK, HI), same_id) == []


def test_a_repeated_tool_call_is_never_noise():
    run = story()
    again = msgspec.structs.replace(run.tools[1], id="t9")
    assert dropped(*run.records, again) == []


def test_a_failure_that_a_later_request_shows_was_seen():
    told = [*TALK, text("user", "it said: server overloaded")]
    records = (exchange(1, TALK, error=OVERLOADED), exchange(2, TALK, HI), exchange(3, told, HI))
    assert dropped(*records) == []


def test_a_failure_that_no_one_sent_again_is_kept():
    assert dropped(exchange(1, TALK, error=OVERLOADED), exchange(2, [text("user", "else")], HI)) == []


def test_a_failure_without_a_later_answer_is_kept():
    assert dropped(exchange(1, TALK, error=OVERLOADED), exchange(2, TALK, error=OVERLOADED)) == []


def test_a_refused_request_is_no_retry():
    bad = ModelError(message="bad request", status=400)
    assert dropped(exchange(1, TALK, error=bad), exchange(2, TALK, HI)) == []


def test_two_parallel_requests_of_which_one_fails_are_no_retry():
    assert dropped(exchange(1, TALK, error=OVERLOADED), exchange(2, TALK, HI, t=2.5)) == []


def test_another_agents_request_between_does_not_hide_or_make_a_retry():
    other = exchange(2, [text("user", "else")], HI, agent="other")
    found = dropped(exchange(1, TALK, error=OVERLOADED), other, exchange(3, TALK, HI))
    assert [each for each, _ in found] == ["m1"]
    theirs = exchange(2, TALK, HI, agent="other")
    assert dropped(exchange(1, TALK, error=OVERLOADED), theirs) == []


@pytest.mark.parametrize(
    ("method", "url"),
    [
        ("POST", "https://shop.example/health"),
        ("GET", "https://shop.example/orders/health"),
        ("GET", "https://a.example/"),
    ],
)
def test_http_that_may_mean_something_is_kept(method, url):
    assert dropped(exchange(1, TALK, HI), http(1, method, url)) == []


def test_a_health_check_that_something_follows_from_is_kept():
    check = http(1, "GET", "https://shop.example/healthz")
    run = trace(check, exchange(1, TALK, HI))
    assert noise(replaced(run, "m1", parent="h1")) == ()


# --- dropped ------------------------------------------------------------------------------------


def test_one_exchange_captured_twice_under_its_response_id():
    first = exchange(1, TALK, HI)
    twin = msgspec.structs.replace(first, id="m2", t=2.1, duration=0.8, fidelity="reconstructed")
    assert dropped(first, twin) == [("m2", "m1 captured twice: same response id chatcmpl-1")]


def test_one_span_captured_twice():
    first = exchange(1, TALK, HI, ext={"otlp": {"span_id": "00f067aa0ba902b7"}})
    bare = msgspec.structs.replace(first.response, id=None)
    first = msgspec.structs.replace(first, response=bare)
    assert dropped(first, msgspec.structs.replace(first, id="m2")) == [
        ("m2", "m1 captured twice: same span id 00f067aa0ba902b7")
    ]


def test_a_retry_inside_the_client():
    found = dropped(exchange(1, TALK, error=OVERLOADED), exchange(2, TALK, error=OVERLOADED), exchange(3, TALK, HI))
    assert found == [
        ("m1", "retry inside the client: 503, then m3 answered the same request"),
        ("m2", "retry inside the client: 503, then m3 answered the same request"),
    ]


@pytest.mark.parametrize(
    "url", ["https://shop.example/healthz", "http://127.0.0.1:9/api/readyz", "http://a.example/ping/"]
)
def test_a_heartbeat(url):
    ((found, reason),) = dropped(exchange(1, TALK, HI), http(1, "GET", url))
    assert found == "h1"
    assert reason.startswith("heartbeat: GET /")


def test_an_mcp_ping():
    ping = McpRecord(id="c1", server="s", method="ping", result={}, fidelity="raw")
    assert dropped(exchange(1, TALK, HI), ping) == [("c1", "heartbeat: MCP ping")]

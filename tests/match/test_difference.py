"""What a miss shows: the nearest exchange, and each field that differs, once."""

from __future__ import annotations

from runwright.match import MISSING, Miss
from runwright.match.difference import AFTER, BEFORE
from runwright.match.matcher import Matcher
from runwright.trace.model import ModelRequest
from tests.match.build import ask, asks, exchange, matcher, said, tool

PROSE = " ".join(f"sentence {n} of the prompt." for n in range(400))


def missed(matches: Matcher, request: ModelRequest) -> Miss:
    answer = matches.serve(request, False)
    assert isinstance(answer, Miss)
    return answer


def test_short_values_are_shown_whole() -> None:
    (only,) = missed(matcher(exchange("m1", ask("one"))), ask("two")).differences
    assert (only.path, only.recorded, only.live) == ("$.request.messages[0].content[0].text", "one", "two")


def test_a_line_is_shown_whole_wherever_it_differs() -> None:
    line = "a line that is longer than the window reaches back, and which ends with one"
    (only,) = missed(matcher(exchange("m1", ask(line))), ask(f"{line[:-3]}two")).differences
    assert (only.recorded, only.live) == (line, f"{line[:-3]}two")


def test_an_edit_deep_in_a_long_prompt_is_shown_with_its_surroundings() -> None:
    edited = PROSE.replace("sentence 300 of", "sentence 300 from")
    (only,) = missed(matcher(exchange("m1", ask(PROSE))), ask(edited)).differences
    assert only.at == PROSE.index("sentence 300 of") + len("sentence 300 ")
    assert isinstance(only.recorded, str)
    assert isinstance(only.live, str)
    assert "sentence 300 of the prompt" in only.recorded
    assert "sentence 300 from the prompt" in only.live
    assert max(len(only.recorded), len(only.live)) <= BEFORE + AFTER + 2
    assert only.recorded[0] == only.recorded[-1] == "…"


def test_a_volatile_value_before_the_edit_does_not_draw_the_window() -> None:
    recorded = f"today is 2026-11-30. {PROSE}"
    live = f"today is 2027-03-01. {PROSE.replace('sentence 300 of', 'sentence 300 from')}"
    (only,) = missed(matcher(exchange("m1", ask(recorded))), ask(live)).differences
    assert only.at == recorded.index("sentence 300 of") + len("sentence 300 ")


def test_an_edit_after_a_redacted_secret_is_shown_where_it_is() -> None:
    recorded, live = f"key [[redacted:openai-key:1]] {PROSE}", f"key sk-abcdefghij0123456789 {PROSE}"
    edited = live.replace("sentence 300 of", "sentence 300 from")
    (only,) = missed(matcher(exchange("m1", ask(recorded))), ask(edited)).differences
    assert only.at == recorded.index("sentence 300 of") + len("sentence 300 ")


def test_more_messages_show_the_first_that_differs_only() -> None:
    recorded = [said("user", f"turn {n}") for n in range(6)]
    inserted = [*recorded[:2], said("user", "between"), *recorded[2:]]
    miss = missed(matcher(exchange("m1", asks(*recorded))), asks(*inserted))
    assert [each.path for each in miss.differences] == ["$.request.messages[2].content[0].text"]
    assert "6 messages" in miss.reason
    assert "7" in miss.reason


def test_a_message_more_at_the_end_is_shown_as_absent_in_the_recording() -> None:
    one = said("user", "one")
    (only,) = missed(matcher(exchange("m1", asks(one))), asks(one, said("user", PROSE))).differences
    assert only.path == "$.request.messages[1]"
    assert only.recorded is MISSING
    assert len(str(only.live)) < 400


def test_a_message_fewer_is_shown_as_absent_in_the_request() -> None:
    one, two = said("user", "one"), said("user", "two")
    (only,) = missed(matcher(exchange("m1", asks(one, two))), asks(one)).differences
    assert (only.path, only.live) == ("$.request.messages[1]", MISSING)


def test_every_field_that_differs_is_shown_once() -> None:
    recorded = asks(said("user", "hi"), parameters={"temperature": 0}, tools=(tool("look"),))
    live = asks(said("user", "ho"), parameters={"temperature": 1}, tools=(tool("look", "other"),), model="other")
    assert sorted(each.path for each in missed(matcher(exchange("m1", recorded)), live).differences) == [
        "$.request.messages[0].content[0].text",
        "$.request.model",
        "$.request.parameters.temperature",
        "$.request.tools[0].description",
    ]


def test_the_nearest_is_the_one_with_fewest_and_lightest_differences() -> None:
    matches = matcher(
        exchange("m1", asks(said("system", "x"), said("user", "long ago there was a request"))),
        exchange("m2", asks(said("system", "x"), said("user", "refund order 17"))),
        exchange("m3", asks(said("system", "x"), said("user", "refund order 18 and 19"))),
    )
    assert missed(matches, asks(said("system", "x"), said("user", "refund order 18"))).nearest == "m2"


def test_the_last_request_first_is_nearest_to_its_own_recording() -> None:
    matches = matcher(*(exchange(f"m{n}", ask(f"question number {n * 1111} please")) for n in range(1, 6)))
    assert missed(matches, ask("question number 5555 please!")).nearest == "m5"


def test_an_unserved_exchange_is_nearer_than_a_served_one() -> None:
    matches = matcher(exchange("m1", ask("refund order 1")), exchange("m2", ask("close order 1 for good")))
    matches.serve(ask("refund order 1"), False)
    assert missed(matches, ask("refund order 2")).nearest == "m2"


def test_an_exchange_that_may_be_served_is_nearer_than_one_that_must_wait() -> None:
    matches = matcher(exchange("m1", ask("a start")), exchange("m2", ask("refund order 1"), after=("m1",)))
    assert missed(matches, ask("refund order 2")).nearest == "m1"


def test_the_nearest_among_thousands_is_found() -> None:
    matches = matcher(
        *(exchange(f"m{n}", asks(said("system", f"doc {n}"), said("user", "sum up"))) for n in range(3000))
    )
    live = asks(said("system", "doc 2222"), said("user", "sum up, please"))
    assert missed(matches, live).nearest == "m2222"

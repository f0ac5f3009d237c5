"""A redacted token stands for one live secret that the same rule finds."""

from __future__ import annotations

import pytest

from runwright.match import Matcher, Miss, Served
from runwright.trace.model import Message, ModelRequest
from tests.match.build import (
    LIVE,
    A,
    B,
    Found,
    answered,
    ask,
    asks,
    called,
    cassette,
    exchange,
    matcher,
    reply,
    said,
    tool,
)

KEY, OTHER = "sk-abcdefghij0123456789", "sk-zyxwvutsrq9876543210"
TOKEN = "ghp_abcdefghij0123456789"
ONE, TWO, GITHUB = "[[redacted:openai-key:1]]", "[[redacted:openai-key:2]]", "[[redacted:github-token:1]]"

GREEN = {
    "whole text": (ONE, KEY),
    "inside a text": (f"use {ONE} now", f"use {KEY} now"),
    "twice the same": (f"{ONE} and {ONE}", f"{KEY} and {KEY}"),
    "two": (f"{ONE} and {TWO}", f"{KEY} and {OTHER}"),
    "two rules": (f"{ONE} and {GITHUB}", f"{KEY} and {TOKEN}"),
    "beside a volatile value": (f"{A}: {ONE} at 2026-11-30", f"{B}: {KEY} at 2027-03-01"),
}
RED = {
    "not a secret": (f"use {ONE} now", "use nothing now"),
    "empty": (f"use {ONE} now", "use  now"),
    "a secret of another rule": (f"use {ONE} now", f"use {TOKEN} now"),
    "one becomes two": (f"{ONE} and {ONE}", f"{KEY} and {OTHER}"),
    "two become one": (f"{ONE} and {TWO}", f"{KEY} and {KEY}"),
    "more than the secret": (f"use {ONE} now", f"use my {KEY} now"),
    "another word": (f"use {ONE} now", f"use {KEY} later"),
    "the token itself": (f"use {ONE} now", f"use {ONE} now"),
    "another token": (f"use {ONE} now", f"use {TWO} now"),
    "a secret where none was": ("use it now", f"use {KEY} now"),
    "another uuid twice": (f"{A} {A} {ONE}", f"{A} {B} {KEY}"),
}


@pytest.mark.parametrize(("recorded", "live"), GREEN.values(), ids=GREEN)
def test_a_secret_may_stand_for_its_token(recorded: str, live: str) -> None:
    assert isinstance(matcher(exchange("m1", ask(recorded))).serve(ask(live), False), Served)


@pytest.mark.parametrize(("recorded", "live"), RED.values(), ids=RED)
def test_nothing_else_may(recorded: str, live: str) -> None:
    assert isinstance(matcher(exchange("m1", ask(recorded))).serve(ask(live), False), Miss)


@pytest.mark.parametrize(("second", "answer"), [(KEY, Served), (OTHER, Miss)], ids=["the same", "another"])
def test_a_token_is_one_secret_over_the_whole_session(second: str, answer: type) -> None:
    matches = matcher(exchange("m1", ask(f"first {ONE}")), exchange("m2", ask(f"then {ONE}")))
    assert isinstance(matches.serve(ask(f"first {KEY}"), False), Served)
    assert isinstance(matches.serve(ask(f"then {second}"), False), answer)


def test_a_token_that_a_reply_gave_comes_back_as_it_is() -> None:
    matches = matcher(exchange("m1", ask("key?"), reply(f"it is {ONE}")), exchange("m2", ask(f"you said {ONE}")))
    assert isinstance(matches.serve(ask("key?"), False), Served)
    assert isinstance(matches.serve(ask(f"you said {ONE}"), False), Served)


def test_a_token_that_the_prompt_gave_comes_back_as_it_is() -> None:
    matches = matcher(exchange("m1", ask(f"use {ONE}")), given=[f"use {ONE}"])
    assert isinstance(matches.serve(ask(f"use {ONE}"), False), Served)


def test_a_secret_may_be_known_only_by_its_fields_name() -> None:
    recorded = asks(called(("c", "login", {"password": "[[redacted:keyword:1]]"})))
    assert isinstance(
        matcher(exchange("m1", recorded)).serve(asks(called(("c", "login", {"password": "hunter2"}))), False), Served
    )
    assert isinstance(
        matcher(exchange("m1", recorded)).serve(asks(called(("c", "login", {"password": ""}))), False), Miss
    )


def test_a_secret_may_be_a_number() -> None:
    recorded = asks(called(("c", "login", {"password": "[[redacted:keyword:1]]"})))
    assert isinstance(
        matcher(exchange("m1", recorded)).serve(asks(called(("c", "login", {"password": 4711}))), False), Served
    )
    miss = matcher(exchange("m1", recorded)).serve(asks(called(("c", "login", {"password": None}))), False)
    assert isinstance(miss, Miss)


def test_a_secret_found_in_one_field_is_known_in_others_before_and_after() -> None:
    """Only the argument's name tells that it is a secret; the prompt and the result repeat it in plain words."""
    word, token = "hunter2", "[[redacted:keyword:1]]"

    def login(argument: str, prompt: str, result: str) -> ModelRequest:
        turn = called(("c", "login", {"password": argument}))
        return asks(said("user", f"log in with {prompt}"), turn, answered("c", f"used {result} twice, {result}"))

    recorded = exchange("m1", login(token, token, token))
    assert isinstance(matcher(recorded).serve(login(word, word, word), False), Served)
    assert isinstance(matcher(recorded).serve(login(word, "hunter3", word), False), Miss)
    assert isinstance(matcher(recorded).serve(login(word, word, "hunter3"), False), Miss)
    assert isinstance(matcher(recorded).serve(login("", "", ""), False), Miss)


def everywhere(secret: str, word: str = "look") -> ModelRequest:
    return asks(
        Message(role="system", content=said("system", f"key {secret}").content),
        said("user", word),
        tools=(tool("look", f"with {secret}"),),
        parameters={"user": secret},
    )


def test_a_token_anywhere_leaves_everything_else_compared() -> None:
    recorded = exchange("m1", everywhere(ONE))
    assert isinstance(matcher(recorded).serve(everywhere(KEY), False), Served)
    miss = matcher(recorded).serve(everywhere(KEY, "listen"), False)
    assert isinstance(miss, Miss)
    assert [each.path for each in miss.differences] == ["$.request.messages[1].content[0].text"]


def test_secrets_that_begin_alike_do_not_multiply_the_ways_to_read_a_text() -> None:
    def alike(value: str) -> list[Found]:
        return [Found("r", 0, 1), Found("r", 0, 2)] if value.startswith("aa") else []

    recorded = "".join(f"[[redacted:r:{n}]]" for n in range(60))
    matches = Matcher(cassette(exchange("m1", ask(recorded))), flag=alike, live_window=lambda: LIVE)
    assert isinstance(matches.serve(ask("a" * 90 + "!"), False), Miss)


def test_a_thousand_tokens_in_one_text() -> None:
    recorded, live = f"{ONE} " * 1000, f"{KEY} " * 1000
    assert isinstance(matcher(exchange("m1", ask(recorded))).serve(ask(live), False), Served)
    assert isinstance(matcher(exchange("m1", ask(recorded))).serve(ask(live + "!"), False), Miss)

"""What is told plain without the rules holds no secret by any of them."""

from __future__ import annotations

import json
import os
import random
import re
import string

import pytest
from hypothesis import given, settings, strategies as st

from runwright.secrets import clean_text, redact_value
from runwright.secrets.plain import FORMS, is_plain
from runwright.secrets.rules import RULES
from tests.samples import ROOT
from tests.secrets.planted import NAMED, TYPED

DEEP = 200_000 if os.environ.get("RUNWRIGHT_FUZZ") else 1_500

FINGERPRINT = """blake3:bd666b10aff9ba126e0d29bf7b72382cc83a14ec7bbf927eb0a36324c49d6ad7
  traces             cassettes/regressions/refund-twice.cassette.jsonl
  tools              issue_refund(amount: number, order_id: string)
                     {}
  tool_sequences     shipping_status x1, mcp__filesystem__read_text_file x2
  endpoints          GET https://shop.example/orders/{{id}}?page&state x1
  models             gpt-4o-mini, claude-opus-4-1-20250805
  graph_hash         blake3:ea9c47eed4012102fb60fd1641f4edcb6ff178ee62e378ff2a1923f5f48da5a8
"""


def shown(name: str) -> tuple[str, str]:
    """A fingerprint that holds the name, as a text and as JSON."""
    print_of = {
        "digest": f"blake3:{'0a' * 32}",
        "traces": ["a.jsonl"],
        "fingerprint": {"tools": [f"{name}(x: string)"]},
    }
    return FINGERPRINT.format(name), json.dumps({"fingerprints": [print_of]}, indent=2, ensure_ascii=False)


def holds(name: str) -> None:
    """Nothing that is told plain is changed by the rules."""
    text, whole = shown(name)
    for each in (name, text):
        assert not is_plain(each) or clean_text(each) == each, each
    assert not is_plain(whole) or redact_value(json.loads(whole)) == json.loads(whole), whole


def test_ordinary_fingerprints_are_plain() -> None:
    """What must be left alone comes first."""
    for name in ("lookup_order", "ping", "mcp__github__create_issue", "browser.click", "get_weather", "read-file"):
        for each in shown(name):
            assert is_plain(each), name


@pytest.mark.parametrize("name", TYPED)
def test_secrets_of_every_kind(name: str) -> None:
    secret = TYPED[name][1]
    for each in (secret, *shown(secret)):
        assert not is_plain(each)
    holds(secret)


@pytest.mark.parametrize("name", NAMED)
def test_secrets_that_a_name_tells(name: str) -> None:
    secret = NAMED[name][1]
    for text in (f"{name}={secret}", f"{name}: {secret}", f'{name} = "{secret}"', f"the {name} is {secret}"):
        holds(text)
        assert not is_plain(text) or clean_text(text) == text


def test_every_form_that_a_rule_asks_for_is_known() -> None:
    assert {rule.raw or rule.hint for rule in RULES if not rule.review} == FORMS.keys()


@pytest.mark.parametrize("form", FORMS)
@given(st.data())
@settings(max_examples=40)
def test_no_text_of_a_form_is_plain(form: str, data: st.DataObject) -> None:
    """So the fixed texts of a form are in all that has it."""
    text = data.draw(st.from_regex(re.compile(form, re.IGNORECASE | re.ASCII), fullmatch=True))
    assert not is_plain(text)


@pytest.mark.parametrize("rule", [each for each in RULES if not each.review], ids=lambda rule: rule.name)
def test_the_examples_of_every_rule(rule: object) -> None:
    for each in rule.hits:  # type: ignore[attr-defined]
        holds(each)
        if clean_text(each) != each:
            assert not any(map(is_plain, (each, *shown(each))))


PIECES = (
    "key", "api", "token", "password", "pin", "otp", "auth", "secret", "_pw", "Authorization", "Bearer", "Basic",
    "sk-", "AKIA", "ghp_", "eyJ", "://", "user", "@", "host", ":", "=", " ", "  ", '"', "'", "-", "_", ".", "/", "is",
    "was", "--", "?", "&", "{", "[", "]", "}", ",", "\n", "dXNlcjpwYXNz", "cGFzc3dvcmQ9aHVudGVyMg", " " * 18,
    "curl", "-u",
    "http", "login", "-p", "hunter2", "Zx9_kQ27vLm4", "a1b2c3d4e5f6a7b8c9d0e1f2a3b4c5d6", "12345678",
    "data:", "0:",
)  # fmt: skip


def test_anything_put_together() -> None:
    chance = random.Random(11)
    told = 0
    for _ in range(DEEP):
        parts = chance.choices(PIECES, k=chance.randrange(1, 9))
        for _ in range(chance.randrange(3)):
            size = chance.choice((4, 8, 17, 24, 35, 40))
            parts.insert(chance.randrange(len(parts)), "".join(chance.choices(string.ascii_letters + "0123_-", k=size)))
        text = "".join(parts)
        holds(text)
        told += clean_text(text) != text
    assert told > DEEP / 100


def test_texts_of_the_repository() -> None:
    """Lines of documents and code, of which many are plain and some are not."""
    lines = [line for path in (ROOT / "docs").rglob("*.md") for line in path.read_text(encoding="utf-8").splitlines()]
    chance = random.Random(5)
    plain = 0
    taken = chance.sample(lines, min(len(lines), DEEP // 3))
    for line in taken:
        holds(line)
        plain += is_plain(line)
    assert plain > len(taken) / 7


@pytest.mark.parametrize("text", ["API key = 'Zx9_kQ27vLm4'", "the api key: Zx9_kQ27vLm4"])
def test_the_word_before_a_name_tells_with_it(text: str) -> None:
    assert clean_text(text) != text
    assert not is_plain(text)
    assert not is_plain(FINGERPRINT.format(text))


@pytest.mark.parametrize(
    "text",
    [
        "p%61ssw%6frd=Zx9_kQ27vLm4",
        "p\\u0061ssw\\u006frd=Zx9_kQ27vLm4",
        'data: {"delta": "passw"}\ndata: {"delta": "ord=Zx9_kQ27vLm4"}',
    ],
)
def test_what_another_reading_shows(text: str) -> None:
    assert clean_text(text) != text
    assert not is_plain(text)

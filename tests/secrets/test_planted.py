"""Every planted secret is found wherever a trace can carry it, and found whole."""

import base64
import json

import pytest

from runwright.secrets import redact_value, scan_value
from tests.secrets.planted import CORES, NAMED, TYPED

POSITIONS = {
    "only value": lambda secret: {"text": secret},
    "prose": lambda secret: {"text": f"Sure! The key is {secret} and nothing else."},
    "JSON in a string": lambda secret: {"output": json.dumps({"rows": [{"note": f"use {secret} now"}]})},
    "JSON in JSON in a string": lambda secret: {"output": json.dumps({"body": json.dumps({"note": secret})})},
    "escaped, not JSON": lambda secret: {"log": "event: " + json.dumps({"note": f"use {secret}"}) + " trailing"},
    "header": lambda secret: {"headers": [["X-Custom", secret]]},
    "after an id": lambda secret: {"text": f'{{"run_id": "abc", "x": 1}} run_id=42 {secret}'},
    "beside an allowlist comment": lambda secret: {"text": f"{secret} # pragma: allowlist secret"},
    "base64": lambda secret: {"blob": base64.b64encode(f"note {secret} end".encode()).decode()},
    "dict key": lambda secret: {"seen": {secret: True}},
    "after a bad character": lambda secret: {"text": f"\ufffd\ud800 {secret}"},
    "behind a thousand spaces": lambda secret: {"text": " " * 1000 + secret + " " * 1000},
}


@pytest.mark.parametrize("position", POSITIONS)
@pytest.mark.parametrize("kind", TYPED)
def test_typed_secret_is_found_and_goes_away(kind: str, position: str) -> None:
    rule, secret = TYPED[kind]
    value = POSITIONS[position](secret)
    assert rule in {finding.rule for finding in scan_value(value)}
    left = json.dumps(redact_value(value))
    core = CORES.get(kind, secret)
    assert all(part not in left for part in (core, core[-12:], core[len(core) // 2 :][:16]))
    assert f"[[redacted:{rule}:1]]" in left


NAMED_POSITIONS = {
    "field": lambda key, secret: {"arguments": {key: secret}},
    "JSON in a string": lambda key, secret: {"output": json.dumps({"user": {"name": "bob", key: secret}})},
    "JSON in JSON in a string": lambda key, secret: {"output": json.dumps({"body": json.dumps({key: secret})})},
    "JSON in prose": lambda key, secret: {"text": f'I got {{"id": 7, "{key}": "{secret}"}} back.'},
    "escaped in prose": lambda key, secret: {"text": f'I got {{\\"id\\": 7, \\"{key}\\": \\"{secret}\\"}} back.'},
    "header pair": lambda key, secret: {"headers": [[key, secret], ["accept", "*/*"]]},
    "header object": lambda key, secret: {"headers": [{"name": key, "value": secret}]},
    "query": lambda key, secret: {"url": f"https://api.example.com/v1?{key}={secret.replace('&', '%26')}&page=2"},
    "dotenv": lambda key, secret: {"text": f"HOST=example.com\n{key}={secret}\nPORT=80"},
    "option": lambda key, secret: {"command": f"login --{key} {secret} --verbose"},
    "after an id": lambda key, secret: {"text": f'{{"run_id": "abc", "{key}": "{secret}"}} # pragma: allowlist secret'},
    "base64": lambda key, secret: {"blob": base64.b64encode(json.dumps({key: secret}).encode()).decode()},
    "yaml": lambda key, secret: {"text": f"host: example.com\n{key}: {secret}\nport: 80"},
}


@pytest.mark.parametrize("position", NAMED_POSITIONS)
@pytest.mark.parametrize("kind", NAMED)
def test_named_secret_is_found_and_goes_away(kind: str, position: str) -> None:
    key, secret = NAMED[kind]
    value = NAMED_POSITIONS[position](key, secret)
    assert scan_value(value)
    left = json.dumps(redact_value(value))
    assert secret not in left
    assert secret.split("&")[0] not in left
    assert "[[redacted:" in left


@pytest.mark.parametrize(
    "value",
    [
        {"password": 123456},
        {"password": ["hunter2", "swordfish"]},
        {"arguments": json.dumps({"password": 123456})},
        {"text": 'escaped \\"password\\": 123456, more'},
        {"secrets": {"STRIPE": "abc123!!x"}},
        {"password": {"value": "hunter2"}},
        {"properties": {"password": {"type": "string", "default": "hunter2"}}},
        {"Set-Cookie": "sid=abc123; Path=/; HttpOnly"},
        {"text": "Authorization: ApiKey abc-123-def"},
        {"text": "Server=a;User=b;Password=swordfish;"},
        {"db_password": "correct horse battery staple"},
        {"a": '{"password":"hunter2","password":"changeme"}'},
        {"a": '{"password":"hunter2","n":NaN}'},
        {"a": '{"\\u0070assword":"hunter2"}'},
    ],
    ids=str,
)
def test_values_of_any_type_and_spelling(value) -> None:
    assert [finding.rule for finding in scan_value(value)]
    assert scan_value(redact_value(value)) == []


@pytest.mark.parametrize(
    "text", [json.dumps({"password": 123456}), 'x \\"password\\": 123456, y', '{"password": 123456']
)
def test_a_number_becomes_a_string_so_that_json_stays_json(text: str) -> None:
    quote = '\\"' if "\\" in text else '"'
    assert redact_value(text) == text.replace("123456", f"{quote}[[redacted:secret-named-key:1]]{quote}")


@pytest.mark.parametrize("lead", ["", "data: ", "cut off: [1, "])
def test_an_escape_inside_a_key_does_not_hide_it(lead: str) -> None:
    rule, secret = TYPED["github classic"]
    escaped = f'{lead}{{"note": "use \\u0067{secret[1:]} now"}}'
    assert [finding.rule for finding in scan_value(escaped)] == [rule]
    assert redact_value(escaped) == f'{lead}{{"note": "use [[redacted:{rule}:1]] now"}}'


def test_only_the_secret_is_replaced_and_the_rest_keeps_its_spelling() -> None:
    text = '{ "n": 1.0e5,\n  "s": "caf\\u00e9 \\/", "password" : "hu\\"nter2" , "n": 18446744073709551616}'
    assert redact_value(text) == text.replace('hu\\"nter2', "[[redacted:secret-named-key:1]]")

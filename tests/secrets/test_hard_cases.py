"""The ways in which a secret slips past other tools: found each time, and gone after redaction."""

import json

import pytest

from runwright.errors import SecretsFound
from runwright.secrets import clean_text, gate_text, redact_value, scan_text, scan_value
from runwright.secrets.rules.rule import BASE64, fill

KEY = "ghp_" + fill(36)
PEM = "-----BEGIN OPENSSH PRIVATE " + "KEY-----\n" + fill(70, BASE64) + "\n" + fill(70, BASE64, 9)
LOGIN = json.dumps({"user": "bob", "password": "hunter2"})

TEXTS = {
    "an invalid byte before it": b"\xff\xfe\x00 ".decode("utf-8", "replace") + KEY,
    "an invalid byte as an escape": b"\x80 ".decode("utf-8", "surrogateescape") + KEY,
    "a byte order mark": "\ufeff" + json.dumps({"note": KEY}),
    "a lone surrogate": "\ud800" + KEY,
    "a lone surrogate's escape": '{"a": "\\ud800", "note": "' + KEY + '"}',
    "an allowlist comment": f"{KEY}  # pragma: allowlist secret",
    "another tool's comment": f"{KEY} // gitleaks:allow nosec noqa: S105",
    "an id before it": f"run_id=4f2a, message_id: m7, token_id=9 {KEY}",
    "a lock file's name": f"package-lock.json yarn.lock: {KEY}",
    "no end line": PEM,
    "a nul before it": "\x00" + KEY,
    "NaN beside it": '{"score": NaN, "note": "' + KEY + '"}',
    "an escape inside it": '{"note": "' + KEY.replace("g", "\\u0067", 1) + '"}',
    "slashes escaped": json.dumps({"dsn": "postgres" + "://app:" + fill(12) + "@db/x"}).replace("/", "\\/"),
    "an escaped newline before the name": "log:\\nDB_PASSWORD=s3cret-pony\\n",
    "a token of ours before it": "[[redacted:github-token:1]] " + KEY,
    "its own name in the value's place": f"[[redacted:secret]] password={'s3cret-pony'}",
}


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS.keys())
def test_in_a_text(text: str) -> None:
    assert scan_text(text)
    assert scan_value({"a": [text]})
    assert scan_value({text: 1})
    assert scan_text(clean_text(text)) == []
    with pytest.raises(SecretsFound):
        gate_text(text, "x.md")


def test_a_password_in_json_in_a_tools_result_that_the_model_repeats_is_found_on_both_sides() -> None:
    value = {
        "result": [{"type": "text", "text": LOGIN}],
        "request": {"messages": [{"role": "tool", "content": json.dumps([{"type": "text", "text": LOGIN}])}]},
        "response": {"content": [{"type": "text", "text": "I logged in as bob with hunter2."}]},
    }
    places = [finding.place for finding in scan_value(value)]
    assert places == [
        "$.result[0].text -> $.password",
        "$.request.messages[0].content -> $[0].text -> $.password",
        "$.response.content[0].text",
    ]
    redacted = redact_value(value)
    assert "hunter2" not in json.dumps(redacted)
    assert redact_value(redacted) == redacted


ARGUMENTS = [
    ["login", "--user", "bob", "--password", "swordfish"],
    ["curl", "-u", "bob:s3cret-pony", "https://x.example.com"],
    ["tool", "--api-key", "abcdefgh12345678"],
]


@pytest.mark.parametrize(
    "argv",
    [
        ["login", "--password", "--verbose"],
        ["login", "--password-stdin", "swordfish"],
        ["train", "--max-tokens", "4096", "--key", "name"],
        ["login", "--password", "$PASSWORD"],
    ],
)
def test_arguments_that_are_left_alone(argv: list) -> None:
    assert scan_value({"argv": argv}) == []


@pytest.mark.parametrize("argv", [ARGUMENTS[0], ARGUMENTS[2]])
def test_an_argument_behind_its_option(argv: list) -> None:
    (finding,) = scan_value({"argv": argv})
    assert finding.path == f"$.argv[{len(argv) - 1}]"


def test_a_command_as_one_text() -> None:
    assert [span.rule for span in scan_text(" ".join(ARGUMENTS[1]))] == ["command-password"]


@pytest.mark.parametrize(
    ("text", "secret"),
    [
        ("the password is `hunter2` there", "hunter2"),
        ('Your DB_PASSWORD was "s3cret-pony".', "s3cret-pony"),
        ("The api key is " + fill(24) + ".", fill(24)),
        ("my passcode is 48334197, keep it", "48334197"),
        ("das Passwort ist Sommer2026!", "Sommer2026"),
        ("the passphrase is correct-horse-battery-staple", "correct-horse-battery-staple"),
    ],
)
def test_in_a_sentence(text: str, secret: str) -> None:
    (span,) = scan_text(text)
    assert text[span.start : span.end].startswith(secret)

"""What looks like a secret and is none: no blocking finding."""

import base64
import json

import pytest

from runwright.secrets import scan_value
from runwright.secrets.rules.rule import HEX, LOWER, fill

TEXTS = [
    "sha256:" + fill(64, HEX),
    "blake3:" + fill(64, HEX),
    fill(40, HEX),
    fill(32, HEX),
    fill(16, HEX),
    "sha512-" + base64.b64encode(bytes(range(64))).decode(),
    "550e8400-e29b-41d4-a716-446655440000",
    "01ARZ3NDEKTSV4RRFFQ69G5FAV",
    "call_" + fill(24),
    "toolu_01" + fill(22),
    "chatcmpl-" + fill(29),
    "msg_01" + fill(22),
    "req_" + fill(24, LOWER),
    "resp_" + fill(48, HEX),
    "00-" + fill(32, HEX) + "-" + fill(16, HEX) + "-01",
    "2026-11-30T05:32:26.123456Z",
    "1764480746.123456",
    "feature/rotate-secret-keys-and-tokens-2026",
    "fix-password-reset-token-expiry",
    "getUserAuthenticationTokenFromRequestHeader",
    "max_output_tokens_per_request_before_truncation",
    "/usr/lib/python3.11/site-packages/detect_secrets/plugins/private_key.py",
    "C:\\Users\\token\\new\\secrets.txt",
    "data:image/png;base64," + base64.b64encode(bytes(range(256)) * 40).decode(),
    "#ff00aa #00ff00 #123456",
    "sk-local-not-a-key",
    "runwright-placeholder-key",
    "OPENAI_API_KEY=runwright-placeholder-key",
    "OPENAI_API_KEY=${OPENAI_API_KEY}",
    'client = OpenAI(api_key=os.environ["OPENAI_API_KEY"])',
    "client = OpenAI(api_key=settings.openai_api_key, timeout=3)",
    "def authenticate(token: str, password: str | None = None) -> bool:",
    "password = getpass.getpass()",
    "token = response.json()",
    "if token == expected_token:",
    "reset your password: click the link below",
    "Your password must be at least 12 characters. Password: required",
    "The secret: patience and time. The key: practice.",
    "keyboard: qwerty123, monkey: george1, author: bob1234567",
    "I used 1234 tokens: 1000 input, 234 output. total_tokens=1234 max_tokens: 4096",
    "Bearer authentication is needed; a bearer token goes in the header",
    "Authorization: Bearer <token>",
    "Authorization: Bearer $TOKEN",
    "basic authentication",
    "postgres://user:password@localhost:5432/db",
    "postgres://app:${DB_PASSWORD}@db/app",
    "https://example.com:8443/path@v2",
    "git@github.com:owner/repository.git",
    "a file that starts with -----BEGIN PRIVATE KEY----- holds a key",
    "-----BEGIN PUBLIC KEY-----\n" + fill(64) + "\n-----END PUBLIC KEY-----",
    "next_page_token=" + fill(40),
    "cache_key: " + fill(40, HEX),
    "public_key: " + fill(43),
    "sk-ant-" + "x" * 40,
    "eyes.eyebrow.nose",
    "A lottery ticket: 12-34-56, PIN pad, OTP flow",
    "pass: 12 tests, fail: 3 tests",
    "192.168.0.1 and 8.8.8.8",
    "logo-us1.png en-us10 bucket-us2",
    'api_key = "vertexai_api_key"',
    "'Authorization': 'Bearer manual-token'",
    "request(audience, bind_id_token=bind_id_token)",
    "def sign(self, private_key: ec.EllipticCurvePrivateKey, auth: httpx2.Auth) -> bytes:",
    "client.OAuth2Credentials: _convert_oauth2_credentials",
    "old_pass = old_pass2",
    "login --password --verbose --token --json",
    '"SigningSecret": ".signingsecret"',
    'headers = {"Subscription-Key": "YOUR_BING_API_KEY"}',
    "LANGSMITH_API_KEY='lsv2_local_not_a_key'",
    "arn:aws:secretsmanager:eu-west-1:749777983009:secret:secret-key-auth-1qmYmX",
    "Authorization: needed for the settings page",
    "the password is wrong and your token is `invalid`",
    "the passphrase is `required`, the password is `too-short`",
    "https://example.com/search?q=my%20password%20is%20old",
    "QXV0aG9yaXphdGlvbjogbmVlZGVkIGZvciB0aGUgc2V0dGluZ3MgcGFnZQ==",
    "gAigCGEH" + "AKIA" + "SIAIAFBASAAKAIAEx",
    "[[redacted:github-token:1]] and password: [[redacted:secret-named-key:2]]",
]

VALUES = [
    {"max_tokens": 4096, "prompt_tokens": 123456, "input_tokens": 100000, "total_tokens": 223456},
    {"usage": {"completion_tokens_details": {"reasoning_tokens": 12345, "cached_tokens": 54321}}},
    {"token": "EUR"},
    {"token": " the", "logprob": -0.1, "bytes": [32, 116], "top_logprobs": [{"token": "Hello", "logprob": -1.5}]},
    {"next_page_token": fill(40), "nextPageToken": fill(40), "continuationToken": fill(40), "cursor": fill(40)},
    {"stop_token": "<|endoftext|>", "eos_token": "</s>", "pad_token": "[PAD]"},
    {"type": "object", "properties": {"password": {"type": "string", "description": "At least 8 characters, 1 digit"}}},
    {"parameters": {"properties": {"api_key": {"type": "string"}, "token": {"anyOf": [{"type": "string"}]}}}},
    {"required": ["password", "username1"]},
    {"errors": {"password": "This field is required", "token": ["Must not be blank"]}},
    {"password": None, "token": True, "secret": "", "api_key": "***", "passwd": "********"},
    {"api_key": "your-api-key-here", "client_secret": "<client secret>", "apiKey": "{{ api_key }}", "token": "$TOKEN"},
    {"password": "password", "auth": {"type": "oauth2", "username": "bob123456"}, "cookie": "accept all"},
    {"key": "abc123def456ghi789", "primary_key": "id12345678", "idempotency_key": fill(32), "publicKey": fill(43)},
    {"session_id": fill(32, HEX), "token_type": "bearer", "token_count": 1234567, "tokenizer": "cl100k_base1"},
    {"id": "call_" + fill(24), "tool_call_id": "toolu_01" + fill(22), "response_id": "chatcmpl-" + fill(29)},
    {"thinking": "hm", "signature": fill(300), "encrypted_content": fill(500)},
    {"arguments": json.dumps({"token": "EUR", "amount": 40, "max_tokens": 4096})},
    {"has_password": "yes12345", "password_changed_at": "2026-11-30T00:00:00Z", "secret_name": "prod/db1"},
    {"password_policy": "min 8 chars 1 digit", "token_endpoint": "https://id.example.com/oauth2/token"},
    {"headers": {"x-goog-api-key": ["X-GOOG-API-KEY-XXX"], "X-Amz-Security-Token": "test_aws_security_token"}},
    {"api_key": "OPENAI_API_KEY", "Authorization": "required", "access_token": "string"},
]


@pytest.mark.parametrize("value", [*TEXTS, *VALUES], ids=lambda value: str(value)[:40])
def test_no_blocking_finding(value) -> None:
    assert [str(finding) for finding in scan_value(value)] == []


@pytest.mark.parametrize("value", VALUES, ids=lambda value: str(value)[:40])
def test_nor_as_json_in_a_string(value) -> None:
    assert [str(finding) for finding in scan_value({"output": json.dumps(value)})] == []
    assert [str(finding) for finding in scan_value({"output": "result: " + json.dumps(value)})] == []

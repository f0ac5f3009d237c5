"""Look-alikes: what traces are full of and what is no secret, five thousand of them from a fixed seed."""

# ruff: noqa: E501 # the look-alikes are a table: one a line

from __future__ import annotations

import base64
import json
import random
import struct
import uuid
import zlib
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from scripts.gate.kinds import ALNUM, BASE64, DIGITS, HEX, LOWER, UPPER, URLSAFE, Chance, some, words

SIZE = 5_000
NAMES = words(
    "user order invoice session token key secret password auth client server request response cache config state "
    "handler reset expiry rotation policy count limit total index public primary foreign header parser access refresh"
)
WORDS = words(
    "the agent opened a ticket about rotating keys and the secret manager refused because no token was left after login "
    "please reset your password on the settings page before the session expires or ask an admin to unlock it"
)


class Harmless(NamedTuple):
    """A record's part that holds no secret, and what it looks like one of."""

    kind: str
    value: dict[str, Any]


def items(size: int = SIZE) -> Iterator[Harmless]:
    """As many items, every kind as often as any other; the same in every run."""
    kinds = list(KINDS)
    for number in range(size):
        kind = kinds[number % len(kinds)]
        yield Harmless(kind, _placed(KINDS[kind](random.Random(f"{kind} {number}")), number // len(kinds)))


def _placed(value: object, number: int) -> dict[str, Any]:
    """Where such a thing stands: as a field, in prose, in a tool's JSON, as a key."""
    if not isinstance(value, str):
        return {"value": value} if number % 2 else {"result": json.dumps({"rows": [value]})}
    return (
        {"value": value},
        {"text": f"I looked at {value} and went on."},
        {"result": json.dumps({"rows": [{"note": value}]})},
        {"text": f"1. first\n2. {value}\n3. done, 12 tokens used"},
        {"seen": {value: number}},
    )[number % 5]


def _name(chance: Chance, joint: str, least: int = 3) -> str:
    return joint.join(chance.choices(NAMES, k=chance.randrange(least, 7)))


def _camel(chance: Chance) -> str:
    first, *rest = _name(chance, " ").split()
    return first + "".join(word.capitalize() for word in rest)


def _png(chance: Chance) -> bytes:
    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    rows = b"".join(b"\0" + chance.randbytes(24) for _ in range(8))
    head = struct.pack(">IIBBBBB", 8, 8, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")


def _image(chance: Chance) -> str:
    data = chance.choice(
        (_png(chance), b"\xff\xd8\xff\xe0\0\x10JFIF" + chance.randbytes(600), b"GIF89a" + chance.randbytes(90))
    )
    kind = {0x89: "png", 0xFF: "jpeg"}.get(data[0], "gif")
    text = base64.b64encode(data).decode()
    return f"data:image/{kind};base64,{text}" if chance.random() < 0.5 else text


def _call_id(chance: Chance) -> str:
    return chance.choice(
        (
            "call_" + some(chance, ALNUM, 24),
            "toolu_01" + some(chance, ALNUM, 22),
            "chatcmpl-" + some(chance, ALNUM, 29),
            "msg_01" + some(chance, ALNUM, 22),
            "req_" + some(chance, HEX, 32),
            "resp_" + some(chance, HEX, 50),
            "fc_" + some(chance, HEX, 48),
            "run-" + str(uuid.UUID(int=chance.getrandbits(128))),
            "thread_" + some(chance, ALNUM, 24),
            "gen-" + some(chance, DIGITS, 10) + "-" + some(chance, ALNUM, 20),
        )
    )


def _lock(chance: Chance) -> str:
    sha512 = base64.b64encode(chance.randbytes(64)).decode()
    sha1 = base64.b64encode(chance.randbytes(20)).decode()
    name = _name(chance, "-", 2)
    return chance.choice(
        (
            f'"integrity": "sha512-{sha512}"',
            f"integrity sha1-{sha1}",
            f"    --hash=sha256:{some(chance, HEX, 64)}",
            f'checksum = "{some(chance, HEX, 64)}"',
            f"github.com/acme/{name} v1.4.2 h1:{base64.b64encode(chance.randbytes(32)).decode()}",
            f'{{file = "{name}-1.0.tar.gz", hash = "sha256:{some(chance, HEX, 64)}"}}',
            f"resolved https://registry.yarnpkg.com/{name}/-/{name}-4.1.tgz#{some(chance, HEX, 40)}",
            f"{name}@sha256:{some(chance, HEX, 64)}",
        )
    )


def _trace_id(chance: Chance) -> str:
    return chance.choice(
        (
            f"00-{some(chance, HEX, 32)}-{some(chance, HEX, 16)}-01",
            f"trace_id={some(chance, HEX, 32)} span_id={some(chance, HEX, 16)}",
            f'ETag: W/"{some(chance, HEX, 32)}"',
            f"x-request-id: {uuid.UUID(int=chance.getrandbits(128))}",
            f"Root=1-{some(chance, HEX, 8)}-{some(chance, HEX, 24)}",
            f"01{some(chance, UPPER, 24)}",
            f"cf-ray: {some(chance, HEX, 16)}-FRA",
        )
    )


def _code(chance: Chance) -> str:
    name, other = _name(chance, "_", 2), _name(chance, "_", 2)
    return chance.choice(
        (
            f"token = get_{name}_token({other})",
            f'password = os.environ["{name.upper()}"]',
            f"const apiKey = process.env.{name.upper()};",
            f"def {name}(password: str, token: str | None = None) -> {_camel(chance)}:",
            f"if secret != self.{other}.secret: raise AuthError(secret)",
            "client = Client(api_key=" + f"settings.{name}, timeout=30)",
            f"export API_KEY=${{{name.upper()}}}",
            f'curl -H "Authorization: Bearer ${name.upper()}" https://api.example.com/{other}',
            f"secret_key = Fernet.generate_key()  # {other}",
            f"password={{{{ {name} }}}}",
            f"parser.add_argument('--api-key', help='the key of {other}')",
            f'"password": z.string().min(8).max({chance.randrange(20, 99)}),',
            f"tokens = tokenizer.encode({name}, max_tokens={chance.randrange(1000, 99999)})",
            f'<input type="password" name="password" id="{name}" autocomplete="current-password">',
            f"assert response.json()['token'] == {name}",
            f"for key, value in {name}.items(): print(key, value)",
            f"SELECT password_hash, api_key FROM {name} WHERE token = $1 AND id = {chance.randrange(10**6)}",
        )
    )


def _shape(chance: Chance) -> object:
    name = _name(chance, "_", 2)
    return chance.choice(
        (
            {"type": "object", "properties": {"password": {"type": "string", "description": f"the {name}, 8 to 64 characters"}}},
            {"type": "object", "properties": {"api_key": {"type": "string"}, "token": {"anyOf": [{"type": "string"}, {"type": "null"}]}}},
            {"usage": {"prompt_tokens": chance.randrange(10**6), "total_tokens": chance.randrange(10**6), "cached_tokens": 0}},
            {"max_tokens": chance.randrange(10**5), "max_output_tokens": 4096, "budget_tokens": chance.randrange(10**5)},
            {"token": " " + chance.choice(WORDS), "logprob": -chance.random(), "bytes": [32, 116, 104]},
            {"nextPageToken": some(chance, URLSAFE, 60), "items": []},
            {"next_page_token": some(chance, URLSAFE, 40), "cursor": some(chance, BASE64, 40)},
            {"errors": {"password": ["This field is required."], "token": f"{name} must not be blank"}},
            {"password": chance.choice((None, "", "********", "<redacted>", "[REDACTED]", "${DB_PASSWORD}"))},
            {"api_key": chance.choice(("your-api-key", "YOUR_API_KEY_HERE", "<your key>", "sk-...", "xxxxxxxxxxxx", "{{api_key}}"))},
            {"key": some(chance, ALNUM, 20), "primary_key": f"id{some(chance, DIGITS, 9)}", "idempotency_key": some(chance, ALNUM, 32)},
            {"session_id": some(chance, HEX, 32), "user_id": some(chance, ALNUM, 21), "token_type": "bearer", "expires_in": 3600},
            {"has_password": True, "password_changed_at": "2026-03-01T10:00:00Z", "secret_name": f"prod/{name}"},
            {"token_count": chance.randrange(10**7), "tokenizer": f"cl{some(chance, DIGITS, 3)}k_base"},
            {"type": "thinking", "thinking": "hm", "signature": some(chance, BASE64, 300)},
            {"type": "reasoning", "encrypted_content": "gAAAAA" + some(chance, URLSAFE, 400)},
            {"file": f"/home/bob/{name}/secrets.{chance.choice(('yaml', 'py', 'json'))}", "line": chance.randrange(900)},
            {"auth": {"type": "oauth2", "scopes": ["read", "write"], "url": "https://id.example.com/token"}},
            {"cookie_consent": "accepted", "cookies": "enabled", "secretary": "Bob12345", "keyboard": "qwerty123"},
            {"author": _camel(chance) + some(chance, DIGITS, 4), "tokens": chance.choices(WORDS, k=6)},
        )
    )  # fmt: skip


def _link(chance: Chance) -> str:
    return chance.choice(
        (
            f"https://example.com/{_name(chance, '-')}?page={chance.randrange(99)}&id={some(chance, HEX, 24)}",
            f"https://docs.example.com/reference/{_name(chance, '-')}#{_name(chance, '-')}",
            f"https://www.youtube.com/watch?v={some(chance, URLSAFE, 11)}",
            f"https://docs.google.com/document/d/{some(chance, URLSAFE, 44)}/edit",
            f"postgres://user:password@localhost:5432/{_name(chance, '_', 1)}",
            f"git@github.com:acme/{_name(chance, '-')}.git",
            f"arn:aws:secretsmanager:eu-west-1:{some(chance, DIGITS, 12)}:secret:{_name(chance, '-')}-{some(chance, ALNUM, 6)}",
            f"s3://bucket/{some(chance, HEX, 32)}/{_name(chance, '_')}.parquet",
            f"https://cdn.example.com/assets/index-{some(chance, ALNUM, 8)}.js?v={some(chance, HEX, 20)}",
            f"https://example.com/search?q={_name(chance, '+')}&utm_campaign={_name(chance, '_')}&gclid={some(chance, URLSAFE, 60)}",
        )
    )


def _public(chance: Chance) -> str:
    body = base64.b64encode(chance.randbytes(270)).decode()
    lines = "\n".join(body[at : at + 64] for at in range(0, len(body), 64))
    return chance.choice(
        (
            f"-----BEGIN CERTIFICATE-----\n{lines}\n-----END CERTIFICATE-----",
            f"-----BEGIN PUBLIC KEY-----\n{lines}\n-----END PUBLIC KEY-----",
            f"ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI{some(chance, BASE64, 43)} bob@example.com",
            f"ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAABAQ{body} ci",
            f"SHA256:{some(chance, BASE64, 43)}",
            f"{some(chance, HEX, 2)}:" + ":".join(some(chance, HEX, 2) for _ in range(15)),
        )
    )


def _talk(chance: Chance) -> str:
    sentence = " ".join(chance.choices(WORDS, k=chance.randrange(6, 30)))
    return chance.choice(
        (
            sentence,
            f"{sentence}. Password: required. Token: optional.",
            f"The secret: {sentence}.",
            f"API key: ask {chance.choice(WORDS)}; token = {chance.choice(WORDS)}",
            f"- [ ] {sentence}\n- [x] password reset\n- [ ] key rotation: {chance.choice(WORDS)}",
            f"Authorization: needed for {sentence}",
            f"the password is {chance.choice(('wrong', 'required', 'too short', 'stored hashed', 'case-sensitive'))}",
            f"your token is {chance.choice(('invalid', 'expired', 'missing', 'only shown once'))}, {sentence}",
            f"Bearer {chance.choice(('authentication', 'tokens', 'bonds', 'scheme'))} and basic {chance.choice(WORDS)}",
        )
    )


def _number(chance: Chance) -> str:
    return chance.choice(
        (
            f"#{some(chance, HEX, 6)}",
            f"color: #{some(chance, HEX, 8)}; background: #{some(chance, HEX, 3)}",
            f"2026-11-{chance.randrange(10, 30)}T05:32:{chance.randrange(10, 60)}.{some(chance, DIGITS, 6)}Z",
            f"{chance.randrange(10**9, 2 * 10**9)}.{some(chance, DIGITS, 6)}",
            f"+49 170 {some(chance, DIGITS, 7)}",
            f"v{chance.randrange(9)}.{chance.randrange(99)}.{chance.randrange(99)}-rc.1+build.{some(chance, HEX, 7)}",
            f"978-3-{some(chance, DIGITS, 5)}-{some(chance, DIGITS, 3)}-1",
            f"10.0.{chance.randrange(255)}.{chance.randrange(255)}:8443",
            f"order {some(chance, DIGITS, 12)}, {some(chance, UPPER, 8)}-{some(chance, DIGITS, 4)}",
            f"{chance.randrange(10**8, 10**9)}:{chance.randrange(10**6)}",
        )
    )


KINDS: dict[str, Callable[[Chance], object]] = {
    "git SHA": lambda chance: some(chance, HEX, chance.choice((7, 12, 40))),
    "digest": lambda chance: chance.choice(("sha256:", "md5 ", "", "blake3:")) + some(chance, HEX, chance.choice((32, 64, 96, 128))),
    "UUID": lambda chance: str(uuid.UUID(int=chance.getrandbits(128))),
    "snake_case name": lambda chance: _name(chance, "_"),
    "camelCase name": _camel,
    "kebab-case name": lambda chance: _name(chance, "-"),
    "CONSTANT_NAME": lambda chance: _name(chance, "_").upper(),
    "base64 image": _image,
    "call id": _call_id,
    "hex colour, time, number": _number,
    "lock-file line": _lock,
    "trace id, header id": _trace_id,
    "word list": lambda chance: chance.choice((" ", ", ", "\n", "-")).join(chance.choices(WORDS + NAMES, k=40)),
    "short random id": lambda chance: some(chance, chance.choice((ALNUM, URLSAFE, LOWER + DIGITS)), chance.choice((8, 10, 21, 24, 32))),
    "base64 of bytes": lambda chance: base64.b64encode(chance.randbytes(chance.choice((16, 48, 300)))).decode(),
    "base64 of text": lambda chance: base64.b64encode(_talk(chance).encode()).decode(),
    "line of code": _code,
    "JSON about secrets": _shape,
    "link": _link,
    "public key, certificate": _public,
    "prose about secrets": _talk,
}  # fmt: skip
"""What look-alikes there are."""

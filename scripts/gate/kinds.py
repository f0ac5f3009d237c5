"""Secrets made up by kind, assembled at run time from a seed: no two values alike, none written out anywhere."""

from __future__ import annotations

import base64
import json
import random
from collections.abc import Callable
from typing import NamedTuple

LOWER = "abcdefghijklmnopqrstuvwxyz"
DIGITS = "0123456789"
ALNUM = LOWER + LOWER.upper() + DIGITS
UPPER = LOWER.upper() + DIGITS
URLSAFE = ALNUM + "-_"
BASE64 = ALNUM + "+/"
HEX = DIGITS + "abcdef"


def words(text: str) -> tuple[str, ...]:
    """A list written as a sentence."""
    return tuple(text.split())


WORDS = words(
    "copper river window saddle orange market planet velvet thunder basket harbor meadow pencil rocket silver tunnel "
    "walnut yellow bridge candle desert engine forest garden hammer island jacket kitten ladder mirror"
)


class Planted(NamedTuple):
    """A text with one secret in it, and the part that must not be left."""

    text: str
    core: str


class Named(NamedTuple):
    """A value that only the name of its field gives away."""

    name: str
    value: str


Chance = random.Random
Make = Callable[[Chance], Planted]


def some(chance: Chance, alphabet: str, length: int) -> str:
    """Characters of an alphabet."""
    return "".join(chance.choices(alphabet, k=length))


def _prefixed(prefix: str, alphabet: str, length: int, after: str = "") -> Make:
    def make(chance: Chance) -> Planted:
        core = some(chance, alphabet, length)
        return Planted(f"{prefix}{core}{after}", core)

    return make


def _url64(value: object) -> str:
    return base64.urlsafe_b64encode(json.dumps(value).encode()).decode().rstrip("=")


def _openai_marked(chance: Chance) -> Planted:
    core = some(chance, ALNUM, 20)
    return Planted("sk-" + core + "T3Blbk" + "FJ" + some(chance, ALNUM, 20), core)


def _github_fine(chance: Chance) -> Planted:
    core = some(chance, ALNUM, 59)
    return Planted("github_pat_" + some(chance, ALNUM, 22) + "_" + core, core)


def _aws_pair(chance: Chance) -> Planted:
    core = some(chance, BASE64, 40)
    return Planted("AK" + "IA" + some(chance, UPPER, 16) + chance.choice((" ", ",", " / ", ":")) + core, core)


def _azure_storage(chance: Chance) -> Planted:
    core = some(chance, BASE64, 86)
    name = some(chance, LOWER, 8)
    return Planted(
        f"DefaultEndpointsProtocol=https;AccountName={name};AccountKey={core}==;EndpointSuffix=core.windows.net", core
    )


def _azure_client(chance: Chance) -> Planted:
    core = some(chance, ALNUM + "._~-", 33) + some(chance, ALNUM, 1)
    return Planted(some(chance, ALNUM, 3) + chance.choice("78") + "Q~" + core, core)


def _slack_bot(chance: Chance) -> Planted:
    core = some(chance, ALNUM, 24)
    kind = chance.choice(("xoxb", "xoxp", "xoxa", "xoxs", "xoxr"))
    return Planted(f"{kind}-{some(chance, DIGITS, 12)}-{some(chance, DIGITS, 12)}-{core}", core)


def _slack_app(chance: Chance) -> Planted:
    core = some(chance, HEX, 64)
    return Planted("xapp" + f"-1-A{some(chance, UPPER, 10)}-{some(chance, DIGITS, 13)}-{core}", core)


def _slack_hook(chance: Chance) -> Planted:
    core = some(chance, ALNUM, 24)
    team, hook = some(chance, UPPER, 9), some(chance, UPPER, 9)
    return Planted(f"https://hooks.slack.com/services/T{team}/B{hook}/{core}", core)


def _sendgrid(chance: Chance) -> Planted:
    core = some(chance, URLSAFE, 43)
    return Planted("S" + f"G.{some(chance, URLSAFE, 22)}.{core}", core)


def _jwt(chance: Chance) -> Planted:
    core = some(chance, URLSAFE, 43)
    header = {"alg": chance.choice(("HS256", "RS256", "ES256")), "typ": "JWT"}
    claims = {"sub": some(chance, DIGITS, 10), "iat": chance.randrange(1_600_000_000, 1_800_000_000)}
    return Planted(f"{_url64(header)}.{_url64(claims)}.{core}", core)


def _bearer(chance: Chance) -> Planted:
    core = some(chance, chance.choice((HEX, ALNUM, URLSAFE)), chance.choice((24, 32, 40, 64)))
    return Planted(f"{chance.choice(('Bearer', 'bearer', 'BEARER'))} {core}", core)


def _basic(chance: Chance) -> Planted:
    core = base64.b64encode(f"{chance.choice(WORDS)}:{some(chance, ALNUM, 12)}".encode()).decode().rstrip("=")
    return Planted("Basic " + core + "=" * (-len(core) % 4), core)


def _pem(chance: Chance) -> list[str]:
    kind = chance.choice(("RSA ", "EC ", "OPENSSH ", "", "ENCRYPTED "))
    lines = [f"-----BEGIN {kind}PRIVATE " + "KEY-----"]
    lines += [some(chance, BASE64, 64) for _ in range(chance.choice((2, 5, 12)))]
    return [*lines, some(chance, BASE64, 34) + "==", f"-----END {kind}PRIVATE " + "KEY-----"]


def _private_key(chance: Chance) -> Planted:
    lines = _pem(chance)
    return Planted("\n".join(lines), lines[2])


def _private_key_cut(chance: Chance) -> Planted:
    lines = _pem(chance)[:-2]
    return Planted("\n".join(lines), lines[-1])


def _database_url(chance: Chance) -> Planted:
    scheme = chance.choice(("postgres", "postgresql+asyncpg", "mysql", "mongodb+srv", "redis", "amqp", "mssql+pyodbc"))
    core = chance.choice(WORDS).capitalize() + some(chance, ALNUM + "!_-.~", 10) + some(chance, ALNUM, 1)
    return Planted(f"{scheme}" + f"://app:{core}@db.internal:5432/orders", core)


def _signed_url(chance: Chance) -> Planted:
    if chance.random() < 0.5:
        core = some(chance, HEX, 64)
        return Planted(f"https://b.s3.amazonaws.com/k.csv?X-Amz-Expires=600&X-Amz-Signature={core}", core)
    core = some(chance, ALNUM, 42)
    return Planted(f"https://a.blob.core.windows.net/c/d?sv=2024-05-04&se=2026-12-01&sp=r&sig={core}%3D", core)


TYPED: dict[str, Make] = {
    "Anthropic key": _prefixed("sk-ant-" + "api03-", URLSAFE, 93, "AA"),
    "OpenAI key": _openai_marked,
    "OpenAI project key": _prefixed("sk-proj-", URLSAFE, 148),
    "OpenAI service account key": _prefixed("sk-svcacct-", URLSAFE, 120),
    "GitHub token, classic": _prefixed("gh" + "p_", ALNUM, 36),
    "GitHub token, fine-grained": _github_fine,
    "GitLab token": _prefixed("gl" + "pat-", URLSAFE, 20),
    "Google API key": _prefixed("AI" + "za", URLSAFE, 35),
    "Google OAuth token": _prefixed("ya" + "29.", URLSAFE, 120),
    "Hugging Face token": _prefixed("h" + "f_", LOWER + LOWER.upper(), 34),
    "AWS key id": _prefixed("AK" + "IA", UPPER, 16),
    "AWS secret beside its id": _aws_pair,
    "Azure storage key": _azure_storage,
    "Azure client secret": _azure_client,
    "Slack token": _slack_bot,
    "Slack app token": _slack_app,
    "Slack webhook": _slack_hook,
    "Stripe live key": _prefixed("sk_" + "live_", ALNUM, 24),
    "Stripe restricted key": _prefixed("rk_" + "live_", ALNUM, 99),
    "SendGrid key": _sendgrid,
    "Twilio key": _prefixed("S" + "K", HEX, 32),
    "npm token": _prefixed("np" + "m_", ALNUM, 36),
    "PyPI token": _prefixed("py" + "pi-AgEIcHlwaS5vcmc", URLSAFE, 150),
    "JSON Web Token": _jwt,
    "Bearer value": _bearer,
    "Basic value": _basic,
    "private key": _private_key,
    "private key without its end": _private_key_cut,
    "database URL": _database_url,
    "signed URL": _signed_url,
}
"""Kinds that their own form gives away."""


def _human(chance: Chance) -> str:
    word = chance.choice(WORDS)
    return chance.choice(
        (
            word + some(chance, DIGITS, 1),
            word.capitalize() + some(chance, DIGITS, 4) + chance.choice("!?#$"),
            word.replace("e", "3").replace("a", "4") + "-" + chance.choice(WORDS),
            some(chance, ALNUM, 10),
        )
    )


def _named(names: str, value: Callable[[Chance], str]) -> Callable[[Chance], Named]:
    choices = names.split()
    return lambda chance: Named(chance.choice(choices), value(chance))


NAMED: dict[str, Callable[[Chance], Named]] = {
    "password": _named("password Password passwd user_password userPassword PASSWORD loginPassword pwd", _human),
    "password of digits": _named(
        "password passcode PASSWORD user_password", lambda chance: chance.choice("123456789") + some(chance, DIGITS, 7)
    ),
    "pass phrase": _named("passphrase pass_phrase keyPassphrase", lambda chance: "-".join(chance.choices(WORDS, k=4))),
    "client secret": _named(
        "client_secret clientSecret CLIENT_SECRET X-Client-Secret oauth.client_secret",
        lambda chance: some(chance, chance.choice((HEX, ALNUM, URLSAFE)), 32),
    ),
    "API key": _named(
        "api_key apiKey X-Api-Key API_KEY x-goog-api-key SERVICE_API_KEY apikey",
        lambda chance: some(chance, chance.choice((HEX, ALNUM)), chance.choice((20, 32, 40))),
    ),
    "access token": _named(
        "access_token accessToken refresh_token authToken AUTH_TOKEN session-token token",
        lambda chance: some(chance, URLSAFE, chance.choice((24, 40, 64))),
    ),
    "signing key": _named(
        "signing_key secretKey SECRET_KEY aws_secret_access_key encryption-key privateKey",
        lambda chance: some(chance, BASE64, 40),
    ),
    "database password": _named(
        "DB_PASSWORD POSTGRES_PASSWORD db-password pgpassword REDIS_PASSWORD MYSQL_PWD", _human
    ),
}
"""Kinds that only the name of their field gives away."""

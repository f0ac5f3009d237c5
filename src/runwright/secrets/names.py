"""Whether the name of a field says that its value is a secret."""

from __future__ import annotations

import re
from enum import IntEnum
from functools import lru_cache

from runwright.secrets.vocabulary import (
    ASIDE,
    DOUBTFUL_KEYS,
    HASHES,
    KEYS,
    NOT_THE_THING,
    PAGES,
    PASSWORDS,
    SECRETS,
    TOKENS,
)

NAME = re.compile(r"[\w.\-\[\] /$@]+")
"""No sentence, and nothing with a redacted token in it."""

LONGEST = 100
WORDS_OF_A_NAME = 4
WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+|[^\W\d_A-Za-z]+")

JOINED = {
    "apikey": "api key",
    "apitoken": "api token",
    "authkey": "auth key",
    "authtoken": "auth token",
    "accesskey": "access key",
    "accesstoken": "access token",
    "refreshtoken": "refresh token",
    "secretkey": "secret key",
    "secretaccesskey": "secret access key",
    "clientsecret": "client secret",
    "privatekey": "private key",
    "accountkey": "account key",
    "signingkey": "signing key",
    "sessiontoken": "session token",
    "idtoken": "id token",
    "setcookie": "set cookie",
    "passkey": "secret key",
    "userpassword": "user password",
    "dbpassword": "db password",
    "dbpass": "db password",
    "pgpassword": "pg password",
    "sshpass": "ssh password",
    "requirepass": "password",
    "pass word": "password",
    "pass phrase": "passphrase",
    "pass code": "passcode",
    "masterauth": "password",
    "keypass": "key password",
    "storepass": "store password",
}
"""Names that are also written without a boundary, or with one."""


class Naming(IntEnum):
    """How much a name says: nothing, that a secret-looking value is one, or that any value is one."""

    NONE = 0
    WEAK = 1
    STRONG = 2


@lru_cache(maxsize=16_384)
def naming(key: str) -> Naming:
    """What the name of a field, header, variable or option says about its value."""
    if len(key) > LONGEST or not NAME.fullmatch(key):
        return Naming.NONE
    words = _words(key)
    while len(words) > 1 and (words[-1] in ASIDE or words[-1].isdigit()):
        words.pop()
    if len(words) > 1 and words[-1] in HASHES and words[-2] in PASSWORDS:
        words.pop()
    if not words or (words[0] in NOT_THE_THING and len(words) > 1):
        return Naming.NONE
    return _of_noun(words[-1], words[-2] if len(words) > 1 else "", key)


def naming_of_pair(name: str) -> Naming:
    """The same of a text beside another: a sentence of name-like words is none."""
    return naming(name) if name.count(" ") < WORDS_OF_A_NAME else Naming.NONE


def _words(key: str) -> list[str]:
    words: list[str] = []
    for part in WORD.findall(key):
        words += JOINED.get(part.lower(), part.lower()).split()
        if pair := JOINED.get(" ".join(words[-2:])):
            words[-2:] = [pair]
    compact = JOINED.get("".join(words))
    return compact.split() if compact else words


def _of_noun(noun: str, before: str, key: str) -> Naming:
    if noun in SECRETS:
        return Naming.STRONG
    if noun == "key":
        doubtful = Naming.WEAK if before in DOUBTFUL_KEYS else Naming.NONE
        return Naming.STRONG if before in KEYS else doubtful
    if noun == "token":
        if before in PAGES:
            return Naming.NONE
        return Naming.STRONG if before in TOKENS else Naming.WEAK
    if noun in ("cookie", "cookies"):
        return Naming.STRONG if before == "set" else Naming.WEAK
    if noun == "keys":
        return Naming.WEAK if before in KEYS else Naming.NONE
    if noun == "tokens":
        return Naming.NONE if before in PAGES else Naming.WEAK
    if noun in ("passwords", "secrets", "credential", "credentials", "creds", "pass", "auth", "pin", "otp"):
        return Naming.WEAK
    return Naming.WEAK if noun == "pw" or key in ("sig", "pat") else Naming.NONE

"""Whether a value that stands under a telling name is a secret, or a stand-in, a word or a sentence."""

from __future__ import annotations

import re

from runwright.secrets.finding import OPENING, TOKEN
from runwright.secrets.names import Naming
from runwright.secrets.vocabulary import ASKING, SENTENCE, STAND_INS, TELLING

MASKED = "\x01"
"""What a redacted token is read as: a character that belongs to no secret."""

BLANK = re.compile(r"[\s\x01*xX.\-_#?•…]*")
REFERENCE = re.compile(
    r"<[^<>]*>|\{+[^{}]*\}+|\$\{[^{}]*\}|\$\([^()]*\)|\$[A-Za-z_]\w*|%[A-Za-z_]\w*%|%\([a-z_]+\)s|"
    r"\[+[^\[\]]*(?:redacted|removed|masked|hidden|filtered|secret)[^\[\]]*\]+|"
    r"(?:os\.environ|process\.env|env)[.:\[][\w.\[\]\"'-]*|"
    r"(?:secrets?|vars?|vault|config|settings|self|args|params|request)(?:\.[A-Za-z_]+)+|"
    r"arn:aws:[\w:/.-]+|[\w.]+\([^()]*\)(?:\.\w+\(?\)?)*",
    re.IGNORECASE | re.DOTALL,
)
URL = re.compile(r"[a-z][a-z0-9+.-]*://[^\s:@?]*", re.IGNORECASE)
FILE = re.compile(
    r"(?:(?:~|\.{1,2})/|/(?:run|etc|home|var|tmp|usr|opt|mnt|root|Users|app|secrets|keys|dev|proc)/)[\w.@~-]+(?:/[\w.@~-]+)*/?"
)
DATE = re.compile(r"\d{4}-\d\d-\d\d(?:[T ][\d:.]+(?:Z|[+-]\d\d:?\d\d)?)?")
LONGEST = 2_048
"""No stand-in is longer."""

THING = frozenset(("key", "apikey", "token", "secret", "password", "here"))
MADE_OF_WORDS = re.compile(r"[A-Za-z]{2,}(?:[-_. /][A-Za-z]{2,})+")
DENIAL = re.compile(
    r"(?<![A-Za-z])not[ _-]?an?[ _-](?:real[ _-])?(?:key|token|secret|password)(?![A-Za-z])", re.IGNORECASE
)
WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+")


def is_secret(naming: Naming, value: str) -> bool:
    """Whether a text under such a name is to be treated as a secret."""
    if naming is Naming.NONE or is_stand_in(value):
        return False
    if naming is Naming.WEAK:
        return looks_random(value) and not URL.match(value)
    return len(value.strip()) >= 3 and not is_sentence(value)


def is_secret_number(naming: Naming, text: str) -> bool:
    """Whether a bare number under such a name is one: a PIN, a numeric password; never a count."""
    digits = text.lstrip("-")
    return naming is Naming.STRONG and digits.isdigit() and len(digits) >= 4


def is_stand_in(value: str) -> bool:
    """Whether a value openly stands for another: a reference, a mask, a redacted token, words that say placeholder."""
    bare = unmarked(value).strip().strip("\"'`")
    if BLANK.fullmatch(bare):
        return True
    if len(bare) > LONGEST:
        return False
    if REFERENCE.fullmatch(bare) or URL.fullmatch(bare) or FILE.fullmatch(bare) or DATE.fullmatch(bare):
        return True
    words = [word.lower() for word in WORD.findall(bare)]
    if len(bare) > 80 or not words or not set("".join(words)) - set("0123456789"):
        return False
    if DENIAL.search(bare) or (MADE_OF_WORDS.fullmatch(bare) and _asks(words)):
        return True
    known = [word for word in words if word in STAND_INS or set(word) == {"x"} or (word.isdigit() and len(word) < 2)]
    return len(known) == len(words) and any(word in TELLING for word in words)


def _asks(words: list[str]) -> bool:
    """Whether words say what is to be put in their place: `YOUR_MAPS_API_KEY`, `manual-token`."""
    return words[-1] in THING and len(words) >= 2 and (words[0] in ASKING or words[-1] != "here")


def unmarked(value: str) -> str:
    """A value with redacted tokens taken out."""
    if OPENING in value:
        value = TOKEN.sub("", value)
    return value.replace(MASKED, "") if MASKED in value else value


def is_sentence(value: str) -> bool:
    """Whether a value is prose about a secret; a pass phrase has no such words."""
    words = re.findall(r"[a-z']+", value.lower()) if " " in value else []
    joints = sum(word in SENTENCE for word in words)
    return joints * 4 >= len(words) >= (2 if joints > 1 else 4)


def looks_random(value: str) -> bool:
    """Whether a value looks made by a machine (or by a person who was told to mix characters)."""
    value = value.strip()
    if len(value) < 8 or (re.search(r"\s", value) and "=" not in value):
        return False
    letters, digits = re.search(r"[A-Za-z]", value), re.search(r"[0-9]", value)
    if letters and digits:
        return True
    if not letters or len(value) < 16:
        return bool(letters) and bool(re.search(r"[!@$%^&*+=]", value))
    return bool(re.search(r"[a-z][A-Z]{2}|[A-Z][a-z][A-Z]", value)) or _is_long_lower(value)


def _is_long_lower(value: str) -> bool:
    longest = max((len(word) for word in re.findall(r"[A-Za-z]+", value)), default=0)
    return longest >= 20 and len(set(value.lower())) >= 10

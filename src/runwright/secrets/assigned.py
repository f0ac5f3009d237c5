"""Secrets that a name in the same text gives away: JSON, YAML, .env, URLs, headers, command lines."""

from __future__ import annotations

import re
from collections.abc import Iterator
from urllib.parse import unquote_plus

from runwright.secrets.finding import Span
from runwright.secrets.names import naming
from runwright.secrets.values import is_secret, is_secret_number, is_stand_in, looks_random
from runwright.secrets.views import unescaped
from runwright.secrets.vocabulary import STEMS as STEMS

RULE = "secret-named-key"

SEPARATOR = r"\\{0,7}[\"'\]]{0,2}\s{0,16}(?P<sep>:=|=>|={1,3}|:)\s{0,16}"
HINT = re.compile(rf"(?:{STEMS})[\w-]{{0,32}}(?:\\{{0,7}}[\"'\]]{{0,2}}\s{{0,16}}[=:]|[\"'`]?[ \t])")
"""What any assignment contains, over case-folded text."""

ASSIGNMENT = re.compile(
    rf"(?:{STEMS})[\w-]{{0,32}}(?:{SEPARATOR}|(?P<gap>[ \t]{{1,4}}))(?P<quote>\\{{0,7}}[\"'`])?", re.I
)
SAID = re.compile(
    rf"(?:{STEMS})[\w-]{{0,32}}(?P<after>[\"'`]?)\s{{1,4}}(?:is|was|are|ist|est|es):?\s{{1,4}}"
    r"(?P<quote>\\{0,7}[\"'`])?(?P<value>[^\s\"'`\\]{4,512})",
    re.IGNORECASE,
)
"""A name and its value in a sentence."""

VERB = re.compile(r"\s(?:is|was|are|ist|est|es):?\s", re.IGNORECASE)
STEM = re.compile(rf"(?={STEMS})", re.IGNORECASE)
FOLDED = re.compile("[\u017f\u212a\u0130\u0131]")
"""Letters that Python's patterns take for s, k and i, whatever `str.lower` makes of them."""

MANAGED = re.compile(r"secretsmanager:[a-z0-9-]*:\d*:\Z")
"""Before the name of a secret that a vault keeps."""

FIRST_WORD = re.compile(r"[A-Za-z]{2,16} \Z")
LETTERS = re.compile(r"[^A-Za-z0-9]+")
NAME = re.compile(r"[\w.-]*\Z")
BARE = re.compile(r"[^\s\"'`,;&<>(){}\[\]\\|]+")
JOINT = re.compile(r"\s*[+,)\]};]\s")
"""What stands between two string literals in code."""

IDENTIFIER = re.compile(
    r"[A-Za-z_][\w.]*(?<=[a-z0-9])(?:Key|Token|Secret|Password|Credential|Cookie|Auth)s?(?:Types?|Class|Provider)?|"
    r"[A-Z]\w*Key(?:Types?)?|[A-Za-z][\w.]*\.[A-Z][A-Za-z]+|[a-z_][a-z0-9_.]*_(?:key|token|secret|password|credential|cookie|auth)s?"
)
"""A variable or a type in code that is called what it holds."""

PHRASE = re.compile(r"phrase\Z", re.IGNORECASE)
SEVERAL = re.compile(r"[A-Za-z]{3,}(?:[-_.][A-Za-z]{3,}){2,}")
QUERY = re.compile(r"[^\s\"'`&#<>\\]+")
HEADER = re.compile(r"authorization$|cookie$|^x-[a-z-]+(?:key|token|secret|auth)$", re.IGNORECASE)
CREDENTIALS = re.compile(
    r"(?:(?:aws4-hmac-sha256|digest)\s[^\r\n\"\\]+)|(?:[A-Za-z][\w-]{0,30} {1,4})?[^\s\"'\\,;]+", re.I
)
LINE = re.compile(r"[^\r\n\"'\\]+")
AUTHORIZATION = re.compile(r"authorization$", re.IGNORECASE)
PLAIN = re.compile(r"[A-Za-z]?[a-z]{0,15}")
"""A word: what follows `Authorization:` in prose about it."""

SCHEME = re.compile(r"(?:bearer|basic|token|api-?key|digest|negotiate|key|aws4-hmac-sha256|sso-key)\s+", re.IGNORECASE)
ANY_SCHEME = re.compile(r"[A-Za-z][\w-]{0,30} {1,4}(?=\S+\Z)")
LONGEST = 8_192
"""How much of a value is looked at; what belongs to a secret beyond that is taken with it."""

LONGEST_WORD = 1_024
LONGEST_NAME = 64
SHORTEST = 4


def named_span(name: str, value: str) -> tuple[int, int] | None:
    """The part of a value that is the secret its name announces: all of it, less an authorization scheme."""
    said = naming(name)
    if not said:
        return None
    scheme = (ANY_SCHEME if AUTHORIZATION.search(name) else SCHEME).match(value) or SCHEME.match(value)
    start = scheme.end() if scheme else 0
    if not LETTERS.sub("", value).lower().removeprefix(LETTERS.sub("", name).lower()).strip("x"):
        return None  # `X-GOOG-API-KEY-XXX` under that name
    return (start, len(value)) if is_secret(said, value[start:]) else None


def assigned(text: str) -> Iterator[Span]:
    """The values behind a telling name and an assignment sign, quoted or not; or behind an option."""
    yield from _said(text)
    at = 0
    for stem in _stems(text):
        found = ASSIGNMENT.match(text, stem) if stem >= at else None
        if found is None:
            continue
        stop = found.start("sep") if found["sep"] else found.start("gap")
        name = _name(text, found.start(), stop)
        at = max(found.start() + 1, stop)
        if naming(name):
            for span in _value(text, found, name):
                yield span
                at = max(at, span.end)


def _stems(text: str) -> list[int]:
    """Where a stem starts. Looking for each by itself is many times faster than for any."""
    fold = text.lower()
    if not text.isascii() and (len(fold) != len(text) or FOLDED.search(text)):
        return [found.start() for found in STEM.finditer(text)]
    places: set[int] = set()
    for stem in STEMS.split("|"):
        at = fold.find(stem)
        while at >= 0:
            places.add(at)
            at = fold.find(stem, at + 1)
    return sorted(places)


def _said(text: str) -> Iterator[Span]:
    """`the password is "..."`: only what mixes letters and digits, or is a number that may be one."""
    for stem in _stems(text) if VERB.search(text) else ():
        found = SAID.match(text, stem)
        if found is None:
            continue
        name = _name(text, found.start(), found.start("after"))
        said, value = naming(name), found["value"].rstrip(".,;:!?)")
        numeric = value.isdigit() and is_secret_number(said, value)
        if numeric or (is_secret(said, value) and not is_stand_in(value) and _mixes(value, name)):
            yield Span(found.start("value"), found.start("value") + len(value), RULE)


def _name(text: str, stem: int, stop: int) -> str:
    """The whole name around the stem that was met; with the word before it, where only both tell: `API key`."""
    before = NAME.search(text, max(0, stem - LONGEST_NAME), stem)
    start = before.start() if before else stem
    name = text[start:stop].rstrip(" \t\r\n\"'\\]")
    first = None if naming(name) else FIRST_WORD.search(text, max(0, start - LONGEST_NAME), start)
    return f"{first.group()}{name}" if first and naming(f"{first.group()}{name}") else name


def _value(text: str, found: re.Match[str], name: str) -> Iterator[Span]:
    if found["quote"]:
        end = _closing(text, found.end(), found["quote"])
        if end is not None and (found["sep"] or name.startswith("--")):
            yield from _quoted(found.end(), text[found.end() : end], name)
            return
    if found["sep"]:
        yield from _unquoted(text, found, name)
    elif name.startswith("--") and not found["quote"] and not text.startswith("-", found.end()):
        yield from _word(text, found.end(), name, strict=False)


def _closing(text: str, start: int, quote: str) -> int | None:
    """Where a quoted value ends; None where its line or the limit ends first."""
    limit = min(len(text), start + LONGEST)
    line = text.find("\n", start, limit)
    limit = limit if line < 0 else line
    at = text.find(quote, start, limit)
    while at > start and text[at - 1] == "\\":
        at = text.find(quote, at + 1, limit)
    return at if at >= 0 else None


def _quoted(start: int, raw: str, name: str) -> Iterator[Span]:
    if JOINT.match(raw):
        return
    view = unescaped(raw)
    span = named_span(name, view.text if view else raw)
    if span:
        begin, end = view.outer(*span) if view else span
        yield Span(start + begin, start + end, RULE)


def _unquoted(text: str, found: re.Match[str], name: str) -> Iterator[Span]:
    start, begin = found.end("sep"), found.start()
    start += len(text[start : start + 16]) - len(text[start : start + 16].lstrip(" \t"))
    query = text[max(0, begin - LONGEST_NAME) : begin]
    if found["sep"] == ":" and MANAGED.search(query):
        return
    if found["sep"] == "=" and re.search(r"[?&][\w.-]*\Z", query):
        yield from _parameter(text, start, name)
    elif found["sep"] == ":" and HEADER.search(name) and not _quote_before(text, found):
        yield from _header(text, start, name)
    else:
        spaced = text[found.start("sep") - 1].isspace() or text[found.end("sep") : start] != ""
        strict = found["sep"] != "=" or spaced
        yield from _word(text, start, name, strict=strict, closed=_quote_before(text, found))


def _quote_before(text: str, found: re.Match[str]) -> str:
    """The quote that closes the name, as a bare value would need it to become a JSON string."""
    closing = re.search(r"\\*\"\s*\Z", text[found.start() : found.start("sep")])
    return closing.group().rstrip() if closing and found["sep"] == ":" else ""


def _parameter(text: str, start: int, name: str) -> Iterator[Span]:
    value = QUERY.match(text, start, start + LONGEST)
    if value and is_secret(naming(name), unquote_plus(value.group())):
        yield Span(start, _whole(QUERY, text, value.end()), RULE, inner=f"?{name}")


def _header(text: str, start: int, name: str) -> Iterator[Span]:
    pattern = CREDENTIALS if AUTHORIZATION.search(name) else LINE
    line = pattern.match(text, start, start + LONGEST)
    value = line.group().rstrip() if line else ""
    span = named_span(name, value)
    if span and not (AUTHORIZATION.search(name) and PLAIN.fullmatch(value, span[0])):
        end = start + span[1]
        yield Span(start + span[0], _whole(LINE, text, end) if span[1] == LONGEST else end, RULE)


def _word(text: str, start: int, name: str, *, strict: bool, closed: str = "") -> Iterator[Span]:
    """A value without quotes: in prose and code only one that mixes letters and digits."""
    word = BARE.match(text, start, start + LONGEST_WORD)
    if not word or len(word.group()) < SHORTEST:
        return
    value, said = word.group().rstrip(".:!?"), naming(name)
    after = text[word.end() : word.end() + 1]
    if value.isdigit():
        wanted, quote = is_secret_number(said, value), closed
    else:
        strictly = strict or after in (",", ")")
        wanted, quote = not _is_code(name, value, after) and is_secret(said, value), ""
        wanted = wanted and (not strictly or _mixes(value, name))
    if wanted:
        end = start + len(value) if len(value) < LONGEST_WORD else _whole(BARE, text, word.end())
        yield Span(start, end, RULE, quote=quote)


def _is_code(name: str, value: str, after: str) -> bool:
    """Whether a word without quotes is a variable, a type or a call."""
    numbered = value.lower().startswith(name.lower()) and value[len(name) :].isalnum() and len(value) < len(name) + 3
    return after in ("(", "[") or numbered or is_stand_in(value) or IDENTIFIER.fullmatch(value) is not None


def _whole(pattern: re.Pattern[str], text: str, end: int) -> int:
    """Where a value ends that may go on behind the part that was looked at."""
    more = pattern.match(text, end)
    return more.end() if more else end


def _mixes(value: str, name: str) -> bool:
    if looks_random(value) or (PHRASE.search(name) and SEVERAL.fullmatch(value)):
        return True
    letters, digits = any(char.isalpha() for char in value), any(char.isdigit() for char in value)
    return len(value) >= 6 and letters and digits and not re.search(r"[/.]", value)

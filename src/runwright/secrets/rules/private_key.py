"""Private keys, whole or cut off before their end line."""

import re
from collections.abc import Iterator

from detect_secrets.plugins.base import RegexBasedDetector
from detect_secrets.plugins.private_key import PrivateKeyDetector

from runwright.secrets.rules.rule import BASE64, Rule, fill

KIND = r"(?:DSA |EC |OPENSSH |PGP |RSA |SSH2 |ENCRYPTED |ANY |SSH2 ENCRYPTED )?"
HEAD = re.compile(rf"(?:-{{2,5}} ?)?BEGIN {KIND}PRIVATE KEY(?: BLOCK)?(?: ?-{{2,5}})?")
PUTTY = re.compile(r"PuTTY-User-Key-File-[0-9]")
BODY = re.compile(
    r"""(?: \s | \\[rn]
    | [A-Za-z0-9+/=_-]{20,}
    | [A-Za-z0-9+/=]+ (?=[ \t]*(?:[\r\n"'\\] | -----END | $))
    | (?:Proc-Type|DEK-Info|Version|Comment|Hash|Charset):[ ][^\r\n\\"]{0,200}
    )*""",
    re.VERBOSE,
)
END = re.compile(r"-{2,5} ?END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)? ?-{2,5}")
PUTTY_BODY = re.compile(
    r"(?:[^\r\n]{0,200}(?:\r\n?|\n|$)){1,200}?(?=Private-MAC|Private-Hash|\Z)(?:Private-(?:MAC|Hash): ?[0-9a-f]+)?"
)
WINDOW = 65_536


class AnyPrivateKeyDetector(RegexBasedDetector):
    secret_type = "Private key"  # noqa: S105 # the name of a kind
    denylist = (HEAD, PUTTY)


def find(text: str) -> Iterator[tuple[int, int]]:
    """From the begin line to the end line, or as far as what follows looks like a key's body."""
    done = 0
    for head in HEAD.finditer(text):
        if head.end() <= done:
            continue
        body = BODY.match(text, head.end(), head.end() + WINDOW)
        stop = body.end() if body else head.end()
        end = END.match(text, stop)
        done = end.end() if end else head.end() + len(text[head.end() : stop].rstrip())
        yield head.start(), done
    for head in PUTTY.finditer(text):
        body = PUTTY_BODY.match(text, head.end(), head.end() + WINDOW)
        yield head.start(), body.end() if body else head.end()


def sure(block: str) -> bool:
    """A begin line that no body follows is only talk of a key."""
    return len(re.sub(r"BEGIN [A-Z0-9 ]*KEY|END [A-Z0-9 ]*KEY|[^A-Za-z0-9+/]", "", block)) >= 32


RULE = Rule(
    name="private-key",
    hint=r"begin (?:[a-z0-9]+ ){0,2}private key|putty-user-key-file",
    own=AnyPrivateKeyDetector,
    stock=(PrivateKeyDetector,),
    find=find,
    sure=sure,
    misses=("a file that starts with -----BEGIN PRIVATE KEY----- is one", "-----BEGIN PUBLIC KEY-----\n" + fill(64)),
    hits=(
        "-----BEGIN RSA PRIVATE "
        + "KEY-----\n"
        + fill(64, BASE64)
        + "\n"
        + fill(20, BASE64)
        + "==\n-----END RSA PRIVATE "
        + "KEY-----",
        "-----BEGIN OPENSSH PRIVATE " + "KEY-----\n" + fill(70, BASE64) + "\n" + fill(70, BASE64),
        "-----BEGIN PRIVATE " + "KEY----- " + fill(64, BASE64),
        "-----BEGIN EC PRIVATE " + "KEY-----\\n" + fill(64, BASE64) + "\\n-----END EC PRIVATE " + "KEY-----",
    ),
)

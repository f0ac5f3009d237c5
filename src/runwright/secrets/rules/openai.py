"""OpenAI keys of every prefix, and of the providers that took over its `sk-` form."""

import re
from collections.abc import Iterator

from detect_secrets.plugins.base import RegexBasedDetector
from detect_secrets.plugins.openai import OpenAIDetector

from runwright.secrets.rules.rule import HEX, Rule, credible, fill

MARK = "T3Blbk" + "FJ"
RUN = re.compile(r"[A-Za-z0-9_-]{20,}")
PREFIXED = re.compile(r"sk-(?:proj|svcacct|admin|service|None|or-v1|lf)-[A-Za-z0-9_-]{16,}|sk-[A-Za-z0-9]{20,}")


class OpenAIKeyDetector(RegexBasedDetector):
    secret_type = "OpenAI key"  # noqa: S105 # the name of a kind
    denylist = (re.compile(r"(?<![A-Za-z0-9])" + f"(?:{PREFIXED.pattern})"),)


def find(text: str) -> Iterator[tuple[int, int]]:
    """Keys by run of key characters: each run is looked at once, however often `sk-` is in it."""
    for run in RUN.finditer(text):
        word = run.group()
        at = word.find("sk-")
        if at < 0:
            continue
        if MARK in word[at:]:
            yield run.start() + at, run.end()
            continue
        while at >= 0:
            if (at == 0 or not word[at - 1].isalnum()) and (key := PREFIXED.match(word, at)):
                yield run.start() + at, run.start() + key.end()
                break
            at = word.find("sk-", at + 3)


def sure(key: str) -> bool:
    """A bare `sk-` key has digits among its letters; with another prefix it has its form already."""
    body = key[3:]
    return credible(key) and (not body.isalnum() or sum(char.isdigit() for char in body) >= 2)


RULE = Rule(
    name="openai-key",
    hint=r"sk-[a-z0-9_-]{17}",
    own=OpenAIKeyDetector,
    stock=(OpenAIDetector,),
    find=find,
    sure=sure,
    misses=(
        "sk-local-not-a-key",
        "task-" + fill(24).lower(),
        "sk-learn-pipelines-for-tabular-data",
        "sk-" + "x" * 48,
        "disk-usage-report-for-the-whole-machine",
    ),
    hits=(
        "sk-" + fill(20) + MARK + fill(20, seed=3),
        "sk-" + fill(48),
        "sk-proj-" + fill(120),
        "sk-svcacct-" + fill(60) + MARK + fill(50, seed=5),
        "sk-admin-" + fill(40),
        "sk-or-v1-" + fill(64, HEX),
        "sk-" + fill(32, HEX),
    ),
)

"""Google API keys, OAuth access tokens and client secrets."""

import re

from detect_secrets.plugins.base import RegexBasedDetector

from runwright.secrets.rules.rule import Rule, credible, fill


class GoogleKeyDetector(RegexBasedDetector):
    secret_type = "Google key"  # noqa: S105 # the name of a kind
    denylist = (
        re.compile(r"AIza[A-Za-z0-9_-]{35}"),
        re.compile(r"ya29\.[A-Za-z0-9_-]{20,}"),
        re.compile(r"GOCSPX-[A-Za-z0-9_-]{20,}"),
        re.compile(r"(?<![\w/])1//0[A-Za-z0-9_-]{30,}"),
    )


RULE = Rule(
    name="google-key",
    hint=r"aiza|ya29\.|gocspx-|1//0",
    own=GoogleKeyDetector,
    sure=credible,
    misses=("AIzaShort", "AIza" + "x" * 35),
    hits=("AIza" + fill(35), "?key=AIza" + fill(35), "ya29." + fill(60), "GOCSPX-" + fill(28)),
)

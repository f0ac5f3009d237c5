"""Slack tokens and webhooks of every kind."""

import re

from detect_secrets.plugins.base import RegexBasedDetector
from detect_secrets.plugins.slack import SlackDetector

from runwright.secrets.rules.rule import Rule, fill, mixed


class SlackAnyTokenDetector(RegexBasedDetector):
    secret_type = "Slack token"  # noqa: S105 # the name of a kind
    denylist = (
        re.compile(r"(?i:xox[abcdeoprs](?:\.xox[bp])?)-[A-Za-z0-9%+/=-]{10,}"),
        re.compile(r"(?i:xapp)-[0-9]-[A-Za-z0-9-]{20,}"),
        re.compile(
            r"hooks\.slack\.com/(?:services|workflows|triggers)/(?P<secret>[A-Za-z0-9_/+-]{20,})", re.IGNORECASE
        ),
    )


RULE = Rule(
    name="slack-token",
    hint=r"xox[a-z.]|xapp-|hooks\.slack\.com",
    own=SlackAnyTokenDetector,
    stock=(SlackDetector,),
    sure=mixed,
    misses=("xoxo-love-and-kisses", "xoxb-..."),
    hits=(
        "xoxb-" + "123456789012-" + fill(24),
        "xapp-" + "1-A0123-456-" + fill(32),
        "https://hooks.slack.com/services/" + "T0ABC/B0DEF/" + fill(24),
        "xoxe.xoxp-" + "1-" + fill(40),
    ),
)

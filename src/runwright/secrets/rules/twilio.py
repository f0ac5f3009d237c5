"""Twilio account and API key identifiers."""

import re

from detect_secrets.plugins.base import RegexBasedDetector
from detect_secrets.plugins.twilio import TwilioKeyDetector

from runwright.secrets.rules.rule import HEX, Rule, credible, fill


class TwilioSidDetector(RegexBasedDetector):
    secret_type = "Twilio key"  # noqa: S105 # the name of a kind
    denylist = (re.compile(r"(?<![A-Za-z0-9])(?:AC|SK)[a-f0-9]{32}(?![A-Za-z0-9])"),)


def sure(sid: str) -> bool:
    """Real ones are hexadecimal; inside a longer word it is chance."""
    return credible(sid) and re.fullmatch(r"[0-9a-f]{32}", sid[2:]) is not None


RULE = Rule(
    name="twilio-key",
    hint=r"ac[a-z0-9]{32}|sk[a-z0-9]{32}",
    raw=r"(?-i:(?:AC|SK)[a-z0-9]{32})",
    own=TwilioSidDetector,
    stock=(TwilioKeyDetector,),
    sure=sure,
    misses=("AC" + fill(32, "ghijklmn"), "SKU-0001"),
    hits=("AC" + fill(32, HEX), "SK" + fill(32, HEX, 5)),
)

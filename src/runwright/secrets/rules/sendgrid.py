"""SendGrid API keys."""

import re

from detect_secrets.plugins.base import RegexBasedDetector
from detect_secrets.plugins.sendgrid import SendGridDetector

from runwright.secrets.rules.rule import Rule, credible, fill


class SendGridAnyKeyDetector(RegexBasedDetector):
    secret_type = "SendGrid key"  # noqa: S105 # the name of a kind
    denylist = (re.compile(r"SG\.[A-Za-z0-9_-]{16,32}\.[A-Za-z0-9_-]{30,64}"),)


RULE = Rule(
    name="sendgrid-key",
    hint=r"sg\.[a-z0-9_-]{16}",
    own=SendGridAnyKeyDetector,
    stock=(SendGridDetector,),
    sure=credible,
    misses=("SG.short.short", "msg.content_of_the_message.text"),
    hits=("SG." + fill(22) + "." + fill(43),),
)

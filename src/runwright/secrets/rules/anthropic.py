"""Anthropic API, admin, session and OAuth keys."""

import re

from detect_secrets.plugins.base import RegexBasedDetector

from runwright.secrets.rules.rule import Rule, credible, fill


class AnthropicKeyDetector(RegexBasedDetector):
    secret_type = "Anthropic key"  # noqa: S105 # the name of a kind
    denylist = (re.compile(r"sk-ant-[A-Za-z0-9_-]{16,}"),)


RULE = Rule(
    name="anthropic-key",
    hint=r"sk-ant-",
    own=AnthropicKeyDetector,
    sure=credible,
    misses=("sk-ant-", "sk-ant-api03-...", "sk-ant-" + "your-key-goes-here-please", "sk-ant-" + "x" * 40),
    hits=("sk-ant-" + "api03-" + fill(93), "sk-ant-" + "admin01-" + fill(80), "x=sk-ant-" + "oat01-" + fill(40) + "."),
)

"""Hugging Face user and organisation tokens."""

import re

from detect_secrets.plugins.base import RegexBasedDetector

from runwright.secrets.rules.rule import Rule, credible, fill


class HuggingFaceTokenDetector(RegexBasedDetector):
    secret_type = "Hugging Face token"  # noqa: S105 # the name of a kind
    denylist = (re.compile(r"(?<![A-Za-z0-9])(?:hf|api_org)_[A-Za-z0-9]{30,}"),)


RULE = Rule(
    name="huggingface-token",
    hint=r"hf_[a-z0-9]{30}|api_org_",
    own=HuggingFaceTokenDetector,
    sure=credible,
    misses=("hf_hub_download", "hf_" + "x" * 34),
    hits=("hf_" + fill(34), "HF_TOKEN=hf_" + fill(37), "api_org_" + fill(34)),
)

"""Stripe keys, live and test, standard and restricted, and webhook secrets."""

import re

from detect_secrets.plugins.base import RegexBasedDetector
from detect_secrets.plugins.stripe import StripeDetector

from runwright.secrets.rules.rule import Rule, credible, fill


class StripeAnyKeyDetector(RegexBasedDetector):
    secret_type = "Stripe key"  # noqa: S105 # the name of a kind
    denylist = (re.compile(r"[rs]k_(?:live|test)_[A-Za-z0-9]{16,}"), re.compile(r"whsec_[A-Za-z0-9+/=]{24,}"))


RULE = Rule(
    name="stripe-key",
    hint=r"rk_live_|rk_test_|sk_live_|sk_test_|whsec_",
    own=StripeAnyKeyDetector,
    stock=(StripeDetector,),
    sure=credible,
    misses=("sk_live_", "risk_test_results", "sk_test_" + "x" * 24),
    hits=("sk_live_" + fill(24), "rk_live_" + fill(24), "sk_test_" + fill(99), "whsec_" + fill(32)),
)

"""AWS access keys, and the secret beside one."""

import re

from detect_secrets.plugins.aws import AWSKeyDetector
from detect_secrets.plugins.base import RegexBasedDetector

from runwright.secrets.rules.rule import BASE64, UPPER, Rule, credible, fill


class AwsSecretBesideKeyDetector(RegexBasedDetector):
    secret_type = "AWS secret key"  # noqa: S105 # the name of a kind
    denylist = (
        re.compile(
            r"(?:AKIA|ASIA)[0-9A-Z]{16}(?![0-9A-Za-z])[^\x01]{1,60}?(?<![A-Za-z0-9/+])(?P<secret>[A-Za-z0-9/+]{40})(?![A-Za-z0-9/+=])"
        ),
    )


RULE = Rule(
    name="aws-key",
    hint=(
        r"a3t[0-9a-z]{17}|abia[0-9a-z]{16}|acca[0-9a-z]{16}|akia[0-9a-z]{16}|asia[0-9a-z]{16}|"
        r"aws.{0,50}['\"][0-9a-z/+]{40}['\"]"
    ),
    raw=r"(?:a3t[0-9a-z]|abia|acca|akia|asia)[0-9a-z]{16}|aws[^\x00]*['\"][0-9a-z/+]{40}\\*['\"]",
    own=AwsSecretBesideKeyDetector,
    stock=(AWSKeyDetector,),
    stock_group=1,
    sure=credible,
    whole=True,
    misses=("AKIASHORT", "ASIA-PACIFIC", "gAhg" + "AKIA" + fill(40, UPPER)),
    hits=(
        "AKIA" + fill(16, UPPER),
        "ASIA" + fill(16, UPPER),
        f"aws_secret_access_key = {fill(40, BASE64)!r}",
        "AKIA" + fill(16, UPPER) + " / " + fill(40, BASE64),
    ),
)

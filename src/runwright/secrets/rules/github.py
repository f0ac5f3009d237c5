"""GitHub tokens, classic and fine-grained."""

import re

from detect_secrets.plugins.base import RegexBasedDetector
from detect_secrets.plugins.github_token import GitHubTokenDetector

from runwright.secrets.rules.rule import Rule, credible, fill


class GitHubFineGrainedDetector(RegexBasedDetector):
    secret_type = "GitHub token"  # noqa: S105 # the name of a kind
    denylist = (re.compile(r"github_pat_[A-Za-z0-9_]{22,}"), re.compile(r"gh[pousr]_[A-Za-z0-9_]{36,}"))


RULE = Rule(
    name="github-token",
    hint=r"github_pat_|gh[pousr]_[a-z0-9_]{20}",
    own=GitHubFineGrainedDetector,
    stock=(GitHubTokenDetector,),
    sure=credible,
    misses=("ghp_short", "github_pat_" + "x" * 40, "ghs_install_the_app"),
    hits=("ghp_" + fill(36), "ghs_" + fill(36), "github_pat_" + fill(22) + "_" + fill(59), "token=gho_" + fill(40)),
)

"""GitLab tokens of every kind."""

import re

from detect_secrets.plugins.base import RegexBasedDetector
from detect_secrets.plugins.gitlab_token import GitLabTokenDetector

from runwright.secrets.rules.rule import Rule, credible, fill


class GitLabAnyTokenDetector(RegexBasedDetector):
    secret_type = "GitLab token"  # noqa: S105 # the name of a kind
    denylist = (
        re.compile(
            r"gl(?:pat|dt|ft|soat|rt|cbt|imt|ptt|agent|oas|rtr|wt|ffct)-[A-Za-z0-9_-]{20,}(?:\.[a-z0-9]{2}\.[a-z0-9]{9})?"
        ),
    )


RULE = Rule(
    name="gitlab-token",
    hint=r"gl(?:pat|dt|ft|soat|rt|cbt|imt|ptt|agent|oas|rtr|wt|ffct)-|gr1348941",
    own=GitLabAnyTokenDetector,
    stock=(GitLabTokenDetector,),
    sure=credible,
    misses=("glpat-short", "glrt-" + "x" * 20),
    hits=("glpat-" + fill(20), "gldt-" + fill(20), "GR1348941" + fill(20), "glptt-" + fill(40), "glagent-" + fill(50)),
)

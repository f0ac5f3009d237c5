"""Passwords in command lines, where an option of one letter stands for the name."""

import re

from detect_secrets.plugins.base import RegexBasedDetector

from runwright.secrets.rules.rule import Rule, fill
from runwright.secrets.values import is_stand_in

FETCH = "(?:curl|wget|https?|xh)"
WORD = r"[^\s\"'`\\|;&<>$(){}]"


class CommandPasswordDetector(RegexBasedDetector):
    secret_type = "Password in a command"  # noqa: S105 # the name of a kind
    denylist = (
        re.compile(
            rf"\b(?:curl|wget|http|https|xh)\b[^\n|;]{{0,300}}?\s(?:-u|--user|--proxy-user|-a|--auth)[ =]?[\"']?"
            rf"[\w.@+-]{{1,64}}:(?P<secret>{WORD}{{4,256}})"
        ),
        re.compile(rf"\bsshpass\b[^\n|;]{{0,80}}?\s-p ?[\"']?(?P<secret>{WORD}{{4,256}})"),
        re.compile(
            rf"\b(?:mysql|mysqldump|mysqladmin|mariadb)\b[^\n|;]{{0,200}}?\s-p[\"']?(?P<secret>{WORD}{{4,256}})"
        ),
        re.compile(
            r"\b(?:docker|podman|helm|oc|az|nerdctl|skopeo)\b[^\n|;]{0,80}?\blogin\b[^\n|;]{0,200}?\s-p[ =]?[\"']?"
            rf"(?P<secret>{WORD}{{4,256}})"
        ),
        re.compile(rf"\bredis-cli\b[^\n|;]{{0,200}}?\s-a[ =]?[\"']?(?P<secret>{WORD}{{4,256}})"),
    )


def sure(password: str) -> bool:
    """Not what a manual writes in its place, and no other option."""
    return not is_stand_in(password) and not password.startswith("-") and password.lower() not in ("pass", "pswd")


RULE = Rule(
    name="command-password",
    hint=FETCH + r".*(?:-u|--user|--proxy-user|-a|--auth)|sshpass|mysql|mariadb|login|redis-cli",
    raw=FETCH + r"\s(?:.*\s)?(?:-u|--user|--proxy-user|-a|--auth)|sshpass|(?:mysql|mariadb|login).*\s-p|redis-cli",
    own=CommandPasswordDetector,
    sure=sure,
    misses=(
        "curl -u user:password https://example.com",
        "curl -u $USER:$TOKEN https://example.com",
        "docker login -u bob --password-stdin",
        "docker login -u bob -p $PASSWORD",
        "docker run -p 8080:80 nginx",
        "mysql -u root -p orders",
        "sshpass -p <password> ssh bob@host",
        "http --auth user:pass example.com",
        "see https://example.com -a manual of login -p options",
    ),
    hits=(
        "curl -u bob:" + fill(12) + " https://example.com",
        "curl -s --user 'svc:" + fill(9) + "' https://example.com/x",
        "sshpass -p " + fill(10) + " ssh bob@host",
        "mysql -u root -p" + fill(10) + " orders",
        "docker login -u bob -p " + fill(20) + " registry.example.com",
        "redis-cli -h cache -a " + fill(16) + " ping",
    ),
)

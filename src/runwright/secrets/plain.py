"""Whether a text is so plain that no secret can be in it, told without the rules, which take long to load.

It asks for less than any rule does, so what it says is plain is clean; what it does not say, the rules decide.
"""

from __future__ import annotations

import re

from runwright.secrets.vocabulary import STEMS

FORMS: dict[str, tuple[str, ...]] = {
    r"begin (?:[a-z0-9]+ ){0,2}private key|putty-user-key-file": ("private key", "putty-user-key-file"),
    r"sk-ant-": ("sk-ant-",),
    r"sk-[a-z0-9_-]{17}": ("sk-",),
    r"github_pat_|gh[pousr]_[a-z0-9_]{20}": ("github_pat_", "ghp_", "gho_", "ghu_", "ghs_", "ghr_"),
    r"gl(?:pat|dt|ft|soat|rt|cbt|imt|ptt|agent|oas|rtr|wt|ffct)-|gr1348941": ("gl", "gr1348941"),
    r"aiza|ya29\.|gocspx-|1//0": ("aiza", "ya29.", "gocspx-", "1//0"),
    r"hf_[a-z0-9]{30}|api_org_": ("hf_", "api_org_"),
    r"(?:a3t[0-9a-z]|abia|acca|akia|asia)[0-9a-z]{16}|aws[^\x00]*['\"][0-9a-z/+]{40}\\*['\"]": (
        "a3t", "abia", "acca", "akia", "asia", "aws",
    ),
    r"accountkey=|sharedaccesskey=|7q~|8q~": ("accountkey=", "sharedaccesskey=", "7q~", "8q~"),
    r"xox[a-z.]|xapp-|hooks\.slack\.com": ("xox", "xapp-", "hooks.slack.com"),
    r"rk_live_|rk_test_|sk_live_|sk_test_|whsec_": ("rk_live_", "rk_test_", "sk_live_", "sk_test_", "whsec_"),
    r"sg\.[a-z0-9_-]{16}": ("sg.",),
    r"(?-i:(?:AC|SK)[a-z0-9]{32})": ("ac", "sk"),
    r"npm_[a-z0-9]{20}|_authtoken": ("npm_", "_authtoken"),
    r"pypi-ag": ("pypi-ag",),
    r"gsk_|xai-|pplx-|r8_|tvly-|lsv2_|sk-lf-|pcsk_|dop_v1_|dckr_|shp(?:at|ca|pa|ss)_|lin_api_|ntn_|secret_[a-z0-9]{43}|"
    r"glsa_|hv[sbr]\.|age-secret-key|sntry[su]_|pmak-|atatt3|dapi[a-f0-9]{32}|ph[cx]_|fo1_|sbp_|figd_": (
        "gsk_", "xai-", "pplx-", "r8_", "tvly-", "lsv2_", "sk-lf-", "pcsk_", "dop_v1_", "dckr_", "shpat_",
        "shpca_", "shppa_", "shpss_", "lin_api_", "ntn_", "secret_", "glsa_", "hvs.", "hvb.", "hvr.", "age-secret-key",
        "sntrys_", "sntryu_", "pmak-", "atatt3", "dapi", "phc_", "phx_", "fo1_", "sbp_", "figd_",
    ),
    r"(?-i:eyJ)": ("eyj",),
    r"(?-i:AKC[a-zA-Z0-9]{10}|(?:^|[\s=:\"\\]|\\[nrt])AP[0-9A-F][a-zA-Z0-9]{8})": ("akc", "ap"),
    r"\.[a-z0-9_-]{6}\.[a-z0-9_-]{27}": (".",),
    r"[0-9a-z]{32}-us[0-9]": ("-us",),
    r"sq0csp-": ("sq0csp-",),
    r"[0-9]{8}:[0-9a-z_-]{35}": (":",),
    r"(?:key|pwd|pw|password|pass|token)[^0-9a-z]+[0-9a-z_-]{12}[0-9a-z_-]{12}|cloudant\.com|api\.softlayer\.com": (
        "key", "pw", "pass", "token", "cloudant.com", "api.softlayer.com",
    ),
    r"basic(?:\s|[^\x00-\x7f]|\\[nrtbf]|\+)+[a-z0-9+/_-]{6}": ("basic",),
    r"bearer": ("bearer",),
    r"://[^\s/]*@": ("://",),
    r"x-amz-(?:signature|security-token)=|x-goog-signature=|sig=|signature=|policy=|hmac=": (
        "x-amz-", "signature=", "sig=", "policy=", "hmac=",
    ),
    r"(?:curl|wget|https?|xh)\s(?:.*\s)?(?:-u|--user|--proxy-user|-a|--auth)|sshpass|(?:mysql|mariadb|login).*\s-p|"
    r"redis-cli": ("curl", "wget", "http", "xh", "sshpass", "mysql", "mariadb", "login", "redis-cli"),
}  # fmt: skip
"""What a rule asks for, and texts of which one is in whatever it matches: searching for those is many times faster."""

UNSEEN = ("\\", "%", "[[", "--", "data:", "\n{", "\n[", '\n"')
"""What another reading, a redacted token, an option of a command line or a stream of events begins with."""

PLAIN = re.compile(r"[\n\x20-\x7e]*")
BLANKS = " " * 17
STEM = re.compile(STEMS)
BEFORE = re.compile(r"(?:(?P<first>[a-z]{2,16}) )?(?P<start>[\w.-]*)\Z", re.IGNORECASE)
AFTER = re.compile(r"[\w-]*")
LONGEST_NAME = 64
"""So much of a name is looked at before what tells."""


def is_plain(text: str) -> bool:
    """Whether a text, or JSON whose members' names tell nothing, holds no secret, whatever the rules look for."""
    if PLAIN.fullmatch(text) is None or any(each in text for each in UNSEEN):
        return False
    while BLANKS in text:
        text = text.replace(BLANKS, BLANKS[1:])
    fold = text.lower()
    return not (_formed(text, fold) or _named(text, fold) or _encoded(text))


def _formed(text: str, fold: str) -> bool:
    return any(
        any(each in fold for each in certain) and re.search(form, text, re.IGNORECASE) is not None
        for form, certain in FORMS.items()
    )


def _named(text: str, fold: str) -> bool:
    """Whether a name tells that what stands beside it is a secret, by itself or with the word before it."""
    stems = [(found.start(), found.end()) for found in STEM.finditer(fold)]
    if not stems:
        return False
    from runwright.secrets.names import naming

    for start, end in stems:
        before, after = BEFORE.search(text, max(0, start - 2 * LONGEST_NAME), start), AFTER.match(text, end)
        if before is None or after is None or len(before["start"]) >= LONGEST_NAME:
            return True
        name = f"{before['start']}{text[start:end]}{after.group()}"
        if naming(name) or (before["first"] and naming(f"{before['first']} {name}")):
            return True
    return False


def _encoded(text: str) -> bool:
    from runwright.secrets.base64_text import BASE64_RUN, text_of

    return any(text_of(found.group()) is not None for found in BASE64_RUN.finditer(text))

"""Azure storage and service bus keys, client secrets."""

import re

from detect_secrets.plugins.azure_storage_key import AzureStorageKeyDetector
from detect_secrets.plugins.base import RegexBasedDetector

from runwright.secrets.rules.rule import BASE64, Rule, credible, fill


class AzureKeyDetector(RegexBasedDetector):
    secret_type = "Azure key"  # noqa: S105 # the name of a kind
    denylist = (
        re.compile(r"(?:AccountKey|SharedAccessKey)=(?P<secret>[A-Za-z0-9+/]{40,}={0,2})"),
        re.compile(
            r"(?<![A-Za-z0-9_~.-])(?P<secret>[A-Za-z0-9_~.-]{3}[78]Q~[A-Za-z0-9_~.-]{31,34})(?!\.?[A-Za-z0-9_~-])"
        ),
    )


RULE = Rule(
    name="azure-key",
    hint=r"accountkey=|sharedaccesskey=|7q~|8q~",
    own=AzureKeyDetector,
    stock=(AzureStorageKeyDetector,),
    sure=credible,
    misses=("AccountKey=<key>", "an AccountKey is needed"),
    hits=(
        "AccountName=a;AccountKey=" + fill(86, BASE64) + "==;EndpointSuffix=core.windows.net",
        "SharedAccessKey=" + fill(43, BASE64) + "=",
        fill(3) + "8Q~" + fill(34),
        "it is " + fill(3) + "7Q~" + fill(34) + ".",
    ),
)

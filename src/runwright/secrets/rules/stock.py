"""detect-secrets' plugins that need nothing of ours beside them."""

import re
from collections.abc import Iterator

from detect_secrets.plugins.artifactory import ArtifactoryDetector
from detect_secrets.plugins.cloudant import CloudantDetector
from detect_secrets.plugins.discord import DiscordBotTokenDetector
from detect_secrets.plugins.ibm_cloud_iam import IbmCloudIamDetector
from detect_secrets.plugins.ibm_cos_hmac import IbmCosHmacDetector
from detect_secrets.plugins.ip_public import IPPublicDetector
from detect_secrets.plugins.mailchimp import MailchimpDetector
from detect_secrets.plugins.softlayer import SoftlayerDetector
from detect_secrets.plugins.square_oauth import SquareOAuthDetector
from detect_secrets.plugins.telegram_token import TelegramBotTokenDetector

from runwright.secrets.rules.rule import HEX, LOWER, Rule, credible, fill, mixed

ASSIGNED = (
    r"(?:key|pwd|pw|password|pass|token)[\"'\]]{0,3} {0,16}[=:> ]{1,2} {0,16}[\"']?[0-9a-z_-]{24}|"
    r"cloudant\.com|api\.softlayer\.com"
)
RAW = r"(?:key|pwd|pw|password|pass|token)[^0-9a-z]+[0-9a-z_-]{12}[0-9a-z_-]{12}|cloudant\.com|api\.softlayer\.com"
"""What the plugins for an assigned key of a fixed length have in common."""


def sure_telegram(token: str) -> bool:
    """A bot's secret has capitals; a digest after a port or an id has none."""
    return mixed(token) and not re.fullmatch(r"[0-9a-f:]+", token)


def sure_discord(token: str) -> bool:
    """Dotted names in code have the shape too, but no digits in every part."""
    return all(re.search(r"[0-9]", part) and re.search(r"[A-Z]", part) for part in token.split(".")[::2])


ARTIFACTORY_TOKEN = re.compile(r"(?<![^\s=:\"])(?:AKC[a-zA-Z0-9]{10,}|AP[\dABCDEF][a-zA-Z0-9]{8,})(?=[\s\"]|\Z)")


def find_artifactory(text: str) -> Iterator[tuple[int, int]]:
    """As the plugin, less the delimiters that its match takes in."""
    yield from (found.span() for found in ARTIFACTORY_TOKEN.finditer(text))


ARTIFACTORY = Rule(
    name="artifactory-token",
    hint=r"akc[a-z0-9]{10}|ap[0-9a-f][a-z0-9]{8}",
    raw=r"(?-i:AKC[a-zA-Z0-9]{10}|(?:^|[\s=:\"\\]|\\[nrt])AP[0-9A-F][a-zA-Z0-9]{8})",
    stock=(ArtifactoryDetector,),
    find=find_artifactory,
    sure=mixed,
    misses=("APACHESERVERS", "AKCELERATION"),
    hits=("AKC" + fill(70), 'x="AP6' + fill(40) + '"'),
)
DISCORD = Rule(
    name="discord-token",
    hint=r"\.[a-z0-9_-]{6}\.[a-z0-9_-]{27}",
    stock=(DiscordBotTokenDetector,),
    sure=sure_discord,
    misses=("ModuleForLongIdentifiersX.helper.a_function_with_a_long_name_here",),
    hits=("MTk4N1" + fill(18) + "." + fill(6) + "." + "aB3" + fill(24),),
)
MAILCHIMP = Rule(
    name="mailchimp-key",
    hint=r"-us[0-9]",
    raw=r"[0-9a-z]{32}-us[0-9]",
    stock=(MailchimpDetector,),
    sure=credible,
    misses=("bucket-us1", "en-us10"),
    hits=(fill(32, HEX) + "-us12",),
)
SQUARE = Rule(
    name="square-secret",
    hint=r"sq0csp-",
    stock=(SquareOAuthDetector,),
    hits=("sq0csp-" + fill(43),),
    misses=("sq0csp-x",),
)
TELEGRAM = Rule(
    name="telegram-token",
    hint=r"[0-9]{8}:[0-9a-z_-]{35}",
    stock=(TelegramBotTokenDetector,),
    sure=sure_telegram,
    misses=("12345678:" + fill(64, HEX), "10:15:30"),
    hits=("123456789:" + "AAH" + fill(32),),
)
CLOUDANT = Rule(
    name="cloudant-key",
    hint=ASSIGNED,
    raw=RAW,
    stock=(CloudantDetector,),
    stock_group=1,
    misses=("cl_key = short",),
    hits=(f"cloudant_apikey: {fill(64, HEX)!r}",),
)
SOFTLAYER = Rule(
    name="softlayer-key",
    hint=ASSIGNED,
    raw=RAW,
    stock=(SoftlayerDetector,),
    stock_group=1,
    misses=("sl_key = short",),
    hits=("softlayer_key=" + fill(64, LOWER),),
)
IBM_IAM = Rule(
    name="ibm-iam-key",
    hint=ASSIGNED,
    raw=RAW,
    stock=(IbmCloudIamDetector,),
    stock_group=1,
    sure=mixed,
    misses=("token: a-word-in-kebab-case-that-is-rather-long-indeed",),
    hits=("ibm_cloud_api_key=" + fill(44),),
)
IBM_COS = Rule(
    name="ibm-cos-key",
    hint=ASSIGNED,
    raw=RAW,
    stock=(IbmCosHmacDetector,),
    stock_group=1,
    sure=credible,
    misses=("secret_access_key: short",),
    hits=("cos_hmac_secret_access_key=" + fill(48, HEX),),
)
PUBLIC_IP = Rule(
    name="public-ip",
    hint=r"[0-9]\.[0-9]{1,3}\.[0-9]{1,3}\.[0-9]",
    stock=(IPPublicDetector,),
    stock_group=1,
    review=True,
    misses=("10.0.0.1", "version 1.2.3"),
    hits=("8.8.4.4:53",),
)

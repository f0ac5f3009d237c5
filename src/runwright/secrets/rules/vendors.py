"""Keys that their own prefix gives away, of the services agents call most."""

import re

from detect_secrets.plugins.base import RegexBasedDetector

from runwright.secrets.rules.rule import HEX, UPPER, Rule, credible, fill

PREFIXES = (
    r"gsk_[A-Za-z0-9]{40,}",  # Groq
    r"xai-[A-Za-z0-9]{40,}",
    r"pplx-[A-Za-z0-9]{40,}",  # Perplexity
    r"r8_[A-Za-z0-9]{30,}",  # Replicate
    r"tvly-[A-Za-z0-9-]{24,}",  # Tavily
    r"lsv2_(?:pt|sk)_[a-f0-9]{32}_[a-f0-9]{10}",  # LangSmith
    r"sk-lf-[a-f0-9-]{36}",  # Langfuse
    r"pcsk_[A-Za-z0-9_]{40,}",  # Pinecone
    r"dop_v1_[a-f0-9]{64}",  # DigitalOcean
    r"dckr_(?:pat|oat)_[A-Za-z0-9_-]{24,}",
    r"shp(?:at|ca|pa|ss)_[a-fA-F0-9]{32}",  # Shopify
    r"lin_api_[A-Za-z0-9]{32,}",  # Linear
    r"(?:ntn|secret)_[A-Za-z0-9]{43,}",  # Notion
    r"glsa_[A-Za-z0-9]{32}_[a-fA-F0-9]{8}",  # Grafana
    r"hv[sbr]\.[A-Za-z0-9_-]{24,}",  # Vault
    r"AGE-SECRET-KEY-1[A-Z0-9]{58}",
    r"sntry[su]_[A-Za-z0-9+/=_-]{40,}",  # Sentry
    r"PMAK-[a-f0-9]{24}-[a-f0-9]{34}",  # Postman
    r"ATATT3[A-Za-z0-9_=-]{60,}",  # Atlassian
    r"dapi[a-f0-9]{32}(?:-\d)?",  # Databricks
    r"phc_[A-Za-z0-9]{40,}|phx_[A-Za-z0-9]{40,}",  # PostHog
    r"fo1_[A-Za-z0-9_-]{40,}",  # Fly
    r"sbp_[a-f0-9]{40}",  # Supabase
    r"figd_[A-Za-z0-9_-]{40,}",
)


class VendorKeyDetector(RegexBasedDetector):
    secret_type = "Vendor key"  # noqa: S105 # the name of a kind
    denylist = (re.compile(r"(?<![A-Za-z0-9_])(?:" + "|".join(PREFIXES) + ")"),)


RULE = Rule(
    name="vendor-key",
    hint=(
        r"gsk_|xai-|pplx-|r8_|tvly-|lsv2_|sk-lf-|pcsk_|dop_v1_|dckr_|shp(?:at|ca|pa|ss)_|lin_api_|ntn_|secret_[a-z0-9]{43}|"
        r"glsa_|hv[sbr]\.|age-secret-key|sntry[su]_|pmak-|atatt3|dapi[a-f0-9]{32}|ph[cx]_|fo1_|sbp_|figd_"
    ),
    own=VendorKeyDetector,
    sure=credible,
    misses=("secret_manager_client_for_the_whole_project", "r8_release", "gsk_" + "x" * 52),
    hits=(
        "gsk_" + fill(52),
        "xai-" + fill(80),
        "r8_" + fill(37),
        "lsv2_pt_" + fill(32, HEX) + "_" + fill(10, HEX),
        "dop_v1_" + fill(64, HEX),
        "shpat_" + fill(32, HEX),
        "ntn_" + fill(46),
        "hvs." + fill(90),
        "AGE-SECRET-KEY-1" + fill(58, UPPER),
        "dapi" + fill(32, HEX),
    ),
)

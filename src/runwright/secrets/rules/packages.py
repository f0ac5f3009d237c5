"""Package registries: npm and PyPI."""

import re
from collections.abc import Iterator

from detect_secrets.plugins.base import RegexBasedDetector
from detect_secrets.plugins.npm import NpmDetector
from detect_secrets.plugins.pypi_token import PypiTokenDetector

from runwright.secrets.rules.rule import HEX, Rule, credible, fill


class NpmTokenDetector(RegexBasedDetector):
    secret_type = "npm token"  # noqa: S105 # the name of a kind
    denylist = (
        re.compile(r"(?<![A-Za-z0-9])(?P<secret>npm_[A-Za-z0-9]{36,})"),
        re.compile(r"/:_authToken=\s{0,16}(?P<secret>npm_[^\s\"']+|[A-Fa-f0-9-]{36})"),
    )


def find_npm(text: str) -> Iterator[tuple[int, int]]:
    """As the plugins, less the stock one's `//.+` before the key, which is not linear."""
    for pattern in NpmTokenDetector.denylist:
        yield from (found.span("secret") for found in pattern.finditer(text))


class PypiAnyTokenDetector(RegexBasedDetector):
    secret_type = "PyPI token"  # noqa: S105 # the name of a kind
    denylist = (re.compile(r"pypi-Ag[A-Za-z0-9_-]{30,}"),)


NPM = Rule(
    name="npm-token",
    hint=r"npm_[a-z0-9]{20}|_authtoken",
    own=NpmTokenDetector,
    stock=(NpmDetector,),
    find=find_npm,
    sure=credible,
    misses=("npm_config_registry_of_the_whole_organisation", "//registry.npmjs.org/:_authToken=${NPM_TOKEN}"),
    hits=("npm_" + fill(36), "//registry.npmjs.org/:_authToken=" + fill(36, HEX)),
)
PYPI = Rule(
    name="pypi-token",
    hint=r"pypi-ag",
    own=PypiAnyTokenDetector,
    stock=(PypiTokenDetector,),
    sure=credible,
    misses=("pypi-agent", "pypi-package-index-mirror"),
    hits=("pypi-" + "AgEIcHlwaS5vcmc" + fill(80), "pypi-" + "AgENdGVzdC5weXBpLm9yZw" + fill(80)),
)

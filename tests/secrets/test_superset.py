"""Whatever detect-secrets' own regular expressions find on a leaf, we find there too (some of it for review only)."""

import os
import re

import pytest
from detect_secrets.plugins.base import RegexBasedDetector
from detect_secrets.plugins.jwt import JwtTokenDetector
from hypothesis import HealthCheck, given, settings, strategies as st
from scripts.gate.samples import values

from runwright.secrets import scan_text
from runwright.secrets.leaves import leaves
from runwright.secrets.prefilter import candidates, folded
from runwright.secrets.rules import RULES
from tests.samples import samples_dir
from tests.secrets.planted import NAMED, TYPED
from tests.secrets.test_benign import TEXTS

DEEP = bool(os.environ.get("RUNWRIGHT_FUZZ"))
STOCK: list[type[RegexBasedDetector]] = sorted(
    {plugin for rule in RULES for plugin in rule.stock}, key=lambda plugin: plugin.__name__
)
PLANTED = [text for _, text in TYPED.values()] + [text for rule in RULES for text in rule.hits]


def stock_spans(text: str) -> list[tuple[str, int, int]]:
    """(plugin, start, end) of every match that the plugin itself would report."""
    found = []
    for plugin in STOCK:
        for pattern in plugin.denylist:
            for match in pattern.finditer(text):
                if plugin is JwtTokenDetector and not JwtTokenDetector.is_formally_valid(match.group()):
                    continue
                found.append((plugin.__name__, *match.span()))
    return found


def missed(text: str) -> list[tuple[str, str]]:
    ours = scan_text(text, review=True)
    return [
        (plugin, text[start:end])
        for plugin, start, end in stock_spans(text)
        if not any(span.start < end and start < span.end for span in ours)
    ]


def test_all_of_its_regex_plugins_are_in_the_table() -> None:
    import pkgutil

    import detect_secrets.plugins as package

    for module in pkgutil.iter_modules(package.__path__):
        __import__(f"{package.__name__}.{module.name}")
    every = {
        plugin for plugin in RegexBasedDetector.__subclasses__() if plugin.__module__.startswith("detect_secrets.")
    }
    assert set(STOCK) == every


@pytest.mark.parametrize("text", PLANTED, ids=range(len(PLANTED)))
def test_on_planted_texts(text: str) -> None:
    assert missed(text) == []
    assert missed(f'x = "{text}" # pragma: allowlist secret') == []


def test_the_comparison_is_not_empty() -> None:
    seen = {plugin for text in PLANTED for plugin, _, _ in stock_spans(f'k = "{text}"')}
    assert seen == {plugin.__name__ for plugin in STOCK}


def test_on_benign_texts() -> None:
    assert [miss for text in TEXTS for miss in missed(text)] == []


def test_on_strings_of_real_samples() -> None:
    files = [path for path in sorted(samples_dir().rglob("*.json*")) if path.stat().st_size < 100_000]
    texts: set[str] = set()
    for path in files[::9]:
        for value in values(path):
            texts.update(leaf.text for leaf in leaves(value) if 16 <= len(leaf.text) <= 2_000)
    chosen = sorted(texts)[:: 1 if DEEP else max(1, len(texts) // 400)]
    assert len(chosen) > 300
    assert [miss for text in chosen for miss in missed(text)] == []


ODD = st.sampled_from(
    ["\u017f", "\u212a", "\u0130", "\u0131", "\n", "\t", " ", '"', "'", "=", ":", "_id", "é", "\ud800", "-"]
)
PIECE = st.one_of(
    st.sampled_from(PLANTED),
    st.sampled_from([f"{key}: {value!r}" for key, value in NAMED.values()]),
    ODD,
    st.text(max_size=6),
    st.sampled_from(PLANTED).flatmap(lambda text: st.integers(1, len(text)).map(lambda cut: text[:cut])),
    st.sampled_from(PLANTED).map(str.upper),
    st.sampled_from(PLANTED).map(str.swapcase),
    st.sampled_from(PLANTED).map(lambda text: text.replace("s", "\u017f").replace("k", "\u212a")),
)


@settings(max_examples=8_000 if DEEP else 300, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(PIECE, min_size=1, max_size=5).map("".join))
def test_on_mutated_texts(text: str) -> None:
    assert missed(text) == []


@settings(max_examples=200, deadline=None)
@given(st.lists(PIECE, min_size=1, max_size=4).map("".join))
def test_hints_say_the_same_with_and_without_re2(text: str) -> None:
    fold = folded(text)
    plain = [rule.name for rule in RULES if re.compile(rule.hint).search(fold)]
    assert [rule.name for rule in candidates(fold, review=True)] == plain

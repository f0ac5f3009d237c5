import re

import pytest

from runwright.secrets.prefilter import candidates, folded
from runwright.secrets.rules import RULES
from runwright.secrets.scan import scan_text

CASES = [(rule, text) for rule in RULES for text in rule.misses]
HITS = [(rule, text) for rule in RULES for text in rule.hits]


def ids(cases: list) -> list[str]:
    return [f"{rule.name}-{at}" for at, (rule, _) in enumerate(cases)]


def test_every_rule_has_a_name_of_its_own_and_cases_both_ways() -> None:
    assert len({rule.name for rule in RULES}) == len(RULES)
    assert all(rule.misses and rule.hits for rule in RULES)
    assert all(re.fullmatch(r"[a-z][a-z0-9-]{0,39}", rule.name) for rule in RULES)


@pytest.mark.parametrize(("rule", "text"), CASES, ids=ids(CASES))
def test_leaves_alone(rule, text) -> None:
    assert [span.rule for span in scan_text(text)] == []


@pytest.mark.parametrize(("rule", "text"), HITS, ids=ids(HITS))
def test_finds_behind_its_hint(rule, text) -> None:
    assert rule in candidates(folded(text), review=rule.review), "the hint does not let its own example through"
    assert any(match.sure or rule.review for match in rule.matches(text))


@pytest.mark.parametrize(("rule", "text"), HITS, ids=ids(HITS))
def test_span_holds_no_neighbour(rule, text) -> None:
    around = [span for span in scan_text(f"see {text} is it.", review=rule.review) if span.rule == rule.name]
    assert around
    assert all(4 <= span.start < span.end <= len(text) + 4 for span in around)

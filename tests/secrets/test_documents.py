import re

import pytest
import yaml

from runwright.errors import SecretsFound
from runwright.secrets import Allowlist, Entry, gate_text, load_allowlist
from runwright.secrets.assigned import RULE
from runwright.secrets.rules import RULES
from runwright.secrets.rules.rule import fill
from tests.samples import ROOT

EXPLANATION = ROOT / "docs/explanation/secrets.md"
HOW_TO = ROOT / "docs/how-to/deal-with-a-found-secret.md"


def test_every_blocking_rule_is_listed_in_the_tables_order() -> None:
    listed = EXPLANATION.read_text().split("<!-- rules -->")[1].split("<!-- /rules -->")[0]
    assert re.findall(r"`([a-z0-9-]+)`", listed) == [*(rule.name for rule in RULES if not rule.review), RULE]


def test_the_documented_allowlist_is_read(tmp_path) -> None:
    shown = HOW_TO.read_text().split("```yaml\n")[1].split("```")[0]
    (tmp_path / ".runwright").mkdir()
    (tmp_path / ".runwright/allowlist.yaml").write_text(shown)
    assert load_allowlist(tmp_path) == Allowlist((Entry(**yaml.safe_load(shown)["allow"][0]),))


def test_the_documented_hint_is_the_one_given() -> None:
    with pytest.raises(SecretsFound) as refused:
        gate_text("ghp_" + fill(36), "x.md")
    assert f"hint: {refused.value.hint}" in HOW_TO.read_text()

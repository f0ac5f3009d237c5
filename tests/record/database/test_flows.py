"""Changes of databases asserted by flows, through the whole of a replay."""

from __future__ import annotations

from pathlib import Path

import pytest

from runwright.flow import FlowResult, Word
from runwright.record.observe import cannot_observe
from runwright.run import RunOptions, run_flow
from tests.record.database.look import script
from tests.run.story import Shop, shop
from tests.run.test_effects import BARE

pytestmark = pytest.mark.skipif(bool(cannot_observe()), reason=cannot_observe())

RETURN = 'return {"order_id"'
WRITES = """import sqlite3
    with sqlite3.connect("shop.sqlite") as connection:
        connection.execute("UPDATE orders SET state = 'refunded' WHERE id = 'A-4471'")
    return {"order_id\""""
ROW = "kind: db_change, target: shop.sqlite/orders/*, op: update"
MUST = f"- assert_side_effect: {{{ROW}, where: {{after.content.state: refunded}}, times: 1}}"
MUST_NOT = "- assert_no_side_effect: {kind: db_change, except: [shop.sqlite/orders/A-4471]}"


@pytest.fixture
def made(tmp_path: Path) -> Shop:
    made = shop(tmp_path)
    rows = "INSERT INTO orders VALUES ('A-4471', 'paid'), ('A-1', 'paid')"
    script(tmp_path / "shop.sqlite", f"CREATE TABLE orders(id TEXT PRIMARY KEY, state); {rows}")
    return made


def verdict(made: Shop, steps: str, *changes: tuple[str, str]) -> FlowResult:
    made.spec(("- assert: reply contains refunded", steps))
    made.agent(*changes)
    return run_flow(made.flow, RunOptions(environment=BARE, timeout=30))


def test_the_row_that_the_agent_changed(made: Shop) -> None:
    result = verdict(made, f"{MUST}\n  {MUST_NOT}", (RETURN, WRITES))
    assert result.word is Word.PASS, result.summary


def test_a_row_that_it_did_not_change_and_one_that_it_should_not(made: Shop) -> None:
    assert verdict(made, MUST).word is Word.FAIL
    result = verdict(made, MUST_NOT, (RETURN, WRITES.replace(" WHERE id = 'A-4471'", "")))
    assert result.word is Word.FAIL
    assert "shop.sqlite/orders/A-1" in result.summary


def test_a_database_that_cannot_be_read_is_judged_by_nobody(made: Shop) -> None:
    result = verdict(made, MUST_NOT, (RETURN, f'open("shop.sqlite", "w").write("text" * 999); {RETURN}'))
    assert result.word is Word.UNVERIFIED, result.summary


def test_a_server_that_the_flow_does_not_name_is_judged_by_nobody(made: Shop) -> None:
    result = verdict(made, "- assert_no_side_effect: {kind: db_change, target: postgresql/shop/**}")
    assert (result.word, "effects.databases" in result.summary) == (Word.CAPABILITY, True), result.summary

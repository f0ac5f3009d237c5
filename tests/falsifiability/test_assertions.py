"""Every kind of assertion and every rule of the verdict goes red through `runwright run`, by itself alone."""

from __future__ import annotations

import re
from pathlib import Path
from typing import get_args

import pytest

from runwright.flow.assertions import Assertion
from runwright.flow.matchers import Op
from runwright.record.contain import cannot_contain
from runwright.record.observe import cannot_observe
from tests.falsifiability.cases import CASES, GREEN, MATCHERS
from tests.falsifiability.guts import GUTS
from tests.falsifiability.stage import Case, perform
from tests.samples import ROOT

KINDS = {
    "ToolCall": "assert_tool_call",
    "NoToolCall": "assert_no_tool_call",
    "SideEffectMust": "assert_side_effect",
    "NoSideEffect": "assert_no_side_effect",
    "NoEgress": "assert_no_egress",
    "NoSecretLeak": "assert_no_secret_leak",
    "Reply": "assert: reply",
    "OutcomeIs": "assert_outcome",
}


def played(root: Path, case: Case, capsys: pytest.CaptureFixture[str]) -> tuple[int, str]:
    """As `perform`; a case that watches its agent needs a machine on which that can be done."""
    asked = {word for step in case.steps for word in (step if isinstance(step, dict) else [step])}
    watches = case.agent and ("effects" in case.flow or bool({"assert_side_effect", "assert_no_side_effect"} & asked))
    reason = cannot_observe() if watches else cannot_contain() if case.agent and "assert_no_egress" in asked else ""
    if reason:
        pytest.skip(reason)
    return perform(root, case, capsys)


@pytest.mark.parametrize("case", GREEN, ids=str)
def test_the_stage_itself_is_green(case: Case, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status, verdict = played(tmp_path, case, capsys)
    assert (status, case.says in verdict) == (0, True), verdict


@pytest.mark.parametrize("case", CASES, ids=str)
def test_it_goes_red(case: Case, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status, verdict = played(tmp_path, case, capsys)
    assert status == 1, verdict
    assert "FAIL" in verdict
    assert case.says in verdict, verdict


@pytest.mark.parametrize("case", CASES, ids=str)
def test_without_its_check_it_is_green(
    case: Case, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    GUTS[case.check](monkeypatch)
    status, verdict = played(tmp_path, case, capsys)
    assert status == 0, verdict


def test_an_assertion_that_nothing_certifies_is_never_green(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    steps = ["assert_no_egress"]
    case = Case(name="egress", check="", says="", recorded=GREEN[0].recorded, steps=steps, agent=False)
    status, verdict = perform(tmp_path, case, capsys)
    assert status == 2, verdict
    assert "CAPABILITY" in verdict


def test_every_kind_of_assertion_has_a_case() -> None:
    kinds = {kind.__name__ for kind in get_args(Assertion)}
    assert kinds == KINDS.keys()
    assert set(KINDS.values()) <= {case.check for case in CASES}


def test_every_matcher_has_a_case_as_it_is_and_negated() -> None:
    assert {*MATCHERS, "exists"} == set(get_args(Op))


def test_every_check_has_a_case() -> None:
    assert GUTS.keys() == {case.check for case in CASES}


def test_the_page_lists_every_check_and_what_goes_red() -> None:
    page = (ROOT / "docs" / "explanation" / "how-runwright-tests-runwright.md").read_text(encoding="utf-8")
    table = page.split("<!-- checks -->")[1].split("<!-- /checks -->")[0]
    rows = re.findall(r"^\| (.+?) \| (\d+) \| (.+) \|$", table, re.MULTILINE)
    assert [name for name, _, _ in rows] == list(GUTS), "run scripts/falsify --write"
    for name, number, example in rows:
        assert 1 <= int(number) <= len(CASES)
        assert example in {case.name for case in CASES}, name

"""The report on a proof: it fits its schema, shows no secret, and is one line a line."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import jsonschema
import pytest

from runwright.perturb import KINDS, Drop, Kind, Mutant
from runwright.reports.prove_report import proof_report_of, render_proof_json
from runwright.reports.prove_text import SHOWN, render_proof_text
from runwright.run import RunOptions
from runwright.run.prove import FATES, ProveOptions, ProveReport, Tried, prove_flow
from runwright.trace import schema
from tests.run.story import shop


@pytest.fixture
def proof(tmp_path: Path) -> ProveReport:
    return prove_flow(shop(tmp_path).flow, ProveOptions(run=RunOptions(environment={}), limit=60))


def tried(kind: Kind = "drop", **fields: object) -> Tried:
    mutant = Mutant(kind=kind, what="never asked for", change=Drop(), exchange="m1", path="$.request")
    return replace(Tried(mutant=mutant, fate="survived", why="PASS", remedy="- assert_no_egress"), **fields)


def test_the_json_fits_its_schema(proof: ProveReport) -> None:
    report = json.loads(render_proof_json(proof_report_of(proof)))
    jsonschema.Draft202012Validator(schema("prove-report-v1")).validate(report)
    assert report["known"] > len(report["mutants"])
    assert sum(each[fate] for each in report["table"] for fate in FATES) == len(report["mutants"])


def test_the_schema_names_every_kind_and_fate_and_no_other() -> None:
    assert tuple(schema("prove-report-v1")["$defs"]["kind"]["enum"]) == KINDS
    assert tuple(schema("prove-report-v1")["$defs"]["fate"]["enum"]) == FATES


def test_every_kind_is_in_the_docs() -> None:
    page = (Path(__file__).parents[2] / "docs" / "how-to" / "prove-a-flow.md").read_text(encoding="utf-8")
    rows = [line.split("|")[1] for line in page.splitlines() if line.startswith("| ")]
    told = {kind.strip() for row in rows for kind in row.split(",")}
    assert told >= set(KINDS)


def test_what_was_picked_of_how_many_is_said(proof: ProveReport) -> None:
    shown = render_proof_text(proof_report_of(proof))
    assert f"{len(proof.tried)} mutants, of {proof.known} spread evenly over the kinds" in shown
    whole = replace(proof, known=len(proof.tried))
    assert render_proof_text(proof_report_of(whole)).endswith(f"\n{len(proof.tried)} mutants\n")


def test_no_secret_is_shown_in_any_form(proof: ProveReport) -> None:
    key = "sk-proj-" + "Ab3dEf6hIj9k" * 4
    bad = tried(why=f"PASS, said {key} and hunter2hunter2", remedy=f"- assert: {{reply: {{contains: {key}}}}}")
    report = proof_report_of(replace(proof, tried=(bad,), known_secrets=("hunter2hunter2", "survived", "drop")))
    for shown in (render_proof_text(report), render_proof_json(report)):
        assert key not in shown
        assert "hunter2hunter2" not in shown
        assert "[[redacted:" in shown
    assert report.mutants[0].fate == "survived"


def test_what_a_mutant_says_cannot_look_like_a_line_of_the_report(proof: ProveReport) -> None:
    bad = tried(why="PASS\nPASS  all is well\x1b[2K")
    shown = render_proof_text(proof_report_of(replace(proof, tried=(bad,))))
    assert "\nPASS  all is well" not in shown
    assert "\x1b" not in shown
    assert "survived: drop, m1 $.request: never asked for\n    PASS\\nPASS  all is well" in shown


def test_many_survivors_are_counted(proof: ProveReport) -> None:
    shown = render_proof_text(proof_report_of(replace(proof, tried=(tried(),) * (SHOWN + 3))))
    assert shown.count("would be killed by: - assert_no_egress") == SHOWN
    assert "and 3 more that survived" in shown
    assert shown.startswith("FAIL  ")


@pytest.mark.parametrize(("fate", "colour"), [("killed", "32"), ("survived", "31"), ("unjudged", "33")])
def test_colours_are_for_terminals(proof: ProveReport, fate: str, colour: str) -> None:
    report = proof_report_of(replace(proof, tried=(tried(fate=fate),)))
    assert render_proof_text(report, colour=True).startswith(f"\x1b[{colour}m")
    assert "\x1b" not in render_proof_text(report)

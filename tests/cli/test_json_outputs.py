"""What commands print with --json is one document that fits the published schema, and nothing else is on stdout."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import jsonschema
import pytest

from runwright.readers import READERS
from runwright.trace import schema
from runwright.writers import WRITERS
from tests.cli.conftest import Run
from tests.samples import ROOT

CONVERT = "runwright convert spans.jsonl logs.jsonl --out flows/refund --agent 'python agent.py' --tools real --json"


def fits(text: str, name: str, part: str = "") -> dict[str, object]:
    document: dict[str, object] = json.loads(text)
    whole = schema(name)
    wanted = {"$schema": whole["$schema"], "$defs": whole["$defs"], "$ref": f"#/$defs/{part}"} if part else whole
    jsonschema.Draft202012Validator(wanted).validate(document)
    return document


@pytest.fixture
def story(project: Path) -> Path:
    for name in ("spans.jsonl", "logs.jsonl"):
        shutil.copy(ROOT / "tests" / "fixtures" / "story" / name, project)
    shutil.copy(ROOT / "scripts" / "story" / "agent.py", project)
    return project


def test_traces(story: Path, run: Run) -> None:
    done = run("runwright import spans.jsonl logs.jsonl -o t.jsonl --json", fresh=True)
    found = fits(done.stdout, "command-output-v1", "import")
    assert found["records"] == {"message": 2, "model": 4}
    shutil.copytree(story, story / "exports", ignore=lambda _, names: {n for n in names if n != "spans.jsonl"})
    many = fits(run("runwright import exports -o out --json").stdout, "command-output-v1", "import_many")
    assert many["written"][0]["file"] == "out/spans.jsonl"  # type: ignore[index]
    listed = fits(run("runwright formats --json").stdout, "command-output-v1", "formats")
    assert [each["name"] for each in listed["formats"]] == list(READERS)  # type: ignore[attr-defined]
    for form in WRITERS:
        told = fits(run(f"runwright export t.jsonl --to {form} -o t.out --json").stdout, "command-output-v1", "export")
        assert told["losses"]
        assert told["written"]
    fits(run("runwright validate t.jsonl --json").stdout, "command-output-v1", "validate")
    fits(run("runwright view t.jsonl --json").stdout, "command-output-v1", "view")
    fits(run("runwright seal t.jsonl --json").stdout, "command-output-v1", "seal")
    (story / "t.jsonl").write_text("{}")
    checked = fits(run("runwright validate t.jsonl --json", 2).stdout, "command-output-v1", "validate")
    assert checked["files"][0]["problems"]  # type: ignore[index]


def test_gate(story: Path, run: Run) -> None:
    run("runwright import spans.jsonl logs.jsonl -o t.jsonl")
    (story / "a.env").write_text("DB_PASSWORD=hunter2\n")
    (story / "b.bin").write_bytes(b"\0")
    found = fits(run("runwright scan t.jsonl a.env b.bin --json", 2).stdout, "command-output-v1", "scan")
    assert [each["word"] for each in found["files"]] == ["CLEAN", "SECRETS FOUND", "UNVERIFIED"]  # type: ignore[attr-defined]
    done = fits(run("runwright redact t.jsonl -o u.jsonl --json").stdout, "command-output-v1", "redact")
    assert done == {"file": "u.jsonl", "replaced": {}}


def test_observations(project: Path, run: Run) -> None:
    (project / "a.txt").write_text("one\n")
    command = "sh -c 'echo two >>a.txt; ln -s a.txt b; rm -f c; chmod 600 pyproject.toml; exit 3'"
    told = fits(
        run(f"runwright observe -o t.jsonl --outside --json -- {command}").stdout, "command-output-v1", "observe"
    )
    assert [(each["op"], each["target"]) for each in told["effects"]] == [  # type: ignore[attr-defined]
        ("append", "a.txt"), ("symlink", "b"), ("chmod", "pyproject.toml"),
    ]  # fmt: skip
    assert (told["status"], told["trace"], told["outside"]) == (3, "t.jsonl", {})
    told = fits(run("runwright observe --wait 0 --json -- sh -c 'sleep 9 &'", 2).stdout, "command-output-v1", "observe")
    assert len(told["faults"]) == 1  # type: ignore[arg-type]


def test_proposals(story: Path, run: Run) -> None:
    fits(run(CONVERT).stdout, "command-output-v1", "convert")
    listed = fits(run("runwright review --json").stdout, "command-output-v1", "review")
    assert [each["state"] for each in listed["pending"]] == ["new"]  # type: ignore[attr-defined]
    fits((story / "flows" / "refund.proposal.json").read_text(), "proposal-v1")
    (story / "flows" / "refund.proposal.json").write_text("{")
    listed = fits(run("runwright review --json").stdout, "command-output-v1", "review")
    assert [each["state"] for each in listed["pending"]] == ["broken"]  # type: ignore[attr-defined]
    rejected = fits(run("runwright review --reject refund --json").stdout, "command-output-v1", "review")
    assert rejected["pending"] == []


def test_runs(story: Path, run: Run) -> None:
    (story / "flows").mkdir()
    assert fits(run("runwright run --json", 2).stdout, "run-report-v1")["exit"] == 2
    run(CONVERT)
    run("runwright review --accept refund")
    report = fits(run("runwright run --json", 1).stdout, "run-report-v1")
    assert report["totals"] == {"FAIL": 1}


def test_audits(story: Path, run: Run) -> None:
    assert fits(run("runwright audit . --json", 2).stdout, "audit-report-v1")["controls"] == []
    run(CONVERT)
    run("runwright review --accept refund")
    flow = story / "flows" / "refund.flow.yaml"
    flow.write_text(flow.read_text().replace("steps:", "control: {id: one-refund}\nsteps:"))
    kept = run("runwright audit --json", 1).stdout
    (story / "base.json").write_text(kept)
    audit = fits(kept, "audit-report-v1")
    assert [each["verdict"] for each in audit["controls"]] == ["fails"]  # type: ignore[attr-defined]
    flow.unlink()
    later = fits(run("runwright audit flows --since base.json --json", 1).stdout, "audit-report-v1")
    assert [each["kind"] for each in later["since"]["lost"]] == ["control_vanished", "flow_vanished"]  # type: ignore[index]


def test_proofs(story: Path, run: Run) -> None:
    run(CONVERT)
    run("runwright review --accept refund")
    report = fits(run("runwright prove flows/refund.flow.yaml --json", 1).stdout, "prove-report-v1")
    assert report["exit"] == 1
    assert [each["kind"] for each in report["mutants"] if each["fate"] == "survived"] == ["reply"]  # type: ignore[attr-defined,index]
    (story / "flows" / "refund.flow.yaml").write_text(
        (story / "flows" / "refund.flow.yaml").read_text() + "strict: true\n"
    )
    report = fits(run("runwright prove flows/refund.flow.yaml --json", 2).stdout, "prove-report-v1")
    assert report["mutants"] == []


def test_fingerprints(story: Path, run: Run) -> None:
    run("runwright import spans.jsonl logs.jsonl -o t.jsonl")
    shutil.copy(ROOT / "tests" / "fixtures" / "model_log" / "orders.jsonl", story)
    taken = fits(
        run("runwright fingerprint t.jsonl orders.jsonl t.jsonl --json").stdout, "fingerprint-v1", "fingerprints"
    )
    assert [each["traces"] for each in taken["fingerprints"]] == [["t.jsonl", "t.jsonl"], ["orders.jsonl"]]  # type: ignore[attr-defined]
    run("runwright fingerprint t.jsonl --out kept.json")
    kept = json.loads((story / "kept.json").read_text())
    jsonschema.Draft202012Validator(schema("fingerprint-v1")).validate(kept)
    judged = fits(
        run("runwright fingerprint t.jsonl orders.jsonl --against kept.json --json", 1).stdout,
        "fingerprint-v1",
        "agreements",
    )
    assert [each["verdict"] for each in judged["judged"]] == ["SAME", "DRIFTED"]  # type: ignore[attr-defined]


def test_differences(story: Path, run: Run) -> None:
    run("runwright import spans.jsonl logs.jsonl -o t.jsonl")
    assert fits(run("runwright diff t.jsonl t.jsonl --json").stdout, "diff-v1")["word"] == "SAME"
    (story / "u.jsonl").write_text((story / "t.jsonl").read_text().replace("arrived broken", "arrived late"))
    assert fits(run("runwright diff t.jsonl u.jsonl --json", 2).stdout, "diff-v1")["word"] == "UNVERIFIED"
    run("runwright seal u.jsonl")
    found = fits(run("runwright diff t.jsonl u.jsonl --json", 1).stdout, "diff-v1")
    assert [each["lane"] for each in found["changes"]] == ["message", "model"]  # type: ignore[attr-defined]


def test_behaviours(story: Path, run: Run) -> None:
    run("runwright import spans.jsonl logs.jsonl -o t.jsonl")
    shutil.copy(ROOT / "tests" / "fixtures" / "model_log" / "orders.jsonl", story)
    found = fits(run("runwright dedup t.jsonl orders.jsonl --json").stdout, "dedup-report-v1")
    assert [each["exemplar"] for each in found["groups"]] == ["orders.jsonl", "t.jsonl"]  # type: ignore[attr-defined]
    (story / "u.jsonl").write_text("{")
    found = fits(run("runwright dedup u.jsonl --json", 2).stdout, "dedup-report-v1")
    assert (found["exit"], found["groups"], len(found["left"])) == (2, [], 1)  # type: ignore[arg-type]


def test_drifts(story: Path, run: Run) -> None:
    shutil.copy(ROOT / "tests" / "fixtures" / "order_desk" / "wire.jsonl", story)
    (story / "desk.py").write_text("print('noise')\nspec = {'system_prompt': 'Another.', 'tools': []}\n")
    found = fits(run("runwright drift wire.jsonl --agent desk:spec --json", 1).stdout, "drift-report-v1")
    fields = [each["path"] for each in found["traces"][0]["differences"]]  # type: ignore[index]
    assert fields == ["$.system_prompt", "$.tools.lookup_order"]
    (story / "cut.jsonl").write_text('{"format": "runwright.trace"')
    found = fits(run("runwright drift wire.jsonl spans.jsonl --json", 1).stdout, "drift-report-v1")
    assert [each["state"] for each in found["behaviours"]] == ["new", "gone"]  # type: ignore[attr-defined]
    found = fits(run("runwright drift wire.jsonl cut.jsonl --json", 2).stdout, "drift-report-v1")
    assert [each["place"] for each in found["problems"]] == ["cut.jsonl:1", "cut.jsonl"]  # type: ignore[attr-defined]


def test_coverages(story: Path, run: Run) -> None:
    shutil.copy(ROOT / "tests" / "fixtures" / "order_desk" / "wire.jsonl", story)
    found = fits(run("runwright coverage wire.jsonl --json --html page.html").stdout, "coverage-report-v1")
    assert [each["calls"] for each in found["tools"]] == [2]  # type: ignore[attr-defined]
    assert (story / "page.html").read_text().startswith("<!doctype html>")
    found = fits(run("runwright coverage wire.jsonl spans.jsonl logs.jsonl --json").stdout, "coverage-report-v1")
    assert len(found["traces"]) == 2  # type: ignore[arg-type]
    (story / "desk.py").write_text("spec = {'tools': [{'name': 'lookup_order'}, {'name': 'close'}]}\n")
    line = "runwright coverage wire.jsonl --agent desk:spec --fail-under 50.1 --json"
    found = fits(run(line, 1).stdout, "coverage-report-v1")
    assert found["tool_coverage"] == {"covered": 1, "of": 2, "percent": 50.0, "required": 50.1, "met": False}
    (story / "cut.jsonl").write_text('{"format": "runwright.trace"')
    assert fits(run("runwright coverage cut.jsonl --json", 2).stdout, "coverage-report-v1")["problems"]

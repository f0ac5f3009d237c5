"""The schemas are strict, are told in the docs, and are found wherever the package is."""

import subprocess
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from runwright.trace import problems, schema

ROOT = Path(__file__).parent.parent.parent
FREE = {"ext", "extra", "parameters", "details", "detail"}
"""Members whose content is the source's own."""
NAMED = {"observation", "tools", "policies", "records"}
"""Members that are objects from names to values of one kind."""


def objects(value: object, where: str) -> Iterator[tuple[str, dict]]:
    if isinstance(value, dict):
        if value.get("type") == "object":
            yield where, value
        for name, part in value.items():
            yield from objects(part, f"{where}.{name}")
    elif isinstance(value, list):
        for at, part in enumerate(value):
            yield from objects(part, f"{where}[{at}]")


@pytest.mark.parametrize("name", ["trace-v1", "side-effect-v1"])
def test_unknown_fields_are_refused_but_where_the_source_speaks(name: str) -> None:
    found = list(objects(schema(name), name))
    assert found
    for where, value in found:
        member = where.rsplit(".", 1)[-1]
        if "properties" in value:
            assert value.get("additionalProperties") is False, where
        elif member in NAMED:
            assert isinstance(value["additionalProperties"], dict), where
        else:
            assert member in FREE or "oneOf" in value or member == "block", where


def documented() -> dict[str, str]:
    page = (ROOT / "docs" / "trace-format.md").read_text(encoding="utf-8")
    _, *sections = page.split("\n### ")
    return {section.split("\n", 1)[0]: section for section in sections}


def described() -> dict[str, dict]:
    parts = {name: part for name, part in schema("trace-v1")["$defs"].items() if "properties" in part}
    return {**parts, "side effect": schema("side-effect-v1")}


def test_every_field_is_in_the_docs() -> None:
    sections = documented()
    for name, part in described().items():
        told = {line.split("`")[1] for line in sections[name].splitlines() if line.startswith("| `")}
        assert told == set(part["properties"]), name


@pytest.mark.parametrize("form", ["wheel", "zip"])
def test_schemas_are_found_in_every_form_of_installation(form: str, tmp_path: Path) -> None:
    place = tmp_path / "runwright.zip" if form == "zip" else tmp_path / "site"
    files = {path.relative_to(ROOT / "src").as_posix(): path for path in (ROOT / "src" / "runwright").rglob("*.py")}
    files |= {f"runwright/schema/{path.name}": path for path in (ROOT / "schema").glob("*.schema.json")}
    if form == "zip":
        with zipfile.ZipFile(place, "w") as archive:
            for name, path in files.items():
                archive.write(path, name)
    else:
        for name, path in files.items():
            (place / name).parent.mkdir(parents=True, exist_ok=True)
            (place / name).write_bytes(path.read_bytes())
    code = (
        f"import sys; sys.path.insert(0, {str(place)!r}); import runwright.trace as trace;"
        f"assert trace.__file__.startswith({str(place)!r}), trace.__file__;"
        "print(trace.problems('trace-v1', {'lane': 'chatter'}), 'kind' in trace.schema('side-effect-v1')['properties'])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=tmp_path)
    assert done.stdout.startswith("[('$.lane', \"unknown lane 'chatter'"), done.stderr
    assert done.stdout.endswith("True\n")


@pytest.mark.parametrize("lane", ["request", "header", "splice", "block", "seal", "chatter", 7, [], None])
def test_only_lanes_are_lanes(lane: object) -> None:
    assert problems("trace-v1", {"lane": lane, "path": ["x"], "type": "text", "text": "x"})  # type: ignore[dict-item] # wrong on purpose


def test_a_problem_is_told_at_its_place() -> None:
    record = {"lane": "tool", "id": "t", "name": "x", "outcome": "fine", "fidelity": "raw", "after": ["a", 7]}
    assert [path for path, _ in problems("trace-v1", record)] == ["$.after[1]", "$.outcome"]


def test_a_schema_that_is_put_in_place_still_holds_its_own() -> None:
    """Also one that is nothing but a reference to a part of itself."""
    group = {"name": ["x"], "runs": 1, "guarded": 0, "flows": [], "exemplar": "a", "fingerprint": {"tools": 7}}
    report: dict = {"format": "runwright.dedup-report", "version": 1, "exit": 0, "threshold": 0, "runs": 1}
    assert "$.groups[0].fingerprint" in dict(problems("dedup-report-v1", report | {"groups": [group], "left": []}))

"""The page about diff says what the tool prints, and names all that is not compared."""

from __future__ import annotations

import shlex
from pathlib import Path

import pytest
from msgspec.structs import replace

from runwright.cli.app import main
from runwright.diff.compared import LINKS, NOT_COMPARED, VOLATILE_EXTRA, VOLATILE_HEADERS
from runwright.trace import ModelRecord, ToolRecord, Trace, dumps_trace
from tests.diff.made import conversation, everywhere, trace

PAGE = (Path(__file__).parents[2] / "docs" / "reference" / "diff.md").read_text(encoding="utf-8")


def examples() -> list[tuple[str, str]]:
    """The commands of the page and what it says they print."""
    found = []
    for part in PAGE.split("    $ ")[1:]:
        lines = part.split("\n")
        block = []
        for line in lines[1:]:
            if line and not line.startswith("    "):
                break
            block.append(line[4:])
        found.append((lines[0], "\n".join(block).rstrip() + "\n"))
    return found


def traces() -> dict[str, Trace]:
    before = trace(conversation([("lookup", {"order": 7}, "shipped")]), trace_id="before")
    plain = tuple(
        replace(record, request=replace(record.request, messages=record.request.messages[1:]))
        if isinstance(record, ModelRecord)
        else record
        for record in before.records
    )
    before = replace(before, records=plain)
    audit = ToolRecord(id="t2", name="audit", arguments={"order": 7}, outcome="ok", fidelity="raw")
    after = everywhere(before, "Where is order", "Where is my order")
    silent = tuple(
        replace(record, request=replace(record.request, parameters={}), unknown=("$.request.parameters.*",))
        if isinstance(record, ModelRecord)
        else record
        for record in before.records
    )
    return {
        "before": before,
        "after": replace(after, header=replace(after.header, trace_id="after"), records=(*after.records, audit)),
        "silent": replace(before, header=replace(before.header, trace_id="silent"), records=silent),
    }


@pytest.mark.parametrize(("command", "expected"), examples())
def test_the_page_shows_what_is_printed(
    command: str, expected: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    for name, each in traces().items():
        Path(f"{name}.jsonl").write_bytes(dumps_trace(each))
    assert main(shlex.split(command)[1:]) == (0 if "SAME" in expected else 1)
    assert capsys.readouterr().out == expected


def test_there_are_examples() -> None:
    assert len(examples()) == 2


def test_all_that_is_not_compared_is_named() -> None:
    names = {*VOLATILE_HEADERS, *VOLATILE_EXTRA}
    for table in (LINKS, NOT_COMPARED):
        names |= {name for fields in table.values() for name in fields if name != "call_id"}
    assert {name for name in names if f"`{name}`" not in PAGE} == set()

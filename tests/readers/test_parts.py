"""Long files of lines are read in parts, and what comes out is what the whole file gives."""

from __future__ import annotations

import gzip
import json
import os
import random
import re
import sys
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

import msgspec
import pytest
import zstandard

from runwright.corpus.seen import seen
from runwright.errors import ReaderError
from runwright.fingerprint import Seen
from runwright.readers import READERS, runs_of
from runwright.readers.many import Group, file_name, read_many
from runwright.readers.parts import parts_of
from runwright.readers.reader import ALONE, Run
from runwright.trace import dumps_trace
from tests.readers.test_litellm import Json, payload

FIXTURES = Path("tests/fixtures")
ID = re.compile(
    r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}"
    r"|(?<![0-9a-f])(?:[0-9a-f]{16}|[0-9a-f]{24}|[0-9a-f]{32})(?![0-9a-f])"
    r'|(?<=")(?:tr|o|t|chatcmpl)-\d{1,3}(?=")'
)
COPIES = 8
BOUND = 800
CHAT = [
    {"role": "user", "content": "Where is A-17?"},
    {"role": "assistant", "content": "Let me look.", "tool_calls": []},
    {"role": "narrator", "content": "It rains."},
]


def lines_of(path: str) -> list[str]:
    return (FIXTURES / path).read_text().splitlines()


def told_later() -> list[str]:
    """The runs of LangSmith's file as old clients send them: what is told at the end names neither trace nor parent."""
    found = []
    for line in lines_of("langsmith/runs.jsonl"):
        run = json.loads(line)
        later = {"id": run["id"], "outputs": run.pop("outputs"), "end_time": run.pop("end_time")}
        found += [json.dumps(run), json.dumps(later)]
    return found


def without_order() -> list[str]:
    """The same runs by the ids of their traces alone."""
    runs = [json.loads(line) for line in lines_of("langsmith/runs.jsonl")]
    return [json.dumps({key: each for key, each in run.items() if key != "dotted_order"}) for run in runs]


def of_exports(*types: str) -> list[str]:
    """The rows of a trace and of its observations of these types, or all."""
    rows = [json.loads(line) for line in lines_of("langfuse/legacy/observations/20261130.jsonl")]
    chosen = [json.dumps(row) for row in rows if not types or row["type"] in types]
    return lines_of("langfuse/legacy/traces/20261130.jsonl") + chosen


def of_spend() -> list[str]:
    calls = [payload(1), payload(2, trace_id="t-2"), payload(3, call_type="aembedding"), payload(4, trace_id="t-2")]
    return [json.dumps(each) for each in (*calls, payload(5, trace_id="t-3", call_type="aembedding"))]


SOURCES: dict[str, tuple[str, list[str]]] = {
    "langsmith": ("langsmith", lines_of("langsmith/runs.jsonl")),
    "langsmith, told later": ("langsmith", told_later()),
    "langsmith, without order": ("langsmith", without_order()),
    "litellm": ("litellm", of_spend()),
    "openai_agents": ("openai_agents", lines_of("openai_agents/trace.jsonl")),
    "mlflow": ("mlflow", [json.dumps(json.loads((FIXTURES / "mlflow/trace.json").read_text()))]),
    "phoenix": ("phoenix", lines_of("phoenix/table.jsonl")),
    "langfuse": ("langfuse", lines_of("langfuse/enriched/observations_v2.jsonl")),
    "langfuse, joined": ("langfuse", of_exports()),
    "langfuse, named by the trace": ("langfuse", of_exports("GENERATION")),
    "chat_list": ("chat_list", [json.dumps({"id": "t-1", "messages": CHAT}), json.dumps({"messages": CHAT[:2]})]),
}
INDEPENDENT = ("chat_list", "mlflow")
"""Formats that have no run of several lines."""


def renewed(line: str, number: int) -> str:
    """The line of another copy, with ids of its own."""
    return ID.sub(lambda found: _other(found.group(), number), line)


def _other(id: str, number: int) -> str:
    if not id[0].isalnum() or not re.fullmatch("[0-9a-f-]+", id):
        return f"{id}{number:03}"
    return "".join(each if each == "-" else f"{(int(each, 16) + number) % 16:x}" for each in id)


def written(lines: Sequence[str], mixed: int, bad: Sequence[str] = ()) -> bytes:
    """Copies of the lines one after the other, or mixed among each other; the first two are no bad ones."""
    copies = [renewed(line, number) for number in range(COPIES) for line in lines]
    luck = random.Random(mixed)
    rest = [*copies[2:], *bad]
    if mixed:
        luck.shuffle(rest)
    return "\n".join([*copies[:2], *rest]).encode("utf-8", "surrogatepass") + b"\n"


def broken(lines: Sequence[str]) -> list[str]:
    """Lines that lose something: no JSON, nothing of the format, given twice, not exact, without what names them."""
    first: Any = json.loads(lines[0])
    strange = [
        '{"cut": ',
        "",
        "[1, 2]",
        '"a text"',
        '{"other": 1}',
        "   ",
        lines[-1],
        lines[0],
        json.dumps({**first, "strange": float("nan")}),
        json.dumps({**first, "wide": 10**30}),
        f'{{"twice": 1, "twice": 2, {lines[-1][1:]}',
        json.dumps({**first, "lone": "\ud800"}),
        "[" * 500,
        "\ufeff" + lines[0],
    ]
    for key in first:
        strange += [json.dumps({**first, key: None}), json.dumps({**first, key: 7}), json.dumps({**first, key: ["x"]})]
    return strange


def by_id(runs: Sequence[Run]) -> dict[str, list[bytes]]:
    found: dict[str, list[bytes]] = {}
    for run in runs:
        found.setdefault(run.id, []).append(dumps_trace(run.trace))
    return found


def in_parts(path: Path, format: str, bound: int = BOUND) -> list[Group]:
    groups = list(read_many([path], format, bound=bound))
    assert not [each.error for each in groups if each.error]
    return groups


def names(groups: Sequence[Group]) -> list[str]:
    return sorted(file_name(group, run) for group in groups for run in group.runs)


@pytest.mark.parametrize("mixed", [0, 1, 2])
@pytest.mark.parametrize("fine", [True, False], ids=["fine", "broken"])
@pytest.mark.parametrize("name", SOURCES)
def test_the_runs_are_those_of_the_whole_file(name: str, fine: bool, mixed: int, tmp_path: Path) -> None:
    format, lines = SOURCES[name]
    path = tmp_path / "export.jsonl"
    path.write_bytes(written(lines, mixed, () if fine else broken(lines)))
    groups, whole = in_parts(path, format), runs_of([path], format)
    assert len(groups) >= 3
    assert by_id([run for group in groups for run in group.runs]) == by_id(whole)
    assert names(groups) == names([Group((path,), whole)])


@pytest.mark.parametrize("name", [each for each in SOURCES if SOURCES[each][0] not in INDEPENDENT])
def test_a_run_that_is_split_shows(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Were each line taken for a run of its own, or only the ids of its run forgotten, other runs would come out."""
    format, lines = SOURCES[name]
    path = tmp_path / "export.jsonl"
    path.write_bytes(written(lines, 1))
    whole = by_id(runs_of([path], format))
    alone = msgspec.structs.replace(READERS[format], told=lambda _: lambda _: (ALONE,))
    monkeypatch.setitem(READERS, format, alone)
    assert by_id([run for group in in_parts(path, format) for run in group.runs]) != whole


@pytest.mark.parametrize("pack", [gzip.compress, zstandard.compress], ids=["gzip", "zstd"])
def test_compressed_files_are_read_in_parts(pack: Any, tmp_path: Path) -> None:
    format, lines = SOURCES["langsmith"]
    plain, packed = tmp_path / "export.jsonl", tmp_path / "packed.jsonl.gz"
    plain.write_bytes(written(lines, 1))
    packed.write_bytes(pack(plain.read_bytes()))
    groups, whole = list(read_many([packed], bound=BOUND)), runs_of([packed], format)
    assert len(groups) >= 3
    assert by_id([run for group in groups for run in group.runs]) == by_id(whole)
    packed.write_bytes(packed.read_bytes()[:-9])
    (refused,) = read_many([packed], format, bound=BOUND)
    assert isinstance(refused.error, ReaderError)
    assert "cannot be expanded" in str(refused.error)


def test_a_bomb_is_refused_while_it_is_expanded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    format, lines = SOURCES["langsmith"]
    path = tmp_path / "export.jsonl.gz"
    path.write_bytes(gzip.compress(written(lines, 0) * 300))
    monkeypatch.setattr("runwright.readers.packed.SMALL", 1000)
    monkeypatch.setattr("runwright.readers.packed.RATIO", 2)
    (group,) = read_many([path], format, bound=BOUND)
    assert "times its size" in str(group.error)


def test_a_file_that_changes_meanwhile_is_refused(tmp_path: Path) -> None:
    format, lines = SOURCES["chat_list"]
    path = tmp_path / "export.jsonl"
    path.write_bytes(written(lines * 60, 0))
    groups = read_many([path], format, bound=BOUND)
    assert next(groups).runs
    path.write_bytes(path.read_bytes().replace(b"Where is A-17?", b"Where is A-18?"))
    assert "changed while it was read" in str([each.error for each in groups][-1])


def test_a_file_that_grows_meanwhile_is_read_as_it_was(tmp_path: Path) -> None:
    format, lines = SOURCES["chat_list"]
    path = tmp_path / "export.jsonl"
    path.write_bytes(written(lines * 60, 0).rstrip(b"\n"))
    whole = runs_of([path], format)
    groups = read_many([path], format, bound=BOUND)
    found = list(next(groups).runs)
    with path.open("ab") as out:
        out.write(b"\n" + lines[0].encode())
    for group in groups:
        assert group.error is None
        found += group.runs
    assert by_id(found) == by_id(whole)


def test_a_file_without_a_run_says_why(tmp_path: Path) -> None:
    format, lines = SOURCES["langsmith"]
    path = tmp_path / "export.jsonl"
    path.write_bytes(written([each for each in lines if '"chain"' in each], 0))
    (group,) = read_many([path], format, bound=BOUND)
    assert "none is a model's" in str(group.error)


def test_one_run_of_a_long_file_has_the_file_as_its_name(tmp_path: Path) -> None:
    format, lines = SOURCES["langsmith"]
    path = tmp_path / "export.jsonl"
    chains = [renewed(each, number) for number in range(1, COPIES) for each in lines if '"chain"' in each]
    path.write_text("\n".join([*lines, *chains]))
    groups = in_parts(path, format)
    assert names(groups) == names([Group((path,), runs_of([path], format))]) == ["export"]


def test_what_cannot_be_told_apart_is_read_whole(tmp_path: Path) -> None:
    path = tmp_path / "states.jsonl"
    state = json.dumps(json.loads((FIXTURES / "openai_agents/state.json").read_text()))
    path.write_text("\n".join([state] * 3 + lines_of("openai_agents/trace.jsonl")))
    (group,) = in_parts(path, "openai_agents")
    assert by_id(group.runs) == by_id(runs_of([path], "openai_agents"))


def test_a_part_is_no_longer_than_its_bound_or_its_one_run(tmp_path: Path) -> None:
    format, lines = SOURCES["chat_list"]
    path = tmp_path / "export.jsonl"
    path.write_bytes(written(lines * 20, 0))
    told = READERS[format].told
    assert told is not None
    sizes = [len(each.data) for each in parts_of(path, told, BOUND)]
    assert max(sizes) <= BOUND
    assert sum(sizes) + len(sizes) == path.stat().st_size


def test_runs_of_a_part_are_named_as_those_of_a_file_of_many(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A part may hold one run, of a file that holds several."""
    path = tmp_path / "calls.jsonl"
    path.write_text("\n".join(json.dumps(payload(number, trace_id=f"t-{number}")) for number in range(4)))
    whole = [each.name for each in seen([path]) if isinstance(each, Seen)]
    monkeypatch.setattr(sys.modules[seen.__module__], "read_many", partial(read_many, bound=BOUND))
    assert [each.name for each in seen([path]) if isinstance(each, Seen)] == whole
    assert whole == [f"{path}: t-{number}" for number in range(4)]


STRANGE = (None, 7, "", [], {}, ["x"], 10**30, float("nan"), "\ud800")
NAMING = ("id", "trace_id", "parent_run_id", "session_id", "dotted_order", "context.trace_id", "context.span_id")


def disturbed(lines: Sequence[str], luck: random.Random) -> list[str]:
    """Copies whose fields are gone, strange, or those of another line, so that ids meet where they should not."""
    values: list[Json] = [json.loads(renewed(line, number)) for number in range(4) for line in lines]
    met = [value[key] for value in values for key in NAMING if isinstance(value.get(key), str)]
    for value in luck.sample(values[2:], len(values) // 3):
        for _ in range(luck.choice((1, 1, 3))):
            key = luck.choice([key for key in NAMING if key in value] * 2 + list(value))
            value[key] = luck.choice(met or STRANGE) if luck.random() < 0.5 else luck.choice(STRANGE)
            if luck.random() < 0.2:
                del value[key]
                break
    head, *rest = map(json.dumps, values)
    rest += [*luck.sample(rest, luck.choice((0, 3))), f"[{rest[0]},{rest[-1]}]"]
    begin, rest = rest[0], rest[1:]
    luck.shuffle(rest)
    return [head, begin, *rest]


@pytest.mark.parametrize("name", SOURCES)
def test_whatever_ids_meet(name: str, tmp_path: Path) -> None:
    format, lines = SOURCES[name]
    path = tmp_path / "export.jsonl"
    for seed in range(100 if os.environ.get("RUNWRIGHT_FUZZ") else 5):
        luck = random.Random(f"{name} {seed}")
        path.write_text("\n".join(disturbed(lines, luck)))
        groups, whole = in_parts(path, format, luck.choice((1, 300, BOUND))), runs_of([path], format)
        assert by_id([run for group in groups for run in group.runs]) == by_id(whole), seed
        assert names(groups) == names([Group((path,), whole)]), seed

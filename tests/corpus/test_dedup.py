"""Many runs from files: each is in one group or is told, and a flow guards the behaviour that its cassette shows."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from msgspec.structs import replace

from runwright.corpus import Guard, Left, dedup, guards, seen
from runwright.corpus.seen import left
from runwright.errors import UsageError
from runwright.fingerprint import Seen, fingerprint
from runwright.readers import read_foreign
from runwright.trace import Trace, as_cassette, dumps_trace
from tests.fingerprint.runs import Ask, Rendering, Turn, rendered
from tests.samples import ROOT

ONCE = (Turn((Ask("refund", {"amount": 1}),), "go"), Turn(says="done"))
TWICE = (ONCE[0], Turn((Ask("refund", {"amount": 1}),), "again"), Turn(says="done"))
FLOW = "flow: 1\nname: n\napp: agent\nagent: {command: python agent.py, tools: real}\nsteps: [{prompt: hi}]\n"


def put(path: Path, trace: Trace) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(dumps_trace(trace))
    return path


def taken(*paths: Path) -> tuple[list[Seen], list[Left]]:
    found = list(seen(paths))
    return [each for each in found if isinstance(each, Seen)], [each for each in found if isinstance(each, Left)]


def known(root: Path) -> dict[str, str]:
    """What guards there are, and why others are none, by place."""
    return {
        each.name if isinstance(each, Guard) else each.error.place: "" if isinstance(each, Guard) else each.error.slug
        for each in guards(root)
    }


# --- runs -----------------------------------------------------------------------------------------


def test_a_folder_and_a_file_named_twice(tmp_path: Path) -> None:
    one = put(tmp_path / "a" / "one.jsonl", rendered(ONCE))
    put(tmp_path / "a" / "deeper" / "two.jsonl", rendered(TWICE))
    runs, left = taken(tmp_path / "a", one)
    assert [Path(run.name).name for run in runs] == ["two.jsonl", "one.jsonl"]
    assert (left, [run.size for run in runs]) == ([], [5, 3])


def test_several_runs_in_a_file_are_told_by_their_ids(tmp_path: Path) -> None:
    talks = [{"id": id, "messages": [{"role": "user", "content": "hi"}, {"role": "assistant", "content": "no"}]}
             for id in ("x", "y")]  # fmt: skip
    path = tmp_path / "talks.json"
    path.write_text(json.dumps(talks))
    runs, _ = taken(path)
    assert [run.name for run in runs] == [f"{path}: x", f"{path}: y"]
    path.write_text(json.dumps(talks[:1]))
    assert [run.name for run in taken(path)[0]] == [str(path)]


@pytest.mark.parametrize(
    ("data", "slug"),
    [
        (b"{", "unknown-format"),
        (dumps_trace(rendered(ONCE)).replace(b'"done"', b'"gone"'), "incomplete-trace"),
        (dumps_trace(rendered(ONCE)).rpartition(b'{"seal"')[0], "incomplete-trace"),
        (dumps_trace(rendered(())), "not-comparable"),
    ],
    ids=["no trace", "a wrong seal", "no seal", "an empty run"],
)
def test_what_is_left_out_is_told_and_the_rest_goes_on(tmp_path: Path, data: bytes, slug: str) -> None:
    (tmp_path / "a.jsonl").write_bytes(data)
    put(tmp_path / "b.jsonl", rendered(ONCE))
    runs, left = taken(tmp_path)
    assert [Path(run.name).name for run in runs] == ["b.jsonl"]
    assert [(Path(each.error.place.split(": ")[0]).name, each.error.slug) for each in left] == [("a.jsonl", slug)]
    assert all(each.error.hint for each in left)


def test_what_is_left_out_has_a_place() -> None:
    assert left(UsageError("x"), "a.jsonl").error.place == "a.jsonl"
    assert left(UsageError("x", place="a.jsonl:3"), "a.jsonl").error.place == "a.jsonl:3"


def test_a_path_that_names_nothing(tmp_path: Path) -> None:
    with pytest.raises(UsageError):
        taken(tmp_path / "nothing")
    with pytest.raises(UsageError):
        taken(tmp_path)


# --- flows ----------------------------------------------------------------------------------------


def test_a_flow_guards_what_its_cassette_shows_and_nothing_else(tmp_path: Path) -> None:
    (tmp_path / "flows" / "deep").mkdir(parents=True)
    (tmp_path / "flows" / "deep" / "twice.flow.yaml").write_text(FLOW)
    put(tmp_path / "cassettes" / "deep" / "twice.cassette.jsonl", as_cassette(rendered(TWICE)))
    runs = [Seen("once", fingerprint(rendered(ONCE))), Seen("twice", fingerprint(rendered(TWICE)))]
    found = dedup(runs, guards(tmp_path))
    assert {each.exemplar.name: each.flows for each in found.groups} == {
        "once": (),
        "twice": ("flows/deep/twice.flow.yaml",),
    }
    assert found.left == ()


@pytest.mark.parametrize("how", [Rendering(tools=False), Rendering(timed=False), Rendering(start=9.0)])
def test_a_flow_guards_runs_that_were_captured_otherwise(tmp_path: Path, how: Rendering) -> None:
    put(tmp_path / "cassettes" / "c.cassette.jsonl", as_cassette(rendered(TWICE)))
    found = dedup([Seen("x", fingerprint(rendered(TWICE, how)))], guards(tmp_path))
    assert found.groups[0].flows == ("cassettes/c.cassette.jsonl",)


def test_cassettes_named_elsewhere_and_cassettes_without_a_flow(tmp_path: Path) -> None:
    flows = tmp_path / "flows"
    flows.mkdir()
    (flows / "a.flow.yaml").write_text(f"{FLOW}cassette: ../kept/${{WHERE}}.jsonl\n")
    put(tmp_path / "kept" / "${WHERE}.jsonl", as_cassette(rendered(ONCE)))
    (flows / "b.flow.yml").write_text(f"{FLOW}cassette: ../cassettes/c.cassette.jsonl\n")
    put(tmp_path / "cassettes" / "c.cassette.jsonl", as_cassette(rendered(ONCE)))
    put(tmp_path / "cassettes" / "d.cassette.jsonl", as_cassette(rendered(TWICE)))
    put(tmp_path / "cassettes" / "e.cassette.jsonl.new", as_cassette(rendered(TWICE)))
    put(tmp_path / ".git" / "cassettes" / "f.cassette.jsonl", as_cassette(rendered(TWICE)))
    assert known(tmp_path) == {"flows/a.flow.yaml": "", "flows/b.flow.yml": "", "cassettes/d.cassette.jsonl": ""}


def test_a_flow_whose_variables_are_not_set_here_guards_all_the_same(tmp_path: Path) -> None:
    (tmp_path / "flows").mkdir()
    (tmp_path / "flows" / "a.flow.yaml").write_text(FLOW.replace("python agent.py", "'python ${NOT_SET_HERE}'"))
    put(tmp_path / "cassettes" / "a.cassette.jsonl", as_cassette(rendered(ONCE)))
    assert known(tmp_path) == {"flows/a.flow.yaml": ""}


def test_a_flow_that_cannot_be_opened_is_told(tmp_path: Path) -> None:
    (tmp_path / "flows").mkdir()
    (tmp_path / "flows" / "a.flow.yaml").symlink_to("nowhere")
    (found,) = guards(tmp_path)
    assert isinstance(found, Left)
    assert found.error.message.startswith("cannot read the flow: ")
    assert found.error.place == str(tmp_path / "flows" / "a.flow.yaml")


def test_flows_whose_recording_cannot_be_had_are_told(tmp_path: Path) -> None:
    flows = tmp_path / "flows"
    flows.mkdir()
    (flows / "bad.flow.yaml").write_text("flow: [")
    (flows / "lost.flow.yaml").write_text(FLOW)
    (flows / "cut.flow.yaml").write_text(FLOW)
    cut = put(tmp_path / "cassettes" / "cut.cassette.jsonl", as_cassette(rendered(ONCE)))
    cut.write_bytes(cut.read_bytes().rpartition(b'{"seal"')[0])
    (tmp_path / "cassettes" / "alone.cassette.jsonl").write_bytes(b"{")
    found = {Path(place.split(": ")[0]).name.split(":")[0]: slug for place, slug in known(tmp_path).items()}
    assert found.pop("bad.flow.yaml") == "bad-flow"
    assert found.pop("cut.cassette.jsonl") == "incomplete-trace"
    assert set(found) == {"lost.cassette.jsonl", "alone.cassette.jsonl"}
    (unsealed,) = (each for each in guards(tmp_path) if isinstance(each, Left) and "cut." in each.error.place)
    assert unsealed.error.hint == "runwright seal FILE, once its lines are right"
    assert all(found.values())


def test_the_project_itself() -> None:
    """The committed flow guards the run that it was made from, and the fixed run is another behaviour."""
    story = ROOT / "tests" / "fixtures" / "story"
    run = read_foreign([story / "spans.jsonl", story / "logs.jsonl"])
    found = dedup([Seen("story", fingerprint(run))], guards(ROOT))
    assert found.left == ()
    assert found.groups[0].flows == ("flows/regressions/refund-twice.flow.yaml",)


# --- groups ---------------------------------------------------------------------------------------


def test_a_group_of_several_behaviours_tells_how_many_of_its_runs_are_guarded(tmp_path: Path) -> None:
    once, twice = fingerprint(rendered(ONCE)), fingerprint(rendered(TWICE))
    runs = [Seen("a", once), Seen("b", twice), Seen("c", once)]
    (group,) = dedup(runs, [Guard("flow", twice)], threshold=0.9).groups
    assert (group.count, group.guarded, group.flows) == (3, 1, ("flow",))
    assert group.exemplar.name == "a"


def test_a_recording_that_knows_too_little_guards_nothing() -> None:
    once = fingerprint(rendered(ONCE))
    blind = replace(once, basis=tuple(fact for fact in once.basis if fact != "outcome"))
    (group,) = dedup([Seen("a", once)], [Guard("flow", blind)]).groups
    assert group.flows == ()


def test_nothing_at_all() -> None:
    found = dedup([], [])
    assert (found.groups, found.left, found.runs) == ((), (), 0)

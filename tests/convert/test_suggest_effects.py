"""Side effects of a recording become suggested assertions: the net effect of each target, as a replay would see it."""

from __future__ import annotations

from pathlib import Path

import pytest

from runwright.convert.effects import with_effects
from runwright.convert.flow_text import flow_text
from runwright.convert.options import ConvertOptions, paths_for
from runwright.convert.suggest import suggest
from runwright.convert.tool_rules import effects_by_rule
from runwright.convert.turns import user_turns
from runwright.convert.until import Until
from runwright.flow import parse_flow
from runwright.trace.model import (
    EFFECT_KINDS,
    EffectState,
    Message,
    SideEffect,
    SideEffectRecord,
    TextBlock,
    ToolCallBlock,
    ToolRecord,
    ToolResultBlock,
    Trace,
)
from tests.convert.traces import TASK, exchange, story, text, tool, trace
from tests.run.story import START, exchange as asked_for

HELLO = exchange(1, [text("user", TASK)], tools=())
FILES = dict.fromkeys(("fs_write", "fs_delete", "fs_rename", "fs_truncate"), "observed")


def did(number: int, kind: str, target: str, op: str | None = None, content: str | None = None, **more: object):
    after = None if content is None else EffectState(content=content, size=len(content))
    return SideEffectRecord(
        id=f"e{number}", side_effect=SideEffect(kind=kind, target=target, op=op, after=after, **more)
    )


def suggested(run: Trace, until: Until = Until(None)) -> list[object]:  # noqa: B008 - a frozen value
    return [
        (*each.assertion.values(), each.why)
        for each in suggest(run, until)
        if "side_effect" in next(iter(each.assertion))
    ]


def only(*effects: SideEffectRecord, **header: object) -> list[object]:
    return suggested(trace(HELLO, *effects, **header))


# --- what is suggested -------------------------------------------------------------------------------


def test_what_was_observed_is_suggested_with_op_and_small_content() -> None:
    found = only(did(1, "fs_write", "out/a.csv", "create", "A-1,40"), observation=FILES)
    wanted = {"kind": "fs_write", "target": "out/a.csv", "op": "create", "after": {"content": {"equals": "A-1,40"}}}
    assert found[0] == (wanted, "e1 (observed)")
    assert [each[0] for each in found[1:]] == [{"kind": kind} for kind in ("fs_delete", "fs_rename", "fs_truncate")]


def test_watched_files_that_nobody_changed_are_one_line() -> None:
    assert only(observation=FILES) == [({"kind": "fs"}, "observed, and none happened")]


@pytest.mark.parametrize(
    ("effect", "assertion"),
    [
        (did(1, "fs_write", "a", "create", "x" * 61), {"kind": "fs_write", "target": "a", "op": "create"}),
        (
            did(1, "fs_write", "a", "create", "at 2026-05-04T10:00:01Z"),
            {"kind": "fs_write", "target": "a", "op": "create"},
        ),
        (did(1, "fs_write", "a", "create", "[[redacted:key:1]]"), {"kind": "fs_write", "target": "a", "op": "create"}),
        (
            did(1, "fs_write", "out/7b0c6e1e-8f5a-4c3c-9d5e-0a1b2c3d4e5f.txt", "create"),
            {"kind": "fs_write", "target": "out/*.txt", "op": "create"},
        ),
        (did(1, "fs_write", "/outside/0011223344556677", "create"), None),
        (did(1, "fs_write", "out/[[redacted:key:1]]", "create"), None),
    ],
)
def test_what_the_next_run_will_not_repeat_is_left_out(effect: SideEffectRecord, assertion: object) -> None:
    assert only(effect, observation={"fs_write": "observed"}) == ([(assertion, "e1 (observed)")] if assertion else [])


def test_a_port_of_this_machine_is_another_one_next_time() -> None:
    found = only(did(1, "http_request", "http://127.0.0.1:41234/x", "POST"), observation={"http_request": "observed"})
    assert found == [({"kind": "http_request", "target": "POST http://127.0.0.1:*/x"}, "e1 (observed)")]


@pytest.mark.parametrize(
    ("target", "cwd", "glob"),
    [
        ("/home/u/shop/src/a.py", "/home/u/shop", "src/a.py"),
        ("/home/u/shop/src/a.py", None, "**/a.py"),
        ("/etc/hosts", "/home/u/shop", "**/hosts"),
        ("src/a.py", None, "src/a.py"),
    ],
)
def test_an_absolute_path_is_told_as_the_workspace_has_it(target: str, cwd: str | None, glob: str) -> None:
    header = {"ext": {"cwd": cwd}} if cwd else {}
    found = only(did(1, "fs_write", target, "edit"), observation={"fs_write": "imported"}, **header)
    assert found == [({"kind": "fs_write", "target": glob}, "e1 (imported)")]


def test_several_changes_of_a_file_are_its_last_state() -> None:
    found = only(
        did(1, "fs_write", "a", "create", "1", caused_by="t1"),
        did(2, "fs_write", "a", "edit", "2", caused_by="t2"),
        observation={"fs_write": "imported"},
    )
    after = {"content": {"equals": "2"}}
    assert found == [({"kind": "fs_write", "target": "a", "after": after}, "e1, e2 (imported), caused by t1, t2")]


def test_what_came_and_went_left_nothing() -> None:
    how = {"fs_write": "imported", "fs_delete": "imported", "fs_rename": "imported"}
    assert only(did(1, "fs_write", "a", "create", "1"), did(2, "fs_delete", "a", "delete"), observation=how) == []
    moved = did(2, "fs_rename", "a", "move", detail={"to": "b"})
    assert only(did(1, "fs_write", "a", "create"), moved, observation=how) == []
    assert only(moved, did(3, "fs_write", "b", "edit"), observation=how)[1:] == []
    alone = only(moved, observation=how)
    assert alone == [({"kind": "fs_rename", "target": "a"}, "e2 (imported)")]


def test_what_no_replay_observes_says_so() -> None:
    how = {"db_change": "imported", "sap_transaction": "imported"}
    (row, sap) = only(did(1, "db_change", "d/t/1"), did(2, "sap_transaction", "VA01"), observation=how)
    assert "CAPABILITY unless effects.databases names the database" in row[1]
    assert sap[1] == "e2 (imported); CAPABILITY: nothing observes it at replay"


def test_a_long_session_stays_readable() -> None:
    found = only(*(did(n, "fs_write", f"f{n}", "edit") for n in range(1, 41)), observation={"fs_write": "imported"})
    assert len(found) == 12
    assert found[-1][1] == "e12 (imported); 28 more targets are not listed"


def test_with_until_only_what_its_next_request_decides() -> None:
    records = list(story().records)
    records.insert(3, did(1, "fs_write", "log", "edit", "1"))
    records.insert(4, did(2, "fs_write", "out", "edit", "1"))
    records.insert(7, did(3, "fs_write", "log", "edit", "2"))
    records.insert(8, did(4, "fs_write", "late", "edit", "2"))
    run = trace(*records, observation={"fs_write": "imported"})
    assert [each[0] for each in suggested(run, Until("m2"))] == [
        {"kind": "fs_write", "target": "log"},
        {"kind": "fs_write", "target": "out", "after": {"content": {"equals": "1"}}},
    ]


def test_the_flow_offers_the_comparison_and_every_suggestion_is_read_again() -> None:
    run = trace(
        HELLO,
        did(1, "fs_write", 'a "b", where', "create", "x: #1"),
        did(2, "http_request", "https://a/x", "POST"),
        did(3, "fs_rename", "a", "move", detail={"to": "b"}),
        observation={**FILES, "http_request": "observed"},
    )
    until = Until(None)
    text_of = flow_text(
        run, ConvertOptions(out="flows/a"), paths_for("flows/a"), until, user_turns(run), suggest(run, until)
    )
    line = "# effects: strict  # the recording observed fs_write, fs_delete, fs_rename, fs_truncate, http_request\n"
    assert line in text_of
    taken = text_of.replace("  # - ", "  - ").replace("# effects", "effects")
    made = parse_flow(taken.encode(), Path("flows/a.flow.yaml"), {})
    assert (made.effects.compare, len(made.steps)) == ("strict", len(suggest(run, until)))
    assert "effects:" not in flow_text(
        story(), ConvertOptions(out="flows/a"), paths_for("flows/a"), until, user_turns(story()), ()
    )


# --- what is inferred from arguments -----------------------------------------------------------------

NAMED = [
    ("Write", {"file_path": "a", "content": "x"}, [("fs_write", "a", "x")]),
    ("write_file", {"path": "a", "content": "x"}, [("fs_write", "a", "x")]),
    ("mcp__files__write_file", {"path": "a", "content": "x"}, [("fs_write", "a", "x")]),
    ("functions.write_file", {"path": "a", "content": "x"}, [("fs_write", "a", "x")]),
    ("Edit", {"file_path": "a", "old_string": "1", "new_string": "2"}, [("fs_write", "a", None)]),
    ("MultiEdit", {"file_path": "a", "edits": []}, [("fs_write", "a", None)]),
    ("NotebookEdit", {"notebook_path": "a.ipynb", "new_source": "x"}, [("fs_write", "a.ipynb", None)]),
    ("delete_file", {"path": "a"}, [("fs_delete", "a", None)]),
    ("str_replace_editor", {"command": "create", "path": "a", "file_text": "x"}, [("fs_write", "a", "x")]),
    ("str_replace_based_edit_tool", {"command": "insert", "path": "a", "insert_text": "x"}, [("fs_write", "a", None)]),
    (
        "apply_patch",
        {"input": "*** Begin Patch\n*** Add File: a\n+x\n*** Update File: b\n*** Move to: c\n@@\n-1\n+2\n"
                  "*** Update File: d\n-1\n+2\n*** Delete File: e\n*** End Patch"},
        [("fs_write", "a", None), ("fs_rename", "b", None), ("fs_write", "d", None), ("fs_delete", "e", None)],
    ),
    ("apply_patch", "*** Add File: a\n+x", [("fs_write", "a", None)]),
]  # fmt: skip
NOTHING = [
    ("Read", {"file_path": "a"}),
    ("Bash", {"command": "echo x > a"}),
    ("shell", {"command": ["bash", "-c", "sed -i s/a/b/ f"]}),
    ("Write", {"content": "x"}),
    ("Write", "a"),
    ("write_report", {"path": "a", "content": "x"}),
    ("str_replace_editor", {"command": "view", "path": "a"}),
    ("str_replace_editor", {"command": "undo_edit", "path": "a"}),
    ("write_file", {"path": 7, "content": "x"}),
]


@pytest.mark.parametrize(("name", "arguments", "effects"), NAMED)
def test_arguments_that_name_what_changed(name: str, arguments: object, effects: object) -> None:
    found = list(effects_by_rule(name, arguments, "t1"))
    assert [(each.kind, each.target, each.after and each.after.content) for each in found] == effects
    assert {each.caused_by for each in found} == {"t1"}


@pytest.mark.parametrize(("name", "arguments"), NOTHING)
def test_what_is_never_guessed(name: str, arguments: object) -> None:
    assert list(effects_by_rule(name, arguments, "t1")) == []


def test_a_call_that_failed_or_that_nobody_answered_changed_nothing() -> None:
    failed = ToolRecord(id="t1", name="Write", arguments={"file_path": "a"}, outcome="error", fidelity="raw")
    assert with_effects(trace(HELLO, failed)).effects == []
    asked = asked_for("m1", START, (ToolCallBlock(id="call_1", name="Write", arguments={"file_path": "a"}),))
    assert with_effects(trace(asked)).effects == []
    for error, effects in ((True, 0), (False, 1), (None, 1)):
        result = ToolResultBlock(call_id="call_1", content=(TextBlock(text="done"),), is_error=error)
        told = (
            *START,
            Message(role="assistant", content=asked.response.content),
            Message(role="tool", content=(result,)),
        )  # type: ignore[union-attr]
        answered = asked_for("m2", told, (TextBlock(text="It is there."),), after=("m1",))
        found = with_effects(trace(asked, answered))
        assert [each.id for each in found.records if each.id != "e1"] == ["m1", "m2"]
        assert len(found.effects) == effects
        if effects:
            assert [each.id for each in found.records] == ["m1", "e1", "m2"]
            assert (found.effects[0].after, found.effects[0].side_effect.caused_by) == (("m1",), "m1")
            assert found.header.observation["fs_write"] == "inferred"


WRITE = tool(1, "Write", {"file_path": "a", "content": "x"}, "ok", "call_1")


def test_an_inferred_effect_is_marked_and_suggested() -> None:
    run = with_effects(trace(HELLO, WRITE))
    assert run.header.observation == {"fs_write": "inferred"}
    wanted = {"kind": "fs_write", "target": "a", "after": {"content": {"equals": "x"}}}
    assert suggested(run) == [(wanted, "e1 (inferred), caused by t1")]


@pytest.mark.parametrize("how", ["enforced", "observed", "imported"])
def test_who_looked_or_read_the_results_has_the_last_word(how: str) -> None:
    assert with_effects(trace(HELLO, WRITE, observation={"fs_write": how})).effects == []
    whole = dict.fromkeys(EFFECT_KINDS, "not_observed")
    assert len(with_effects(trace(HELLO, WRITE, observation=whole)).effects) == 1

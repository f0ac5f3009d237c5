"""Codex's rollouts of both shapes, and what `codex exec --json` prints."""

from __future__ import annotations

import json
from typing import Any

import pytest

from runwright.errors import ReaderError
from runwright.readers import Input, read_foreign, sniff
from runwright.readers.codex.outcome import outcome_of
from runwright.readers.codex.patch import effects_of_changes, effects_of_patch, patch_of
from runwright.trace.model import FaultRecord, McpRecord, MessageRecord, ModelError, Trace, calls_of, text_of
from tests.samples import ROOT, samples_dir

FOLDER = ROOT / "tests" / "fixtures" / "codex"


def rollout(**replaced: Any) -> Trace:
    """The rollout; a value replaces the lines of that payload type, None leaves them out."""
    kept = []
    for line in (FOLDER / "rollout.jsonl").read_text().splitlines():
        kind = json.loads(line)["payload"].get("type", json.loads(line)["type"])
        if kind not in replaced:
            kept.append(line)
        elif replaced[kind] is not None:
            kept.append(json.dumps(json.loads(line) | {"payload": json.loads(line)["payload"] | replaced[kind]}))
    return read_foreign([Input("s.jsonl", "\n".join(kept).encode())], "codex")


def made(*lines: Any) -> Trace:
    return read_foreign([Input("s.jsonl", "\n".join(map(json.dumps, lines)).encode())], "codex")


def item(**payload: Any) -> dict[str, Any]:
    return {"timestamp": "2026-11-30T11:00:00Z", "type": "response_item", "payload": payload}


def event(**payload: Any) -> dict[str, Any]:
    return {"timestamp": "2026-11-30T11:00:00Z", "type": "event_msg", "payload": payload}


def said(trace: Trace) -> list[tuple[str, str]]:
    return [(each.role, text_of(each.content)) for each in trace.records if isinstance(each, MessageRecord)]


def of_call(trace: Trace, call_id: str) -> Any:
    return next(each for each in trace.tools if each.call_id == call_id)


def losses(trace: Trace) -> set[str]:
    return {loss.detail for loss in trace.header.losses}


ANSWER = item(type="message", role="assistant", content=[{"type": "output_text", "text": "Done."}])


# --- rollouts ------------------------------------------------------------------------------------


def test_items_up_to_the_next_result_are_one_reply() -> None:
    first = rollout().models[0]
    assert first.response is not None
    assert [type(block).__name__ for block in first.response.content] == [
        "ThinkingBlock", "TextBlock", "ToolCallBlock", "ToolCallBlock",
    ]  # fmt: skip
    assert (first.request.api, first.request.model, first.response.stop_reason) == (
        "openai.responses", "gpt-6-codex", "tool_calls",
    )  # fmt: skip
    assert [each.role for each in first.request.messages] == ["system", "developer", "user", "user"]


def test_a_request_holds_the_items_as_the_wire_has_them() -> None:
    second = rollout().models[1]
    assert [each.role for each in second.request.messages[4:]] == ["assistant"] * 4 + ["tool"] * 2
    assert [len(each.content) for each in second.request.messages] == [1] * 10


def test_tokens_are_counted_once() -> None:
    usages = [each.response.usage for each in rollout().models if each.response and each.response.usage]
    assert [(each.input_tokens, each.output_tokens) for each in usages if each.input_tokens] == [(100, 20), (300, 5)]
    assert usages[0].details["reasoning_output_tokens"] == 1


def test_counts_after_the_results_are_of_the_reply_before_them() -> None:
    count = event(type="token_count", info={"last_token_usage": {"input_tokens": 4, "output_tokens": 2}})
    ask = item(type="function_call", name="f", arguments="{}", call_id="c")
    trace = made(ask, item(type="function_call_output", call_id="c", output="x"), count, ANSWER)
    assert [each.response.usage.input_tokens for each in trace.models if each.response and each.response.usage] == [
        4,
        0,
    ]
    assert "$.response.usage" in trace.models[1].reconstructed


def test_counts_that_are_told_again_are_of_no_reply() -> None:
    told = {"last_token_usage": {"input_tokens": 4, "output_tokens": 2}, "total_token_usage": {"total_tokens": 6}}
    count = event(type="token_count", info=told)
    trace = made(ANSWER, count, item(role="user", content="again"), ANSWER, count)
    assert ["$.response.usage" in each.reconstructed for each in trace.models] == [False, True]


def test_calls_with_exit_codes_refusals_and_mcp() -> None:
    trace = rollout()
    assert of_call(trace, "call_cat").outcome == "ok"
    assert (of_call(trace, "call_ls").outcome, of_call(trace, "call_ls").error.message) == ("error", "exit code 2")
    assert of_call(trace, "call_rm").outcome == "denied"
    assert of_call(trace, "call_local").error.message == "exit code 3"
    assert of_call(trace, "call_open").unknown == ("$.result", "$.outcome")
    (mcp,) = [each for each in trace.records if isinstance(each, McpRecord)]
    assert (mcp.server, mcp.params, mcp.parent) == (
        "till", {"name": "open", "arguments": {"drawer": 1}}, of_call(trace, "call_mcp").id,
    )  # fmt: skip


def test_a_failed_mcp_call_has_its_error() -> None:
    trace = rollout(mcp_tool_call_end={"result": {"Err": "locked"}})
    (mcp,) = [each for each in trace.records if isinstance(each, McpRecord)]
    assert mcp.error is not None
    assert (mcp.error.message, mcp.unknown, mcp.result) == ("locked", ("$.error.code",), None)


def test_patches_are_side_effects() -> None:
    trace = rollout()
    effects = [each.side_effect for each in trace.effects]
    assert [(each.kind, each.op, each.target) for each in effects] == [
        ("fs_write", "create", "note.txt"),
        ("fs_write", "edit", "rate.py"),
        ("fs_delete", "delete", "old.py"),
        ("fs_rename", "move", "a.py"),
    ]
    assert {each.caused_by for each in effects} == {of_call(trace, "call_patch").id}
    assert effects[3].detail == {"to": "b.py"}
    assert {kind for kind, how in trace.header.observation.items() if how == "imported"} == {
        "fs_write", "fs_delete", "fs_rename",
    }  # fmt: skip


def test_a_patch_that_failed_changed_nothing() -> None:
    output = {"output": json.dumps({"output": "no", "metadata": {"exit_code": 1}})}
    assert rollout(custom_tool_call_output=output).effects == []
    assert rollout(custom_tool_call_output=None).effects == []


def test_what_is_said_twice_is_said_once() -> None:
    assert said(rollout()) == [("user", "Raise the rate."), ("agent", "It is 2."), ("user", "Check it.")]
    without = rollout(user_message=None, agent_message=None, agent_reasoning=None)
    assert (len(without.models), said(without)) == (len(rollout().models), said(rollout()))


def test_a_failed_call_is_an_exchange_without_a_response() -> None:
    (failed,) = [each for each in rollout().models if each.error]
    assert failed.error == ModelError(message="stream disconnected", kind="response_stream_disconnected")
    assert failed.response is None


def test_after_a_compaction_the_replacement_is_what_the_model_knows() -> None:
    last = rollout().models[-1]
    assert [text_of(each.content) for each in last.request.messages] == [
        "You are a coding agent.", "Raise the rate.", "The rate was raised.", "Check it.",
    ]  # fmt: skip
    older = rollout(compacted={"replacement_history": None}).models[-1]
    assert "$.request.messages" in older.unknown
    assert [text_of(each.content) for each in older.request.messages][1:] == ["The rate was raised.", "Check it."]


def test_turns_that_were_taken_back_leave_requests_unknown() -> None:
    trace = made(ANSWER, event(type="thread_rolled_back", num_turns=1), item(role="user", content="again"), ANSWER)
    assert ["$.request.messages" in each.unknown for each in trace.models] == [False, True]
    assert "turns that were taken back stand in later requests" in losses(trace)


def test_an_aborted_turn_is_a_fault() -> None:
    (fault,) = [each for each in rollout().records if isinstance(each, FaultRecord)]
    assert (fault.kind, fault.detail) == ("interruption", "the turn was aborted: interrupted")


def test_without_base_instructions_the_system_prompt_is_unknown() -> None:
    trace = rollout(session_meta={"base_instructions": None})
    assert "$.request.messages[0].content" in trace.models[0].unknown
    assert trace.models[0].request.messages[0].content == ()
    assert rollout().header.specification is not None
    assert rollout().header.specification.system_prompt is not None  # type: ignore[union-attr]


def test_an_older_rollout_has_no_envelopes() -> None:
    trace = read_foreign([FOLDER / "legacy.jsonl"])
    assert (len(trace.models), len(trace.tools), trace.header.ext["session_id"]) == (3, 2, "0190-legacy")
    assert [each.outcome for each in trace.tools] == ["ok", "error"]
    assert [each.side_effect.target for each in trace.effects] == ["note.txt"]
    assert said(trace) == [("user", "Fix the note."), ("agent", "Fixed.")]
    assert trace.models[0].t is None


def test_a_result_without_a_call_and_arguments_that_are_missing_are_told() -> None:
    trace = made(
        item(type="function_call_output", call_id="none", output="x"),
        item(type="function_call", name="f", call_id="c"),
    )
    assert "results of calls that are not in the file" in losses(trace)
    assert "$.arguments" in trace.tools[0].unknown
    assert "$.response.content[0].arguments" in trace.models[0].unknown


@pytest.mark.parametrize(
    ("output", "ended", "outcome", "kind"),
    [
        ("Exit code: 0\nOutput:\nExit code: 9", None, "ok", None),
        ("Exit code: 1\nWall time: 1 seconds", None, "error", "exit_code"),
        ("x" * 500 + "\nExit code: 1", None, "ok", None),
        ('{"output":"","metadata":{"exit_code":124}}', None, "error", "exit_code"),
        ('{"metadata": broken', None, "ok", None),
        ({"content": "no", "success": False}, None, "error", None),
        ({"content": "yes", "success": True}, None, "ok", None),
        ([{"type": "input_text", "text": "Exit code: 2"}], None, "error", "exit_code"),
        ("patch rejected by user", None, "denied", "denied"),
        ("aborted by user after 3s", None, "error", "interrupted"),
        ("fine", {"exit_code": 1}, "error", "exit_code"),
        ("fine", {"success": False}, "error", None),
        (None, None, "ok", None),
    ],
)
def test_what_became_of_a_call(output: Any, ended: Any, outcome: str, kind: str | None) -> None:
    found, error = outcome_of(output, ended)
    assert (found, error.type if error else None) == (outcome, kind)


@pytest.mark.parametrize(
    ("arguments", "patch"),
    [
        ("*** Begin Patch\nx\n*** End Patch", "\nx\n"),
        ({"input": "*** Begin Patch\nx"}, "\nx"),
        ({"command": ["bash", "-lc", "apply_patch <<E\n*** Begin Patch\nx\n*** End Patch\nE"]}, "\nx\n"),
        ({"command": "ls"}, None),
        (None, None),
        (3, None),
    ],
)
def test_where_a_patch_stands(arguments: Any, patch: str | None) -> None:
    assert patch_of(arguments) == patch


def test_the_end_of_a_patch_tells_what_it_changed() -> None:
    changes = {
        "/a": {"add": {"content": "x\n"}},
        "/b": {"update": {"unified_diff": "@@\n", "move_path": "/c"}},
        "/d": {"type": "delete", "content": "y"},
        "/e": 3,
    }
    found = [(each.kind, each.target) for each in effects_of_changes(changes)]
    assert found == [("fs_write", "/a"), ("fs_write", "/b"), ("fs_rename", "/b"), ("fs_delete", "/d")]
    assert list(effects_of_patch("")) == []
    end = event(type="patch_apply_end", call_id="c", success=True, changes={"/a": {"add": {"content": "x\n"}}})
    ask = item(type="custom_tool_call", name="apply_patch", input="*** Begin Patch\n*** Add File: a\n", call_id="c")
    trace = made(ask, end, item(type="custom_tool_call_output", call_id="c", output="done"))
    assert [each.side_effect.target for each in trace.effects] == ["/a"]


# --- printed threads -----------------------------------------------------------------------------


def test_a_printed_thread_says_what_it_does_not_know() -> None:
    trace = read_foreign([FOLDER / "exec.jsonl"])
    for each in trace.models:
        assert {"$.request.messages", "$.request.model"} <= set(each.unknown)
        assert each.response is None or "$.response.content" in each.unknown
        assert each.fidelity == "partial"
    assert trace.header.ext["session_id"] == "019e0000-bbbb"


def test_a_printed_threads_replies_calls_and_files() -> None:
    trace = read_foreign([FOLDER / "exec.jsonl"])
    replies = [each.response for each in trace.models if each.response]
    assert [[call.name for call in calls_of(each.content)] for each in replies] == [
        ["command_execution", "file_change"], ["mcp__till__open"], [], ["command_execution"],
    ]  # fmt: skip
    assert [(each.name, each.outcome) for each in trace.tools] == [
        ("command_execution", "error"), ("file_change", "ok"), ("command_execution", "ok"),
    ]  # fmt: skip
    assert trace.tools[2].unknown == ("$.result", "$.outcome")
    assert [each.side_effect.kind for each in trace.effects] == ["fs_write", "fs_write", "fs_delete"]
    (mcp,) = [each for each in trace.records if isinstance(each, McpRecord)]
    assert mcp.error is not None
    assert (mcp.error.message, mcp.call_id) == ("locked", "item_4")
    assert len([each for each in trace.models if each.error]) == 1


def test_the_tokens_of_a_turn_are_a_replys_where_it_is_the_only_one() -> None:
    trace = read_foreign([FOLDER / "exec.jsonl"])
    assert trace.models[2].ext["usage_of_turn"] == {"input_tokens": 50, "cached_input_tokens": 0, "output_tokens": 7}
    assert "$.response.usage" in trace.models[2].reconstructed
    one = read_foreign(
        [samples_dir("codex") / "agentcmd__.agent__research__codex__codex-samples__stream-output-1.jsonl"]
    )
    assert one.models[0].response is not None
    assert one.models[0].response.usage is not None
    assert one.models[0].response.usage.input_tokens == 2946


# --- both ----------------------------------------------------------------------------------------


def test_a_reply_of_one_item_took_nobody_knows_how_long() -> None:
    items = [
        {"type": "session_meta", "payload": {"id": "s"}},
        {"type": "response_item", "payload": {"type": "message", "role": "user", "content": "hi"}},
        {"type": "response_item", "payload": {"type": "message", "role": "assistant", "content": "hello"}},
    ]
    lines = [json.dumps({"timestamp": f"2026-11-30T10:00:0{at}Z", **item}) for at, item in enumerate(items)]
    (exchange,) = read_foreign([Input("s.jsonl", "\n".join(lines).encode())]).models
    assert (exchange.t, exchange.duration) == (1.0, None)


@pytest.mark.parametrize("data", [b'{"type":"thread.started","thread_id":"x"}', b'{"type":"turn.started"}'])
def test_a_thread_without_a_reply_is_refused(data: bytes) -> None:
    assert sniff(data) == "codex"
    with pytest.raises(ReaderError, match="no reply of a model") as caught:
        read_foreign([Input("s.jsonl", data)])
    assert "codex exec --json" in caught.value.hint

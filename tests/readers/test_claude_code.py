"""Claude Code's sessions: what is joined, what is left, what runs inside what."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from runwright.errors import ReaderError
from runwright.readers import Input, read_foreign, runs_of
from runwright.readers.claude_code import read_claude_code
from runwright.readers.many import read_many
from runwright.trace import dumps_trace, loads_trace
from runwright.trace.model import (
    FaultRecord,
    MessageRecord,
    ModelRecord,
    Trace,
    calls_of,
    results_of,
    text_of,
)
from tests.samples import ROOT, samples_dir

FOLDER = ROOT / "tests" / "fixtures" / "claude_code"
MAIN = FOLDER / "5e551011-0000-4000-8000-000000000001.jsonl"
HELPER = FOLDER / MAIN.stem / "subagents" / "agent-a11ce.jsonl"


def session() -> Trace:
    return read_foreign([MAIN, HELPER])


def changed(*, drop: tuple[str, ...] = (), **uuids: dict[str, Any]) -> Trace:
    """The session with lines left out, or fields of lines replaced, by their uuids."""
    lines = [json.loads(line) for line in MAIN.read_text().splitlines()]
    kept = [line | uuids.get(line.get("uuid", ""), {}) for line in lines if line.get("uuid") not in drop]
    return made(*kept)


def made(*lines: dict[str, Any]) -> Trace:
    return read_foreign([Input("s.jsonl", "\n".join(map(json.dumps, lines)).encode())], "claude_code")


def line(uuid: str, kind: str, content: Any, parent: str | None = None, **more: Any) -> dict[str, Any]:
    message = {"role": kind, "content": content, **more.pop("message", {})}
    return {"uuid": uuid, "parentUuid": parent, "isSidechain": False, "sessionId": "s", "type": kind} | {
        "message": message,
        **more,
    }


def losses(trace: Trace) -> dict[str, int]:
    return {loss.detail: loss.count for loss in trace.header.losses}


def said(trace: Trace) -> list[tuple[str, str]]:
    return [(each.role, text_of(each.content)) for each in trace.records if isinstance(each, MessageRecord)]


def by_key(trace: Trace, call_id: str) -> Any:
    return next(each for each in trace.tools if each.call_id == call_id)


# --- replies -------------------------------------------------------------------------------------


def test_the_lines_of_a_reply_are_one_exchange_and_its_usage_is_counted_once() -> None:
    first = next(each for each in session().models if each.response)
    assert first.response is not None
    assert [type(block).__name__ for block in first.response.content] == [
        "ThinkingBlock", "TextBlock", "ToolCallBlock", "ToolCallBlock",
    ]  # fmt: skip
    assert first.response.usage is not None
    assert (first.response.usage.input_tokens, first.response.usage.output_tokens) == (9, 40)
    assert first.response.usage.details == {"cache_read_input_tokens": 100}
    assert (first.response.id, first.response.stop_reason, first.request.api) == (
        "msg_one", "tool_calls", "anthropic.messages",
    )  # fmt: skip
    assert first.ext["request_id"] == "req_one"


def test_results_that_came_between_the_lines_of_a_reply_answer_it_together() -> None:
    after = [each for each in session().models if each.response][1]
    assert [each.call_id for each in results_of(after.request)] == ["toolu_read", "toolu_ls"]
    assert [each.role for each in after.request.messages] == ["system", "user", "user", "assistant", "user"]


def test_what_no_session_holds_is_unknown() -> None:
    trace = session()
    for each in trace.models:
        assert {"$.request.messages[0].content", "$.request.tools", "$.request.parameters.*"} <= set(each.unknown)
    assert trace.header.specification is not None
    assert trace.header.specification.system_prompt is None
    assert trace.header.specification.tools is None


def test_tokens_of_a_reply_without_an_end_are_not_known() -> None:
    trace = changed(a4={"message": {**_message("a4"), "stop_reason": None}})
    first = next(each for each in trace.models if each.response)
    assert "$.response.usage.output_tokens" in first.unknown
    assert "$.response.stop_reason" in first.reconstructed
    assert losses(trace)["output tokens as they stood while the reply came"] == 1


def _message(uuid: str) -> dict[str, Any]:
    lines = (json.loads(each) for each in MAIN.read_text().splitlines())
    found: dict[str, Any] = next(each for each in lines if each.get("uuid") == uuid)["message"]
    return found


# --- tools and files -----------------------------------------------------------------------------


def test_calls_have_their_results_errors_and_refusals() -> None:
    trace = session()
    read, listed, refused = (by_key(trace, each) for each in ("toolu_read", "toolu_ls", "toolu_no"))
    assert (read.result, read.outcome, read.error, read.duration) == ("rate = 1", "ok", None, 1.0)
    assert (listed.outcome, listed.error.message[:11]) == ("error", "Exit code 2")
    assert (refused.outcome, refused.error.type) == ("denied", "denied")
    assert by_key(trace, "toolu_audit").ext["tool_result"] == {"agentId": "a11ce", "status": "completed"}


def test_a_call_without_a_result_is_unknown_not_empty() -> None:
    trace = session()
    open_call = by_key(trace, "toolu_open")
    assert (open_call.result, open_call.unknown, open_call.fidelity) == (None, ("$.result", "$.outcome"), "partial")
    assert losses(trace)["results of calls: none is in the file"] == 1


def test_edits_are_side_effects_caused_by_their_calls() -> None:
    trace = session()
    edit, new = trace.effects
    assert [each.side_effect.caused_by for each in (edit, new)] == [
        by_key(trace, "toolu_edit").id, by_key(trace, "toolu_new").id,
    ]  # fmt: skip
    assert (edit.side_effect.op, new.side_effect.op) == ("edit", "create")
    assert edit.side_effect.before is not None
    assert edit.side_effect.after is not None
    assert (edit.side_effect.before.content, edit.side_effect.after.content) == ("rate = 1\n", "rate = 2\n")
    assert edit.side_effect.diff == "@@ -1,1 +1,1 @@\n-rate = 1\n+rate = 2\n"
    assert trace.header.observation["fs_write"] == "imported"
    assert trace.header.observation["fs_delete"] == "not_observed"
    assert "files that shell commands wrote" in losses(trace)


@pytest.mark.parametrize(
    ("own", "op", "after"),
    [
        ({"oldString": "a", "newString": "b", "originalFile": "a a", "replaceAll": True}, "edit", "b b"),
        ({"oldString": "a", "newString": "b", "originalFile": "a a", "userModified": True}, "edit", None),
        ({"oldString": "x", "newString": "b", "originalFile": "a a"}, "edit", None),
        ({"oldString": "", "newString": "b", "originalFile": ""}, "create", "b"),
        ({"oldString": "a", "newString": "b", "originalFile": None}, "edit", None),
        (
            {
                "edits": [{"old_string": "a", "new_string": "b"}, {"old_string": "b", "new_string": "c"}],
                "originalFileContents": "a",
            },
            "edit",
            "c",
        ),
        ({"type": "update", "content": "new", "originalFile": "old"}, "edit", "new"),
        ({"type": "create", "content": "new"}, "create", "new"),
    ],
)
def test_what_an_edit_left(own: dict[str, Any], op: str, after: str | None) -> None:
    trace = changed(r3={"toolUseResult": {"filePath": "/f", "structuredPatch": [], **own}})
    effect = trace.effects[0].side_effect
    assert (effect.target, effect.op) == ("/f", op)
    assert (effect.after.content if effect.after else None) == after


@pytest.mark.parametrize("own", ["Error: no", {"file": {"filePath": "/f"}}, {"filePath": "/f", "plan": "x"}, 1, None])
def test_what_writes_no_file_has_no_effect(own: Any) -> None:
    assert [each.side_effect.target for each in changed(r3={"toolUseResult": own}).effects] == ["/shop/note.txt"]


def test_a_notebook_is_a_file() -> None:
    own = {"notebook_path": "/n.ipynb", "original_file": "{}", "updated_file": '{"a":1}'}
    effect = changed(r3={"toolUseResult": own}).effects[0].side_effect
    assert effect.after is not None
    assert (effect.target, effect.after.content) == ("/n.ipynb", '{"a":1}')


def test_an_interrupted_command_is_an_error() -> None:
    trace = changed(r1={"toolUseResult": {"stdout": "", "interrupted": True}})
    assert by_key(trace, "toolu_read").error.type == "interrupted"


# --- agents --------------------------------------------------------------------------------------


def test_subagents_run_inside_the_calls_that_started_them() -> None:
    trace = session()
    inner = {each.agent: each.parent for each in trace.models if each.agent}
    assert inner == {"counter": by_key(trace, "toolu_help").id, "auditor": by_key(trace, "toolu_audit").id}
    grep = by_key(trace, "toolu_grep")
    assert (grep.agent, [each.id for each in trace.models if each.id == grep.parent]) == ("counter", [grep.parent])
    assert [each.agent for each in trace.models].count(None) == 8


def test_a_folder_reads_a_session_with_its_subagents(tmp_path: Path) -> None:
    (group,) = read_many(sorted(FOLDER.rglob("*.jsonl")))
    assert [each.name for each in group.files] == [MAIN.name, HELPER.name]
    assert len(group.runs) == 1
    (tmp_path / MAIN.name).write_bytes(MAIN.read_bytes())
    (tmp_path / HELPER.name).write_bytes(HELPER.read_bytes())
    (tmp_path / "agent-other.jsonl").write_bytes(HELPER.read_bytes().replace(b"5e551011", b"00000000"))
    groups = [[each.name for each in group.files] for group in read_many(sorted(tmp_path.iterdir()))]
    assert sorted(groups) == [[MAIN.name, HELPER.name], ["agent-other.jsonl"]]


def test_without_its_file_a_subagent_is_only_a_call() -> None:
    assert {each.agent for each in read_foreign([MAIN]).models} == {None, "counter"}


def test_a_subagent_that_nothing_started_stands_beside_the_session() -> None:
    trace = changed(s1={"message": {"role": "user", "content": "Warmup"}})
    assert [each.parent for each in trace.models if each.agent == "subagent"] == [None, None]
    assert losses(trace)["a subagent whose call is not in the session stands beside it"] == 1
    assert said(trace)[0] == ("user", "Raise the rate.")


def test_agents_that_start_each_other_in_a_circle_end() -> None:
    def agent(name: str, other: str) -> list[dict[str, Any]]:
        use = {"type": "tool_use", "id": f"call-{name}", "name": "Task", "input": {"prompt": other}}
        return [
            line(f"{name}1", "user", name, isSidechain=True, agentId=name),
            line(f"{name}2", "assistant", [use], f"{name}1", isSidechain=True, agentId=name),
        ]

    trace = made(*agent("x", "y"), *agent("y", "x"), *agent("z", "z"))
    assert len(trace.models) == 3
    assert loads_trace(dumps_trace(trace)) == trace


def test_what_a_subagent_repeats_of_its_session_is_context_and_not_counted_again() -> None:
    reply = line("a", "assistant", [{"type": "text", "text": "One."}], "u", message={"id": "msg_1", "model": "m"})
    copy = {**reply, "uuid": "b", "parentUuid": "v", "isSidechain": True, "agentId": "fork"}
    own = line("c", "assistant", [{"type": "text", "text": "Two."}], "b", message={"id": "msg_2", "model": "m"})
    trace = made(
        line("u", "user", "Go."), reply, line("v", "user", "Go.", isSidechain=True, agentId="fork"), copy,
        {**own, "isSidechain": True, "agentId": "fork"},
    )  # fmt: skip
    assert [(each.agent, text_of(each.response.content)) for each in trace.models if each.response] == [
        (None, "One."), ("fork", "Two."),
    ]  # fmt: skip
    assert [each.role for each in trace.models[1].request.messages] == ["system", "user", "assistant"]


# --- the conversation ----------------------------------------------------------------------------


def test_only_what_the_user_said_is_the_users() -> None:
    assert said(session()) == [
        ("user", "Raise the rate."),
        ("user", "Ask a helper and an auditor."),
        ("user", "And be quick."),
        ("user", "<command-name>/status</command-name>"),
        ("user", "Again?"),
        ("agent", "It is 2."),
    ]


def test_the_branch_that_the_session_ended_on_is_the_run() -> None:
    trace = session()
    assert losses(trace)["messages of branches that the session left"] == 2
    assert not [each for each in trace.models if each.response and each.response.id == "msg_left"]
    assert "Ask two helpers." not in str(trace.records)


def test_after_a_compaction_the_summary_is_what_the_model_knows() -> None:
    trace = session()
    after = next(each for each in trace.models if each.response and each.response.id == "msg_five")
    assert [text_of(each.content)[:24] for each in after.request.messages] == [
        "", "This session is continue", "<command-name>/status</c", "Again?",
    ]  # fmt: skip
    assert losses(trace)["the exchange that summed up the conversation"] == 1


def test_what_a_compaction_kept_is_unknown() -> None:
    trace = changed(c1={"compactMetadata": {"preservedSegment": {"headUuid": "a9"}}})
    states = {each.response.id: "$.request.messages" in each.unknown for each in trace.models if each.response}
    assert (states["msg_four"], states["msg_five"]) == (False, True)


def test_an_older_compaction_has_a_summary_alone() -> None:
    trace = changed(drop=("c1",), u5={"parentUuid": None})
    after = next(each for each in trace.models if each.response and each.response.id == "msg_five")
    assert len(after.request.messages) == 4
    assert losses(trace)["the exchange that summed up the conversation"] == 1


def test_failed_calls_and_retries_are_exchanges_without_a_response() -> None:
    failed = [each for each in session().models if each.error is not None]
    assert [(each.error.status, each.error.kind, each.response) for each in failed if each.error] == [
        (529, "overloaded_error", None), (429, "rate_limit", None),
    ]  # fmt: skip
    assert failed[0].error is not None
    assert failed[0].error.retry_after == 0.5


def test_a_reply_that_the_cli_wrote_itself_is_no_exchange() -> None:
    synthetic = line("a", "assistant", [{"type": "text", "text": "No response requested."}], "u")
    synthetic["message"]["model"] = "<synthetic>"
    reply = line("b", "assistant", [{"type": "text", "text": "Hi."}], "a", message={"model": "m"})
    (only,) = made(line("u", "user", "Go."), synthetic, reply).models
    assert [each.role for each in only.request.messages] == ["system", "user", "assistant"]


def test_an_interruption_is_a_fault() -> None:
    (fault,) = [each for each in session().records if isinstance(each, FaultRecord)]
    assert (fault.kind, fault.detail) == ("interruption", "the user stopped the agent")


def test_a_missing_line_leaves_what_came_before_unknown() -> None:
    trace = changed(drop=("u6",))
    states = {each.response.id: "$.request.messages" in each.unknown for each in trace.models if each.response}
    assert states["msg_four"] is False
    assert states["msg_five"] is True
    assert losses(trace)["lines that others follow are not in the file"] == 1


def test_lines_that_stand_twice_are_read_once() -> None:
    data = MAIN.read_bytes()
    twice = read_foreign([Input("s.jsonl", data + data)])
    assert len(twice.models) == len(read_foreign([MAIN]).models)
    assert losses(twice)["lines that stand in it twice"] == 37
    differ = data + data.splitlines()[2].replace(b"Raise", b"Lower")
    assert "of lines with one uuid the first is kept, though they differ" in losses(
        read_foreign([Input("s.jsonl", differ)])
    )


def test_a_bad_line_stops_nothing() -> None:
    data = MAIN.read_bytes().replace(b'{"parentUuid": "u3"', b'{"parentUuid": u3"', 1) + b'{"parentUuid": "a1'
    trace = read_foreign([Input("s.jsonl", data)])
    assert len(trace.models) == len(read_foreign([MAIN]).models)
    assert sum(loss.count for loss in trace.header.losses if loss.kind == "malformed") == 2


def test_how_long_a_reply_took_is_told_by_its_lines_alone() -> None:
    def reply(uuid: str, second: int) -> dict[str, Any]:
        words, at = [{"type": "text", "text": uuid}], f"2026-11-30T10:00:0{second}Z"
        return line(uuid, "assistant", words, "u", timestamp=at, message={"id": "msg_1", "model": "m"})

    assert [each.duration for each in made(line("u", "user", "hi"), reply("a", 1)).models] == [None]
    both = made(line("u", "user", "hi"), reply("a", 1), {**reply("b", 3), "parentUuid": "a"})
    assert [each.duration for each in both.models] == [2.0]


def test_two_sessions_in_one_file_are_two_runs() -> None:
    other = MAIN.read_bytes().replace(b"5e551011", b"00000000").replace(b'uid": "', b'uid": "x')
    runs = runs_of([Input("s.jsonl", MAIN.read_bytes() + other)])
    assert sorted(run.id[:8] for run in runs) == ["00000000", "5e551011"]


def test_a_session_without_a_reply_is_refused() -> None:
    with pytest.raises(ReaderError, match="no reply of a model") as caught:
        read_foreign([Input("s.jsonl", MAIN.read_bytes().splitlines()[2])])
    assert "whole file" in caught.value.hint


def test_pictures_stand_where_they_were() -> None:
    image = {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "aGk="}}
    trace = changed(u1={"message": {"role": "user", "content": [{"type": "text", "text": "Look."}, image]}})
    first = trace.models[0].request.messages[1]
    assert [type(block).__name__ for block in first.content] == ["TextBlock", "ImageBlock"]


def test_words_beside_a_result_are_the_clis() -> None:
    content = [
        {"type": "tool_result", "tool_use_id": "toolu_read", "content": "rate = 1"},
        {"type": "text", "text": "<system-reminder>mind the rate</system-reminder>"},
    ]
    trace = changed(r1={"message": {"role": "user", "content": content}})
    assert by_key(trace, "toolu_read").result == "rate = 1"
    assert said(trace) == said(session())


def test_subagents_of_a_session_that_is_not_there_are_one_run() -> None:
    names = ("agent-afx0000000000003", "agent-afx0000000000004", "workflows__wf_fx_w__agent-afx0000000000005")
    start = "PyPI_agentpile__tests__fixtures__claude_code__subagents__subagents__"
    files = [samples_dir("claude-code") / f"{start}{name}.jsonl" for name in names]
    trace = read_foreign(files)
    assert [each.parent for each in trace.models] == [None, None, trace.tools[0].id]
    (reply,) = [each for each in trace.models if each.response and calls_of(each.response.content)]
    assert isinstance(reply, ModelRecord)


def test_the_same_files_in_any_order_are_the_same_run() -> None:
    assert read_foreign([MAIN, HELPER]) == read_foreign([HELPER, MAIN])
    assert read_claude_code([Input("a", MAIN.read_bytes())])[0].id == MAIN.stem

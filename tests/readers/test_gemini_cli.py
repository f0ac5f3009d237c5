"""Gemini CLI's sessions, played back, and the responses that its tests recorded."""

from __future__ import annotations

import json
from typing import Any

import pytest

from runwright.errors import ReaderError
from runwright.readers import Input, read_foreign
from runwright.readers.gemini_cli.read import together
from runwright.readers.many import read_many
from runwright.trace.model import FaultRecord, MessageRecord, Trace, calls_of, results_of, text_of
from tests.samples import ROOT

FOLDER = ROOT / "tests" / "fixtures" / "gemini_cli"
MAIN = FOLDER / "session-2026-11-30T12-00-9e319e31.jsonl"
HELPER = FOLDER / "9e319e31-0000-4000-8000-000000000001" / "a9e7.jsonl"
META: dict[str, Any] = {"sessionId": "s", "projectHash": "p"}


def session() -> Trace:
    return read_foreign([MAIN, HELPER])


def made(*lines: dict[str, Any]) -> Trace:
    return read_foreign([Input("s.jsonl", "\n".join(map(json.dumps, (META, *lines))).encode())], "gemini_cli")


def message(id: str, kind: str, content: Any, **more: Any) -> dict[str, Any]:
    return {"id": id, "type": kind, "content": content, **more}


def said(trace: Trace) -> list[tuple[str, str]]:
    return [(each.role, text_of(each.content)) for each in trace.records if isinstance(each, MessageRecord)]


def replies(trace: Trace) -> list[str]:
    return [text_of(each.response.content) for each in trace.models if each.response]


def losses(trace: Trace) -> dict[str, int]:
    return {loss.detail: loss.count for loss in trace.header.losses}


def of_call(trace: Trace, call_id: str) -> Any:
    return next(each for each in trace.tools if each.call_id == call_id)


# --- sessions ------------------------------------------------------------------------------------


def test_a_message_that_is_written_again_is_one_reply_as_it_was_last_written() -> None:
    trace = session()
    first = trace.models[0]
    assert first.response is not None
    assert first.response.usage is not None
    assert [type(block).__name__ for block in first.response.content] == ["ThinkingBlock", "TextBlock", "ToolCallBlock"]
    assert (first.response.usage.input_tokens, first.response.usage.output_tokens) == (90, 9)
    assert (first.request.api, first.request.model) == ("gemini.generate_content", "gemini-3-pro")
    assert replies(trace).count("I look.") == 1
    assert of_call(trace, "read-1").result == "rate = 1"


def test_requests_hold_results_and_no_thoughts() -> None:
    second = session().models[1]
    assert [each.role for each in second.request.messages] == ["system", "user", "user", "assistant", "user"]
    assert [type(block).__name__ for block in second.request.messages[3].content] == ["TextBlock", "ToolCallBlock"]
    assert [(each.call_id, text_of(each.content)) for each in results_of(second.request)] == [
        ("read-1", '{"output":"rate = 1"}')
    ]


def test_calls_have_their_status() -> None:
    trace = session()
    assert [(each.name, each.outcome) for each in trace.tools] == [
        ("read_file", "ok"),
        ("replace", "ok"),
        ("write_file", "ok"),
        ("run_shell_command", "error"),
        ("run_shell_command", "denied"),
        ("codebase_investigator", "ok"),
        ("read_file", "ok"),
    ]
    assert of_call(trace, "sh-1").error.message == "Exit Code: 2"
    assert of_call(trace, "open-1").unknown == ("$.result", "$.outcome")


def test_diffs_that_were_shown_are_side_effects() -> None:
    trace = session()
    edit, new = (each.side_effect for each in trace.effects)
    assert (edit.target, edit.op, edit.caused_by) == ("/shop/rate.py", "edit", of_call(trace, "edit-1").id)
    assert (new.target, new.op, new.before) == ("/shop/note.txt", "create", None)
    assert edit.before is not None
    assert edit.after is not None
    assert (edit.before.content, edit.after.content) == ("rate = 1\n", "rate = 2\n")
    assert trace.header.observation["fs_write"] == "imported"


def test_a_diff_of_a_call_that_failed_wrote_nothing() -> None:
    shown = {"fileDiff": "x", "fileName": "f", "originalContent": "", "newContent": "x"}
    call = {"id": "c", "name": "replace", "args": {}, "status": "cancelled", "resultDisplay": shown}
    assert made(message("g", "gemini", "", toolCalls=[call])).effects == []
    assert len(made(message("g", "gemini", "", toolCalls=[call | {"status": "success"}])).effects) == 1


def test_subagents_run_inside_the_calls_that_started_them() -> None:
    trace = session()
    (inner,) = [each for each in trace.models if each.agent]
    assert (inner.agent, inner.parent) == ("a9e7", of_call(trace, "help-1").id)
    assert len(read_foreign([MAIN]).models) == len(trace.models) - 1
    groups = list(read_many(sorted(FOLDER.rglob("*.jsonl"))))
    assert [[path.name for path in each.files] for each in groups] == [[MAIN.name, HELPER.name]]


def test_a_subagent_that_nothing_started_stands_beside_the_session() -> None:
    stray = HELPER.read_bytes().replace(b"a9e7", b"b000")
    trace = read_foreign([MAIN, Input("b000.jsonl", stray)])
    assert [each.parent for each in trace.models if each.agent == "b000"] == [None]
    assert losses(trace)["a subagent whose call is not in the session stands beside it"] == 1
    assert len(read_foreign([HELPER]).models) == 1


def test_what_was_taken_back_is_not_in_the_run() -> None:
    trace = session()
    assert "Undone." not in replies(trace)
    assert "Undo that." not in str(trace.records)
    assert losses(trace)["messages that were taken back"] == 2


def test_an_unknown_message_takes_everything_back() -> None:
    trace = made(message("a", "gemini", "one"), {"$rewindTo": "none"}, message("b", "gemini", "two"))
    assert replies(trace) == ["two"]
    assert losses(trace)["messages that were taken back"] == 1


def test_messages_that_replace_others_repeat_nothing() -> None:
    trace = session()
    after = trace.models[-1]
    assert [text_of(each.content) for each in after.request.messages] == [
        "", "<state_snapshot>The rate is 2.</state_snapshot>", "Got it.", "It is 2.", "Check it.",
    ]  # fmt: skip
    assert replies(trace).count("It is 2.") == 1
    assert "Got it." not in replies(trace)
    assert "the exchange that summed up the conversation, if it was one" in losses(trace)


def test_messages_that_are_set_first_are_the_conversation() -> None:
    held = [message("a", "user", "one"), message("b", "gemini", "two")]
    trace = made({"$set": {"messages": held}}, {"$set": {"messages": [*held, message("c", "user", "three")]}})
    assert (replies(trace), said(trace)) == (["two"], [("user", "one"), ("agent", "two"), ("user", "three")])
    assert "the exchange that summed up the conversation, if it was one" not in losses(trace)


def test_only_what_the_user_said_is_the_users() -> None:
    assert said(session()) == [
        ("user", "Raise the rate."),
        ("agent", "It is 2."),
        ("user", "/stats"),
        ("user", "Check it."),
    ]


def test_commands_are_not_told_to_the_model() -> None:
    trace = made(message("a", "user", "/stats"), message("b", "user", "hello"), message("c", "gemini", "Hi."))
    assert [text_of(each.content) for each in trace.models[0].request.messages] == ["", "hello"]
    assert said(trace) == [("user", "/stats"), ("user", "hello"), ("agent", "Hi.")]


def test_failures_and_interruptions() -> None:
    trace = session()
    assert [each.error.message for each in trace.models if each.error] == ["[API Error: quota exceeded]"]
    (fault,) = [each for each in trace.records if isinstance(each, FaultRecord)]
    assert fault.kind == "interruption"
    assert losses(trace)["notices of the type 'info'"] == 1


def test_an_older_session_is_one_document() -> None:
    trace = read_foreign([FOLDER / "session-old.json"])
    assert (trace.header.ext["session_id"], replies(trace)) == ("old-1", ["", "It has shipped."])
    assert trace.tools[0].unknown == ("$.result",)
    assert trace.tools[0].outcome == "ok"
    assert "$.request.messages[3].content" in trace.models[1].unknown
    assert "$.request.model" in trace.models[1].unknown


@pytest.mark.parametrize(("given", "told"), [({"id": "a1"}, {"message_id": "a1"}), ({}, {})], ids=["named", "nameless"])
def test_a_message_of_a_document_is_found_by_its_number_and_id(given: dict[str, str], told: dict[str, str]) -> None:
    said = [{"id": "u1", "type": "user", "content": "hi"}, {**given, "type": "gemini", "content": "hello"}]
    whole = {"sessionId": "s", "projectHash": "p", "messages": said}
    (exchange,) = read_foreign([Input("s.json", json.dumps(whole).encode())]).models
    assert exchange.ext == {"source": "s.json: message 1", **told}


def test_pictures_and_function_responses_stand_where_they_were() -> None:
    picture = {"inlineData": {"mimeType": "image/png", "data": "aGk="}}
    trace = made(message("a", "user", [{"text": "Look."}, picture]), message("b", "gemini", {"text": "A cat."}))
    assert [type(block).__name__ for block in trace.models[0].request.messages[1].content] == [
        "TextBlock",
        "ImageBlock",
    ]
    assert replies(trace) == ["A cat."]


def test_a_session_without_a_reply_is_refused() -> None:
    with pytest.raises(ReaderError, match="no reply of a model") as caught:
        made(message("a", "user", "hello"))
    assert "session-" in caught.value.hint


# --- recorded responses --------------------------------------------------------------------------


def test_recorded_responses_are_exchanges_without_requests() -> None:
    trace = read_foreign([FOLDER / "shop.responses"])
    assert [each.streamed for each in trace.models] == [False, True]
    for each in trace.models:
        assert {"$.request.messages", "$.request.tools", "$.request.model"} <= set(each.unknown)
        assert (each.request.messages, each.fidelity) == ((), "partial")
    streamed = trace.models[1]
    assert streamed.response is not None
    assert text_of(streamed.response.content) == "I look."
    assert [call.name for call in calls_of(streamed.response.content)] == ["read_file"]
    assert streamed.chunks is not None
    assert len(streamed.chunks) >= 3
    assert losses(trace)["responses of the method 'countTokens'"] == 1
    assert trace.header.observation["fs_write"] == "not_observed"


def test_a_response_that_cannot_be_kept_is_unknown() -> None:
    odd = {"method": "generateContent", "response": {"candidates": [{"content": {"parts": 3}}]}}
    trace = read_foreign([Input("x.responses", json.dumps(odd).encode())])
    assert "$.response.content" in trace.models[0].unknown
    assert [loss.kind for loss in trace.header.losses] == ["not_representable", "not_captured"]


@pytest.mark.parametrize("backwards", [False, True])
def test_a_subagents_own_subagent_belongs_to_the_session_in_any_order(backwards: bool) -> None:
    names = ["c/session-1-ab12.jsonl", "c/ab12-9/x-cd34.jsonl", "c/ab12-9/cd34-7/deep.jsonl", "c/session-2-ef56.jsonl"]
    found = together(names[::-1] if backwards else names)
    assert sorted(map(sorted, found)) == sorted([sorted(names[:3]), names[3:]])
    assert {group[0] for group in found} == {names[0], names[3]}

"""LiteLLM's logs: the standard payload, the table of spend, and the files of OpenHands' SDK."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from runwright.errors import ReaderError
from runwright.readers import Input, runs_of, sniff
from runwright.readers.many import read_many
from runwright.trace import dumps_trace, loads_trace
from runwright.trace.model import FaultRecord, McpRecord, ModelRecord, TextBlock, Trace, Usage, calls_of, text_of
from tests.samples import samples_dir

Json = dict[str, Any]
ASKED: list[Json] = [{"role": "user", "content": "Where is A-17?"}]
CALL = {
    "index": 1,
    "id": "call_1",
    "type": "function",
    "function": {"name": "look_up", "arguments": '{"order": "A-17"}'},
}
TOOLS = [{"type": "function", "function": {"name": "look_up", "parameters": {"type": "object"}}}]
ANSWER: Json = {
    "id": "chatcmpl-1",
    "object": "chat.completion",
    "created": 7,
    "model": "gpt-4o-2024-08-06",
    "choices": [
        {
            "index": 0,
            "finish_reason": "tool_calls",
            "message": {"role": "assistant", "content": None, "tool_calls": [CALL]},
        }
    ],
    "usage": {"prompt_tokens": 9, "completion_tokens": 4, "total_tokens": 13},
}


def payload(number: int = 1, **more: Any) -> Json:
    """A standard logging payload."""
    return {
        "id": f"chatcmpl-{number}",
        "trace_id": "t-1",
        "call_type": "acompletion",
        "stream": False,
        "response_cost": 0.001,
        "status": "success",
        "custom_llm_provider": "openai",
        "startTime": 1764460800.0 + number,
        "endTime": 1764460800.5 + number,
        "model": "openai/gpt-4o",
        "model_group": "gpt-4o",
        "metadata": {"user_api_key_hash": "h"},
        "messages": ASKED,
        "response": ANSWER,
        "error_str": None,
        "model_parameters": {"temperature": 0, "tools": TOOLS},
        "hidden_params": {},
        **more,
    }


def spend(number: int = 1, **more: Any) -> Json:
    """A row of the table of spend, whose JSON is text."""
    return {
        "request_id": f"chatcmpl-{number}",
        "call_type": "acompletion",
        "api_key": "h",
        "spend": 0.001,
        "startTime": f"2025-11-30T00:00:0{number}.000000Z",
        "endTime": f"2025-11-30T00:00:0{number}.500000Z",
        "model": "openai/gpt-4o",
        "model_group": "gpt-4o",
        "custom_llm_provider": "openai",
        "session_id": "s-1",
        "status": "success",
        "metadata": json.dumps({"status": "success", "mcp_tool_call_metadata": None}),
        "messages": "{}",
        "response": json.dumps(ANSWER),
        "proxy_server_request": json.dumps({"model": "gpt-4o", "messages": ASKED, "tools": TOOLS, "seed": 7}),
        **more,
    }


def read(*rows: Json, lines: bool = True) -> Trace:
    text = "\n".join(map(json.dumps, rows)) if lines else json.dumps(list(rows))
    assert sniff(text.encode()[:65536]) == "litellm"
    [run] = runs_of([Input("calls.jsonl", text.encode())])
    assert loads_trace(dumps_trace(run.trace)) == run.trace
    return run.trace


def losses(trace: Trace) -> list[tuple[str, int]]:
    return [(each.kind, each.count) for each in trace.header.losses]


def test_a_standard_payload_is_an_exchange() -> None:
    trace = read(payload())
    [model] = trace.models
    assert (model.request.model, model.request.messages[0].content) == ("gpt-4o", (TextBlock(text="Where is A-17?"),))
    assert model.request.parameters == {"temperature": 0}
    assert [tool.name for tool in model.request.tools] == ["look_up"]
    assert model.response is not None
    [call] = calls_of(model.response.content)
    assert (call.id, call.name, call.arguments) == ("call_1", "look_up", {"order": "A-17"})
    assert (model.response.usage, model.response.stop_reason) == (Usage(input_tokens=9, output_tokens=4), "tool_calls")
    assert (model.fidelity, model.unknown) == ("reconstructed", ("$.request.parameters.*",))
    assert (model.streamed, model.duration, trace.header.started_at) == (False, 0.5, "2025-11-30T00:00:01.000000Z")
    assert model.ext == {"request_id": "chatcmpl-1", "cost": 0.001, "provider": "openai", "source": "calls.jsonl"}
    assert losses(trace) == []


def test_a_row_of_spend_holds_what_the_client_sent() -> None:
    trace = read(spend(), lines=False)
    [model] = trace.models
    assert (model.request.parameters, model.unknown, model.streamed) == ({"seed": 7}, ("$.streamed",), None)
    assert model.response is not None
    assert calls_of(model.response.content)[0].name == "look_up"
    assert trace.header.started_at == "2025-11-30T00:00:01.000000Z"


@pytest.mark.parametrize(
    "content", ["{}", "redacted-by-litellm", None, [{"role": "user", "content": "redacted-by-litellm"}]]
)
def test_what_was_not_stored_is_unknown_and_says_which_setting_stores_it(content: Any) -> None:
    trace = read(spend(messages=content, response="{}", proxy_server_request="{}"))
    [model] = trace.models
    assert (model.request.messages, model.response, model.fidelity) == ((), None, "partial")
    assert {"$.request.messages", "$.request.tools", "$.request.parameters.*", "$.response.content"} <= set(
        model.unknown
    )
    assert {each.kind for each in trace.header.losses} == {"not_captured"}
    assert all("store_prompts_in_spend_logs" in each.detail for each in trace.header.losses)


def test_a_failed_call_is_an_error() -> None:
    error = {
        "error_code": "429",
        "error_class": "RateLimitError",
        "llm_provider": "openai",
        "error_message": "slow down",
    }
    trace = read(payload(status="failure", response=None, error_str="no", error_information=error), payload(2))
    first, second = trace.models
    assert first.error is not None
    assert (first.error.status, first.error.kind, first.error.message) == (429, "RateLimitError", "slow down")
    assert (first.response, first.unknown, second.error) == (None, ("$.request.parameters.*",), None)
    [model] = read(spend(status="failure", response="{}", metadata=json.dumps({"error_information": error}))).models
    assert model.error is not None
    assert (model.error.status, model.response) == (429, None)


def test_a_text_that_was_cut_is_unknown() -> None:
    cut = {
        **ANSWER,
        "choices": [{"index": 0, "finish_reason": "stop", "message": {"content": "x... (litellm_truncated 9 chars)"}}],
    }
    trace = read(spend(response=json.dumps(cut)))
    [model] = trace.models
    assert (losses(trace), model.fidelity) == ([("truncated", 1)], "partial")
    assert "$.response.content" in model.unknown


def test_calls_of_other_apis_are_theirs() -> None:
    reply = {
        "id": "r",
        "object": "response",
        "status": "completed",
        "output": [
            {"type": "message", "id": "m", "role": "assistant", "content": [{"type": "output_text", "text": "sent"}]}
        ],
    }
    said = {
        "type": "message",
        "role": "assistant",
        "content": [{"type": "text", "text": "sent"}],
        "stop_reason": "end_turn",
    }
    trace = read(
        payload(1, call_type="aresponses", messages="Where?", response=reply, model_parameters={}),
        payload(2, call_type="anthropic_messages", response=said, model_parameters={"max_tokens": 9}),
        payload(3, call_type="aembedding"),
    )
    assert [each.request.api for each in trace.models] == ["openai.responses", "anthropic.messages"]
    assert [text_of(each.response.content) for each in trace.models if each.response] == ["sent", "sent"]
    assert losses(trace) == [("unsupported", 1)]


def test_an_answer_in_the_words_of_another_api_is_read_as_it_is() -> None:
    [model] = read(payload(call_type="anthropic_messages", model_parameters={"max_tokens": 9})).models
    assert model.request.api == "anthropic.messages"
    assert model.response is not None
    assert calls_of(model.response.content)[0].arguments == {"order": "A-17"}


def test_an_mcp_call_is_one() -> None:
    told = {"name": "look_up", "arguments": {"order": "A-17"}, "mcp_server_name": "shop"}
    row = spend(2, call_type="call_mcp_tool", metadata=json.dumps({"mcp_tool_call_metadata": told}), response="{}")
    trace = read(spend(), row)
    [record] = [each for each in trace.records if isinstance(each, McpRecord)]
    assert (record.server, record.method, record.params) == (
        "shop",
        "tools/call",
        {"name": "look_up", "arguments": {"order": "A-17"}},
    )
    assert (record.fidelity, record.unknown) == ("partial", ("$.result",))


def test_calls_of_one_trace_are_a_run_in_the_order_of_their_starts() -> None:
    rows = [payload(3), payload(1), payload(2, trace_id="t-2"), payload(1)]
    runs = runs_of([Input("x", json.dumps({"data": rows}).encode())])
    assert [(run.id, [model.ext["request_id"] for model in run.trace.models]) for run in runs] == [
        ("t-1", ["chatcmpl-1", "chatcmpl-3"]),
        ("t-2", ["chatcmpl-2"]),
    ]
    assert losses(runs[0].trace) == [("duplicate", 1)]


def test_a_bad_line_does_not_stop_the_rest() -> None:
    text = "\n".join([json.dumps(payload()), "{", json.dumps({"x": 1}), json.dumps(payload(2))])
    [run] = runs_of([Input("calls.jsonl", text.encode())], "litellm")
    assert (len(run.trace.models), losses(run.trace)) == (2, [("malformed", 1), ("malformed", 1)])


def test_without_a_model_call_it_is_refused_with_the_remedy() -> None:
    with pytest.raises(ReaderError) as caught:
        runs_of([Input("x", json.dumps(payload(call_type="aembedding")).encode())], "litellm")
    assert "store_prompts_in_spend_logs" in caught.value.hint


# --- genuine files ------------------------------------------------------------------------------


def groups() -> Iterator[tuple[str, Trace]]:
    files = [Path(each) for each in sorted(samples_dir("litellm-logs").glob("*.json"))]
    for group in read_many(files):
        assert group.error is None
        for run in group.runs:
            assert loads_trace(dumps_trace(run.trace)) == run.trace
            yield group.files[0].name.split("llm_data__")[1], run.trace


def test_the_sdk_s_files_counted_by_hand() -> None:
    """Three calls with tools of the API's own, then two whose tools are also told in the prompt, all of one task."""
    claude, deepseek = (trace for name, trace in groups() if "llm-logs" in name)
    assert [(len(each.request.messages), len(each.request.tools)) for each in claude.models] == [
        (2, 3),
        (10, 3),
        (12, 3),
    ]
    replies = [each.response.content for each in claude.models if each.response is not None]
    assert [[call.name for call in calls_of(each)] for each in replies] == [
        ["str_replace_editor"],
        ["terminal"],
        ["finish"],
    ]
    assert [each.t for each in claude.models] == [0.0, 15.23981, 19.787439]
    assert [each.request.model for each in deepseek.models] == ["litellm_proxy/deepseek/deepseek-chat"] * 2
    first, second = (each.response for each in deepseek.models if each.response is not None)
    assert (first.stop_reason, [call.arguments for call in calls_of(first.content)]) == (
        "tool_calls",
        [{"command": "pwd && ls -la", "security_risk": "LOW"}],
    )
    assert (second.stop_reason, calls_of(second.content)) == ("end_turn", [])
    assert "<parameter=command>python hello.py</parameter>" in text_of(second.content)
    assert not [each for each in (*claude.records, *deepseek.records) if isinstance(each, FaultRecord)]
    assert all(isinstance(each, ModelRecord) and each.unknown == () for each in (*claude.models, *deepseek.models))


def test_what_one_run_lost_is_no_loss_of_another(tmp_path: Path) -> None:
    calls = [payload(1), payload(2, trace_id="t-2"), payload(3, trace_id="t-2", call_type="aembedding")]
    path = tmp_path / "calls.jsonl"
    path.write_text("\n".join(json.dumps(each) for each in calls))
    losses = {run.id: [each.kind for each in run.trace.header.losses] for run in runs_of([path])}
    assert losses == {"t-1": [], "t-2": ["unsupported"]}

"""Trajectories of research agents and lists of chat messages: what is kept, what is unknown, what is refused."""

from __future__ import annotations

import json
from collections import Counter
from typing import Any

import pytest

from runwright.errors import ReaderError
from runwright.readers import Input, Run, runs_of, sniff
from runwright.trace import dumps_trace, loads_trace
from runwright.trace.model import JSON, FaultRecord, MessageRecord, Trace, calls_of, lane_of, text_of

CALL: JSON = {"id": "c1", "type": "function", "function": {"name": "look_up", "arguments": '{"order":"A-1"}'}}
CHAT: list[JSON] = [
    {"role": "system", "content": "You are the shop's support."},
    {"role": "user", "content": "Where is A-1?"},
    {"role": "assistant", "content": None, "tool_calls": [CALL]},
    {"role": "tool", "tool_call_id": "c1", "content": "shipped"},
    {"role": "assistant", "content": "It has shipped."},
]
TOOLS: list[JSON] = [{"type": "function", "function": {"name": "look_up", "description": "Find.", "parameters": {}}}]

ATIF: dict[str, Any] = {
    "schema_version": "ATIF-v1.7",
    "session_id": "s-1",
    "agent": {"name": "desk", "version": "2", "model_name": "m", "tool_definitions": TOOLS},
    "steps": [
        {"step_id": 1, "source": "system", "message": "You are the shop's support."},
        {"step_id": 2, "source": "user", "message": "Where is A-1?"},
        {
            "step_id": 3,
            "timestamp": "2026-11-30T10:00:00Z",
            "source": "agent",
            "message": "",
            "reasoning_content": "I look.",
            "tool_calls": [{"tool_call_id": "c1", "function_name": "look_up", "arguments": {"order": "A-1"}}],
            "observation": {"results": [{"source_call_id": "c1", "content": "shipped"}]},
            "metrics": {"prompt_tokens": 7, "completion_tokens": 2, "cost_usd": 0.5},
        },
        {"step_id": 4, "source": "agent", "message": "It has shipped."},
    ],
}

SWE: dict[str, Any] = {
    "environment": "shop",
    "trajectory": [
        {"action": "ls", "observation": "a.py", "response": "I look.\nls", "execution_time": 0.1},
        {"action": "submit", "observation": "", "response": "Done.\nsubmit", "execution_time": 0.1},
    ],
    "history": [
        {"role": "system", "content": "You fix bugs.", "agent": "main"},
        {"role": "user", "content": "Demo.", "agent": "main", "is_demo": True},
        {"role": "user", "content": "Fix it.", "agent": "main"},
        {"role": "assistant", "content": "I look.\nls", "agent": "main", "thought": "I look.", "action": "ls"},
        {"role": "user", "content": "a.py", "agent": "main"},
        {"role": "assistant", "content": "Done.\nsubmit", "agent": "main", "action": "submit"},
    ],
    "info": {"exit_status": "submitted", "submission": "diff --git"},
}

RESPONSE: JSON = {
    "id": "chatcmpl-1",
    "model": "m",
    "choices": [{"finish_reason": "tool_calls", "message": {"role": "assistant", "content": "", "tool_calls": [CALL]}}],
    "usage": {"prompt_tokens": 7, "completion_tokens": 2},
}
META: JSON = {"function_name": "look_up", "tool_call_id": "c1", "model_response": RESPONSE}
HANDS: list[Any] = [
    {"id": 0, "timestamp": "2026-11-30T10:00:00", "source": "user", "action": "message", "args": {"content": "Where?"}},
    {"id": 1, "timestamp": "2026-11-30T10:00:01", "source": "agent", "action": "edit", "args": {"path": "a"},
     "tool_call_metadata": META},
    {"id": 2, "timestamp": "2026-11-30T10:00:02", "source": "agent", "observation": "edit", "cause": 1,
     "content": "--- a", "extras": {"path": "a", "prev_exist": False, "new_content": "x"}, "tool_call_metadata": META},
    {"id": 3, "timestamp": "2026-11-30T10:00:03", "source": "agent", "action": "message",
     "args": {"content": "It has shipped."}},
]  # fmt: skip


def read(value: JSON, format: str) -> tuple[Run, ...]:
    """The runs of a document, found by its bytes; each survives our own format."""
    data = json.dumps(value).encode()
    assert sniff(data) == format
    runs = tuple(runs_of([Input("run.json", data)]))
    assert all(loads_trace(dumps_trace(run.trace)) == run.trace for run in runs)
    return runs


def only(value: JSON, format: str) -> Trace:
    (run,) = read(value, format)
    return run.trace


def counts(trace: Trace) -> dict[str, int]:
    return dict(Counter(lane_of(record) for record in trace.records))


# --- chat lists ----------------------------------------------------------------------------------


@pytest.mark.parametrize("value", [CHAT, {"messages": CHAT}, [{"traj": CHAT}], {"history": CHAT}], ids=str)
def test_a_conversation_is_an_exchange_a_reply(value: JSON) -> None:
    trace = only(value, "chat_list")
    assert counts(trace) == {"message": 2, "model": 2}
    first, second = trace.models
    assert [message.role for message in second.request.messages] == ["system", "user", "assistant", "tool"]
    assert first.response is not None
    assert [call.name for call in calls_of(first.response.content)] == ["look_up"]
    assert {"$.request.tools", "$.request.parameters.*", "$.request.model"} <= set(first.unknown)
    assert second.after == ("m1",)


def test_many_conversations_are_many_runs_with_their_names_and_notes() -> None:
    value: JSON = [{"task_id": n, "trial": 1, "reward": 0.5, "traj": CHAT, "info": {"x": 1}} for n in range(3)]
    runs = read(value, "chat_list")
    assert [run.id for run in runs] == ["0.1", "1.1", "2.1"]
    assert runs[2].trace.header.ext == {"task_id": 2, "trial": 1, "reward": 0.5}


def test_lines_of_fine_tuning_with_their_tools() -> None:
    data = "".join(json.dumps({"messages": CHAT, "tools": TOOLS, "model": "m"}) + "\n" for _ in range(2)).encode()
    runs = runs_of([Input("tune.jsonl", data)])
    assert len(runs) == 2
    (first, _) = runs[0].trace.models
    assert first.request.tools[0].description == "Find."
    assert "$.request.tools" not in first.unknown


def test_a_line_that_cannot_be_read_is_told_and_makes_no_other_conversation_doubtful() -> None:
    data = "\n".join([json.dumps({"messages": CHAT}), '{"messages": [', json.dumps({"messages": CHAT})]).encode()
    runs = runs_of([Input("tune.jsonl", data)])
    assert [(loss.kind, loss.where) for run in runs for loss in run.trace.header.losses] == [
        ("dropped", "tune.jsonl:2")
    ] * 2
    assert not any(isinstance(record, FaultRecord) for run in runs for record in run.trace.records)


def test_a_role_that_no_api_has_is_an_agent() -> None:
    trace = only([{"role": "user", "content": "hi"}, {"role": "Excel_Expert", "content": "hello"}], "chat_list")
    assert [each.agent for each in trace.models] == ["excel_expert"]
    assert [loss.kind for loss in trace.header.losses] == ["inexact"]


@pytest.mark.parametrize("value", [[{"role": "user", "content": "hi"}], {"messages": []}, {"messages": 3}])
def test_what_holds_no_reply_is_refused(value: JSON) -> None:
    with pytest.raises(ReaderError):
        runs_of([Input("x", json.dumps(value).encode())], "chat_list")


# --- atif ----------------------------------------------------------------------------------------


def test_steps_are_exchanges_and_observations_are_tool_calls() -> None:
    (run,) = read(ATIF, "atif")
    trace = run.trace
    assert run.id == "s-1"
    assert counts(trace) == {"message": 2, "model": 2, "tool": 1}
    first, second = trace.models
    assert [type(block).__name__ for block in first.response.content] == ["ThinkingBlock", "ToolCallBlock"]  # type: ignore[union-attr]
    assert first.response.usage.input_tokens == 7  # type: ignore[union-attr]
    assert first.request.tools[0].name == "look_up"
    assert [message.role for message in second.request.messages] == ["system", "user", "assistant", "tool"]
    ran = trace.tools[0]
    assert (ran.name, ran.result, ran.call_id, ran.parent) == ("look_up", "shipped", "c1", "m1")
    assert trace.header.agent is not None
    assert trace.header.agent.name == "desk"


def test_subagents_are_nested_in_the_same_run() -> None:
    child = {**ATIF, "trajectory_id": "t-2", "agent": {"name": "clerk", "model_name": "m"}}
    trace = only({**ATIF, "subagent_trajectories": [child]}, "atif")
    assert [each.agent for each in trace.models] == ["desk", "desk", "clerk", "clerk"]


def test_a_subagent_ran_in_the_call_whose_result_refers_to_it() -> None:
    child = {**ATIF, "trajectory_id": "t-2", "agent": {"name": "clerk", "model_name": "m"}}
    steps = [dict(step) for step in ATIF["steps"]]
    result = {"source_call_id": "c1", "content": "shipped", "subagent_trajectory_ref": [{"trajectory_id": "t-2"}]}
    steps[2] = {**steps[2], "observation": {"results": [result]}}
    trace = only({**ATIF, "steps": steps, "subagent_trajectories": [child]}, "atif")
    assert [(each.agent, each.parent) for each in trace.models] == [
        ("desk", None),
        ("desk", None),
        ("clerk", "t1"),
        ("clerk", "t1"),
    ]
    assert not trace.header.losses
    alone = only({**ATIF, "subagent_trajectories": [child]}, "atif")
    assert [(loss.kind, loss.detail) for loss in alone.header.losses] == [
        ("not_captured", "which call a subagent's trajectory ran in")
    ]


def test_what_producers_add_is_told() -> None:
    steps = [{**step, "extra": {"cost": 1}} for step in ATIF["steps"]]
    agent = {**ATIF["agent"], "extra": {"driver": "x"}}
    trace = only({**ATIF, "steps": steps, "agent": agent, "notes": "n", "final_metrics": {"total_steps": 4}}, "atif")
    assert [(loss.detail, loss.count) for loss in trace.header.losses] == [
        ("the field 'notes' of the trajectory", 1),
        ("the field 'final_metrics' of the trajectory", 1),
        ("the field 'extra' of the agent", 1),
        ("the field 'extra' of steps", 4),
    ]


def test_a_step_copied_from_elsewhere_is_no_reply() -> None:
    steps = [dict(step) for step in ATIF["steps"]]
    steps[2] = {**steps[2], "is_copied_context": True}
    assert len(only({**ATIF, "steps": steps}, "atif").models) == 1


def test_another_version_is_refused_by_name() -> None:
    with pytest.raises(ReaderError, match="ATIF-v9"):
        runs_of([Input("x", json.dumps({**ATIF, "schema_version": "ATIF-v9"}).encode())])


# --- swe-agent -----------------------------------------------------------------------------------


def test_commands_in_text_are_tool_calls() -> None:
    trace = only(SWE, "swe_agent")
    assert len(trace.models) == 2
    assert [(each.name, each.arguments, each.result) for each in trace.tools] == [
        ("ls", {"command": "ls"}, "a.py"),
        ("submit", {"command": "submit"}, ""),
    ]
    assert trace.header.ext == {"submission": "diff --git", "exit_status": "submitted"}
    assert trace.tools[0].unknown == ("$.outcome",)  # a command may have failed: only its words would tell
    assert [loss.detail for loss in trace.header.losses] == ["a demonstration is told to the model in one message"]


def test_functions_are_called_by_id() -> None:
    history = [
        *CHAT[:2],
        {**CHAT[2], "content": "", "message_type": "action"},
        {"role": "tool", "content": "shipped", "tool_call_ids": ["c1"]},
    ]  # type: ignore[dict-item]
    step = {"action": "look_up A-1", "observation": "shipped", "execution_time": 1}
    trace = only({"environment": "x", "trajectory": [step], "history": [*history, CHAT[4]], "info": {}}, "swe_agent")
    assert (trace.tools[0].name, trace.tools[0].call_id) == ("look_up", "c1")
    assert (trace.tools[0].after, trace.models[1].after) == (("m1",), ("t1",))


def test_what_commands_print_and_demonstrations_are_not_said_by_the_user() -> None:
    trace = only(SWE, "swe_agent")
    said = [(record.role, text_of(record.content)) for record in trace.records if isinstance(record, MessageRecord)]
    assert said == [("user", "Fix it."), ("agent", "Done.\nsubmit")]


def test_a_reply_that_the_harness_took_out_of_the_history_shifts_no_step() -> None:
    bad = {"action": "sl", "observation": "no such command", "response": "Hm.\nsl", "execution_time": 0.1}
    trace = only({**SWE, "trajectory": [bad, *SWE["trajectory"]]}, "swe_agent")
    assert [(each.name, each.result, each.parent) for each in trace.tools] == [
        ("ls", "a.py", "m1"),
        ("submit", "", "m2"),
    ]
    assert ("dropped", 1) in [(loss.kind, loss.count) for loss in trace.header.losses]


def test_a_reply_without_a_step_has_no_tool_and_takes_none_from_the_next() -> None:
    trace = only({**SWE, "trajectory": SWE["trajectory"][1:]}, "swe_agent")
    assert [(each.name, each.parent) for each in trace.tools] == [("submit", "m2")]


def test_the_last_reply_may_be_in_the_trajectory_alone() -> None:
    trace = only({**SWE, "history": SWE["history"][:-1]}, "swe_agent")
    last = trace.models[-1]
    assert last.response is not None
    assert (text_of(last.response.content), last.fidelity) == ("Done.\nsubmit", "partial")
    assert "$.response.content" in last.unknown  # its calls, if it had any, are not in a step
    assert [(each.name, each.parent) for each in trace.tools] == [("ls", "m1"), ("submit", "m2")]


def test_without_a_trajectory_the_history_tells_what_ran() -> None:
    items: list[JSON] = [{**each, "message_type": "m"} for each in SWE["history"]]
    trace = only({"history": items}, "swe_agent")
    assert [(each.name, each.result) for each in trace.tools] == [("ls", "a.py"), ("submit", None)]
    assert trace.tools[1].unknown == ("$.result", "$.outcome")


@pytest.mark.parametrize(("status", "cut"), [("submitted", 0), ("submitted (exit_cost)", 0), ("exit_cost", 1)])
def test_how_it_ended(status: str, cut: int) -> None:
    trace = only({**SWE, "info": {"exit_status": status}}, "swe_agent")
    assert sum(isinstance(record, FaultRecord) for record in trace.records) == cut


# --- openhands -----------------------------------------------------------------------------------


def test_actions_observations_and_edits() -> None:
    trace = only(HANDS, "openhands")
    assert counts(trace) == {"message": 2, "model": 2, "tool": 1, "side_effect": 1}
    first, second = trace.models
    assert first.response is not None
    assert first.response.id == "chatcmpl-1"
    assert text_of(second.response.content) == "It has shipped."  # type: ignore[union-attr]
    assert "$.request.messages[3].content" in second.unknown
    effect = trace.effects[0].side_effect
    assert (effect.kind, effect.target, effect.op, effect.caused_by) == ("fs_write", "a", "create", "t1")
    assert trace.header.observation["fs_write"] == "imported"


def test_the_user_speaks_when_he_spoke_and_observations_are_not_his_words() -> None:
    events = [dict(each) for each in HANDS]
    events[2].pop("tool_call_metadata")  # as agents have it that write their calls into the text
    events.insert(3, {**HANDS[0], "id": 9, "timestamp": "2026-11-30T10:00:02.5", "args": {"content": "Well?"}})
    trace = only(events, "openhands")
    said = [(each.role, text_of(each.content), each.t) for each in trace.records if isinstance(each, MessageRecord)]
    assert said == [("user", "Where?", 0.0), ("user", "Well?", 2.5), ("agent", "It has shipped.", 3.0)]
    assert trace.models[0].t == 1.0
    assert trace.header.started_at == "2026-11-30T10:00:00.000000Z"


def test_a_user_to_whom_no_model_replied_is_no_run() -> None:
    with pytest.raises(ReaderError, match="no reply of a model"):
        runs_of([Input("x", json.dumps(HANDS[:1]).encode())], "openhands")


@pytest.mark.parametrize(
    ("extras", "outcome"), [({"metadata": {"exit_code": 0}}, "ok"), ({"metadata": {"exit_code": 2}}, "error")]
)
def test_exit_codes_decide_the_outcome(extras: JSON, outcome: str) -> None:
    events = [dict(each) for each in HANDS]
    events[2] = {**events[2], "observation": "run", "extras": extras}
    assert only(events, "openhands").tools[0].outcome == outcome

"""What files of the real samples hold, counted by hand in their bytes and found by the readers."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import pytest

from runwright.readers.many import read_many
from runwright.trace.model import HttpRecord, ModelRecord, Record, Trace, calls_of
from tests.samples import samples_dir


class Counted(NamedTuple):
    """Numbers of a file, over all its runs.

    `models` are exchanges with a model, `asked` the calls in its replies, `tools` the calls that are seen to have run,
    `errors` the exchanges and calls that failed, `agents` those that the file names, `effects` changes to files and
    systems, `https` other requests, and `nested` the exchanges that ran inside a call of another.
    """

    models: int
    asked: int = 0
    tools: int = 0
    errors: int = 0
    agents: int = 0
    effects: int = 0
    https: int = 0
    nested: int = 0


CLAUDE_CODE = "claude-code/PyPI_agentpile__tests__fixtures__claude_code__"
CTF = "swe-agent/SWE-agent__trajectories__demonstrations__ctf__"
GEMINI = "gemini-cli/gemini-cli__integration-tests__"
INSPECT = "inspect-ai/inspect_ai__tests__"
LANGFUSE = "langfuse/langfuse__worker__src____tests____chatml__framework-traces__"
LITELLM = "litellm-logs/software-agent-sdk__tests__fixtures__llm_data__"
OTEL = "otel-genai/GENERATED_"
AGENTPILE = "PyPI_agentpile__tests__fixtures__otlp__"
SAP = "flowproof-trace/flowproof__examples__sap__"
SESSIONS = "claude-code/claude-code-viewer__mock-global-claude-dir__projects__sample-project__"
STATES = "openai-agents/openai-agents-python__tests__fixtures__run_state__features__v1_"
CASSETTES = "vcr/langsmith-sdk__python__tests__integration_tests__cassettes__test_"

COUNTED = {
    "atif/PyPI_agentpile__tests__fixtures__atif_multiagent.json": Counted(3, asked=3, tools=3, agents=1),
    "atif/openagents__apps__qa-runner__samples__login-trace__trajectory.json": Counted(6, asked=6, tools=6, agents=1),
    # replies by message id, calls by `tool_use`, errors by `is_error`, effects by `toolUseResult`, agents by `Task`
    f"{SESSIONS}fe5e1c67-53e7-4862-81ae-d0e013e3270b.jsonl": Counted(
        170, asked=167, tools=167, errors=23, agents=1, effects=31, nested=161
    ),
    f"{SESSIONS}5c0375b4-57a5-4f26-b12d-d022ee4e51b7.jsonl": Counted(
        20, asked=21, tools=21, errors=3, agents=1, effects=1, nested=10
    ),
    "claude-code/claude-code-log__test__test_data__representative_messages.jsonl": Counted(5, asked=2, tools=2),
    f"{CLAUDE_CODE}duplicates.jsonl": Counted(2, asked=2, tools=2),
    f"{CLAUDE_CODE}compaction.jsonl": Counted(2),
    f"{CLAUDE_CODE}subagents__subagents__agent-afx0000000000003.jsonl": Counted(1, asked=1, tools=1, agents=1),
    # what `codex exec --json` prints: an item for each command, and the words between them
    "codex/agentcmd__.agent__research__codex__codex-samples__stream-output-1.jsonl": Counted(1),
    "codex/agentcmd__.agent__research__codex__codex-samples__stream-output-2.jsonl": Counted(2, asked=1, tools=1),
    "codex/agentcmd__.agent__research__codex__codex-samples__stream-output-4.jsonl": Counted(2, asked=1, tools=1),
    "codex/agentcmd__.agent__research__codex__codex-samples__stream-output-5.jsonl": Counted(2, asked=1, tools=1),
    "codex/agentsview__internal__parser__testdata__codex__fc_args_1.jsonl": Counted(1, asked=1, tools=1),
    "codex/agentsview__internal__parser__testdata__codex__fc_args_2.jsonl": Counted(1, asked=1, tools=1),
    "codex/agentsview__internal__parser__testdata__codex__function_calls.jsonl": Counted(1, asked=2, tools=2),
    "codex/agentsview__internal__parser__testdata__codex__standard_session.jsonl": Counted(1),
    # steps that type, press or launch; those that only look are none, and a probe of an API is a request
    f"{SAP}create-order.trace.jsonl": Counted(0, effects=3),
    f"{SAP}session-status.trace.jsonl": Counted(0, effects=1),
    f"{SAP}stock-overview.trace.jsonl": Counted(0, effects=3),
    f"{SAP}view-order.trace.jsonl": Counted(0, effects=3),
    "flowproof-trace/flowproof__crates__flowproof-trace__tests__fixtures__multi.trace.jsonl": Counted(
        0, effects=1, https=1
    ),
    "flowproof-trace/flowproof__tests__flowproof__goose__smoke.trace.jsonl": Counted(2),
    # a line is a response, and its `functionCall` parts are calls: the file does not show what ran
    "gemini-cli/agentsview__internal__parser__testdata__gemini__standard_session.json": Counted(2),
    "gemini-cli/agentsview__internal__parser__testdata__gemini__thinking_only.json": Counted(1),
    "gemini-cli/agentsview__internal__parser__testdata__gemini__tool_calls.json": Counted(1, asked=1, tools=1),
    f"{GEMINI}browser-agent-localhost.form.responses": Counted(9, asked=8),
    f"{GEMINI}browser-agent.concurrent.responses": Counted(8, asked=8),
    f"{GEMINI}concurrency-limit.responses": Counted(12, asked=11),
    f"{GEMINI}context-compress-interactive.compress.responses": Counted(4),
    # `model` events of the solvers: what scorers asked a model is no part of the run
    f"{INSPECT}analysis__test_logs__2025-05-12T20-28-13-04-00_popularity.json": Counted(3),
    f"{INSPECT}analysis__test_logs__2025-05-12T20-28-26-04-00_security-guide.json": Counted(3),
    f"{INSPECT}analysis__test_logs_choices__mmlu-summary-choices.eval": Counted(1),
    f"{INSPECT}log__test_eval_log__log_read_sample.json": Counted(1),
    f"{INSPECT}scorer__logs__2025-02-11T15-17-00-05-00_popularity_dPiJifoWeEQBrfWsAopzWr.eval": Counted(10),
    # observations by type and span kind; two that show the same call are one
    f"{LANGFUSE}agno-2025-06-11.trace.json": Counted(2, asked=1, tools=1, agents=1),
    f"{LANGFUSE}claude-agent-2025-12-22.trace.json": Counted(4, asked=2, tools=2),
    f"{LANGFUSE}csharp-agent-with-gemini-2026-03-09.trace.json": Counted(3, asked=2, tools=2),
    f"{LANGFUSE}google-gemini-2025-08-01.trace.json": Counted(1),
    f"{LANGFUSE}koog-2025-08-26.trace.json": Counted(2, asked=2, tools=2, agents=1),
    f"{LANGFUSE}langgraph-js-2025-10-30.trace.json": Counted(2, asked=1, tools=1),
    f"{LANGFUSE}llamaindex-2025-06-05.trace.json": Counted(1),
    f"{LANGFUSE}pydantic-ai-tools-2025-06-06.trace.json": Counted(1, agents=1),
    f"{LANGFUSE}pydantic-ai-tools-2025-12-04.trace.json": Counted(4, asked=4, tools=3, agents=2),
    f"{LANGFUSE}vercel-aisdk-2025-11-17.trace.json": Counted(1, asked=1, tools=1),
    f"{LANGFUSE}vertex-ai-2025-08-01.trace.json": Counted(1),
    # four runs of the type llm; the results of their calls stand in later inputs
    "langsmith/GENERATED_langsmith-0.15.1__langsmith-ingest.jsonl": Counted(4, asked=4, tools=4),
    f"{LITELLM}fncall-llm-message.json": Counted(6, asked=6),
    f"{LITELLM}nonfncall-llm-message.json": Counted(4, asked=4),
    f"{LITELLM}llm-logs__litellm_proxy__anthropic__claude-sonnet-4-20250514-1757015025.972.json": Counted(1, asked=1),
    f"{LITELLM}nonfncall-llm-logs__litellm_proxy__deepseek__deepseek-chat-1757015068.723.json": Counted(1),
    # the last is refused by the API with a 429
    "mitmproxy/GENERATED_mitmproxy-11.0.2__flows.mitm": Counted(9, asked=6, errors=1),
    # one response of three items; one without items; a call with its result but without a response
    f"{STATES}13_programmatic_tool_calling.json": Counted(1, asked=1, agents=1),
    f"{STATES}4_request_id.json": Counted(1, agents=1),
    f"{STATES}9_custom_tool_call_and_tool_origin.json": Counted(1, asked=1, tools=1, agents=1),
    # actions with `tool_call_metadata`, the agent's message, and an exit code that is not 0
    "openhands/OpenHands__tests__runtime__trajs__basic.json": Counted(2, asked=2, tools=2, effects=1),
    "openhands/OpenHands__tests__runtime__trajs__basic_gui_mode.json": Counted(
        5, asked=4, tools=4, errors=1, effects=2
    ),
    # spans by operation or kind; four of the Anthropic SDK's own show what its instrumentation shows
    "openinference/GENERATED_openinference__openinference.traces.json": Counted(8, asked=6),
    f"openinference/{AGENTPILE}openai_agents_0.24.0_oi_2.5.3.jsonl": Counted(3, asked=2, tools=2, agents=2),
    f"openinference/{AGENTPILE}openai_agents_0.24.0_oi_2.5.3_as_tool.json": Counted(
        3, asked=1, tools=1, agents=2, nested=1
    ),
    f"{OTEL}openai-v2-2.2b0__v2new-event.traces.json": Counted(4),
    f"{OTEL}openai-v2-2.2b0__v2old.traces.json": Counted(4),
    f"{OTEL}pydantic-ai-2.68__pydantic5.traces.json": Counted(2, asked=2, tools=2, agents=1),
    f"{OTEL}traceloop-0.62.4__traceloop.traces.json": Counted(8, asked=6),
    f"otel-genai/{AGENTPILE}openai_agents_0.24.0_oi_2.5.3.jsonl": Counted(3, asked=2, tools=2, agents=2),
    f"otel-genai/{AGENTPILE}openai_agents_0.24.0_oi_2.5.3_as_tool.json": Counted(
        3, asked=1, tools=1, agents=2, nested=1
    ),
    f"otel-genai/{AGENTPILE}pydantic_ai_2.58.0_delegation.json": Counted(3, asked=1, tools=1, agents=2, nested=1),
    # assistant messages that are no demonstration, and the steps with an action; only newer ones call functions
    "swe-agent/SWE-agent__56c1363c__marshmallow-code__marshmallow-1867.traj": Counted(12, tools=12, agents=1),
    f"{CTF}crypto__BabyTimeCapsule.traj": Counted(9, tools=9, agents=1),
    f"{CTF}crypto__katy.traj": Counted(18, tools=18, agents=1),
    f"{CTF}forensics__flash.traj": Counted(4, tools=4, agents=1),
    f"{CTF}pwn__warmup.traj": Counted(7, tools=7, agents=1),
    f"{CTF}rev__rock.traj": Counted(12, tools=12, agents=1),
    "swe-agent/SWE-agent__trajectories__demonstrations__function_calling_simple.traj": Counted(
        5, asked=5, tools=5, agents=1
    ),
    # interactions by host and path, errors by status
    f"{CASSETTES}anthropic_test_chat_sync_api.yaml": Counted(18, errors=1),
    f"{CASSETTES}anthropic_test_completions_sync_api.yaml": Counted(0, errors=8, https=12),
    f"{CASSETTES}google_adk_test_runner_run_sync_with_tool.yaml": Counted(4, asked=2),
    "vcr/openllmetry__packages__opentelemetry-instrumentation-langchain__tests__cassettes__test_agents__"
    "test_agents_with_events_with_content.yaml": Counted(6, asked=3, https=9),
    "vcr/83b8af4e__telemetry-instrumentation-openai-agents__tests__cassettes__test_openai_agents__"
    "test_tool_call_and_result_attributes.yaml": Counted(4, asked=2, https=1),
    "vcr/llm-anthropic__tests__cassettes__test_anthropic__test_url_prompt.yaml": Counted(1, https=2),
}


@pytest.mark.parametrize("name", COUNTED, ids=lambda name: f"{name.partition('/')[0]}-{name[-40:]}")
def test_a_file_holds_what_was_counted_in_it(name: str) -> None:
    (group,) = read_many([samples_dir(*Path(name).parts)])
    assert counted([run.trace for run in group.runs]) == COUNTED[name]


def counted(traces: list[Trace]) -> Counted:
    records = [record for trace in traces for record in trace.records]
    return Counted(
        models=sum(len(trace.models) for trace in traces),
        asked=sum(asked(record) for record in records),
        tools=sum(len(trace.tools) for trace in traces),
        errors=sum(failed(record) for record in records),
        agents=len({record.agent for record in records if record.agent}),
        effects=sum(len(trace.effects) for trace in traces),
        https=sum(isinstance(record, HttpRecord) for record in records),
        nested=sum(record.parent is not None for trace in traces for record in trace.models),
    )


def asked(record: Record) -> int:
    return len(calls_of(record.response.content)) if isinstance(record, ModelRecord) and record.response else 0


def failed(record: Record) -> bool:
    if isinstance(record, HttpRecord):
        return record.response is not None and record.response.status >= 400
    return getattr(record, "error", None) is not None or getattr(record, "outcome", "ok") != "ok"

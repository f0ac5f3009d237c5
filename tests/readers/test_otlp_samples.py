"""Every real sample is read or refused for a stated reason; the numbers were counted by hand in the files."""

from __future__ import annotations

from typing import NamedTuple

import pytest

from runwright.errors import ReaderError, RunwrightError, UnknownFormat
from runwright.readers import Input, read_foreign
from runwright.trace import dumps_trace, loads_trace
from runwright.trace.model import results_of
from tests.samples import samples_dir

OTEL, OPENINFERENCE = "otel-genai", "openinference"


class Counted(NamedTuple):
    models: int
    tools: int
    agents: int
    errors: int
    duplicates: int
    asked: int
    """Tool calls that the replies ask for."""
    answered: int
    """Tool results that the requests carry, repeats included."""


NONE = Counted(4, 0, 0, 0, 0, 0, 0)
COUNTED = {
    (OTEL, "GENERATED_openai-v2-2.2b0__v2new-event.traces.json"): NONE,
    (OTEL, "GENERATED_openai-v2-2.2b0__v2old.traces.json"): NONE,
    (OTEL, "GENERATED_pydantic-ai-2.68__pydantic5.traces.json"): Counted(2, 2, 1, 0, 0, 2, 2),
    (OTEL, "GENERATED_traceloop-0.62.4__traceloop.traces.json"): Counted(8, 0, 0, 0, 4, 6, 6),
    (OTEL, "PyPI_agentpile__tests__fixtures__otlp__openai_agents_0.24.0_oi_2.5.3.jsonl"): Counted(3, 2, 2, 0, 0, 2, 3),
    (OTEL, "PyPI_agentpile__tests__fixtures__otlp__openai_agents_0.24.0_oi_2.5.3_as_tool.json"): Counted(
        3, 1, 2, 0, 0, 1, 1
    ),
    (OTEL, "PyPI_agentpile__tests__fixtures__otlp__pydantic_ai_2.58.0_delegation.json"): Counted(3, 1, 2, 0, 0, 1, 1),
    (OPENINFERENCE, "GENERATED_openinference__openinference.traces.json"): Counted(8, 0, 0, 0, 4, 6, 6),
    (OPENINFERENCE, "PyPI_agentpile__tests__fixtures__otlp__openai_agents_0.24.0_oi_2.5.3.jsonl"): Counted(
        3, 2, 2, 0, 0, 2, 3
    ),
    (OPENINFERENCE, "PyPI_agentpile__tests__fixtures__otlp__openai_agents_0.24.0_oi_2.5.3_as_tool.json"): Counted(
        3, 1, 2, 0, 0, 1, 1
    ),
}
REFUSED = {
    "GENERATED_openai-v2-2.2b0__v2old.logs.json": (ReaderError, "log records only"),
    "PyPI_agentpile__tests__schemas__genai__README.md": (UnknownFormat, "no reader recognises"),
    "PyPI_agentpile__tests__schemas__genai__gen-ai-tool-call-arguments.json": (UnknownFormat, "no reader recognises"),
    "PyPI_agentpile__tests__schemas__genai__gen-ai-tool-definitions.json": (UnknownFormat, "no reader recognises"),
    "langwatch__pkg__customertracebridge__testdata__codex_responses_stream_bare.json": (UnknownFormat, "no reader"),
    "langwatch__platform__app__src__server__app-layer__traces__canonicalisation____tests____fixtures__"
    "codex-B.session_task_turn.json": (UnknownFormat, "no reader recognises"),
    "langwatch__platform__app__src__server__app-layer__traces__canonicalisation____tests____fixtures__"
    "gemini-B.llm_call.json": (UnknownFormat, "no reader recognises"),
}


def test_every_sample_is_accounted_for() -> None:
    here = {(each, path.name) for each in (OTEL, OPENINFERENCE) for path in samples_dir(each).iterdir()}
    assert here == set(COUNTED) | {(OTEL, name) for name in REFUSED}


@pytest.mark.parametrize("sample", COUNTED, ids=lambda sample: sample[1][-48:])
def test_a_sample_is_read_whole(sample: tuple[str, str]) -> None:
    trace = read_foreign([samples_dir(sample[0]) / sample[1]])
    replies = [each.response for each in trace.models if each.response]
    found = Counted(
        models=len(trace.models),
        tools=len(trace.tools),
        agents=len({record.agent for record in trace.records if record.agent}),
        errors=sum(each.error is not None for each in trace.models),
        duplicates=sum(loss.count for loss in trace.header.losses if loss.kind == "duplicate"),
        asked=sum(type(block).__name__ == "ToolCallBlock" for reply in replies for block in reply.content),
        answered=sum(len(results_of(each.request)) for each in trace.models),
    )
    assert found == COUNTED[sample]
    assert loads_trace(dumps_trace(trace)) == trace


@pytest.mark.parametrize("name", REFUSED)
def test_a_sample_is_refused_for_a_reason(name: str) -> None:
    kind, reason = REFUSED[name]
    with pytest.raises(kind, match=reason) as caught:
        read_foreign([samples_dir(OTEL) / name])
    assert caught.value.hint


def test_logs_and_spans_together() -> None:
    folder = samples_dir(OTEL)
    files = [folder / f"GENERATED_openai-v2-2.2b0__v2old.{each}.json" for each in ("logs", "traces")]
    trace = read_foreign(files)
    assert [len(each.request.messages) for each in trace.models] == [2, 5, 2, 5]
    assert [each.fidelity for each in trace.models] == ["reconstructed"] * 4
    assert read_foreign(files[::-1]) == trace


def reads(data: bytes) -> bool | str:
    """True, or why not; anything but a typed error gets through."""
    try:
        read_foreign([Input("broken", data)], "otlp")
    except RunwrightError as error:
        return error.message
    return True


@pytest.mark.parametrize("sample", [(each, path) for each, path in COUNTED], ids=lambda sample: sample[1][-48:])
def test_a_damaged_sample_is_no_traceback(sample: tuple[str, str]) -> None:
    data = (samples_dir(sample[0]) / sample[1]).read_bytes()
    for cut in range(1, len(data), max(1, len(data) // 40)):
        for broken in (data[:cut], data[:cut] + b"\xff" + data[cut + 1 :], data[cut:]):
            assert reads(broken)

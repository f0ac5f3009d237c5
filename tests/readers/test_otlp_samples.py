"""Every real sample is read or refused for a stated reason; the numbers were counted by hand in the files."""

from __future__ import annotations

from typing import NamedTuple

import pytest

from runwright.errors import RunwrightError
from runwright.readers import Input, read_foreign
from runwright.trace.model import results_of
from tests.samples import samples_dir

OTEL, OPENINFERENCE = "otel-genai", "openinference"


class Counted(NamedTuple):
    duplicates: int
    answered: int
    """Tool results that the requests carry, repeats included."""


COUNTED = {
    (OTEL, "GENERATED_openai-v2-2.2b0__v2new-event.traces.json"): Counted(0, 0),
    (OTEL, "GENERATED_openai-v2-2.2b0__v2old.traces.json"): Counted(0, 0),
    (OTEL, "GENERATED_pydantic-ai-2.68__pydantic5.traces.json"): Counted(0, 2),
    (OTEL, "GENERATED_traceloop-0.62.4__traceloop.traces.json"): Counted(4, 6),
    (OTEL, "PyPI_agentpile__tests__fixtures__otlp__openai_agents_0.24.0_oi_2.5.3.jsonl"): Counted(0, 3),
    (OTEL, "PyPI_agentpile__tests__fixtures__otlp__openai_agents_0.24.0_oi_2.5.3_as_tool.json"): Counted(0, 1),
    (OTEL, "PyPI_agentpile__tests__fixtures__otlp__pydantic_ai_2.58.0_delegation.json"): Counted(0, 1),
    (OPENINFERENCE, "GENERATED_openinference__openinference.traces.json"): Counted(4, 6),
}


@pytest.mark.parametrize("sample", COUNTED, ids=lambda sample: sample[1][-48:])
def test_results_and_duplicates_are_those_of_the_file(sample: tuple[str, str]) -> None:
    trace = read_foreign([samples_dir(sample[0]) / sample[1]])
    found = Counted(
        duplicates=sum(loss.count for loss in trace.header.losses if loss.kind == "duplicate"),
        answered=sum(len(results_of(each.request)) for each in trace.models),
    )
    assert found == COUNTED[sample]


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


@pytest.mark.parametrize("sample", COUNTED, ids=lambda sample: sample[1][-48:])
def test_a_damaged_sample_is_no_traceback(sample: tuple[str, str]) -> None:
    data = (samples_dir(sample[0]) / sample[1]).read_bytes()
    for cut in range(1, len(data), max(1, len(data) // 40)):
        for broken in (data[:cut], data[:cut] + b"\xff" + data[cut + 1 :], data[cut:]):
            assert reads(broken)

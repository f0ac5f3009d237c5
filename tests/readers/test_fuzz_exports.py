"""Genuine exports, broken: a trace or a typed refusal, whatever was done to the bytes."""

from __future__ import annotations

import os
import random

import pytest

from runwright.errors import RunwrightError
from runwright.readers import Input, runs_of
from runwright.trace import dumps_trace, loads_trace
from tests.readers.one_run import FIXTURES
from tests.readers.test_fuzz_formats import KINDS

MUTATIONS = 10_000 if os.environ.get("RUNWRIGHT_FUZZ") else 40
SEEDS = (
    "inspect.json",
    "inspect.eval",
    "langfuse.otlp.pb",
    "langfuse-2.ingestion.jsonl",
    "langsmith-multipart.jsonl",
    "openai_agents-state.json",
    "responses/inspect.json",
    "responses/traceloop.traces.json",
)
"""Forms that no seed of the other fuzz tests has."""


@pytest.mark.parametrize("name", SEEDS)
def test_a_broken_export(name: str) -> None:
    luck = random.Random(name)
    seed = (FIXTURES / "order_desk" / name).read_bytes()
    assert runs_of([Input("seed", seed)])
    refused = 0
    for number in range(MUTATIONS):
        data = luck.choice(KINDS)(seed, luck)
        try:
            runs = runs_of([Input("fuzz", data)])
        except RunwrightError:
            refused += 1
            continue
        for run in runs:
            assert loads_trace(dumps_trace(run.trace)) == run.trace, number
    assert 0 < refused < MUTATIONS

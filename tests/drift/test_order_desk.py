"""One run as two dozen tools exported it, against the agent that made it: no export is of another agent."""

from __future__ import annotations

import pytest

from runwright.readers import read_foreign
from tests.drift.made import drift, spec, told, tool
from tests.samples import ROOT

FOLDER = ROOT / "tests" / "fixtures" / "order_desk"
SCHEMA = {"type": "object", "properties": {"order": {"type": "string"}}, "required": ["order"]}
LOOKUP = tool(name="lookup_order", description="Find an order", parameters=SCHEMA)
DESK = spec(system_prompt="You run the order desk.", tools=(LOOKUP,))
WHOLE = (
    *("wire.jsonl", "litellm.jsonl", "langsmith.jsonl", "langsmith-multipart.jsonl", "mlflow.json"),
    *("vcr.yaml", "vcr.json", "vcr-gzip.yaml", "mitmproxy.flows", "mitmproxy.har", "mitmproxy-gzip.flows"),
    *("openinference.traces.json", "traceloop.traces.json", "genai-span.traces.json", "langfuse-2.ingestion.jsonl"),
)
"""Exports that hold the prompt, the tools and the model."""


@pytest.mark.parametrize("name", WHOLE)
def test_whole_exports(name: str) -> None:
    recorded = read_foreign([FOLDER / name])
    found = drift(recorded, DESK)
    assert (found.verdict, found.differences) == ("SAME", ())
    assert {"$.system_prompt", "$.model", "$.tools.lookup_order.parameters"} <= set(found.compared)
    changed = spec(
        system_prompt="You run the returns desk.",
        tools=(tool(name="lookup_order", description="Find an order", parameters={**SCHEMA, "required": []}),),
    )
    assert told(drift(recorded, changed)).keys() == {"$.system_prompt", "$.tools.lookup_order.parameters.required"}


@pytest.mark.parametrize("name", ["openai-v2-off.traces.json", "genai-event.traces.json", "semconv-off.traces.json"])
def test_exports_without_content_are_not_judged(name: str) -> None:
    assert drift(read_foreign([FOLDER / name]), DESK).verdict == "UNVERIFIED"

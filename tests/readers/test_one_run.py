"""One scripted run, exported by many tools: the same fingerprint from each, over what both sides could know."""

from __future__ import annotations

from itertools import combinations

import pytest

from runwright.fingerprint import Fingerprint, agree, fingerprint
from runwright.readers import Run, read_foreign, runs_of
from runwright.trace.model import Trace, text_of
from tests.readers.exports import fixture

ANSWER = "A-17 is on its way, B-4 waits in Århus."
WHOLE = {"pydantic-2", "pydantic-6"}
"""Exports that hold this run alone; the others hold further ones, or calls that fail, in traces of their own."""

OTLP = ("pydantic-2", "pydantic-6", "vercel", "langgraph-traceloop", "langgraph-openinference")
EXEMPT = {
    "endpoints": "spans of HTTP are not kept, and none of these exports has them",
    "side_effect_kinds": "none of these instrumentations watches effects",
}
"""Why a field may be compared with nobody."""


def traces_of(name: str) -> list[Trace]:
    """The traces of an export that are the whole run: two exchanges, of which the last says the answer."""
    sources = fixture(f"{name}.traces.json")
    if name in WHOLE:
        return [read_foreign(sources)]
    ids = sorted({str(each.ext["trace_id"]) for each in read_foreign(sources).models})
    return [each for each in (read_foreign(sources, trace_id=id) for id in ids) if is_the_run(each)]


def is_the_run(trace: Trace) -> bool:
    replies = [each.response for each in trace.models]
    return len(replies) == 2 and replies[1] is not None and text_of(replies[1].content) == ANSWER


def phoenix(name: str) -> list[Trace]:
    runs: list[Run] = list(runs_of(fixture(name, folder="phoenix")))
    return [run.trace for run in runs if is_the_run(run.trace)]


def prints() -> dict[str, Fingerprint]:
    found = {f"{name} {at}": fingerprint(each) for name in OTLP for at, each in enumerate(traces_of(name))}
    found |= {f"phoenix {name}": fingerprint(each) for name in ("api.json", "table.parquet") for each in phoenix(name)}
    return found


def test_all_exports_of_the_run_are_among_them() -> None:
    """The AI SDK's export holds it twice, once streamed."""
    assert sorted(prints()) == [
        "langgraph-openinference 0",
        "langgraph-traceloop 0",
        "phoenix api.json",
        "phoenix table.parquet",
        "pydantic-2 0",
        "pydantic-6 0",
        "vercel 0",
        "vercel 1",
    ]


@pytest.mark.parametrize(("one", "other"), combinations(sorted(prints()), 2))
def test_any_two_agree(one: str, other: str) -> None:
    found = agree(PRINTS[one], PRINTS[other])
    assert (found.verdict, found.differences) == ("SAME", ()), (one, other)
    assert {"tools", "tool_sequences", "models", "graph_hash", "outcome_class"} <= set(found.compared)
    assert {each.split(":")[0] for each in found.not_compared} <= {
        *EXEMPT,
        "agents",
        "tool_outcomes",
        "flat",
        "nesting",
    }


PRINTS = prints()


def test_one_call_less_is_another_run() -> None:
    (trace,) = traces_of("pydantic-6")
    less = fingerprint(
        Trace(header=trace.header, records=tuple(each for each in trace.records if each is not trace.models[1]))
    )
    assert agree(less, PRINTS["langgraph-traceloop 0"]).verdict == "DRIFTED"

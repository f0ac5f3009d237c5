"""One run has one fingerprint in whatever form it comes, over what the forms have in common."""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from pathlib import Path

import pytest
from hypothesis import HealthCheck, assume, given, settings

from runwright.fingerprint import agree, fingerprint, fingerprint_digest
from runwright.readers import read_foreign
from runwright.trace import ModelRecord, ToolRecord
from tests.fingerprint.forms import FORMS
from tests.fingerprint.runs import Ask, Turn, rendered
from tests.fingerprint.test_same import runs
from tests.readers.exports import FIXTURES

REFUND = Ask("issue_refund", {"order_id": "A-4471", "amount": 40})
LOOKUP = Ask("lookup_order", {"order_id": "A-4471"})
STOCK = Ask("stock.level", {"items": [{"sku": "t", "count": 1}], "strict": True})
RUN = (Turn((LOOKUP, STOCK, LOOKUP)), Turn((REFUND,)), Turn(says="The refund is on its way.", model="gpt-4o"))
TWICE = (*RUN[:1], Turn((REFUND,)), Turn((REFUND,)), *RUN[2:])
TWICE_AT_ONCE = (*RUN[:1], Turn((REFUND, REFUND)), *RUN[2:])
PAIRS = [(one, two) for one, two in product(FORMS, FORMS) if one <= two]
ALWAYS = {"tools", "tool_sequences", "models", "graph_hash", "outcome_class"}


def test_the_forms_do_hold_the_run() -> None:
    for name, form in FORMS.items():
        read = form(rendered(RUN))
        tools = [each for each in read.records if isinstance(each, ToolRecord)]
        assert len([each for each in read.records if isinstance(each, ModelRecord)]) == 3, name
        assert len(tools) == (4 if name in ("native", "otlp_new", "model_log_with_tools") else 0), name
    assert len({FORMS[name](rendered(RUN)).header.trace_id for name in FORMS}) == len(FORMS)


@pytest.mark.parametrize(("one", "two"), PAIRS)
def test_one_run_in_two_forms(one: str, two: str) -> None:
    first, second = (fingerprint(FORMS[name](rendered(RUN))) for name in (one, two))
    found = agree(first, second)
    assert found.differences == ()
    assert found.verdict == "SAME"
    assert {*found.compared} == ALWAYS
    assert fingerprint_digest(first) == fingerprint_digest(second)


@pytest.mark.parametrize(("one", "two"), [*PAIRS, *((two, one) for one, two in PAIRS if one != two)])
@pytest.mark.parametrize("other", [TWICE, TWICE_AT_ONCE], ids=["in a row", "at once"])
def test_a_call_made_twice(one: str, two: str, other: tuple[Turn, ...]) -> None:
    found = agree(fingerprint(FORMS[one](rendered(RUN))), fingerprint(FORMS[two](rendered(other))))
    assert {each.field for each in found.differences} == {"tool_sequences", "graph_hash"}
    assert "issue_refund x1" in found.differences[0].recorded
    assert "issue_refund x2" in found.differences[0].live


@given(runs(depth=0))
@settings(suppress_health_check=[HealthCheck.too_slow], max_examples=25)
def test_any_run(run: tuple[Turn, ...]) -> None:
    assume(run)
    plain = tuple(replace(each, asks=tuple(replace(ask, server="") for ask in each.asks)) for each in run)
    prints = {name: fingerprint(form(rendered(plain))) for name, form in FORMS.items()}
    assert len({fingerprint_digest(each) for each in prints.values()}) == 1, prints


@pytest.mark.parametrize(
    ("one", "two", "twice"),
    [
        ("otlp/pydantic-2.traces.json", "otlp/pydantic-6.traces.json", None),
        ("otlp/openinference.traces.json", "otlp/traceloop.traces.json", None),
        ("model_log/orders.jsonl", "otlp/openai-v2.traces.json", "otlp/openai-v2.logs.json"),
    ],
)
def test_one_run_as_real_instrumentations_drew_it(one: str, two: str, twice: str | None) -> None:
    """The same scripted agent, watched by two instrumentations each."""
    seconds = [FIXTURES / name for name in (two, twice) if name]
    first, second = fingerprint(read_foreign([Path(FIXTURES / one)])), fingerprint(read_foreign(seconds))
    found = agree(first, second)
    assert (found.differences, {*found.compared}) == ((), ALWAYS)
    assert fingerprint_digest(first) == fingerprint_digest(second)


def test_without_content_only_what_is_known_is_compared() -> None:
    silent, cut = (
        fingerprint(read_foreign([FIXTURES / "otlp" / f"{name}.traces.json"]))
        for name in ("openai-v2-off", "traceloop-cut")
    )
    found = agree(silent, cut)
    assert (found.verdict, found.compared) == ("UNVERIFIED", ("models",))
    spoken = fingerprint(read_foreign([FIXTURES / "otlp" / "pydantic-6.traces.json"]))
    assert "tools: one side alone knows tools" in agree(silent, spoken).not_compared

"""One call seen twice is one; two calls, however alike, are two. What must be left alone comes first."""

from __future__ import annotations

from typing import Any

import pytest

from runwright.readers import read_foreign
from runwright.trace.model import Trace
from tests.readers.exports import call, export, given, losses, span, tool, words

SDK = "com.anthropic.sdk.python"


def read(*documents: dict[str, Any]) -> Trace:
    return read_foreign(given(*documents))


def bare(
    number: int, *, at: int = 1, lasts: int = 5, identity: str | None = "chatcmpl-1", **more: Any
) -> dict[str, Any]:
    """The same call as an SDK draws it: model and usage, no content."""
    shown = {
        "gen_ai.operation.name": "chat",
        "gen_ai.provider.name": "openai",
        "gen_ai.request.model": "m",
        "gen_ai.usage.input_tokens": 3,
        "gen_ai.usage.output_tokens": 2,
        **({"gen_ai.response.id": identity} if identity else {}),
        **{key.replace("__", "."): value for key, value in more.items()},
    }
    return span(number, shown, at=at, lasts=lasts)


# --- two calls ----------------------------------------------------------------------------------


def test_a_repeated_call_with_one_id_is_two_calls() -> None:
    """A server that answers everything with one id does not make two requests one."""
    twice = [call(n, "Refunded.", at=20 * n, gen_ai__response__id="chatcmpl-same") for n in (1, 2)]
    assert len(read(export(*twice)).models) == 2


def test_eight_parallel_calls_with_one_id_are_eight() -> None:
    parallel = [call(n, "Hello.", at=1, gen_ai__response__id="chatcmpl-same") for n in range(1, 9)]
    trace = read(export(*parallel))
    assert len(trace.models) == 8
    assert losses(trace, "duplicate") == []


def test_another_instrumentation_at_another_time_saw_another_call() -> None:
    trace = read(export(call(1, gen_ai__response__id="chatcmpl-1")), export(bare(2, at=40), scope=SDK))
    assert len(trace.models) == 2


@pytest.mark.parametrize(
    "other",
    [
        {"identity": "chatcmpl-2"},
        {"identity": None, "gen_ai__usage__input_tokens": 4},
        {"identity": None, "gen_ai__request__model": "n"},
    ],
)
def test_another_id_usage_or_model_is_another_call(other: dict[str, Any]) -> None:
    assert len(read(export(call(1)), export(bare(2, **other), scope=SDK)).models) == 2


def test_another_reply_is_another_call() -> None:
    one, two = call(1, "Yes.", gen_ai__response__id="chatcmpl-1"), call(2, "No.", gen_ai__response__id="chatcmpl-1")
    assert len(read(export(one), export(two, scope=SDK)).models) == 2


def test_one_instrumentation_nested_without_an_id_draws_two_calls() -> None:
    outer = call(1, gen_ai__response__id=None, lasts=30)
    inner = call(2, at=2, gen_ai__response__id=None) | {"parentSpanId": f"{1:016x}"}
    assert len(read(export(outer, inner)).models) == 2


# --- one call -----------------------------------------------------------------------------------


def test_siblings_of_two_instrumentations_with_one_id() -> None:
    trace = read(export(call(1)), export(bare(2), scope=SDK))
    assert list(words(trace)) == ["Hello."]
    (loss,) = losses(trace, "duplicate")
    assert loss.where == f"span {2:016x}"


def test_siblings_without_an_id_by_model_and_usage() -> None:
    assert len(read(export(call(1)), export(bare(2, identity=None), scope=SDK)).models) == 1


def test_the_one_with_content_is_kept_whichever_lies_inside() -> None:
    inner = call(2, at=2, lasts=3, gen_ai__response__id="chatcmpl-1") | {"parentSpanId": f"{1:016x}"}
    trace = read(export(bare(1, at=1, lasts=9), scope=SDK), export(inner))
    assert list(words(trace)) == ["Hello."]


def test_what_only_the_left_out_span_knows_is_kept() -> None:
    trace = read(export(call(1)), export(bare(2, gen_ai__request__stream=True), scope=SDK))
    assert trace.models[0].streamed is True


def test_nested_spans_of_one_instrumentation_with_one_id() -> None:
    inner = bare(2, at=2, lasts=3) | {"parentSpanId": f"{1:016x}"}
    assert len(read(export(call(1, lasts=20), inner)).models) == 1


def test_parallel_calls_are_paired_one_to_one() -> None:
    seen = [call(n, f"{n}.", at=n, lasts=20, gen_ai__response__id="chatcmpl-same") for n in range(1, 5)]
    echoes = [bare(10 + n, at=n + 1, lasts=18, identity="chatcmpl-same") for n in range(1, 5)]
    trace = read(export(*seen), export(*echoes, scope=SDK))
    assert list(words(trace)) == ["1.", "2.", "3.", "4."]
    assert len(losses(trace, "duplicate")) == 4


def test_of_two_calls_of_a_client_only_the_one_that_was_instrumented_is_left_out() -> None:
    plain = [bare(n, at=n, lasts=15, identity="chatcmpl-same") for n in (2, 3)]
    trace = read(export(call(1, at=1, lasts=20, gen_ai__response__id="chatcmpl-same")), export(*plain, scope=SDK))
    assert len(trace.models) == 2


def test_three_instrumentations_of_one_call() -> None:
    trace = read(export(call(1)), export(bare(2), scope=SDK), export(bare(3, at=2, lasts=3), scope="third"))
    assert list(words(trace)) == ["Hello."]


def test_what_lies_inside_a_left_out_span_lies_inside_its_stand_in() -> None:
    inside = tool(3, "look", at=3, lasts=1) | {"parentSpanId": f"{2:016x}"}
    trace = read(export(call(1, lasts=20), inside), export(bare(2, lasts=10), scope=SDK))
    assert trace.tools[0].parent == "m1"


def test_a_tool_span_inside_its_own_is_one_call() -> None:
    inner = tool(3, "look", at=21, lasts=1) | {"parentSpanId": f"{2:016x}"}
    trace = read(export(call(1), tool(2, "look", at=20, lasts=10), inner))
    assert len(trace.tools) == 1
    assert losses(trace, "duplicate")[0].where == f"span {3:016x}"

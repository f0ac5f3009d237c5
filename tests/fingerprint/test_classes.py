"""What changes nothing and what changes something, each for any run, at any depth, on every lane."""

from __future__ import annotations

import os
import random
from collections.abc import Callable
from dataclasses import replace
from typing import Any, get_args

import msgspec
import pytest
from hypothesis import HealthCheck, assume, given, settings, strategies as st

from runwright.fingerprint import agree, fingerprint, fingerprint_digest
from runwright.readers import Input, read_foreign
from runwright.trace import (
    JSON,
    EffectKind,
    HttpRecord,
    Record,
    SideEffectRecord,
    Trace,
    dumps_trace,
    loads_trace,
)
from runwright.writers import WRITERS
from tests.fingerprint.runs import Ask, Rendering, Turn, edited, places, rendered, shuffled
from tests.fingerprint.test_different import LANES, SEQUENCES, differ, effect, http
from tests.fingerprint.test_forms import ALWAYS
from tests.fingerprint.test_same import RUNS, runs, same

KINDS: tuple[EffectKind, ...] = get_args(EffectKind)
DEEP = 200 if os.environ.get("RUNWRIGHT_FUZZ") else 20
HOSTS = ("127.0.0.1", "localhost", "[::1]", "0.0.0.0", "127.8.9.1", "app.localhost")
PATHS = ("/orders/A-4471", "/v1/chat/completions", "/", "/orders/7/lines?page=2", "/health?deep")
WATCHED = dict.fromkeys(KINDS, "observed")


@st.composite
def runs_with_calls(draw: st.DrawFn) -> tuple[tuple[Turn, ...], tuple[int, ...]]:
    """Any run and one of its calls."""
    run = draw(RUNS)
    found = list(places(run))
    assume(found)
    return run, draw(st.sampled_from(found))


def with_records(run: tuple[Turn, ...], records: list[Record]) -> Trace:
    trace = rendered(run, observation=WATCHED)
    return msgspec.structs.replace(trace, records=(*trace.records, *records))


# --- the same -------------------------------------------------------------------------------------


@given(RUNS, st.lists(st.tuples(st.sampled_from(HOSTS), st.sampled_from(PATHS)), min_size=1, max_size=4), st.data())
@settings(max_examples=DEEP)
def test_ephemeral_ports(run: tuple[Turn, ...], calls: list[tuple[str, str]], data: st.DataObject) -> None:
    """In requests, and in the targets of effects where the http lane is empty."""
    ports = st.integers(1024, 65535)

    def requests() -> list[Record]:
        urls = [f"http://{host}:{data.draw(ports)}{path}" for host, path in calls]
        return [http(at, "POST", url) for at, url in enumerate(urls)]

    def effects() -> list[Record]:
        urls = [f"POST http://{host}:{data.draw(ports)}{path}" for host, path in calls]
        return [effect(at, "http_request", url) for at, url in enumerate(urls)]

    for make in (requests, effects):
        one = with_records(run, make())
        assert fingerprint(one).endpoints
        same(one, with_records(run, make()))


@given(RUNS, st.integers(0, 1000), st.sampled_from(LANES))
@settings(max_examples=DEEP)
def test_values_of_arguments(run: tuple[Turn, ...], seed: int, how: Rendering) -> None:
    same(rendered(run, how), rendered(revalued(run, random.Random(seed)), how))


def revalued(run: tuple[Turn, ...], by: random.Random) -> tuple[Turn, ...]:
    """The run with other values of the same types in all its calls."""
    for place in places(run):
        run = edited(run, place, lambda ask: (replace(ask, arguments=other_value(ask.arguments, by)),))
    return run


def other_value(value: JSON, by: random.Random) -> JSON:
    match value:
        case None:
            return None
        case bool():
            return by.random() < 0.5
        case int() | float():
            return by.choice([by.randrange(-(10**9), 10**9), by.random()])
        case str():
            return f"{by.random()}"
        case list():
            return [other_value(each, by) for each in value for _ in range(by.randrange(1, 3))]
        case _:
            return {key: other_value(each, by) for key, each in value.items()}


@given(RUNS, st.integers(0, 1000))
@settings(max_examples=DEEP)
def test_the_order_of_lines_in_a_file(run: tuple[Turn, ...], seed: int) -> None:
    trace = rendered(run)
    moved = msgspec.structs.replace(trace, records=shuffled(trace.records, random.Random(seed)))
    same(trace, loads_trace(dumps_trace(moved), "t.jsonl"))


def through(form: str, trace: Trace) -> Trace:
    """The trace as it is read back from another format."""
    writer = WRITERS[form]
    return read_foreign([Input(f"run{writer.suffix}", writer.write(trace).data)])


@pytest.mark.parametrize("form", WRITERS)
@given(runs(depth=0))
@settings(max_examples=DEEP, suppress_health_check=[HealthCheck.too_slow])
def test_another_format(form: str, run: tuple[Turn, ...]) -> None:
    assume(run)
    one, other = fingerprint(rendered(run)), fingerprint(through(form, rendered(run)))
    assert fingerprint_digest(one) == fingerprint_digest(other)
    found = agree(one, other)
    assert (found.verdict, {*found.compared} & ALWAYS) == ("SAME", ALWAYS)


@pytest.mark.parametrize("form", WRITERS)
@given(RUNS)
@settings(max_examples=DEEP, suppress_health_check=[HealthCheck.too_slow])
def test_another_format_of_a_run_with_runs_inside_calls(form: str, run: tuple[Turn, ...]) -> None:
    """Not all formats tell the nesting; what they cannot is not compared."""
    assume(run)
    found = agree(fingerprint(rendered(run)), fingerprint(through(form, rendered(run))))
    assert (found.verdict, found.differences) == ("SAME", ())


@pytest.mark.parametrize("form", WRITERS)
@given(runs(depth=0), st.data())
@settings(max_examples=DEEP, suppress_health_check=[HealthCheck.too_slow])
def test_a_call_made_twice_shows_through_another_format(form: str, run: tuple[Turn, ...], data: st.DataObject) -> None:
    """Else the formats would agree because they hold nothing."""
    found = list(places(run))
    assume(found)
    place = data.draw(st.sampled_from(found))
    other = edited(run, place, lambda ask: (ask, ask))
    assume(fingerprint(rendered(run)).tool_sequences != fingerprint(rendered(other)).tool_sequences)
    seen = agree(fingerprint(rendered(run)), fingerprint(through(form, rendered(other))))
    assert "tool_sequences" in {each.field for each in seen.differences}


# --- different ------------------------------------------------------------------------------------

NEW = Ask("another", {"x": 1})
EDITS: dict[str, tuple[Callable[[Ask], tuple[Ask, ...]], set[str]]] = {
    "dropped": (lambda ask: (), {"graph_hash"}),
    "added before": (lambda ask: (NEW, ask), {"tools", *SEQUENCES}),
    "added behind": (lambda ask: (ask, NEW), {"tools", *SEQUENCES}),
    "renamed": (lambda ask: (replace(ask, name="another", server=""),), {"tools", *SEQUENCES}),
    "a key more": (lambda ask: (with_arguments(ask, w="1"),), {"tools", "graph_hash"}),
    "a key deeper": (lambda ask: (with_arguments(ask, w={"x": {"y": [1]}}),), {"tools", "graph_hash"}),
    "another type": (lambda ask: (with_arguments(ask, x={"unlike": 1}),), {"tools", "graph_hash"}),
    "one value in a list": (lambda ask: (with_arguments(ask, x=[1, "a"]),), {"tools", "graph_hash"}),
    "made twice": (lambda ask: (ask, ask), {"graph_hash"}),
    "failed": (lambda ask: (replace(ask, outcome="error"),), {"outcome_class"}),
    "denied": (lambda ask: (replace(ask, outcome="denied"),), {"outcome_class"}),
}


def with_arguments(ask: Ask, **more: Any) -> Ask:
    assert isinstance(ask.arguments, dict)
    return replace(ask, arguments={**ask.arguments, **more})


@pytest.mark.parametrize(("edit", "fields"), EDITS.values(), ids=list(EDITS))
@given(runs_with_calls(), st.sampled_from(LANES))
@settings(max_examples=DEEP)
def test_any_call(
    edit: Callable[[Ask], tuple[Ask, ...]],
    fields: set[str],
    chosen: tuple[tuple[Turn, ...], tuple[int, ...]],
    how: Rendering,
) -> None:
    run, place = chosen
    other = edited(run, place, edit)
    told = "outcome_class" not in fields or how.tools  # replies alone do not tell how tools end
    assume(not alike_calls(run, place) and told)
    assert fields <= differ(rendered(run, how), rendered(other, how))


SHAPES: list[tuple[JSON, JSON]] = [
    ({"x": {"y": [1]}}, {"x": {"y": ["a"]}}),
    ({"x": {"y": {"z": [{"v": 1}]}}}, {"x": {"y": {"z": [{"u": 1}]}}}),
    ([1, 1], [1, "a"]),
    ([{"v": 1}, {}], [{"v": 1}, {"u": 1}]),
    ([], {}),
    (None, False),
    (0, False),
]


@pytest.mark.parametrize(("one", "two"), SHAPES)
@given(runs_with_calls())
@settings(max_examples=DEEP // 4)
def test_any_call_whose_shape_differs_deep_inside(
    one: JSON, two: JSON, chosen: tuple[tuple[Turn, ...], tuple[int, ...]]
) -> None:
    run, place = chosen
    first, second = (edited(run, place, lambda ask, value=each: (with_arguments(ask, w=value),)) for each in (one, two))
    assert {"tools", "graph_hash"} <= differ(rendered(first), rendered(second))


def alike_calls(run: tuple[Turn, ...], place: tuple[int, ...]) -> bool:
    """Whether the call has so many parallel ones of its name that one more or less is many still."""
    turns = run
    for number, at in zip(place[:-2:2], place[1:-2:2], strict=True):
        turns = turns[number].asks[at].inside
    asks = turns[place[-2]].asks
    return sum(each.name == asks[place[-1]].name for each in asks) > 1


@given(RUNS, st.data())
@settings(max_examples=DEEP)
def test_any_turn_that_asks_another_model(run: tuple[Turn, ...], data: st.DataObject) -> None:
    assume(run)
    at = data.draw(st.integers(0, len(run) - 1))
    other = (*run[:at], replace(run[at], model="huge"), *run[at + 1 :])
    assert {"models", "graph_hash"} <= differ(rendered(run), rendered(other))


@given(RUNS, st.sampled_from([{"error": 500}, {"error": 504}, {"asks": (Ask("lookup"),)}]))
@settings(max_examples=DEEP)
def test_any_run_that_ends_otherwise(run: tuple[Turn, ...], end: dict[str, Any]) -> None:
    good, bad = ((*run, Turn(**({"says": "done"} | each))) for each in ({}, end))
    trace, other = rendered(good), rendered(bad)
    assume(fingerprint(trace).outcome_class == "success")  # a tool of it may have failed before
    assert "outcome_class" in differ(trace, other)


@given(RUNS, st.data())
@settings(max_examples=DEEP)
def test_any_turn_whose_parallel_calls_are_made_in_a_row(run: tuple[Turn, ...], data: st.DataObject) -> None:
    found = [at for at, turn in enumerate(run) if len(turn.asks) > 1]
    assume(found)
    at = data.draw(st.sampled_from(found))
    first, second = replace(run[at], asks=run[at].asks[:1]), replace(run[at], asks=run[at].asks[1:])
    other = (*run[:at], first, replace(second, says="then"), *run[at + 1 :])
    assert "graph_hash" in differ(rendered(run), rendered(other))


URLS = ["https://a.example/x/7", "http://127.0.0.1:9000/x", "https://b.example/x?y=1"]
ELSEWHERE: list[Callable[[HttpRecord], HttpRecord]] = [
    lambda one: with_request(one, method="PUT"),
    lambda one: with_request(one, url=one.request.url.replace("/x", "/another", 1)),
    lambda one: with_request(one, url=one.request.url.replace("://", "://c.", 1)),
    lambda one: with_request(one, url=one.request.url.partition("?")[0] + "?z=1"),
]


def with_request(one: HttpRecord, **fields: Any) -> HttpRecord:
    return msgspec.structs.replace(one, request=msgspec.structs.replace(one.request, **fields))


@given(RUNS, st.lists(st.sampled_from(URLS), min_size=1, max_size=5), st.data())
@settings(max_examples=DEEP)
def test_any_endpoint(run: tuple[Turn, ...], urls: list[str], data: st.DataObject) -> None:
    requests = [http(number, "GET", url) for number, url in enumerate(urls)]
    at = data.draw(st.integers(0, len(urls) - 1))
    one = with_records(run, [*requests])
    for move in ELSEWHERE:
        other = with_records(run, [*requests[:at], move(requests[at]), *requests[at + 1 :]])
        assert "endpoints" in differ(one, other)
    assert "endpoints" in differ(one, with_records(run, [*requests, http(99, "GET", "https://d.example/")]))


@given(RUNS, st.lists(st.sampled_from(KINDS), min_size=1, max_size=2), st.data())
@settings(max_examples=DEEP)
def test_any_kind_of_effect(run: tuple[Turn, ...], kinds: list[EffectKind], data: st.DataObject) -> None:
    effects = [effect(number, kind) for number, kind in enumerate(kinds)]
    at = data.draw(st.integers(0, len(kinds) - 1))
    kind = data.draw(st.sampled_from([each for each in KINDS if each not in kinds]))
    changed: list[Record] = [*effects[:at], effect(at, kind), *effects[at + 1 :]]
    one = with_records(run, [*effects])
    assert "side_effect_kinds" in differ(one, with_records(run, changed))
    twice: SideEffectRecord = msgspec.structs.replace(effects[at], id="again")
    assert "side_effect_kinds" in differ(one, with_records(run, [*effects, twice]))
    assert "side_effect_kinds" in differ(one, with_records(run, [*effects[:at], *effects[at + 1 :]]))

"""Mutants: what is left alone, then that everything else is changed, one thing at a time."""

from __future__ import annotations

from collections import Counter

import msgspec
import pytest
from msgspec.structs import fields, replace

from runwright.perturb import KINDS, Drop, Mutant, Ran, Request, Side, answered, mutants, mutate
from runwright.perturb.blocks import other_blocks
from runwright.trace.model import (
    EFFECT_KINDS,
    Block,
    ModelRecord,
    SideEffect,
    SideEffectRecord,
    TextBlock,
    ToolCallBlock,
    ToolResultBlock,
    ToolSpec,
    Trace,
)
from tests.perturb.build import (
    EVERY_BLOCK,
    LOOKED,
    START,
    TOOLS,
    TWO,
    UUID,
    call,
    cassette,
    exchange,
    result,
    said,
    side_of,
)


def of(trace: Trace, *kinds: str, calls: tuple[Ran, ...] = ()) -> list[Mutant]:
    return [each for each in mutants(side_of(trace), trace, calls) if not kinds or each.kind in kinds]


def places(trace: Trace, *kinds: str) -> list[str]:
    return [each.place for each in of(trace, *kinds)]


# --- left alone ------------------------------------------------------------------------------------


@pytest.mark.parametrize("block", EVERY_BLOCK, ids=lambda block: type(block).__name__)
def test_a_cache_mark_is_no_mutant(block: Block) -> None:
    bare = replace(block, cache=None) if hasattr(block, "cache") else block
    assert all("cache" not in each.where for each in other_blocks(block))
    plain = {msgspec.json.encode(each.block) for each in other_blocks(block)}
    assert msgspec.json.encode(bare) not in plain


def test_the_spelling_of_arguments_is_no_mutant() -> None:
    block = ToolCallBlock(id="c1", name="look", arguments={"id": "A"}, arguments_text='{"id":  "A"}')
    assert all("arguments_text" not in each.where for each in other_blocks(block))
    text = ToolCallBlock(id="c1", name="look", arguments_text="not JSON")
    assert [each.kind for each in other_blocks(text) if each.where == ("arguments_text",)] != []


def test_the_order_of_parallel_calls_and_results_is_no_mutant() -> None:
    one, two = call("c1", id="A"), call("c2", id="B")
    answers = ToolResultBlock(call_id="c1"), ToolResultBlock(call_id="c2")
    trace = cassette(
        exchange("m1", START, one, two),
        exchange("m2", [*START, said("assistant", one, two), said("user", *answers), said("tool", answers[0])], "ok"),
    )
    swapped = [each for each in of(trace) if "before the one before" in each.what]
    assert [each.place for each in swapped] == [
        "m1 $.request.messages[1]", "m2 $.request.messages[2]", "m2 $.request.messages[3]"
    ]  # fmt: skip
    split = [*START, said("assistant", one, two), result("c1", "a"), result("c2", "b")]
    trace = cassette(exchange("m1", START, one, two), exchange("m2", split, "ok"))
    assert "m2 $.request.messages[4]" not in [
        each.place for each in of(trace, "message") if "before the one before" in each.what
    ]


def test_exchanges_of_which_none_needs_the_other_are_not_reordered() -> None:
    trace = cassette(exchange("m1", [said("user", "a")], "A"), exchange("m2", [said("user", "b")], "B"))
    assert of(trace, "reorder") == []


def test_the_order_of_tools_and_transport_settings_are_no_mutants() -> None:
    parameters = {"stream": True, "stream_options": {"include_usage": True}, "seed": None}
    trace = cassette(exchange("m1", START, "ok", parameters=parameters))
    found = [(each.path, each.what) for each in of(trace, "parameter")]
    assert found == [
        ("$.request.parameters.added_by_prove", "added"),
        ("$.request.parameters.seed", "changed"),
    ]
    names = [
        [tool.name for tool in each.change.request.tools] for each in of(trace) if isinstance(each.change, Request)
    ]
    assert ["pay", "look"] not in names


def test_an_empty_text_is_not_left_out_and_a_false_error_mark_not_dropped() -> None:
    answer = ToolResultBlock(call_id="c1", content=(TextBlock(text=""),), is_error=False)
    gone = [each.where for each in other_blocks(answer) if each.what == "left out"]
    assert ("is_error",) not in gone
    assert ("content", 0) not in gone
    trace = cassette(exchange("m1", [said("user", "", "x")], "ok"))
    left_out = [each.path for each in of(trace, "block") if each.what == "left out"]
    assert left_out == ["$.request.messages[0].content[1]"]


def test_what_goes_without_saying_is_not_left_out() -> None:
    plain = TextBlock(text="x", extra={"citations": [], "note": None})
    gone = [each.where for each in other_blocks(plain) if each.what == "left out"]
    assert gone == []
    cited = TextBlock(text="x", extra={"citations": [{"at": 1}], "note": "n"})
    assert ("extra", "citations") in [each.where for each in other_blocks(cited) if each.what == "left out"]


def test_a_cache_mark_of_a_tool_or_a_request_is_no_mutant() -> None:
    mark = {"type": "ephemeral"}
    tool = ToolSpec(name="look", description="d", extra={"cache_control": mark, "outer": {"cache_control": mark}})
    trace = cassette(exchange("m1", START, "ok", tools=(tool,), parameters={"cache_control": mark}))
    assert [each for each in of(trace) if "cache_control" in each.path] == []
    gone = [each.path for each in of(trace, "tool_schema") if each.what == "left out"]
    assert "$.request.tools[0].extra" not in gone
    beta = replace(tool, extra={"cache_control": mark, "strict": True})
    trace = cassette(exchange("m1", START, "ok", tools=(beta,)))
    gone = [each.path for each in of(trace, "tool_schema") if each.what == "left out"]
    assert {"$.request.tools[0].extra", "$.request.tools[0].extra.strict"} <= set(gone)


# --- everything else -------------------------------------------------------------------------------


@pytest.mark.parametrize("block", EVERY_BLOCK, ids=lambda block: type(block).__name__)
def test_every_field_of_every_block_is_changed(block: Block) -> None:
    changed = {each.where[0] for each in other_blocks(block) if each.where}
    skipped = {"cache", "arguments_text"}
    assert changed >= {each.encode_name for each in fields(type(block))} - skipped
    assert all(each.block != block for each in other_blocks(block))


def test_every_field_of_a_tool_and_a_request_is_changed() -> None:
    trace = cassette(exchange("m1", START, "ok", parameters={"temperature": 0, "response_format": {"type": "json"}}))
    found = set(places(trace))
    for path in (
        "$.streamed", "$.request.model", "$.request.api", "$.request.parameters.temperature",
        "$.request.parameters.response_format.type", "$.request.messages[0].role", "$.request.messages[0].name",
        "$.request.messages[0].content[0].text", "$.request.messages[0].content[0]", "$.request.messages[0]",
    ):  # fmt: skip
        assert f"m1 {path}" in found, path
    tool = {each.path for each in of(trace) if each.path.startswith("$.request.tools[0]")}
    assert tool >= {f"$.request.tools[0].{each.encode_name}" for each in fields(ToolSpec)}
    assert {"$.request.tools[0]", "$.request.tools[0].parameters.properties.id.type"} <= tool
    assert "$.request.tools[2]" in {each.path for each in of(trace, "tool_set")}


def test_every_kind_has_its_mutants() -> None:
    effect = SideEffectRecord(id="e1", side_effect=SideEffect(kind="fs_write", target="a.txt"))
    first = [said("system", f"Session {UUID}."), *START[1:]]
    later = [*first, *LOOKED[2:]]
    trace = cassette(
        exchange("m1", first, call("c1", id="A-1"), parameters={"temperature": 0}),
        exchange("m2", later, "There are 3.", parameters={"temperature": 0}),
        effect,
    )
    counted = Counter(each.kind for each in of(trace, calls=(Ran("pay", {}),)))
    assert set(counted) == set(KINDS) - {"relapse"}


def test_mutants_are_the_same_every_time() -> None:
    assert of(TWO) == of(TWO)


# --- applied ---------------------------------------------------------------------------------------


def test_every_mutant_makes_another_side() -> None:
    effect = SideEffectRecord(id="e1", side_effect=SideEffect(kind="fs_write", target="a.txt"))
    trace = cassette(*TWO.records, effect)
    side = side_of(trace)
    made = [mutate(side, each, side) for each in mutants(side, trace, (Ran("pay", {}),))]
    assert len(made) > 100
    assert all(each != side for each in made)
    assert len({repr(each) for each in made}) == len(made)


def test_a_changed_message_stays_changed_in_what_follows() -> None:
    third = [*LOOKED, said("assistant", "There are 3."), said("user", "Thanks.")]
    trace = cassette(*TWO.records, exchange("m3", third, "Welcome."))
    side = side_of(trace)
    (mutant,) = (each for each in of(trace, "block") if each.place == "m1 $.request.messages[0].content[0].text")
    made = mutate(side, mutant, side)
    assert all(each.request.messages[0] == made.sent[0].request.messages[0] for each in made.sent)
    assert made.sent[0].request.messages[0] != START[0]
    assert [each.request.messages[1:] for each in made.sent] == [each.request.messages[1:] for each in side.sent]


def test_a_changed_history_is_not_changed_before() -> None:
    side = side_of(TWO)
    mutant = next(each for each in of(TWO, "history") if each.exchange == "m2")
    made = mutate(side, mutant, side)
    assert made.sent[0] == side.sent[0]
    assert made.sent[1] != side.sent[1]


def test_dropped_repeated_and_moved() -> None:
    side = side_of(TWO)

    def order(kind: str, exchange: str) -> list[str | None]:
        mutant = next(each for each in of(TWO, kind) if each.exchange == exchange)
        return [each.of for each in mutate(side, mutant, side).sent]

    assert order("drop", "m1") == ["m2"]
    assert order("duplicate", "m1") == ["m1", "m1", "m2"]
    assert order("reorder", "m2") == ["m2", "m1"]


def test_a_side_without_the_exchange_is_refused() -> None:
    with pytest.raises(ValueError, match="does not send m9"):
        mutate(side_of(TWO), Mutant(kind="drop", what="x", change=Drop(), exchange="m9"), side_of(TWO))


def test_effects_of_every_kind_are_added_and_each_one_taken_away() -> None:
    effect = SideEffectRecord(id="e1", side_effect=SideEffect(kind="fs_write", target="a.txt"))
    trace = cassette(*TWO.records, effect)
    side = side_of(trace)
    made: list[Side] = [mutate(side, each, side) for each in of(trace, "effect")]
    assert Counter(len(each.effects) for each in made) == {0: 1, 1: 1, 2: len(EFFECT_KINDS)}


# --- what comes after what -------------------------------------------------------------------------


def test_what_an_exchange_answers_is_told_by_its_content_where_the_records_do_not() -> None:
    bare = tuple(replace(each, after=()) for each in TWO.records if isinstance(each, ModelRecord))
    assert answered(replace(TWO, records=bare)) == {"m1": (), "m2": ("m1",)}


def test_of_tools_that_stay_the_same_one_is_changed_in_each_later_request() -> None:
    found = [each.path for each in of(TWO, "tool_description") if each.exchange == "m2"]
    assert {each.split(".description")[0] for each in found} == {"$.request.tools[1]"}
    other = [*TOOLS, ToolSpec(name="ship", description="Ships.")]
    trace = cassette(TWO.records[0], exchange("m2", LOOKED, "There are 3.", tools=tuple(other)))
    found = [each.path for each in of(trace, "tool_description") if each.exchange == "m2"]
    assert {each.split(".description")[0] for each in found} == {f"$.request.tools[{n}]" for n in range(3)}

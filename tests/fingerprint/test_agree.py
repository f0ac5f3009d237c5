"""Agreement is over the shared basis: what one side does not know is listed and never differs."""

from __future__ import annotations

import json
from typing import Any

import pytest
from msgspec.structs import replace

from runwright.errors import TraceError, UnknownVersion
from runwright.fingerprint import (
    FACTS,
    Fingerprint,
    agree,
    agreements_text,
    as_json,
    dumps_fingerprint,
    fingerprint,
    fingerprint_digest,
    grouped,
    is_fingerprint,
    loads_fingerprint,
)
from runwright.trace import FaultRecord, Header, ModelRecord, Record, ToolRecord, Trace, problems, schema
from tests.fingerprint.runs import Ask, Rendering, Turn, rendered

RUN = (Turn((Ask("look", {"a": 1}),), "go"), Turn(says="done"))
PRINT = fingerprint(rendered(RUN))


def without(*facts: str, of: Fingerprint = PRINT, **fields: Any) -> Fingerprint:
    return replace(of, basis=tuple(fact for fact in of.basis if fact not in facts), **fields)


def test_the_fields() -> None:
    assert set(Fingerprint.__struct_fields__) == {
        "tools", "tool_sequences", "endpoints", "models", "side_effect_kinds", "graph_hash", "outcome_class", "basis",
        "version",
    }  # fmt: skip
    assert PRINT.version == 1
    with pytest.raises(AttributeError):
        PRINT.version = 2  # type: ignore[misc] # wrong on purpose


def test_the_basis_is_no_part_of_the_digest() -> None:
    assert fingerprint_digest(without("tools", "order")) == fingerprint_digest(PRINT)
    assert fingerprint_digest(replace(PRINT, models=())) != fingerprint_digest(PRINT)


@pytest.mark.parametrize(
    ("fact", "changed", "fields"),
    [
        ("tools", {"tools": ("see()",)}, {"tools", "tool_sequences", "graph_hash"}),
        ("order", {"tool_sequences": (("see x1",),), "graph_hash": "other"}, {"tool_sequences", "graph_hash"}),
        ("concurrency", {"tool_sequences": (("see x1",),), "graph_hash": "o"}, {"tool_sequences", "graph_hash"}),
        ("models", {"models": ("huge",), "graph_hash": "other"}, {"models", "graph_hash"}),
        ("arguments", {"tools": ("look(?)",), "graph_hash": "other"}, {"graph_hash"}),
        ("exchanges", {"graph_hash": "other"}, {"graph_hash"}),
        ("outcome", {"outcome_class": "unknown"}, {"outcome_class"}),
        ("tool_outcomes", {"outcome_class": "tool_error"}, set()),
    ],
)
def test_what_one_side_does_not_know_is_listed_and_does_not_differ(
    fact: str, changed: dict[str, Any], fields: set[str]
) -> None:
    less = without(fact, **changed)
    for found in (agree(PRINT, less), agree(less, PRINT)):
        listed = [each for each in found.not_compared if each.startswith(f"{fact}: the ")]
        assert len(listed) == 1
        assert fields.isdisjoint(found.compared)
        if fact != "tool_outcomes":
            assert found.verdict == ("UNVERIFIED" if fact == "tools" else "SAME"), found.differences
    assert agree(PRINT, replace(PRINT, **changed)).verdict == "DRIFTED"


def test_an_outcome_that_hides_how_tools_ended() -> None:
    failed = replace(PRINT, outcome_class="tool_error")
    blind = without("tool_outcomes")
    assert "outcome_class" not in agree(failed, blind).compared
    for outcome in ("model_error", "truncated"):  # those would have come first had the tool failed or not
        assert agree(failed, replace(blind, outcome_class=outcome)).verdict == "DRIFTED"
    assert agree(PRINT, replace(blind, outcome_class="refused")).verdict == "DRIFTED"


def test_nothing_in_common_is_not_the_same() -> None:
    found = agree(replace(PRINT, basis=("tools",)), replace(PRINT, basis=("models",)))
    assert (found.verdict, found.same, found.differences) == ("UNVERIFIED", False, ())
    empty = fingerprint(Trace(header=Header(kind="run", trace_id="t")))
    assert empty.basis == ()
    assert agree(empty, empty).verdict == "UNVERIFIED"
    assert agreements_text([("t", agree(empty, empty))]).startswith("UNVERIFIED  t: nothing is known on both sides")


@pytest.mark.parametrize(
    ("basis", "fields", "verdict"),
    [
        (("models",), {}, "UNVERIFIED"),
        (("models", "outcome", "exchanges"), {}, "UNVERIFIED"),
        (("models", "fs_write"), {"side_effect_kinds": ()}, "UNVERIFIED"),
        (("models", "fs_write"), {"side_effect_kinds": ("http_request x1",)}, "UNVERIFIED"),
        (("models", "fs_write"), {"side_effect_kinds": ("fs_write x1",)}, "SAME"),
        (("tools",), {}, "SAME"),
        (("endpoints",), {}, "SAME"),
    ],
)
def test_the_same_needs_something_that_was_done(basis: tuple[Any, ...], fields: dict[str, Any], verdict: str) -> None:
    one = replace(PRINT, basis=basis, **fields)
    assert agree(one, one).verdict == verdict


def test_a_difference_drifts_whatever_else_is_known() -> None:
    one = replace(PRINT, basis=("models",))
    assert agree(one, replace(one, models=("huge",))).verdict == "DRIFTED"


def test_another_version_is_not_compared() -> None:
    assert agree(PRINT, replace(PRINT, version=2)).verdict == "UNVERIFIED"


def test_nesting_is_compared_with_runs_known_to_have_none() -> None:
    nested = fingerprint(rendered((Turn((Ask("look", {"a": 1}, (Turn(says="sub"),)),), "go"), Turn(says="done"))))
    assert "nesting" in nested.basis
    assert "graph_hash" in {each.field for each in agree(nested, PRINT).differences}
    blind = fingerprint(rendered(RUN, Rendering(tools=False)))
    assert not {"nesting", "flat"}.intersection(blind.basis)
    assert "nesting: the live side could not know" in agree(nested, blind).not_compared
    assert "graph_hash" in agree(PRINT, blind).compared


@pytest.mark.parametrize(
    ("hides", "gone"),
    [
        (("model",), {"tools", "arguments", "order", "concurrency", "exchanges", "models", "outcome", "flat"}),
        (("tool",), {"tool_outcomes", "flat"}),
        (("fs_write",), {"fs_write"}),
        (("side_effect",), {"fs_write"}),
        ((), {"tools", "arguments", "order", "concurrency", "exchanges", "models", "outcome", "tool_outcomes", "flat",
              "fs_write"}),
    ],
)  # fmt: skip
def test_what_a_fault_may_hide_is_not_known(hides: tuple[str, ...], gone: set[str]) -> None:
    trace = rendered(RUN, observation={"fs_write": "observed"})
    fault = FaultRecord(id="f1", kind="observer_failed", detail="", hides=hides)
    hurt = fingerprint(Trace(header=trace.header, records=(*trace.records, fault)))
    assert set(fingerprint(trace).basis) - set(hurt.basis) == gone


@pytest.mark.parametrize(
    ("path", "gone"),
    [
        ("$.response.content", {"tools", "arguments"}),
        ("$.response.content[0]", {"tools", "arguments"}),
        ("$.response.content[1].name", {"tools", "arguments"}),
        ("$.response.content[1].arguments", {"arguments"}),
        ("$.response.content[0].text", set()),
        ("$.request.model", {"models"}),
        ("$.request.messages", {"order", "concurrency"}),
        ("$.request.messages[*].name", set()),
        ("$.request.tools", set()),
    ],
)
def test_what_the_capture_left_out_is_not_known(path: str, gone: set[str]) -> None:
    trace = rendered(RUN, Rendering(tools=False, timed=False))
    first = trace.records[0]
    assert isinstance(first, ModelRecord)
    less = Trace(header=trace.header, records=(replace(first, unknown=(path,)), *trace.records[1:]))
    assert set(fingerprint(trace).basis) - set(fingerprint(less).basis) == gone


def test_tools_whose_outcome_nobody_told_ended_in_no_known_way() -> None:
    trace = rendered(RUN)
    blind = replace(trace, records=tuple(map(untold, trace.records)))
    assert set(fingerprint(trace).basis) - set(fingerprint(blind).basis) == {"tool_outcomes"}


def untold(record: Record) -> Record:
    return replace(record, unknown=("$.outcome",)) if isinstance(record, ToolRecord) else record


def test_untimed_runs_of_several_threads_are_not_compared_with_timed_ones() -> None:
    def threads(timed: bool) -> Fingerprint:
        how = Rendering(timed=timed)
        one, other = rendered(RUN, how), rendered(RUN, how)
        moved = tuple(
            replace(each, id=f"x{each.id}", after=tuple(f"x{e}" for e in each.after), after_inferred=())
            for each in other.records
        )
        return fingerprint(Trace(header=one.header, records=(*one.records, *moved)))

    timed, untimed = threads(timed=True), threads(timed=False)
    assert "concurrency" in timed.basis
    assert "concurrency" not in untimed.basis
    assert {"tool_sequences", "graph_hash"}.isdisjoint(agree(timed, untimed).compared)
    assert "graph_hash" in agree(untimed, untimed).compared


# --- files ----------------------------------------------------------------------------------------


def test_a_file() -> None:
    text = dumps_fingerprint(PRINT)
    assert is_fingerprint(text.encode())
    assert loads_fingerprint(text.encode(), "f.json") == PRINT
    assert problems("fingerprint-v1", as_json(PRINT)) == []
    fields = schema("fingerprint-v1")["$defs"]["fingerprint"]["properties"]
    assert list(fields) == list(Fingerprint.__struct_fields__)
    assert sorted(fields["basis"]["items"]["enum"]) == sorted(FACTS)


@pytest.mark.parametrize(
    ("change", "place"),
    [
        ({"graph_hash": "none"}, "f.json: $.graph_hash"),
        ({"basis": ["weather"]}, "f.json: $.basis[0]"),
        ({"more": 1}, "f.json: $"),
        ({"tools": "look()"}, "f.json: $.tools"),
        ({"version": "1"}, "f.json: $.version"),
    ],
)
def test_a_file_that_is_wrong(change: dict[str, Any], place: str) -> None:
    data = json.dumps(as_json(PRINT) | change).encode()
    assert is_fingerprint(data)
    with pytest.raises(TraceError) as caught:
        loads_fingerprint(data, "f.json")
    assert caught.value.place.startswith(place)


def test_a_file_of_another_version() -> None:
    with pytest.raises(UnknownVersion):
        loads_fingerprint(json.dumps(as_json(PRINT) | {"version": 2}).encode(), "f.json")


@pytest.mark.parametrize("data", [b"", b"[]", b"{}", b'{"format":"runwright.trace"}', b"\xff", b'{"graph_hash"'])
def test_what_is_no_fingerprint(data: bytes) -> None:
    assert not is_fingerprint(data)


def test_groups_know_what_all_of_them_know() -> None:
    other = replace(PRINT, models=("huge",))
    groups = grouped([("a", PRINT), ("b", other), ("c", without("order"))])
    assert [(names, "order" in each.basis) for each, names in groups] == [(("a", "c"), False), (("b",), True)]

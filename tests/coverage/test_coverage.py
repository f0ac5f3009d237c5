"""What counts as a call, how it ended, which fields and values it gave, and what came after what."""

from __future__ import annotations

from typing import Any

import pytest

from runwright.coverage import BOUNDARY, Registered, controls_of, coverage, registered_by, registered_in
from runwright.drift import AgentSpec, AgentTool
from runwright.errors import AgentSpecError
from runwright.trace import (
    McpError,
    McpRecord,
    PolicyRecord,
    SideEffect,
    SideEffectRecord,
    TextBlock,
    ToolResultBlock,
    ToolSpec,
)
from tests.coverage.made import asks, exchange, measured, of, tool, trace

ANY: dict[str, Any] = {}


@pytest.mark.parametrize("outcome", ["ok", *BOUNDARY])
def test_outcomes_of_tools(outcome: Any) -> None:
    found = measured(trace(tool("refund", outcome=outcome)), refund=ANY)
    assert of(found, "refund").outcomes == {outcome: 1}
    assert (found.covered, found.bounded) == (1, int(outcome != "ok"))


def test_a_tool_that_only_ever_raised_was_called_and_was_at_its_boundary() -> None:
    found = measured(trace(tool("refund", outcome="error")), refund=ANY)
    assert (found.covered, found.bounded) == (1, 1)


def test_an_outcome_that_is_not_known_is_none() -> None:
    found = measured(trace(tool("refund", unknown=("$.outcome",))), refund=ANY)
    assert (of(found, "refund").outcomes, of(found, "refund").untold, found.covered) == ({}, 1, 1)


def mcp(number: int = 1, **fields: Any) -> McpRecord:
    params = {"name": "refund", "arguments": {"order": "A"}}
    return McpRecord(id=f"c{number}", server="desk", method="tools/call", params=params, fidelity="raw", **fields)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("fields", "outcomes", "untold"),
    [
        ({"result": {"content": []}}, {"ok": 1}, 0),
        ({"result": {"content": [], "isError": True}}, {"error": 1}, 0),
        ({"error": McpError(code=1, message="no")}, {"error": 1}, 0),
        ({}, {}, 1),
        ({"result": {}, "unknown": ("$.result",)}, {}, 1),
    ],
)
def test_outcomes_of_mcp(fields: dict[str, Any], outcomes: dict[str, int], untold: int) -> None:
    seen = of(measured(trace(mcp(**fields)), refund=ANY), "refund")
    assert (seen.calls, seen.outcomes, seen.untold) == (1, outcomes, untold)


@pytest.mark.parametrize(("told", "outcomes"), [(True, {"error": 1}), (False, {"ok": 1}), (None, {})])
def test_outcomes_that_only_a_later_request_tells(told: bool | None, outcomes: dict[str, int]) -> None:
    asked = asks(1, ("refund", {"order": "A"}))
    result = ToolResultBlock(call_id="c10", content=(TextBlock(text="x"),), is_error=told)
    seen = of(measured(trace(asked, exchange(2, (result,), (TextBlock(text="Done."),))), refund=ANY), "refund")
    assert (seen.calls, seen.asked, seen.outcomes) == (1, 0, outcomes)


def test_a_call_that_was_only_asked_for_covers_nothing() -> None:
    found = measured(trace(asks(1, ("refund", {"order": "A"}))), refund={"properties": {"order": {}}})
    seen = of(found, "refund")
    assert (seen.calls, seen.asked, found.covered) == (0, 1, 0)
    assert seen.never_given == ("order",)
    assert found.pairs == ()


def test_a_call_that_three_records_show_is_one() -> None:
    ran = tool("refund", {"order": "A"}, call_id="c10", after=("m1",))
    found = measured(trace(asks(1, ("refund", {"order": "A"})), ran, mcp(9, result={}, call_id="c10")), refund=ANY)
    assert of(found, "refund").calls == 1


def test_tools_that_are_not_registered_do_not_count() -> None:
    found = measured(trace(tool("other", outcome="error")), refund=ANY)
    assert (found.covered, found.bounded, len(found.registered)) == (0, 0, 1)
    assert [(each.name, each.registered, each.calls) for each in found.tools] == [
        ("other", False, 1),
        ("refund", True, 0),
    ]


# --- arguments ----------------------------------------------------------------------------------

SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "order": {"type": "string"},
        "reason": {"enum": ["broken", "late"]},
        "lines": {"type": "array", "items": {"type": "object", "properties": {"sku": {}, "kind": {"enum": [1, True]}}}},
        "to": {"anyOf": [{"$ref": "#/$defs/Bank"}, {"type": "object", "properties": {"voucher": {"const": "x"}}}]},
        "notes": {"type": "object", "additionalProperties": {"type": "string"}},
        "free": {"type": "object"},
    },
    "$defs": {"Bank": {"type": "object", "properties": {"iban": {"type": "string"}}}},
}


def test_fields_and_values_that_no_call_gave() -> None:
    seen = of(measured(trace(), refund=SCHEMA), "refund")
    assert seen.fields == len(seen.never_given) == 12
    assert set(seen.never_given) == {
        *("order", "reason", "lines", "lines[*]", "lines[*].sku", "lines[*].kind"),
        *("to", "to.iban", "to.voucher", "notes", "notes.*", "free"),
    }
    assert seen.never_values == {"reason": ("broken", "late"), "lines[*].kind": (1, True), "to.voucher": ("x",)}


def given(*arguments: Any) -> Any:
    calls = [tool("refund", each, number=at) for at, each in enumerate(arguments)]
    return of(measured(trace(*calls), refund=SCHEMA), "refund")


def test_fields_and_values_that_calls_gave() -> None:
    seen = given(
        {"order": "A", "reason": "late", "lines": [{"sku": "s"}, {"kind": True}], "to": {"iban": "DE"}},
        {"notes": {"any": "x"}, "free": {"anything": 1}},
    )
    assert seen.never_given == ("to.voucher",)
    assert seen.never_values == {"reason": ("broken",), "lines[*].kind": (1,), "to.voucher": ("x",)}
    assert seen.undeclared == ()


def test_true_is_no_one() -> None:
    assert given({"lines": [{"kind": 1}]}).never_values["lines[*].kind"] == (True,)


def test_what_no_schema_declares_is_told() -> None:
    seen = given({"ordr": "A", "lines": [{"sk": 1}], "to": {"bic": "X"}, "reason": "no such"})
    assert seen.undeclared == ("lines[*].sk", "ordr", "to.bic")
    assert given([1, 2]).undeclared == given("text").undeclared == given(None).undeclared == ()
    assert of(measured(trace(tool("refund", {"x": 1})), refund=None), "refund").undeclared == ()


def test_what_a_tool_got_and_what_was_asked_for_both_count() -> None:
    ran = tool("refund", {"order": "A"}, call_id="c10")
    seen = of(measured(trace(asks(1, ("refund", {"reason": "late"})), ran), refund=SCHEMA), "refund")
    assert {"order", "reason"}.isdisjoint(seen.never_given)
    hidden = tool("refund", {"order": "A"}, unknown=("$.arguments",))
    assert "order" in of(measured(trace(hidden), refund=SCHEMA), "refund").never_given


def test_a_schema_that_holds_itself_ends() -> None:
    node = {"$defs": {"N": {"properties": {"next": {"$ref": "#/$defs/N"}}}}, "$ref": "#/$defs/N"}
    seen = of(measured(trace(tool("walk", {"next": {"next": {"next": {}}}})), walk=node), "walk")
    assert seen.never_given == ()


# --- pairs, effects, registered, controls -------------------------------------------------------


def test_pairs_by_agent_and_by_reply() -> None:
    first = asks(1, ("look", {}), ("weigh", {}), agent="a")
    ran = [
        tool(name, number=at, call_id=call, agent="a")
        for at, (name, call) in enumerate([("look", "c10"), ("weigh", "c11")])
    ]
    more = tool("refund", number=5, agent="a")
    other = tool("close", number=6, agent="b")
    again = tool("refund", number=7, agent="a")
    found = measured(trace(first, *ran, more, other, again))
    assert found.pairs == (("look", "refund", 1), ("refund", "refund", 1), ("weigh", "refund", 1))


def test_pairs_do_not_lead_from_one_trace_to_another() -> None:
    assert measured(trace(tool("a")), trace(tool("b"))).pairs == ()


def test_side_effects() -> None:
    effect = SideEffectRecord(id="e1", side_effect=SideEffect(kind="fs_write", target="x", caused_by="t1"))
    loose = SideEffectRecord(id="e2", side_effect=SideEffect(kind="http_request", target="POST x"))
    found = measured(trace(tool("save"), effect, loose, observation={"db_change": "observed"}), save=ANY)
    assert of(found, "save").effects == {"fs_write": 1}
    assert found.effects == {"fs_write": 1, "http_request": 1}
    assert found.watched == ("db_change",)


def test_registered_by_an_agent_or_by_what_traces_declare() -> None:
    spec = AgentSpec(tools=(AgentTool(name="a"), AgentTool(name="b", parameters=None)), policies={"p": 1})
    assert registered_by(spec) == Registered("agent", {"a": (), "b": (None,)}, ("p",))
    with pytest.raises(AgentSpecError, match="does not say which tools"):
        registered_by(AgentSpec(model="m"))
    one = asks(1, tools=(ToolSpec(name="a", parameters={"x": 1}), ToolSpec(name="b")))
    two = asks(2, tools=(ToolSpec(name="a", parameters={"x": 2}),), unknown=("$.request.tools[*].parameters",))
    listed = McpRecord(
        id="c1",
        server="s",
        method="tools/list",
        result={"tools": [{"name": "c", "inputSchema": {}}, 7]},
        fidelity="raw",
    )
    found = registered_in([trace(one, two, listed)])
    assert (found.source, found.tools) == ("traces", {"a": ({"x": 1},), "b": (None,), "c": ({},)})


def test_tools_of_a_server_are_called_with_its_name_before_theirs() -> None:
    registered = Registered("agent", {"refund": ()}, server="desk")
    found = coverage([trace(tool("mcp__desk__refund"), tool("mcp__bank__refund", number=2))], registered)
    assert [(each.name, each.calls) for each in found.tools] == [("mcp__bank__refund", 1), ("refund", 1)]


def test_controls_that_policies_decide_and_no_flow_guards() -> None:
    decided = trace(
        PolicyRecord(id="p1", policy="no-refund", verdict="deny"),
        PolicyRecord(id="p2", policy="no-refund", verdict="allow"),
    )
    found = controls_of([], [decided], ["limits"])
    assert [(each.id, each.guarded, each.decided) for each in found] == [
        ("limits", False, {}),
        ("no-refund", False, {"allow": 1, "deny": 1}),
    ]

"""What counts as a call, how it ended, which fields and values it gave, and what came after what."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from runwright.coverage import Registered, controls_of, coverage, registered_by, registered_in
from runwright.drift import AgentSpec, AgentTool
from runwright.errors import AgentSpecError
from runwright.flow.load import parse_flow
from runwright.trace import (
    McpError,
    McpRecord,
    PolicyRecord,
    SideEffect,
    SideEffectRecord,
    TextBlock,
    ToolCallBlock,
    ToolResultBlock,
    ToolSpec,
)
from tests.coverage.made import asks, exchange, measured, of, tool, trace

ANY: dict[str, Any] = {}


@pytest.mark.parametrize("outcome", ["ok", "error", "denied", "throttled", "circuit_open"])
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


def test_what_its_own_records_say_counts_before_the_result_and_the_worst_of_them() -> None:
    asked = asks(1, ("refund", {}))
    result = ToolResultBlock(call_id="c10", content=(TextBlock(text="x"),), is_error=False)
    later = exchange(2, (result,), (TextBlock(text="Done."),))
    for own, told in (("ok", "ok"), ("denied", "denied")):
        seen = of(measured(trace(asked, tool("refund", call_id="c10", outcome=own), later), refund=ANY), "refund")
        assert seen.outcomes == {told: 1}
    good, bad = tool("refund", call_id="c10"), mcp(9, error=McpError(code=1, message="no"), call_id="c10")
    assert of(measured(trace(asked, good, bad), refund=ANY), "refund").outcomes == {"error": 1}
    unsure = tool("refund", call_id="c10", unknown=("$.outcome",))
    assert of(measured(trace(asked, unsure, later), refund=ANY), "refund").outcomes == {"ok": 1}


@pytest.mark.parametrize("result", ["text", ["isError"], 7])
def test_an_answer_of_mcp_that_is_no_object_is_no_error(result: Any) -> None:
    assert of(measured(trace(mcp(result=result)), refund=ANY), "refund").outcomes == {"ok": 1}


def test_an_effect_of_a_call_is_that_of_its_cause_or_of_the_record_it_lies_in() -> None:
    within = SideEffectRecord(id="e1", parent="t1", side_effect=SideEffect(kind="fs_write", target="x"))
    found = measured(trace(tool("save"), within), save=ANY)
    assert of(found, "save").effects == {"fs_write": 1}


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


def test_what_mcp_was_given_counts() -> None:
    assert of(measured(trace(mcp(result={})), refund=SCHEMA), "refund").never_given[0] != "order"
    bare = McpRecord(id="c1", server="desk", method="tools/call", params={"name": "refund"}, fidelity="raw")
    assert of(measured(trace(bare), refund=SCHEMA), "refund").never_given[0] == "order"


def said(reply: Any, *, ran: str = "refund", call_id: str = "c10") -> Any:
    """A call that ran with arguments that are not known, after a reply."""
    hidden = tool(ran, call_id=call_id, unknown=("$.arguments",), after=("m1",))
    return of(measured(trace(exchange(1, (), (TextBlock(text="c10"), *reply)), hidden), refund=SCHEMA), "refund")


@pytest.mark.parametrize(
    ("told", "given"),
    [
        ({"arguments": {"order": "A"}}, True),
        ({"arguments_text": '{"order" : "A"}'}, True),
        ({"arguments_text": '{"order": "A'}, False),
        ({"arguments_text": "[" * 100_000}, False),
        ({}, False),
    ],
)
def test_what_a_reply_asks_for_is_read_as_far_as_it_can_be(told: dict[str, Any], given: bool) -> None:
    seen = said([ToolCallBlock(id="c10", name="refund", **told)])
    assert (seen.calls, "order" not in seen.never_given) == (1, given)


def test_only_what_was_asked_for_of_this_call_counts() -> None:
    mine = ToolCallBlock(id="c10", name="refund", arguments={"order": "A"})
    others = [
        ToolCallBlock(id="c11", name="refund", arguments={"reason": "late"}),
        ToolCallBlock(id="c10", name="close", arguments={"notes": {}}),
    ]
    seen = said([*others, mine])
    assert "order" not in seen.never_given
    assert {"reason", "notes"} <= set(seen.never_given)


@pytest.mark.parametrize("word", ["anyOf", "oneOf", "allOf", "then", "else", "if"])
def test_alternatives_declare_what_they_hold(word: str) -> None:
    part = {"properties": {"a": {"enum": [1]}}}
    for schema in ({word: part}, {word: [part]}):
        seen = of(measured(trace(tool("t", {"b": 1})), t=schema), "t")
        assert (seen.never_given, seen.never_values, seen.undeclared) == (("a",), {"a": (1,)}, ("b",))


OPEN: list[tuple[Any, bool]] = [
    ({}, True),
    (True, True),
    ({"type": "object"}, True),
    ({"properties": {"a": {}}}, False),
    ({"properties": {"a": {}}, "additionalProperties": True}, True),
    ({"properties": {"a": {}}, "additionalProperties": {}}, False),
    ({"properties": {"a": {}}, "additionalProperties": False}, False),
    ({"properties": {"a": {}}, "additionalProperties": {"type": "string"}}, True),
    ({"additionalProperties": False}, True),
]


@pytest.mark.parametrize(("schema", "is_open"), OPEN)
def test_where_further_fields_may_be_given(schema: Any, is_open: bool) -> None:
    outer = {"properties": {"in": schema}}
    for name, given_, declared in (("", {"b": 1}, schema), ("in.", {"in": {"b": 1}}, outer)):
        seen = of(measured(trace(tool("t", given_)), t=declared), "t")
        assert seen.undeclared == (() if is_open else (f"{name}b",)), name


def test_further_names_and_items_are_fields() -> None:
    whole: Any = {
        "additionalProperties": {"properties": {"a": {}}},
        "anyOf": [
            {"properties": {"l": {"items": {"properties": {"x": {}}}}}, "additionalProperties": {"enum": [1]}},
            {"properties": {"l": {"items": {"properties": {"y": {}}}}}},
        ],
    }
    seen = of(measured(trace(tool("t", {"z": {"a": 1}, "l": [{"x": 1}]})), t=whole), "t")
    assert seen.never_given == ("l[*].y",)
    assert seen.never_values == {"*": (1,)}
    assert of(measured(trace(), t=whole), "t").never_given == ("l", "l[*]", "l[*].x", "l[*].y", "*", "*.a")


def test_values_of_any_type_may_be_enumerated() -> None:
    schema: Any = {"properties": {"a": {"enum": [[1], {"b": 1}, None, "x"]}}}
    seen = of(measured(trace(tool("t", {"a": [1]}), tool("t", {"a": {"b": 1}}, number=2)), t=schema), "t")
    assert seen.never_values == {"a": ("x", None)}


def test_of_many_undeclared_fields_some_are_kept() -> None:
    many = {f"f{at:03}": 1 for at in range(60)}
    seen = of(measured(trace(tool("t", many)), t={"properties": {"a": {}}}), "t")
    assert len(seen.undeclared) == 50


def test_what_is_no_list_has_no_items() -> None:
    seen = of(
        measured(trace(tool("t", {"l": {"x": 1}})), t={"properties": {"l": {"items": {"properties": {"x": {}}}}}}), "t"
    )
    assert seen.never_given == ("l[*]", "l[*].x")


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


def test_what_was_only_asked_for_is_in_no_pair() -> None:
    calls = (tool("look", number=1), asks(5, ("refund", {})), tool("close", number=2))
    assert measured(trace(*calls)).pairs == (("look", "close", 1),)


def test_pairs_do_not_lead_from_one_trace_to_another() -> None:
    assert measured(trace(tool("a")), trace(tool("b"))).pairs == ()


def test_side_effects() -> None:
    effect = SideEffectRecord(id="e1", side_effect=SideEffect(kind="fs_write", target="x", caused_by="t1"))
    loose = SideEffectRecord(id="e2", side_effect=SideEffect(kind="http_request", target="POST x"))
    found = measured(trace(tool("save"), effect, loose, observation={"db_change": "observed"}), save=ANY)
    assert of(found, "save").effects == {"fs_write": 1}
    assert found.effects == {"fs_write": 1, "http_request": 1}
    both = measured(trace(loose, tool("save"), effect), trace(effect), save=ANY)
    assert list(both.effects.items()) == [("fs_write", 2), ("http_request", 1)]
    two = SideEffectRecord(id="e3", side_effect=SideEffect(kind="db_change", target="x", caused_by="t1"))
    assert list(of(measured(trace(tool("save"), effect, two), save=ANY), "save").effects) == ["db_change", "fs_write"]
    assert found.watched == ("db_change",)


def test_registered_by_an_agent_or_by_what_traces_declare() -> None:
    spec = AgentSpec(tools=(AgentTool(name="a"), AgentTool(name="b", parameters=None)), policies={"p": 1})
    assert registered_by(spec) == Registered("agent", {"a": (), "b": (None,)}, ("p",))
    assert registered_by(AgentSpec(tools=(), server="s")) == Registered("agent", {}, (), "s")
    with pytest.raises(AgentSpecError, match=r"^it does not say which tools") as caught:
        registered_by(AgentSpec(model="m"))
    assert caught.value.hint == "give it a field `tools`"
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


@pytest.mark.parametrize(
    ("called", "name"),
    [
        ("refund", "refund"),
        ("mcp__desk__refund", "refund"),
        ("desk__refund", "refund"),
        ("desk.refund", "refund"),
        ("desk/refund", "refund"),
        ("desk__pay", "desk__pay"),
        ("desk.pay", "pay"),
        ("desk.desk__pay", "desk__pay"),
        ("mcp__bank__refund", "mcp__bank__refund"),
        ("x.refund", "x.refund"),
        ("desk.close", "desk.close"),
    ],
)
def test_tools_of_a_server_may_be_called_with_its_name_before_theirs(called: str, name: str) -> None:
    registered = Registered("agent", {"refund": (), "pay": (), "desk__pay": ()}, server="desk")
    found = coverage([trace(tool(called), tool("refund", number=2))], registered)
    assert [each.name for each in found.tools if each.calls and (each.name != "refund" or each.calls == 2)] == [name]
    assert found.pairs == ((name, "refund", 1),)
    alone = Registered("agent", {"refund": ()})
    assert alone.name_of(called) == called


def flow(name: str, control: Any) -> Any:
    """A flow that names a control, or none."""
    text = f"flow: 1\nname: n\napp: agent\nagent: {{command: x, tools: real}}\nsteps: [{{prompt: Hi}}]\n{control}"
    return parse_flow(text.encode(), Path(name), {})


def test_controls_with_a_flow_have_the_first_title() -> None:
    flows = [
        flow("a.flow.yaml", "control: {id: limit}\n"),
        flow("b.flow.yaml", "control: {id: limit, title: No more}\n"),
        flow("c.flow.yaml", "control: {id: limit, title: Else}\n"),
        flow("d.flow.yaml", ""),
        flow("e.flow.yaml", "control: {id: bare}\n"),
    ]
    found = controls_of(flows, [trace(PolicyRecord(id="p1", policy="limit", verdict="deny"))], ["bare"])
    assert isinstance(found, tuple)
    assert [(each.id, each.title, each.flows, each.guarded, each.decided) for each in found] == [
        ("bare", "", ("e.flow.yaml",), True, {}),
        ("limit", "No more", ("a.flow.yaml", "b.flow.yaml", "c.flow.yaml"), True, {"deny": 1}),
    ]


def test_controls_that_policies_decide_and_no_flow_guards() -> None:
    decided = trace(
        PolicyRecord(id="p1", policy="no-refund", verdict="deny"),
        PolicyRecord(id="p2", policy="no-refund", verdict="allow"),
    )
    found = controls_of([], [decided], ["limits"])
    assert list(found[1].decided) == ["allow", "deny"]
    assert [(each.id, each.guarded, each.decided) for each in found] == [
        ("limits", False, {}),
        ("no-refund", False, {"allow": 1, "deny": 1}),
    ]

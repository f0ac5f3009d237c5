"""A trace against the agent as it is now: every fact that both know, each with a change that it is red for."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from runwright.drift import AgentSpec, AgentTool, agent_drift, specification_of
from runwright.drift.schema import normal_schema
from runwright.errors import AgentSpecError, IncompleteTrace
from runwright.trace import Specification, ToolDigest, ToolSpec, digest
from tests.drift.made import NOW, PROMPT, REFUND, SCHEMA, bare, drift, spec, told, tool, trace

UNSET = msgspec.UNSET


def schema(**changed: Any) -> dict[str, Any]:
    return {**SCHEMA, **changed}


def properties(**changed: Any) -> dict[str, Any]:
    return schema(properties={**SCHEMA["properties"], **changed})  # type: ignore[dict-item]


def test_the_same_agent_is_the_same() -> None:
    found = drift(trace(), spec())
    assert found.verdict == "SAME"
    assert found.not_compared == ()
    assert found.compared == (
        "$.system_prompt",
        "$.model",
        "$.parameters.temperature",
        "$.tools",
        "$.tools.refund.description",
        "$.tools.refund.parameters",
    )


CHANGES: dict[str, tuple[dict[str, Any], dict[str, tuple[object, object]]]] = {
    "a word of the prompt": (
        {"system_prompt": "You run the returns desk."},
        {"$.system_prompt": (PROMPT, "You run the returns desk.")},
    ),
    "no prompt": ({"system_prompt": ""}, {"$.system_prompt": (PROMPT, "")}),
    "another model": ({"model": "gpt-desk-2"}, {"$.model": ("gpt-desk", "gpt-desk-2")}),
    "another provider": ({"provider": "azure"}, {"$.provider": ("openai", "azure")}),
    "another temperature": ({"parameters": {"temperature": 0.7}}, {"$.parameters.temperature": (0.5, 0.7)}),
    "a parameter no more": ({"parameters": {"temperature": None}}, {"$.parameters.temperature": (0.5, None)}),
    "a further parameter": (
        {"parameters": {"temperature": 0.5, "seed": 7}},
        {"$.parameters.seed": (UNSET, 7)},
    ),
    "a tool's description": (
        {"tools": (tool(description="Pays an order back, and closes it."),)},
        {"$.tools.refund.description": ("Pays an order back.", "Pays an order back, and closes it.")},
    ),
    "a description no more": (
        {"tools": (tool(description=None),)},
        {"$.tools.refund.description": ("Pays an order back.", "")},
    ),
    "the type of an argument": (
        {"tools": (tool(parameters=properties(amount={"type": "string"})),)},
        {"$.tools.refund.parameters.properties.amount.type": ("number", "string")},
    ),
    "a further argument": (
        {"tools": (tool(parameters=properties(reason={"type": "string"})),)},
        {"$.tools.refund.parameters.properties.reason": (UNSET, {"type": "string"})},
    ),
    "an argument that need not be given": (
        {"tools": (tool(parameters=schema(required=["order"])),)},
        {"$.tools.refund.parameters.required": (["amount", "order"], ["order"])},
    ),
    "an argument's description": (
        {"tools": (tool(parameters=properties(order={"type": "string", "description": "Its number."})),)},
        {"$.tools.refund.parameters.properties.order.description": (UNSET, "Its number.")},
    ),
    "no further arguments": (
        {"tools": (tool(parameters=schema(additionalProperties=False)),)},
        {"$.tools.refund.parameters.additionalProperties": (UNSET, False)},
    ),
    "no arguments": (
        {"tools": (tool(parameters=None),)},
        {
            "$.tools.refund.parameters.properties": (SCHEMA["properties"], UNSET),
            "$.tools.refund.parameters.required": (["amount", "order"], UNSET),
        },
    ),
    "a further tool": (
        {"tools": (tool(), tool(name="close", description=None, parameters=None))},
        {"$.tools.close": (UNSET, {"description": "", "parameters": {"type": "object"}})},
    ),
    "strict": ({"tools": (tool(extra={"strict": True}),)}, {"$.tools.refund.strict": (UNSET, True)}),
    "another kind of tool": ({"tools": (tool(extra={"kind": "custom"}),)}, {"$.tools.refund.kind": (UNSET, "custom")}),
}


@pytest.mark.parametrize("name", CHANGES)
def test_each_change_is_told_with_its_field(name: str) -> None:
    changed, expected = CHANGES[name]
    found = drift(trace(), spec(**changed))
    assert found.verdict == "DRIFTED"
    assert told(found) == expected


def test_a_renamed_tool_is_one_gone_and_one_new() -> None:
    found = drift(trace(), spec(tools=(tool(name="pay_back"),)))
    assert [(each.path, each.tool) for each in found.differences] == [
        ("$.tools.refund", "refund"),
        ("$.tools.pay_back", "pay_back"),
    ]
    assert [each.current is UNSET for each in found.differences] == [True, False]


def test_no_tools_are_not_unknown_tools() -> None:
    assert told(drift(trace(), spec(tools=()))).keys() == {"$.tools.refund"}
    assert drift(trace(), spec(tools=None)).not_compared == ("$.tools: the agent does not say",)
    assert told(drift(trace(tools=()), spec())).keys() == {"$.tools.refund"}
    found = drift(trace(tools=(), unknown=["$.request.tools"]), spec())
    assert (found.verdict, found.not_compared) == ("SAME", ("$.tools: the trace does not say",))


SAME: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "keys in another order": ({}, {"tools": (tool(parameters=dict(reversed(SCHEMA.items()))),)}),
    "one and the float": ({"parameters": {"n": 1}}, {"parameters": {"n": 1.0}}),
    "null and absent": ({"parameters": {}}, {"parameters": {"stop": None}}),
    "how the answer travels": ({"parameters": {"stream_options": {}}}, {"parameters": {"stream_options": {"x": 1}}}),
    "no description and an empty one": (
        {"tools": (ToolSpec(name="refund", parameters=SCHEMA),)},
        {"tools": (tool(description=""),)},
    ),
    "no arguments in two ways": (
        {"tools": (ToolSpec(name="refund", description="Pays an order back."),)},
        {"tools": (tool(parameters={"type": "object", "properties": {}, "required": []}),)},
    ),
    "a cache mark": (
        {"tools": (msgspec.structs.replace(REFUND, extra={"cache_control": {"type": "ephemeral"}}),)},
        {"tools": (tool(extra={}),)},
    ),
    "the order of tools": (
        {"tools": (REFUND, ToolSpec(name="close"))},
        {"tools": (tool(name="close", description=None, parameters=None), tool())},
    ),
}


@pytest.mark.parametrize("name", SAME)
def test_what_says_the_same_is_the_same(name: str) -> None:
    recorded, current = SAME[name]
    found = drift(trace(**recorded), spec(**current))
    assert (found.verdict, found.differences) == ("SAME", ())


def test_true_is_not_one() -> None:
    assert told(drift(trace(parameters={"n": 1}), spec(parameters={"n": True}))) == {"$.parameters.n": (1, True)}


def test_what_the_agent_does_not_name_is_not_compared_and_told() -> None:
    found = drift(trace(parameters={"temperature": 0.5, "seed": 7}), spec())
    assert found.verdict == "SAME"
    assert found.not_compared == ("$.parameters.seed: the agent does not say",)


UNKNOWN = {
    "$.request.messages": "$.system_prompt",
    "$.request.messages[0].content": "$.system_prompt",
    "$.request.messages[*].content": "$.system_prompt",
    "$.request.messages[0].content[0].text": "$.system_prompt",
    "$.request.tools": "$.tools",
    "$.request.tools[*].description": "$.tools.refund.description",
    "$.request.tools[0].parameters": "$.tools.refund.parameters",
    "$.request.parameters": "$.parameters",
    "$.request.parameters.temperature": "$.parameters.temperature",
}


@pytest.mark.parametrize("path", UNKNOWN)
def test_what_the_trace_does_not_know_is_not_compared(path: str) -> None:
    changed = spec(
        system_prompt="Another.",
        model="another",
        tools=(tool(description="Another.", parameters=None),),
        parameters={"temperature": 0.9},
    )
    known, unknown = drift(trace(), changed), drift(trace(unknown=[path]), changed)
    assert f"{UNKNOWN[path]}: the trace does not say" in unknown.not_compared
    gone = {each for each in told(known) if each.startswith(UNKNOWN[path])}
    assert gone
    assert told(unknown).keys() == told(known).keys() - gone
    assert unknown.verdict == "DRIFTED"


@pytest.mark.parametrize("path", ["$.request.messages[1].content", "$.request.messages[*].name", "$.response"])
def test_what_is_unknown_elsewhere_does_not_hide_the_prompt(path: str) -> None:
    assert told(drift(trace(unknown=[path]), spec(system_prompt="Another."))).keys() == {"$.system_prompt"}


def test_other_parameters_may_have_been_sent_where_not_all_are_known() -> None:
    some = trace(unknown=["$.request.parameters.*"])
    found = drift(some, spec(parameters={"temperature": 0.5, "seed": 7}))
    assert found.not_compared == ("$.parameters.seed: the trace does not say",)
    assert told(drift(some, spec(parameters={"temperature": 0.7}))) == {"$.parameters.temperature": (0.5, 0.7)}


def test_digests_alone_name_the_tool_and_the_field() -> None:
    kept = bare(specification_of(spec()))
    assert drift(kept, spec()).verdict == "SAME"
    found = drift(kept, spec(tools=(tool(parameters=None),), system_prompt="Another."))
    assert [(each.path, each.tool, each.digest_only) for each in found.differences] == [
        ("$.system_prompt", None, True),
        ("$.tools.refund.parameters", "refund", True),
    ]
    assert [each.recorded for each in found.differences] == [digest(PROMPT), digest(normal_schema(SCHEMA))]
    for change, (fields, _) in CHANGES.items():
        if change not in ("another provider", "strict", "another kind of tool"):
            assert drift(kept, spec(**fields)).verdict == "DRIFTED", change


def test_a_tool_without_a_digest_is_not_compared() -> None:
    """In a header what is absent is unknown: an agent that added a description did not drift for all it knows."""
    kept = bare(Specification(tools={"refund": ToolDigest(parameters=digest(SCHEMA))}))
    assert drift(kept, spec()).not_compared == (
        "$.system_prompt: the trace does not say",
        "$.model: the trace does not say",
        "$.parameters: the trace does not say",
        "$.tools.refund.description: the trace does not say",
    )
    assert drift(kept, spec()).verdict == "SAME"


@pytest.mark.parametrize("name", ["gpt-desk", digest("gpt-desk")])
def test_a_header_names_the_model_or_keeps_its_digest(name: str) -> None:
    kept = bare(Specification(model=name, system_prompt=digest(PROMPT)))
    assert drift(kept, spec()).verdict == "SAME"
    assert told(drift(kept, spec(model="gpt-desk-2"))) == {"$.model": (name, "gpt-desk-2")}


def test_the_header_decides_and_the_requests_show() -> None:
    """A capture that knows the specification itself is believed; a value is shown where it is the one that it knew."""
    kept = trace(specification=specification_of(spec()))
    assert told(drift(kept, spec(system_prompt="Another."))) == {"$.system_prompt": (PROMPT, "Another.")}
    meant = spec(system_prompt="Told.", tools=(tool(description="Told."),))
    other = trace(specification=specification_of(meant))
    assert drift(other, meant).verdict == "SAME"
    assert told(drift(other, spec())) == {
        "$.system_prompt": (digest("Told."), PROMPT),
        "$.tools.refund.description": (digest("Told."), "Pays an order back."),
    }


def test_parameters_that_the_header_knows_otherwise_than_the_request() -> None:
    meant = spec(parameters={"temperature": 0.7})
    kept = trace(specification=specification_of(meant))
    assert drift(kept, meant).verdict == "SAME"
    found = drift(kept, spec())
    assert told(found) == {"$.parameters": (digest({"temperature": 0.7}), {"temperature": 0.5})}
    assert [each.digest_only for each in found.differences] == [True]


def test_nothing_known_on_both_sides_is_unverified() -> None:
    assert drift(bare(None), spec()).verdict == "UNVERIFIED"
    assert drift(bare(Specification()), spec()).verdict == "UNVERIFIED"
    only_model = spec(system_prompt=None, tools=None, parameters=None)
    assert drift(trace(), only_model).compared == ("$.model",)
    assert drift(trace(), only_model).verdict == "UNVERIFIED"
    assert drift(trace(), msgspec.structs.replace(only_model, model="gpt-desk-2")).verdict == "DRIFTED"


def test_an_incomplete_trace_is_refused() -> None:
    with pytest.raises(IncompleteTrace) as caught:
        drift(trace(complete=False), spec())
    assert (caught.value.place, caught.value.hint) == ("t1", "runwright seal FILE, once its lines are right")


def test_white_space_counts_unless_it_is_told_that_it_does_not() -> None:
    assert agent_drift(trace(), spec(system_prompt=f"{PROMPT}\n"), NOW).verdict == "DRIFTED"


def test_two_tools_of_one_name_are_no_specification() -> None:
    twice = spec(tools=(tool(), tool()))
    for use in (lambda: drift(trace(), twice), lambda: specification_of(twice)):
        with pytest.raises(AgentSpecError, match="two tools are called 'refund'"):
            use()


def test_what_a_recording_keeps_of_its_agent() -> None:
    assert specification_of(AgentSpec()) == Specification()
    assert specification_of(AgentSpec(model="", tools=(), policies={})) == Specification(tools={}, policies={})
    bare_tool, no_text = AgentTool(name="a"), AgentTool(name="b", description=None, parameters=None)
    assert specification_of(AgentSpec(tools=(bare_tool, no_text))).tools == {
        "a": ToolDigest(),
        "b": ToolDigest(parameters=digest({"type": "object"})),
    }
    assert specification_of(spec(policies={"p": {"tools": ["b", "a"]}})) == Specification(
        system_prompt=digest(PROMPT),
        model=digest("gpt-desk"),
        parameters=digest({"temperature": 0.5}),
        tools={
            "refund": ToolDigest(description=digest("Pays an order back."), parameters=digest(normal_schema(SCHEMA)))
        },
        policies={"p": digest({"tools": ["a", "b"]})},
    )


def test_later_requests_and_other_agents_are_told() -> None:
    first = trace()
    (exchange,) = first.models
    request = msgspec.structs.replace(exchange.request, tools=())
    later = msgspec.structs.replace(exchange, id="m2", request=request, after=("m1",))
    aside = msgspec.structs.replace(trace(prompt="You summarise.").models[0], id="m3", parent="m1")
    found = drift(msgspec.structs.replace(first, records=(exchange, later, aside)), spec())
    assert found.verdict == "SAME"
    assert found.notes == (
        "1 exchanges of other agents or nested runs were not compared",
        "the run declares other tools from m2 on; the first request was compared",
    )

"""What may be named as an agent, and what may stand in its list of tools."""

from __future__ import annotations

import asyncio
import enum
from typing import Annotated, Any, Literal, TypedDict

import anthropic.types
import msgspec
import openai
import pytest
from pydantic import BaseModel, Field

from runwright.drift import AgentSpec, AgentTool
from runwright.errors import AgentSpecError
from runwright.spec import code_digest, spec_of
from runwright.spec.functions import tool_of_function

FAULTS = {
    "is nothing": ("spec = None\n", "desk:spec: a NoneType does not say"),
    "gives nothing": ("def spec():\n    pass\n", "desk:spec: a NoneType does not say"),
    "is a text": ("spec = 'Be brief.'\n", "desk:spec: a str does not say"),
    "is empty": ("spec = {}\n", "desk:spec: an empty mapping says nothing"),
    "has a wrong name": ("spec = {'prompt': 'x'}\n", "desk:spec: unknown field 'prompt'"),
    "has a prompt of another type": ("spec = {'system_prompt': 7}\n", "desk:spec.system_prompt: expected a text"),
    "has tools of another type": ("spec = {'tools': {'a': 1}}\n", "desk:spec.tools: expected a list of tools"),
    "has a tool that is none": ("spec = {'tools': [7]}\n", "desk:spec.tools[0]: a int is no tool"),
    "has a tool without a name": ("spec = {'tools': [{'type': 'function'}]}\n", "desk:spec.tools[0].name: expected"),
    "has two tools of a name": ("spec = {'tools': [{'name': 'a'}, {'name': 'a'}]}\n", "two tools are called 'a'"),
    "has what is no JSON": ("spec = {'parameters': {'t': object()}}\n", "desk:spec.parameters.t: a object is no JSON"),
    "has a NaN": ("spec = {'parameters': {'t': float('nan')}}\n", "desk:spec.parameters.t: a float is no JSON"),
    "goes round": ("a = []\na.append(a)\nspec = {'policies': {'p': a}}\n", "nested deeper than 200 levels"),
    "takes arguments": ("def spec(model):\n    return {}\n", "desk:spec: cannot be called without arguments"),
}


@pytest.mark.parametrize("kind", FAULTS)
def test_what_is_no_specification_is_told_with_its_place(kind: str) -> None:
    text, expected = FAULTS[kind]
    names: dict[str, Any] = {}
    exec(text, names)
    with pytest.raises(AgentSpecError) as caught:
        spec_of(names["spec"], "desk:spec")
    assert expected in str(caught.value)


# --- tools --------------------------------------------------------------------------------------

SCHEMA = {"type": "object", "properties": {"order": {"type": "string"}}, "required": ["order"]}
UNSET = msgspec.UNSET


class Lookup(BaseModel):
    """Finds an order."""

    order: str = Field(description="Its number.")


def only(given: object) -> AgentTool:
    """The one tool of a list of it."""
    tools = spec_of([given]).tools
    assert tools is not None
    (tool,) = tools
    return tool


def test_tools_of_the_wire() -> None:
    chat = {"type": "function", "function": {"name": "f", "description": "d", "parameters": SCHEMA, "strict": True}}
    assert only(chat) == AgentTool(name="f", description="d", parameters=SCHEMA, extra={"strict": True})
    responses = {"type": "function", "name": "f", "description": "d", "parameters": SCHEMA}
    assert only(responses) == AgentTool(name="f", description="d", parameters=SCHEMA, extra={})
    messages = {"name": "f", "description": "d", "input_schema": SCHEMA, "cache_control": {"type": "ephemeral"}}
    assert only(messages).parameters == SCHEMA
    listed = {"name": "f", "inputSchema": SCHEMA, "annotations": {"readOnlyHint": True}}
    assert only(listed).extra == {"annotations": {"readOnlyHint": True}}
    assert only({"name": "f", "parameters": SCHEMA}).extra is UNSET  # a description of a tool, not what is sent
    search = {"type": "web_search_20250305", "name": "web_search", "max_uses": 3}
    assert only(search).extra == {"max_uses": 3, "kind": "web_search_20250305"}


def test_tools_of_the_official_clients() -> None:
    strict = only(openai.pydantic_function_tool(Lookup))
    assert (strict.name, strict.extra) == ("Lookup", {"strict": True})
    assert strict.description == "Finds an order."
    param = anthropic.types.ToolParam(name="f", input_schema=SCHEMA, description="d")
    assert only(param) == AgentTool(name="f", description="d", parameters=SCHEMA, extra={})

    @anthropic.beta_tool
    def lookup(order: str) -> str:
        """Finds an order.

        Args:
            order: Its number.
        """
        return order

    assert only(lookup.to_dict()).name == "lookup"


def test_models_of_pydantic() -> None:
    tool = only(Lookup)
    assert (tool.name, tool.description) == ("Lookup", "Finds an order.")
    assert tool.parameters == Lookup.model_json_schema()
    assert spec_of(Lookup).tools == (tool,)
    assert only(type("Bare", (BaseModel,), {"__annotations__": {"a": int}})).description is None


class Colour(enum.Enum):
    RED = "red"


class Point(TypedDict):
    x: float


def test_functions() -> None:
    def move(
        order: Annotated[str, "Its number."],
        to: Literal["a", "b"],
        at: Point,
        colours: list[Colour],
        prices: dict[str, float],
        model: Lookup,
        note: str | None = None,
        times: int = 1,
        *rest: str,
    ) -> None:
        """Moves an order.

        At once.
        """

    assert only(move) == AgentTool(
        name="move",
        description="Moves an order.\n\nAt once.",
        parameters={
            "type": "object",
            "properties": {
                "order": {"type": "string", "description": "Its number."},
                "to": {"enum": ["a", "b"]},
                "at": {"type": "object", "properties": {"x": {"type": "number"}}, "required": ["x"]},
                "colours": {"type": "array", "items": {"enum": ["red"]}},
                "prices": {"type": "object", "additionalProperties": {"type": "number"}},
                "model": Lookup.model_json_schema(),
                "note": {"anyOf": [{"type": "string"}, {"type": "null"}], "default": None},
                "times": {"type": "integer", "default": 1},
            },
            "required": ["order", "to", "at", "colours", "prices", "model"],
        },
    )


def test_functions_that_have_no_schema() -> None:
    def strange(value: complex) -> None: ...

    def unread(value: Nowhere) -> None: ...  # type: ignore[name-defined]  # noqa: F821

    with pytest.raises(AgentSpecError, match="no JSON Schema is known for <class 'complex'>") as caught:
        spec_of([strange])
    assert caught.value.place == "the agent.tools[0]: strange(value)"
    with pytest.raises(AgentSpecError, match="the types of 'unread' cannot be read"):
        tool_of_function(unread)


def test_an_agent_is_asked_where_a_loop_runs() -> None:
    async def spec() -> AgentSpec:
        return AgentSpec(system_prompt="Be brief.")

    async def inside() -> AgentSpec:
        return spec_of(spec)

    assert asyncio.run(inside()).system_prompt == "Be brief."


def test_code_without_a_source_is_told() -> None:
    with pytest.raises(AgentSpecError, match="the source of"):
        code_digest(len)

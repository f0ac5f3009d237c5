"""What another drift check passes though it changed, and flags though nothing did: each line of its two lists."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest
from pydantic import BaseModel, Field, field_validator

from runwright.drift import AgentSpec, specification_of
from runwright.secrets import redact_trace
from runwright.spec import code_digest, spec_of
from runwright.trace import ToolSpec, dumps_trace, loads_trace
from tests.drift.made import PROMPT, SCHEMA, bare, drift, spec, told, tool, trace

DAY = datetime(2026, 11, 30, 12, tzinfo=UTC)
EARLIER = "2026-10-02T08:00:00Z"


def policies(**given: Any) -> AgentSpec:
    return spec(policies=given)


# --- changes that must not pass -----------------------------------------------------------------


def test_a_docstring_is_the_description_that_the_model_sees() -> None:
    def refund(order: str) -> str:
        """Pays an order back."""

    def changed(order: str) -> str:
        """Deletes everything."""

    changed.__name__ = "refund"
    kept = bare(specification_of(spec_of([refund])))
    assert drift(kept, spec_of([refund])).verdict == "SAME"
    assert [each.path for each in drift(kept, spec_of([changed])).differences] == ["$.tools.refund.description"]


def pays(order: str) -> str:
    """Pays back."""
    return f"paid {order}"  # the sum is the order's


def pays_reworded(order: str) -> str:
    """Pays an order back."""
    return f"paid {order}"


def pays_twice(order: str) -> str:
    """Pays back."""
    return f"paid {order} twice"


def test_code_of_a_tool_is_a_policy_by_its_digest() -> None:
    def digest_of(function: Any) -> str:
        return code_digest(function)

    kept = bare(specification_of(policies(code=digest_of(pays))))
    assert drift(kept, policies(code=digest_of(pays))).verdict == "SAME"
    found = drift(kept, policies(code=digest_of(pays_twice)))
    assert [each.path for each in found.differences] == ["$.policies.code"]
    renamed = [digest_of(each) for each in (pays, pays_reworded)]
    assert renamed[0] != renamed[1]  # another name is another function; its docstring and comments are not looked at


class Refund(BaseModel):
    """Pays back."""

    order: str
    amount: float = Field(gt=0)

    @field_validator("order")
    @classmethod
    def known(cls, value: str) -> str:
        return value


class Lenient(BaseModel):
    """Pays back."""

    order: str
    amount: float = Field(gt=0)


def test_validators_of_a_model_are_code_and_its_limits_are_schema() -> None:
    assert code_digest(Refund) != code_digest(Lenient)
    other = type("Refund", (BaseModel,), {"__doc__": "Pays back.", "__annotations__": {"order": str, "amount": float}})
    kept = bare(specification_of(spec_of([Refund])))
    found = told(drift(trace(tools=[_recorded(Refund)]), spec_of([other])))
    assert found.keys() == {"$.tools.Refund.parameters.properties.amount.exclusiveMinimum"}
    assert drift(kept, spec_of([other])).verdict == "DRIFTED"


def _recorded(model: Any) -> ToolSpec:
    return ToolSpec(name=model.__name__, description="Pays back.", parameters=model.model_json_schema())


@pytest.mark.parametrize(
    ("before", "after", "path"),
    [
        ({"model": "gpt-desk"}, {"model": "gpt-desk-mini"}, "$.model"),
        ({"parameters": {"temperature": 0}}, {"parameters": {"temperature": 1}}, "$.parameters.temperature"),
        (
            {"policies": {"limits": {"per_minute": 20}}},
            {"policies": {"limits": {"per_minute": 200}}},
            "$.policies.limits",
        ),
        ({"policies": {"root": "/srv/desk"}}, {"policies": {"root": "/"}}, "$.policies.root"),
        ({"policies": {"db": "desk.sqlite"}}, {"policies": {"db": "live.sqlite"}}, "$.policies.db"),
        ({"policies": {"volatile": ["id"]}}, {"policies": {"volatile": ["id", "amount"]}}, "$.policies.volatile"),
        ({"policies": {"flags": {"idempotent": True}}}, {"policies": {"flags": {"idempotent": 1}}}, "$.policies.flags"),
    ],
)
def test_what_an_agent_runs_under(before: dict[str, Any], after: dict[str, Any], path: str) -> None:
    one = {"parameters": None, **before}
    other = {"parameters": None, **after}
    recorded = trace(
        model=before.get("model", "gpt-desk"),
        parameters=before.get("parameters"),
        specification=specification_of(spec(**one)),
    )
    assert drift(recorded, spec(**one)).verdict == "SAME"
    found = drift(recorded, spec(**other))
    assert {each.path for each in found.differences} == {path}


def test_a_provider_is_compared_where_the_agent_says_it() -> None:
    assert told(drift(trace(), spec(provider="azure"))) == {"$.provider": ("openai", "azure")}


def test_the_order_of_the_tools_is_told_to_be_no_drift() -> None:
    """A model may care; a normal form in which declarations have no order is what replay compares, too."""
    first = ToolSpec(name="refund", description="Pays an order back.", parameters=SCHEMA)
    recorded = trace(tools=[first, ToolSpec(name="close", parameters=SCHEMA)])
    other = spec(tools=(tool(name="close", description=None), tool()))
    assert drift(recorded, other).verdict == "SAME"


def test_an_agent_without_prompt_or_grants_can_be_the_same() -> None:
    assert drift(trace(prompt=None), spec(system_prompt=None)).verdict == "SAME"
    assert drift(trace(prompt=None), spec(system_prompt="")).verdict == "SAME"
    assert drift(trace(prompt=None), spec()).verdict == "DRIFTED"


# --- sameness that must not be flagged ----------------------------------------------------------


def test_the_order_of_required_fields() -> None:
    shuffled = {**SCHEMA, "required": ["amount", "order"]}
    assert drift(trace(), spec(tools=(tool(parameters=shuffled),))).verdict == "SAME"
    assert drift(bare(specification_of(spec())), spec(tools=(tool(parameters=shuffled),))).verdict == "SAME"


def test_the_name_of_the_schema_class() -> None:
    class Inner(BaseModel):
        city: str

    class Order(BaseModel):
        to: Inner
        back: Inner

    class Place(BaseModel):
        city: str

    class Renamed(BaseModel):
        to: Place
        back: Place

    recorded = trace(tools=[ToolSpec(name="ship", description="Ships.", parameters=Order.model_json_schema())])
    renamed = tool(name="ship", description="Ships.", parameters=Renamed.model_json_schema())
    assert drift(recorded, spec(tools=(renamed,))).verdict == "SAME"
    Place.__annotations__["city"] = int
    again = type("Renamed", (BaseModel,), {"__annotations__": {"to": Inner, "back": int}})
    changed = tool(name="ship", description="Ships.", parameters=again.model_json_schema())
    assert drift(recorded, spec(tools=(changed,))).verdict == "DRIFTED"


def test_a_property_that_is_called_title_is_no_title() -> None:
    titled = {"type": "object", "title": "Note", "properties": {"title": {"type": "string", "title": "Title"}}}
    bare_one = {"type": "object", "properties": {"title": {"type": "string"}}}
    recorded = trace(tools=[ToolSpec(name="note", description="N.", parameters=titled)])
    note = tool(name="note", description="N.", parameters=bare_one)
    assert drift(recorded, spec(tools=(note,))).verdict == "SAME"
    gone = tool(name="note", description="N.", parameters={"type": "object"})
    assert told(drift(recorded, spec(tools=(gone,)))).keys() == {"$.tools.note.parameters.properties"}


@pytest.mark.parametrize("ending", [" ", "\n", "\n\n", "\t\n"])
@pytest.mark.parametrize("known", [True, False])
def test_white_space_at_the_end_of_a_prompt(ending: str, known: bool) -> None:
    recorded = trace() if known else bare(specification_of(spec()))
    current = spec(system_prompt=PROMPT + ending)
    assert drift(recorded, current, ignore_whitespace=True).verdict == "SAME"
    assert drift(recorded, current).verdict == "DRIFTED"
    between = spec(system_prompt=PROMPT.replace("run the", "run  the"))
    assert drift(recorded, between, ignore_whitespace=True).verdict == "DRIFTED"


DATED = ["Today is {:%Y-%m-%d}.", "Today is {:%A, %B %d, %Y}.", "On {:%d.%m.%Y} you", "Now: {:%Y-%m-%dT%H:%M:%S}Z"]


@pytest.mark.parametrize("form", DATED)
def test_the_day_of_the_run_in_a_prompt(form: str) -> None:
    then = datetime.fromisoformat(EARLIER)
    recorded = trace(prompt=form.format(then), started_at=EARLIER)
    assert drift(recorded, spec(system_prompt=form.format(DAY)), now=DAY).verdict == "SAME"
    later = spec(system_prompt=form.format(datetime(2031, 1, 5, tzinfo=UTC)))
    assert drift(recorded, later, now=DAY).verdict == "DRIFTED"
    booked = trace(prompt=form.format(datetime(2026, 12, 24, tzinfo=UTC)), started_at=EARLIER)
    assert drift(booked, spec(system_prompt=form.format(DAY)), now=DAY).verdict == "DRIFTED"
    untimed = trace(prompt=form.format(then))
    assert drift(untimed, spec(system_prompt=form.format(DAY)), now=DAY).verdict == "DRIFTED"


@pytest.mark.parametrize("form", DATED[:3])
def test_the_day_of_the_run_where_its_prompt_is_a_digest(form: str) -> None:
    then = datetime.fromisoformat(EARLIER)
    kept = trace(
        started_at=EARLIER,
        unknown=["$.request.messages"],
        specification=specification_of(spec(system_prompt=form.format(then))),
    )
    assert drift(kept, spec(system_prompt=form.format(DAY)), now=DAY).verdict == "SAME"
    other = spec(system_prompt=form.format(DAY) + " Be kind.")
    assert drift(kept, other, now=DAY).verdict == "DRIFTED"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ({"read": ["/srv/a"]}, {"read": ["/srv/a", "/srv/a"]}),
        ({"read": ["/srv"]}, {"read": ["/srv", "/srv/a/b"]}),
        ({"read": ["/srv/a", "/b"], "write": ["/srv/a"]}, {"read": ["/b"], "write": ["/srv/a"]}),
        ({"http": {"allowed_domains": ["API.example.com"]}}, {"http": {"allowed_domains": ["api.example.com"]}}),
        ({"read": True, "write": True}, {"read": False, "write": True}),
        ({"tools": ["refund", "close"]}, {"tools": ["close", "refund", "close"]}),
    ],
)
def test_grants_that_grant_nothing_more(before: Any, after: Any) -> None:
    for one, other in ((before, after), (after, before)):
        kept = bare(specification_of(policies(grants=one)))
        assert drift(kept, policies(grants=other)).verdict == "SAME"


@pytest.mark.parametrize("name", ["secret", "cookie", "password", "api_key"])
def test_a_tool_with_the_name_of_a_secret(name: str) -> None:
    """Its digests survive being written, and being redacted on the way."""
    one = ToolSpec(name=name, description="Pays an order back.", parameters=SCHEMA)
    given = spec(tools=(tool(name=name),), policies={name: {"read": ["/srv"]}})
    recorded = trace(prompt=PROMPT, tools=[one], specification=specification_of(given))
    redacted, _ = redact_trace(loads_trace(dumps_trace(recorded)))
    assert drift(loads_trace(dumps_trace(redacted)), given).verdict == "SAME"
    changed = spec(tools=(tool(name=name, description="Another."),), policies={name: {"read": ["/"]}})
    found = drift(loads_trace(dumps_trace(redacted)), changed)
    assert {each.path for each in found.differences} == {f"$.tools.{name}.description", f"$.policies.{name}"}

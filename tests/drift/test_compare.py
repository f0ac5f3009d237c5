"""Two sides of facts: what both know is compared, what one alone knows is told, and of what neither knows nothing."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from runwright.drift.built import Built, BuiltTool, Fact
from runwright.drift.compare import Comparison, compare
from runwright.trace import digest
from tests.drift.made import told

NONE = msgspec.UNSET


def fact(value: Any) -> Fact:
    return Fact(frozenset({digest(value)}), value)


def hashed(value: Any) -> Fact:
    """A fact of which only the digest is known."""
    return Fact(frozenset({digest(value)}))


A, B = fact("a"), fact("b")
TOOL = BuiltTool(A, A, {})


@pytest.mark.parametrize(
    ("name", "known", "path"),
    [
        ("system_prompt", A, "$.system_prompt"),
        ("model", A, "$.model"),
        ("tools", {"t": TOOL}, "$.tools"),
        ("policies", {"p": A}, "$.policies"),
        ("parameters", {"n": A}, "$.parameters"),
    ],
)
def test_what_one_side_does_not_say(name: str, known: Any, path: str) -> None:
    one, neither = Built(**{name: known}), Built()
    assert compare(neither, neither) == Comparison()
    assert compare(neither, one) == Comparison(not_compared=(f"{path}: the trace does not say",))
    assert compare(one, neither) == Comparison(not_compared=(f"{path}: the agent does not say",))
    assert compare(one, neither, sides=("x", "y")).not_compared == (f"{path}: y does not say",)
    assert compare(neither, one, sides=("x", "y")).not_compared == (f"{path}: x does not say",)


@pytest.mark.parametrize("swapped", [False, True])
def test_a_provider_that_one_side_does_not_say_is_none_of_it(swapped: bool) -> None:
    sides = [Built(provider=A), Built()]
    assert compare(*(reversed(sides) if swapped else sides)) == Comparison()
    assert told(compare(Built(provider=A), Built(provider=B))) == {"$.provider": ("a", "b")}


@pytest.mark.parametrize(
    ("side", "verdict"),
    [
        (Built(system_prompt=A), "SAME"),
        (Built(tools={}), "SAME"),
        (Built(policies={"p": A}), "SAME"),
        (Built(policies={}), "UNVERIFIED"),
        (Built(model=A, provider=A, parameters={"n": A}), "UNVERIFIED"),
        (Built(), "UNVERIFIED"),
    ],
)
def test_what_tells_enough(side: Built, verdict: str) -> None:
    assert compare(side, side).verdict == verdict


# --- parameters ---------------------------------------------------------------------------------


def test_parameters_by_name() -> None:
    found = compare(Built(parameters={"a": A, "b": A, "c": A}), Built(parameters={"a": A, "b": B, "d": A}))
    assert told(found) == {"$.parameters.b": ("a", "b")}
    assert found.compared == ("$.parameters.a", "$.parameters.b")
    assert found.not_compared == ("$.parameters.d: the trace does not say", "$.parameters.c: the agent does not say")


def test_parameters_that_were_not_sent() -> None:
    every = Built(parameters={"a": A}, every_parameter=True)
    assert told(compare(every, Built(parameters={"a": A, "b": B}))) == {"$.parameters.b": (NONE, "b")}
    assert compare(every, Built(parameters={"a": A, "b": fact(None)})).differences == ()
    hidden = Built(parameters={"a": A}, every_parameter=True, hidden_parameters=frozenset({"b"}))
    found = compare(hidden, Built(parameters={"a": A, "b": B, "c": B}))
    assert told(found) == {"$.parameters.c": (NONE, "b")}
    assert found.not_compared == ("$.parameters.b: the trace does not say",)


def test_parameters_of_which_only_the_digest_of_all_is_known() -> None:
    whole = fact({"a": 1})
    now = Built(parameters={"a": fact(1)}, all_parameters=whole)
    found = compare(Built(all_parameters=hashed({"a": 1})), now)
    assert (found.compared, found.differences, found.not_compared) == (("$.parameters",), (), ())
    other = compare(Built(all_parameters=hashed({"a": 2})), now)
    assert told(other) == {"$.parameters": (digest({"a": 2}), {"a": 1})}
    assert other.differences[0].digest_only
    assert compare(Built(all_parameters=whole), Built()).not_compared == ("$.parameters: the agent does not say",)
    both = Built(parameters={"a": A}, all_parameters=hashed("x"))
    assert compare(both, now).compared == ("$.parameters.a",)


# --- tools --------------------------------------------------------------------------------------


def tools(recorded: BuiltTool, current: BuiltTool) -> Comparison:
    return compare(Built(tools={"t": recorded}), Built(tools={"t": current}))


def test_tools_that_one_side_has() -> None:
    found = compare(Built(tools={"gone": BuiltTool(A, hashed("s"))}), Built(tools={"new": BuiltTool()}))
    assert told(found) == {
        "$.tools.gone": ({"description": "a", "parameters": digest("s")}, NONE),
        "$.tools.new": (NONE, {}),
    }
    assert [each.tool for each in found.differences] == ["gone", "new"]
    assert found.compared == ("$.tools", "$.tools.gone", "$.tools.new")


def test_fields_of_a_tool() -> None:
    found = tools(BuiltTool(A, A, {"x": A, "y": A}), BuiltTool(B, B, {"x": B, "z": B}))
    assert told(found) == {
        "$.tools.t.description": ("a", "b"),
        "$.tools.t.parameters": ("a", "b"),
        "$.tools.t.x": ("a", "b"),
        "$.tools.t.y": ("a", NONE),
        "$.tools.t.z": (NONE, "b"),
    }
    assert {each.tool for each in found.differences} == {"t"}
    assert found.compared == (
        "$.tools",
        *(f"$.tools.t.{name}" for name in ("description", "parameters", "x", "y", "z")),
    )
    assert not any(each.digest_only for each in found.differences)


@pytest.mark.parametrize(
    ("recorded", "current", "left"),
    [
        (None, None, ()),
        (None, {}, ()),
        ({}, None, ()),
        ({"x": A}, None, ("$.tools.t.extra: the agent does not say",)),
        (None, {"x": A}, ("$.tools.t.extra: the trace does not say",)),
        ({"x": A}, {"x": A}, ()),
    ],
)
def test_further_fields_that_one_side_does_not_say(recorded: Any, current: Any, left: tuple[str, ...]) -> None:
    found = tools(BuiltTool(A, A, recorded), BuiltTool(A, A, current))
    assert (found.not_compared, found.differences) == (left, ())


def test_fields_that_one_side_does_not_say() -> None:
    assert tools(BuiltTool(None, A), BuiltTool(A, None)).not_compared == (
        "$.tools.t.description: the trace does not say",
        "$.tools.t.parameters: the agent does not say",
    )


# --- policies and digests -----------------------------------------------------------------------


def test_policies() -> None:
    found = compare(Built(policies={"a": A, "b": A, "c": hashed("x")}), Built(policies={"a": A, "b": B, "d": B}))
    assert told(found) == {
        "$.policies.b": ("a", "b"),
        "$.policies.c": (digest("x"), NONE),
        "$.policies.d": (NONE, "b"),
    }
    assert found.compared == ("$.policies.a", "$.policies.b", "$.policies.c", "$.policies.d")
    assert {each.tool for each in found.differences} == {None}


@pytest.mark.parametrize(
    ("recorded", "current", "shown", "digest_only"),
    [
        (hashed("a"), B, (digest("a"), "b"), True),
        (A, hashed("b"), ("a", digest("b")), True),
        (A, B, ("a", "b"), False),
        (Fact(frozenset({"k1"}), "a"), Fact(frozenset({"k2"}), "a"), ("a", "a"), True),
    ],
    ids=["a digest before", "a digest after", "two values", "equal values of unequal digests"],
)
def test_which_sides_are_digests(recorded: Fact, current: Fact, shown: tuple[str, str], digest_only: bool) -> None:
    (found,) = compare(Built(system_prompt=recorded), Built(system_prompt=current)).differences
    assert ((found.recorded, found.current), found.digest_only) == (shown, digest_only)


def test_facts_agree_where_they_share_a_key() -> None:
    one, other = Fact(frozenset({"k1", "k2"})), Fact(frozenset({"k2", "k3"}), "v")
    assert compare(Built(model=one), Built(model=other)).differences == ()
    assert (one.shown, other.shown) == ("k1", "v")


def test_the_notes_of_the_trace_are_kept() -> None:
    assert compare(Built(notes=("a",)), Built(notes=("b",))).notes == ("a",)


def test_what_is_known_of_nothing() -> None:
    assert Built().is_empty
    for name in ("system_prompt", "model", "provider", "all_parameters"):
        assert not Built(**{name: A}).is_empty, name
    for name in ("parameters", "tools", "policies"):
        assert not Built(**{name: {}}).is_empty, name


KEYS: list[Built] = [
    Built(),
    *(Built(**{name: each}) for name in ("system_prompt", "model", "provider", "all_parameters") for each in (A, B)),
    *(Built(**{name: each}) for name in ("parameters", "policies") for each in ({}, {"a": A}, {"a": B}, {"b": A})),
    Built(every_parameter=True),
    *(Built(hidden_parameters=frozenset(each)) for each in ("a", "ab")),
    *(Built(tools={"t": each}) for each in (BuiltTool(), BuiltTool(A), BuiltTool(None, A), BuiltTool(A, A))),
    *(Built(tools={"t": BuiltTool(extra=each)}) for each in ({}, {"x": A}, {"x": B})),
    Built(tools={"u": BuiltTool()}),
    Built(tools={}),
]


def test_each_fact_tells_sides_apart() -> None:
    keys = [repr(each.key) for each in KEYS]
    assert len(set(keys)) == len(keys)
    two = BuiltTool(extra={"x": A, "y": B}), BuiltTool(extra={"y": B, "x": A})
    assert repr(Built(tools={"t": two[0]}).key) == repr(Built(tools={"t": two[1]}).key)
    swapped = Built(parameters={"b": A, "a": B}, tools={"u": TOOL, "t": BuiltTool()}, policies={"y": A, "x": B})
    again = Built(parameters={"a": B, "b": A}, tools={"t": BuiltTool(), "u": TOOL}, policies={"x": B, "y": A})
    assert repr(swapped.key) == repr(again.key)

"""The normal form of schemas, whatever they hold: it ends, it is its own normal form, and real differences stay."""

from __future__ import annotations

import time
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st

from runwright.coverage.fields import fields_of
from runwright.drift.grants import normal_policy
from runwright.drift.schema import normal_schema
from runwright.trace import canonical

LEAVES = st.none() | st.booleans() | st.integers(-3, 3) | st.sampled_from(["a", "b", "#/$defs/a", "string", "title"])
WORDS = st.sampled_from(
    ["$ref", "$defs", "a", "b", "properties", "required", "enum", "type", "items", "anyOf", "title", "const", "default"]
)
VALUES = st.recursive(
    LEAVES, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(WORDS, inner, max_size=4), max_leaves=25
)
SCHEMAS = st.dictionaries(WORDS, VALUES, max_size=5)


@settings(max_examples=200, deadline=None)
@given(SCHEMAS)
def test_a_normal_form_is_its_own(schema: Any) -> None:
    once = normal_schema(schema)
    assert canonical(normal_schema(once)) == canonical(once)
    for field in fields_of([schema]).below():
        assert field.name


@settings(max_examples=100, deadline=None)
@given(VALUES)
def test_a_policy_in_normal_form_is_its_own(policy: Any) -> None:
    once = normal_policy(policy)
    assert canonical(normal_policy(once)) == canonical(once)


def doubled(levels: int) -> dict[str, Any]:
    """A schema that is small, and huge with its definitions in place."""
    made = {f"d{n}": {"properties": {side: {"$ref": f"#/$defs/d{n + 1}"} for side in "ab"}} for n in range(levels)}
    return {"$defs": {**made, f"d{levels}": {"type": "string"}}, "$ref": "#/$defs/d0"}


def nested(levels: int) -> dict[str, Any]:
    """Definitions in a row, each with many levels of its own."""

    def deep(inner: Any) -> Any:
        for _ in range(60):
            inner = {"items": inner}
        return inner

    made = {f"d{n}": deep({"$ref": f"#/$defs/d{n + 1}"}) for n in range(levels)}
    return {"$defs": {**made, f"d{levels}": {"type": "string"}}, "$ref": "#/$defs/d0"}


@pytest.mark.parametrize("schema", [doubled(40), nested(40), doubled(3)])
def test_definitions_cannot_make_it_endless(schema: dict[str, Any]) -> None:
    began = time.monotonic()
    normal = normal_schema(schema)
    fields = list(fields_of([schema]).below())
    assert time.monotonic() - began < 5
    assert canonical(normal_schema(normal)) == canonical(normal)
    assert len(fields) < 50_000


def test_definitions_stand_where_they_are_used() -> None:
    told = {"$defs": {"A": {"type": "object", "properties": {"c": {"type": "string"}}}, "unused": {}}, "title": "X"}
    one = {**told, "properties": {"a": {"$ref": "#/$defs/A"}, "b": {"$ref": "#/$defs/A", "description": "d"}}}
    assert normal_schema(one) == {
        "properties": {
            "a": {"type": "object", "properties": {"c": {"type": "string"}}},
            "b": {"type": "object", "properties": {"c": {"type": "string"}}, "description": "d"},
        }
    }


def test_definitions_that_lead_back_end_and_differ_by_how_far() -> None:
    node = {"properties": {"next": {"$ref": "#/$defs/N"}}}
    other = {"properties": {"next": {"properties": {"next": {"$ref": "#/$defs/N"}}}}}
    one, two = ({"$defs": {"N": each}, "$ref": "#/$defs/N"} for each in (node, other))
    renamed = {"$defs": {"Node": {"properties": {"next": {"$ref": "#/$defs/Node"}}}}, "$ref": "#/$defs/Node"}
    assert normal_schema(one) == normal_schema(renamed)
    assert normal_schema(one) != normal_schema(two)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ({"default": ["a", "b"]}, {"default": ["b", "a"]}),
        ({"const": {"required": ["a", "b"]}}, {"const": {"required": ["b", "a"]}}),
        ({"prefixItems": [{"type": "string"}, {}]}, {"prefixItems": [{}, {"type": "string"}]}),
        ({"anyOf": [{"type": "string"}, {"type": "null"}]}, {"anyOf": [{"type": "null"}, {"type": "string"}]}),
        ({"enum": [1]}, {"enum": [True]}),
        ({"properties": {"title": {}}}, {"properties": {}}),
        ({"additionalProperties": False}, {}),
        ({"description": "a"}, {}),
        ({"enum": []}, {}),
        ({"$ref": "other.json#/A"}, {"$ref": "other.json#/B"}),
    ],
)
def test_what_is_another_schema_stays_another(one: Any, other: Any) -> None:
    """Also the order of alternatives: a model reads them in order."""
    assert canonical(normal_schema(one)) != canonical(normal_schema(other))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ({"read": ["/srv"]}, {"read": ["/srv2"]}),
        ({"read": ["/srv"]}, {"read": ["/"]}),
        ({"read": ["/srv", "/srv/../etc"]}, {"read": ["/srv"]}),
        ({"read": ["/srv"], "write": []}, {"read": [], "write": ["/srv"]}),
        ({"allowed_domains": ["example.com"]}, {"allowed_domains": ["*.example.com"]}),
        ({"allowed_domains": ["a.example.com"]}, {"allowed_domains": ["*.example.com"]}),
        ({"allowed_domains": ["badexample.com", "*.example.com"]}, {"allowed_domains": ["*.example.com"]}),
        ({"rules": ["allow a", "deny b"]}, {"rules": ["deny b", "allow a"]}),
        ({"read": True, "write": False}, {"read": False, "write": False}),
        ({"limits": {"per_day": 1}}, {"limits": {"per_day": True}}),
        ({"tools": ["Refund"]}, {"tools": ["refund"]}),
    ],
)
def test_what_grants_something_else_stays_another_policy(one: Any, other: Any) -> None:
    assert canonical(normal_policy(one)) != canonical(normal_policy(other))


def test_a_wide_host_includes_the_narrow_ones() -> None:
    wide = {"hosts": ["*.example.com", "a.example.com", "*.b.example.com", "example.com"]}
    assert normal_policy(wide) == {"hosts": ["*.example.com", "example.com"]}


@pytest.mark.parametrize("name", ["read", "write", "paths", "allow_paths", "deny_paths"])
def test_lists_of_paths(name: str) -> None:
    given = ["/srv/b/../c", "/srv/./b/", "/srv/b/x", "/srv/b", "/a", "/a"]
    assert normal_policy({name: given}) == {name: ["/a", "/srv/b", "/srv/b/../c"]}
    assert normal_policy({name: []}) == {}
    assert normal_policy({name: "/srv/"}) == {name: "/srv/"}
    assert normal_policy({name: ["/b/", 1, "/a"]}) == {name: ["/b/", 1, "/a"]}


@pytest.mark.parametrize("name", ["allowed_domains", "domains", "hosts", "allow_egress"])
def test_lists_of_hosts(name: str) -> None:
    given = ["B.example.com", "*.a.example.com", "x.a.example.com", "*.x.a.example.com", "b.example.com", "example.com"]
    assert normal_policy({name: given}) == {name: ["*.a.example.com", "b.example.com", "example.com"]}
    assert normal_policy({name: ["*.a.com", "*.b.com"]}) == {name: ["*.a.com", "*.b.com"]}
    assert normal_policy({name: []}) == {}


@pytest.mark.parametrize("name", ["allow", "deny", "tools", "scopes"])
def test_lists_of_names(name: str) -> None:
    assert normal_policy({name: ["b", "a/", "b", "A"]}) == {name: ["A", "a/", "b"]}
    assert normal_policy({name: []}) == {}


@pytest.mark.parametrize(
    ("given", "normal"),
    [
        ({"rules": ["b", "a", "b"], "list": []}, {"rules": ["b", "a", "b"], "list": []}),
        ([{"tools": ["b", "a"]}], [{"tools": ["a", "b"]}]),
        ({"rules": [{"tools": ["b", "a"]}]}, {"rules": [{"tools": ["a", "b"]}]}),
        ({"fs": {"read": ["/a/b"], "write": ["/a"]}}, {"fs": {"write": ["/a"]}}),
        ({"read": ["/a", "/b"], "write": ["/a"]}, {"read": ["/b"], "write": ["/a"]}),
        ({"read": ["/a"], "write": ["/a/b"]}, {"read": ["/a"], "write": ["/a/b"]}),
        ({"read": False, "write": True}, {"read": True, "write": True}),
        ({"read": False, "write": False}, {"read": False, "write": False}),
        ({"read": True, "write": False}, {"read": True, "write": False}),
        ({"write": True}, {"write": True}),
        ({"read": ["/a"], "write": True}, {"read": ["/a"], "write": True}),
        ({"read": True, "write": ["/a"]}, {"read": True, "write": ["/a"]}),
        ("text", "text"),
        (7, 7),
        (None, None),
    ],
)
def test_grants_in_their_normal_form(given: Any, normal: Any) -> None:
    assert normal_policy(given) == normal

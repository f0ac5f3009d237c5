"""Assertions from the YAML of a step, prose or structured, to values."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeAlias, TypedDict, cast

from runwright.errors import FlowError
from runwright.flow.assertions import (
    Assertion,
    Level,
    NoEgress,
    NoSecretLeak,
    NoSideEffect,
    NoToolCall,
    OutcomeIs,
    Reply,
    SideEffectMust,
    ToolCall,
)
from runwright.flow.counts import bounds_of, require_possible
from runwright.flow.effect_fields import require_fields
from runwright.flow.matchers import Where
from runwright.flow.prose import parse_no_tool_call, parse_reply, parse_tool_call
from runwright.flow.prose_effects import parse_no_side_effect, parse_side_effect
from runwright.flow.structured_effect import effect_of
from runwright.flow.structured_where import matchers_of, where_of
from runwright.flow.variables import variable_name
from runwright.trace.model import JSON
from runwright.trace.outcome import OutcomeClass

Object: TypeAlias = Mapping[str, JSON]


class _Conditions(TypedDict):
    where: Where
    result: Where
    level: Level | None


def assertion_of(key: str, value: JSON, place: str) -> Assertion:
    """What a step's key and value (which fit the schema) assert; FlowError where the prose or a clause is wrong."""
    return _KINDS[key](value, place)


def is_assertion(key: str) -> bool:
    """Whether a step's key is an assertion's."""
    return key in _KINDS


def _tool_call(value: JSON, place: str) -> ToolCall:
    if isinstance(value, str):
        call = parse_tool_call(value, place)
    else:
        form = _object(value)
        low, high = bounds_of(form, place)
        call = ToolCall(tool=str(form["tool"]), **_conditions(form, place), at_least=low, at_most=high)
    require_possible(call.at_least, call.at_most, place, noun="call", forbids="assert_no_tool_call")
    return call


def _no_tool_call(value: JSON, place: str) -> NoToolCall:
    if isinstance(value, str):
        return parse_no_tool_call(value, place)
    form = _object(value)
    return NoToolCall(tool=str(form["tool"]), **_conditions(form, place))


def _conditions(form: Object, place: str) -> _Conditions:
    level: Level | None = "executed" if form.get("level") == "executed" else None
    return {
        "where": where_of(form.get("where"), f"{place}.where"),
        "result": where_of(form.get("result"), f"{place}.result"),
        "level": level,
    }


def _reply(value: JSON, place: str) -> Reply:
    if isinstance(value, str):
        return parse_reply(value, place)
    form = _object(value)["reply"]
    alternatives = form if isinstance(form, list) else [form]
    return Reply(where=tuple(tuple(matchers_of((), _object(each), place)) for each in alternatives))


def _side_effect(value: JSON, place: str) -> SideEffectMust:
    if isinstance(value, str):
        effect = parse_side_effect(value, place)
    else:
        form = _object(value)
        low, high = bounds_of(form, place)
        effect = SideEffectMust(**effect_of(form, place), at_least=low, at_most=high)
    require_possible(effect.at_least, effect.at_most, place, noun="effect", forbids="assert_no_side_effect")
    require_fields(effect.kind, effect.where, place)
    return effect


def _no_side_effect(value: JSON, place: str) -> NoSideEffect:
    effect = (
        parse_no_side_effect(value, place)
        if isinstance(value, str)
        else NoSideEffect(**effect_of(_object(value), place))
    )
    require_fields(effect.kind, effect.where, place)
    return effect


def _no_egress(value: JSON, place: str) -> NoEgress:
    if value not in (None, True):
        raise FlowError(f"assert_no_egress takes no value, found {value!r}", place=place)
    return NoEgress()


def _no_secret_leak(value: JSON, _place: str) -> NoSecretLeak:
    names = value if isinstance(value, list) else [value]
    return NoSecretLeak(names=tuple(dict.fromkeys(variable_name(str(each)) for each in names)))


def _outcome(value: JSON, _place: str) -> OutcomeIs:
    return OutcomeIs(outcome=cast("OutcomeClass", value))


def _object(value: JSON) -> Object:
    return cast("Object", value)  # the schema has held


_KINDS: Mapping[str, Callable[[JSON, str], Assertion]] = {
    "assert": _reply,
    "assert_tool_call": _tool_call,
    "assert_no_tool_call": _no_tool_call,
    "assert_side_effect": _side_effect,
    "assert_no_side_effect": _no_side_effect,
    "assert_no_egress": _no_egress,
    "assert_no_secret_leak": _no_secret_leak,
    "assert_outcome": _outcome,
}

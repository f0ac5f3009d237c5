"""Assertions from the YAML of a step, prose or structured, to values."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
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
from runwright.flow.matchers import Clause, Op, Path, Test, Where
from runwright.flow.prose import (
    parse_no_side_effect,
    parse_no_tool_call,
    parse_reply,
    parse_side_effect,
    parse_tool_call,
)
from runwright.flow.reader import parsed_path, shaped_value
from runwright.flow.variables import variable_name
from runwright.trace.model import JSON, EffectKind
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
        low, high = _bounds(form, place)
        call = ToolCall(tool=str(form["tool"]), **_conditions(form, place), at_least=low, at_most=high)
    if call.at_most is not None and call.at_most < call.at_least:
        raise FlowError(f"at least {call.at_least} and at most {call.at_most} times is never", place=place)
    if call.at_most == 0 or (call.at_least == 0 and call.at_most is None):
        hint = "assert_no_tool_call forbids a call"
        raise FlowError("no call at all would satisfy this", place=place, hint=hint)
    return call


def _bounds(form: Object, place: str) -> tuple[int, int | None]:
    times, low, high = (cast("int | None", form.get(key)) for key in ("times", "at_least", "at_most"))
    if times is None:
        return 1 if low is None else low, high
    if low is not None or high is not None:
        raise FlowError("'times' says both bounds already", place=place, hint="drop it, or at_least and at_most")
    return times, times


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


def where_of(value: JSON, place: str) -> Where:
    """Clauses by path, or a list of such alternatives."""
    if value is None:
        return ()
    alternatives = value if isinstance(value, list) else [value]
    return tuple(tuple(_clauses(_object(each), place)) for each in alternatives)


def _clauses(form: Object, place: str) -> Iterator[Clause]:
    for written, matchers in form.items():
        path = parsed_path(written, place)
        yield from _matchers(
            path, matchers if isinstance(matchers, dict) else {"equals": matchers}, f"{place}.{written}"
        )


def _matchers(path: Path, form: Object, place: str) -> Iterator[Clause]:
    for key, value in form.items():
        negated = key == "not"
        ((word, wanted),) = _object(value).items() if negated else ((key, value),)
        yield Clause(path=path, test=_test(word, wanted, negated, place))


def _test(word: str, wanted: JSON, negated: bool, place: str) -> Test:
    if word in ("exists", "absent"):
        return Test(op="exists", negated=(word == "absent") ^ (wanted is False) ^ negated)
    op = cast("Op", word)
    value = shaped_value(op, wanted)
    if value is None and not (op == "equals" and wanted is None):
        raise FlowError(f"{wanted!r} is no value for {word!r}", place=place, hint="a regular expression must compile")
    return Test(op=op, value=value, negated=negated)


def _reply(value: JSON, place: str) -> Reply:
    if isinstance(value, str):
        return parse_reply(value, place)
    form = _object(value)["reply"]
    alternatives = form if isinstance(form, list) else [form]
    return Reply(where=tuple(tuple(_matchers((), _object(each), place)) for each in alternatives))


def _side_effect(value: JSON, place: str) -> SideEffectMust:
    if isinstance(value, str):
        return parse_side_effect(value, place)
    form = _object(value)
    return SideEffectMust(kind=cast("EffectKind", form["kind"]), target=cast("str | None", form.get("target")))


def _no_side_effect(value: JSON, place: str) -> NoSideEffect:
    if isinstance(value, str):
        return parse_no_side_effect(value, place)
    form = _object(value)
    excepted = tuple(str(each) for each in cast("list[JSON]", form.get("except", [])))
    return NoSideEffect(
        kind=cast("EffectKind", form["kind"]), target=cast("str | None", form.get("target")), excepted=excepted
    )


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

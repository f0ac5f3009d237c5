"""Assertions as prose: one grammar, both ways, to and from the same values that the structured forms give."""

from __future__ import annotations

import json
import re

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
from runwright.flow.matchers import Where, where_text
from runwright.flow.reader import Reader
from runwright.trace.model import EFFECT_KINDS, EffectKind

_TOOL = re.compile(r"""\"(?:\\.|[^"\\])*\"|[\w](?:[\w./:@-]*[\w])?""")
_COUNT = re.compile(
    r"(?P<once>once)|(?P<twice>twice)|between\s+(?P<low>\d{1,6})\s+and\s+(?P<high>\d{1,6})\s+times"
    r"|(?P<how>exactly|at\s+least|at\s+most)\s+(?P<number>\d{1,6})\s+times?"
)
_WHERE, _RESULT, _EXECUTED = (
    re.compile(r"where(?=\s|$)"),
    re.compile(r"with\s+result(?=\s|$)"),
    re.compile(r"executed\b"),
)
_FORM = "TOOL [once|at least N times|...] [executed] [where PATH MATCHER VALUE [and ...]] [with result ...]"


def parse_tool_call(text: str, place: str) -> ToolCall:
    """What `assert_tool_call: text` means; FlowError, with the column, where it means nothing."""
    reader = Reader(text, place)
    tool = _tool(reader)
    low, high = _count(reader)
    level, where, result = _conditions(reader)
    return ToolCall(tool=tool, where=where, result=result, at_least=low, at_most=high, level=level)


def parse_no_tool_call(text: str, place: str) -> NoToolCall:
    """What `assert_no_tool_call: text` means."""
    reader = Reader(text, place)
    tool = _tool(reader)
    level, where, result = _conditions(reader)
    return NoToolCall(tool=tool, where=where, result=result, level=level)


def parse_reply(text: str, place: str) -> Reply:
    """What `assert: text` means."""
    reader = Reader(text, place, subject="reply")
    where = reader.where()
    _end(reader, "reply MATCHER TEXT [and reply ...]")
    return Reply(where=where)


def parse_side_effect(text: str, place: str) -> SideEffectMust:
    """What `assert_side_effect: KIND [TARGET]` means."""
    kind, target, excepted = _effect(text, place)
    if excepted:
        raise FlowError(f"{text!r}: 'except' belongs to assert_no_side_effect", place=place)
    return SideEffectMust(kind=kind, target=target)


def parse_no_side_effect(text: str, place: str) -> NoSideEffect:
    """What `assert_no_side_effect: KIND [TARGET] [except TARGET, TARGET]` means."""
    kind, target, excepted = _effect(text, place)
    return NoSideEffect(kind=kind, target=target, excepted=excepted)


def _tool(reader: Reader) -> str:
    found = reader.take(_TOOL)
    following = reader.text[reader.at : reader.at + 1]
    if found is None or (following and not following.isspace()):
        reader.fail(
            f"expected a tool's name, found {reader.rest()}", hint="a name with other characters goes in quotes"
        )
    return str(json.loads(found[0], strict=False)) if found[0].startswith('"') else found[0]


def _count(reader: Reader) -> tuple[int, int | None]:
    found = reader.take(_COUNT)
    if found is None:
        return 1, None
    if found["once"] or found["twice"]:
        n = 1 if found["once"] else 2
        return n, n
    if found["how"] is None:
        low, high = int(found["low"]), int(found["high"])
        return low, high
    n = int(found["number"])
    how = found["how"].split()[-1]
    bounds: dict[str, tuple[int, int | None]] = {"exactly": (n, n), "least": (n, None), "most": (1, n)}
    return bounds[how]


def _conditions(reader: Reader) -> tuple[Level | None, Where, Where]:
    level: Level | None = "executed" if reader.take(_EXECUTED) else None
    where = reader.where() if reader.take(_WHERE) else ()
    result = reader.where(bare=True) if reader.take(_RESULT) else ()
    _end(reader, _FORM)
    return level, where, result


def _end(reader: Reader, form: str) -> None:
    reader.skip()
    if reader.at < len(reader.text):
        reader.fail(f"cannot read {reader.rest()}", hint=f"the form is: {form}")


def _effect(text: str, place: str) -> tuple[EffectKind, str | None, tuple[str, ...]]:
    kind, _, rest = text.strip().partition(" ")
    if kind not in EFFECT_KINDS:
        raise FlowError(f"{kind!r} is no kind of side effect", place=place, hint=f"kinds are {', '.join(EFFECT_KINDS)}")
    target, found, listed = f" {rest.strip()} ".partition(" except ")
    excepted = tuple(each.strip() for each in listed.split(",") if each.strip())
    if found and not excepted:
        raise FlowError(f"{text!r}: nothing follows 'except'", place=place)
    return kind, target.strip() or None, excepted


def prose(assertion: Assertion) -> str:
    """The assertion on one line, key included, as a report shows it."""
    match assertion:
        case ToolCall():
            counted = _counted(assertion.at_least, assertion.at_most)
            return f"assert_tool_call: {_called(assertion, counted)}"
        case NoToolCall():
            return f"assert_no_tool_call: {_called(assertion, '')}"
        case SideEffectMust():
            return f"assert_side_effect: {assertion.kind} {assertion.target or ''}".rstrip()
        case NoSideEffect():
            excepted = f"except {', '.join(assertion.excepted)}" if assertion.excepted else ""
            parts = (assertion.kind, assertion.target or "", excepted)
            return f"assert_no_side_effect: {' '.join(part for part in parts if part)}"
        case NoEgress():
            return "assert_no_egress"
        case NoSecretLeak():
            return f"assert_no_secret_leak: {', '.join(assertion.names)}"
        case Reply():
            return f"assert: {_replied(assertion.where)}"
        case OutcomeIs():
            return f"assert_outcome: {assertion.outcome}"


def _called(assertion: ToolCall | NoToolCall, counted: str) -> str:
    name = (
        assertion.tool if _TOOL.fullmatch(assertion.tool) and assertion.tool[0] != '"' else json.dumps(assertion.tool)
    )
    parts = [name, counted, assertion.level or ""]
    parts += [f"where {where_text(assertion.where, whole='$')}"] if assertion.where else []
    parts += [f"with result {where_text(assertion.result)}"] if assertion.result else []
    return " ".join(part for part in parts if part)


def _counted(low: int, high: int | None) -> str:
    if high is None:
        return "" if low == 1 else f"at least {low} times"
    if low == high:
        return {1: "once", 2: "twice"}.get(low, f"exactly {low} times")
    return f"at most {high} times" if low == 1 else f"between {low} and {high} times"


def _replied(where: Where) -> str:
    return where_text(where, whole="reply")

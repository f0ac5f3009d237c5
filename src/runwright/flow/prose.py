"""Assertions as prose: one grammar, both ways, to and from the same values that the structured forms give."""

from __future__ import annotations

import json
import re

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
from runwright.flow.counts import count_text, read_count
from runwright.flow.matchers import Where, where_text
from runwright.flow.prose_effects import effect_text
from runwright.flow.reader import Reader

_TOOL = re.compile(r"""\"(?:\\.|[^"\\])*\"|[\w](?:[\w./:@-]*[\w])?""")
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
    low, high = read_count(reader)
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


def _tool(reader: Reader) -> str:
    found = reader.take(_TOOL)
    following = reader.text[reader.at : reader.at + 1]
    if found is None or (following and not following.isspace()):
        reader.fail(
            f"expected a tool's name, found {reader.rest()}", hint="a name with other characters goes in quotes"
        )
    return str(json.loads(found[0], strict=False)) if found[0].startswith('"') else found[0]


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


def prose(assertion: Assertion) -> str:
    """The assertion on one line, key included, as a report shows it."""
    match assertion:
        case ToolCall():
            counted = count_text(assertion.at_least, assertion.at_most)
            return f"assert_tool_call: {_called(assertion, counted)}"
        case NoToolCall():
            return f"assert_no_tool_call: {_called(assertion, '')}"
        case SideEffectMust() | NoSideEffect():
            return effect_text(assertion)
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


def _replied(where: Where) -> str:
    return where_text(where, whole="reply")

"""Assertions as flowproof writes them, with the meaning that they have there.

    TOOL [where PATH MATCHER VALUE [and PATH MATCHER VALUE ...]]
    reply contains TEXT

A value runs unquoted to the next `and` or the end, values are compared as texts, and a text that is none of this is
NotFlowproof: it asserts nothing there, and may mean something here.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from runwright.errors import FlowError
from runwright.flow.assertions import Assertion, NoToolCall, Reply, ToolCall
from runwright.flow.matchers import Clause, Op, Path, Test, Where
from runwright.flow.reader import literal
from runwright.flow.rust_regex import NotPython, NotRust, python_pattern


class NotFlowproof(ValueError):
    """flowproof's grammar does not read the text; the message says why."""


_TOOL = re.compile(r"[A-Za-z0-9_-]+")
_PATH = re.compile(r"[A-Za-z0-9_-]+(?:\.[A-Za-z0-9_-]+)*")
_INDEX = re.compile(r"0|[1-9][0-9]{0,8}", re.ASCII)
_PADDED = re.compile(r"0[0-9]+", re.ASCII)
_ENDINGS = ((" exists", False), (" is absent", True), (" is missing", True))
_MATCHERS: tuple[tuple[str, Op], ...] = (
    ("equals", "equals"),
    ("contains", "contains"),
    ("matches", "matches"),
    ("is", "equals"),
)
_REPLY = ("reply contains ", "reply is ")


def has_prose(key: str) -> bool:
    """Whether flowproof has a grammar of its own for the assertion."""
    return key in _READERS


def read_flowproof(key: str, text: str, place: str) -> Assertion:
    """What the assertion means there; NotFlowproof where it means nothing, FlowError where it cannot be said here."""
    return _READERS[key](text.strip(), place)


def _tool_call(text: str, place: str) -> ToolCall:
    tool, where = _call(text, place)
    return ToolCall(tool=tool, where=where)


def _no_tool_call(text: str, place: str) -> NoToolCall:
    tool, where = _call(text, place)
    return NoToolCall(tool=tool, where=where)


def _reply(text: str, _place: str) -> Reply:
    start = next((each for each in _REPLY if text.startswith(each)), None)
    if start is None:
        raise NotFlowproof("there an 'assert' is 'reply contains TEXT'")
    test = Test(op="contains", value=text.removeprefix(start).strip(), as_text=True)
    return Reply(where=((Clause(path=(), test=test),),))


_READERS: Mapping[str, Callable[[str, str], Assertion]] = {
    "assert_tool_call": _tool_call,
    "assert_no_tool_call": _no_tool_call,
    "assert": _reply,
}


def _call(text: str, place: str) -> tuple[str, Where]:
    parts = _word("where").split(text, maxsplit=1)
    tool = parts[0].strip()
    if not _TOOL.fullmatch(tool):
        raise NotFlowproof(f"{tool!r} is no name of a tool there")
    if len(parts) == 1:
        return tool, ()
    return tool, (tuple(_clause(each.strip(), place) for each in _word("and").split(parts[1])),)


def _clause(text: str, place: str) -> Clause:
    for ending, negated in _ENDINGS:
        if text.lower().endswith(ending):
            return Clause(path=_path(text[: -len(ending)], place), test=Test(op="exists", negated=negated))
    for word, op in _MATCHERS:
        parts = _word(word).split(text, maxsplit=1)
        if len(parts) == 2:
            return Clause(path=_path(parts[0], place), test=_test(op, parts[1].strip(), place))
    raise NotFlowproof(f"{text!r} holds none of its matchers")


def _test(op: Op, written: str, place: str) -> Test:
    if not written:
        raise NotFlowproof("a value is missing")
    if op == "matches":
        _check_pattern(written, place)
    return Test(op=op, value=literal(written) if op == "equals" else written, as_text=True)


def _check_pattern(pattern: str, place: str) -> None:
    try:
        python_pattern(pattern)
    except NotRust as error:
        raise NotFlowproof(f"{pattern!r} is no regular expression there: {error}") from error
    except NotPython as error:
        raise FlowError(f"{pattern!r}: {error.message}", place=place, hint=error.hint) from error


def _path(written: str, place: str) -> Path:
    written = written.strip()
    if not _PATH.fullmatch(written):
        raise NotFlowproof(f"{written!r} is no path there")
    steps = written.split(".")
    padded = next((each for each in steps if _PADDED.fullmatch(each)), None)
    if padded is not None:
        hint = f"write {int(padded)} for an item of a list, and $['{padded}'] under 'flow: 1' for a name"
        raise FlowError(f"{padded!r} in {written!r} is an item of a list or a name", place=place, hint=hint)
    return tuple(int(each) if _INDEX.fullmatch(each) else each for each in steps)


def _word(word: str) -> re.Pattern[str]:
    """The word where it stands alone: behind a space, and before one or the end."""
    return re.compile(rf"(?<=\s){word}(?=\s|\Z)")

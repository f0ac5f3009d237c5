"""Assertions on side effects as prose: one grammar, both ways."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import cast, get_args

from runwright.errors import FlowError
from runwright.flow.assertions import EffectWord, NoSideEffect, SideEffectMust
from runwright.flow.counts import COUNT, count_text, read_count
from runwright.flow.matchers import where_text
from runwright.flow.reader import Reader
from runwright.trace.model import EffectKind

WORDS: tuple[str, ...] = ("fs", *get_args(EffectKind))
_FORM = "KIND [TARGET] [except TARGET, ...] {}[where PATH MATCHER VALUE [and ...]]"
_NEXT = rf"(?:(?:except|where)(?=\s|$)|(?:{re.sub(r'[?]P<[a-z]+>', '?:', COUNT.pattern)})(?=\s|$))"
"""What ends a target: it may hold spaces, as `POST https://...` does."""
_KIND = re.compile(r"\S+")
_QUOTED = re.compile(r'"(?:\\.|[^"\\])*"(?=[\s,]|$)')
_TARGET = re.compile(rf"(?!{_NEXT})(?:(?!\s+{_NEXT}|\s+$).)+", re.DOTALL)
_ITEM = re.compile(rf"(?!{_NEXT})(?:(?!\s+{_NEXT}|\s*,|\s+$).)+", re.DOTALL)
_EXCEPT, _WHERE, _COMMA = re.compile(r"except(?=\s|$)"), re.compile(r"where(?=\s|$)"), re.compile(",")


def parse_side_effect(text: str, place: str) -> SideEffectMust:
    """What `assert_side_effect: text` means; FlowError, with the column, where it means nothing."""
    reader = Reader(text, place)
    kind, target, excepted = _named(reader)
    low, high = read_count(reader)
    where = reader.where() if reader.take(_WHERE) else ()
    _end(reader, "[once|at least N times|...] ")
    return SideEffectMust(kind=kind, target=target, excepted=excepted, where=where, at_least=low, at_most=high)


def parse_no_side_effect(text: str, place: str) -> NoSideEffect:
    """What `assert_no_side_effect: text` means."""
    reader = Reader(text, place)
    kind, target, excepted = _named(reader)
    where = reader.where() if reader.take(_WHERE) else ()
    _end(reader, "")
    return NoSideEffect(kind=kind, target=target, excepted=excepted, where=where)


def effect_text(assertion: SideEffectMust | NoSideEffect) -> str:
    """The assertion on one line, key included."""
    must = isinstance(assertion, SideEffectMust)
    counted = count_text(assertion.at_least, assertion.at_most) if isinstance(assertion, SideEffectMust) else ""
    parts = [
        assertion.kind,
        _written(assertion.target, _TARGET) if assertion.target is not None else "",
        f"except {', '.join(_written(each, _ITEM) for each in assertion.excepted)}" if assertion.excepted else "",
        counted,
        f"where {where_text(assertion.where, whole='$')}" if assertion.where else "",
    ]
    return f"assert_{'' if must else 'no_'}side_effect: {' '.join(part for part in parts if part)}"


def _named(reader: Reader) -> tuple[EffectWord, str | None, tuple[str, ...]]:
    found = reader.take(_KIND)
    if found is None or found[0] not in WORDS:
        hint = f"kinds are {', '.join(WORDS)}"
        raise FlowError(f"{found[0] if found else ''!r} is no kind of side effect", place=reader.place, hint=hint)
    target = _taken(reader, _TARGET)
    excepted = tuple(_listed(reader)) if reader.take(_EXCEPT) else ()
    return cast("EffectWord", found[0]), target, excepted


def _listed(reader: Reader) -> Iterator[str]:
    """The targets behind `except`; a comma too many is none."""
    before = reader.at
    found = False
    while True:
        item = _taken(reader, _ITEM)
        if item is not None:
            found = True
            yield item
        if not reader.take(_COMMA):
            break
    if not found:
        reader.at = before
        reader.fail("nothing follows 'except'", hint="name the targets that are allowed")


def _taken(reader: Reader, unquoted: re.Pattern[str]) -> str | None:
    quoted = reader.take(_QUOTED)
    if quoted is not None:
        try:
            return str(json.loads(quoted[0], strict=False))
        except ValueError as error:
            reader.fail(f"the quoted text is not valid: {error}", hint="escape as JSON does")
    found = reader.take(unquoted)
    return found[0] if found else None


def _written(target: str, unquoted: re.Pattern[str]) -> str:
    """The target as it is where it reads as itself, else in quotes."""
    found = unquoted.fullmatch(target)
    plain = found is not None and not target[0].isspace() and target[0] not in ',"' and target.isprintable()
    return target if plain else json.dumps(target, ensure_ascii=False)


def _end(reader: Reader, counted: str) -> None:
    reader.skip()
    if reader.at < len(reader.text):
        reader.fail(f"cannot read {reader.rest()}", hint=f"the form is: {_FORM.format(counted)}")

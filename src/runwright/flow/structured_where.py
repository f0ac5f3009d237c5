"""Clauses and matchers from YAML."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TypeAlias, cast

from runwright.errors import FlowError
from runwright.flow.matchers import Clause, Op, Path, Test, Where
from runwright.flow.reader import parsed_path, shaped_value
from runwright.trace.model import JSON

Object: TypeAlias = Mapping[str, JSON]


def where_of(value: JSON, place: str) -> Where:
    """Clauses by path, or a list of such alternatives."""
    if value is None:
        return ()
    alternatives = value if isinstance(value, list) else [value]
    return tuple(tuple(_clauses(_object(each), place)) for each in alternatives)


def _clauses(form: Object, place: str) -> Iterator[Clause]:
    for written, matchers in form.items():
        path = parsed_path(written, place)
        yield from matchers_of(
            path, matchers if isinstance(matchers, dict) else {"equals": matchers}, f"{place}.{written}"
        )


def matchers_of(path: Path, form: Object, place: str) -> Iterator[Clause]:
    """Each matcher of a mapping, as a clause about the value at the path."""
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


def _object(value: JSON) -> Object:
    return cast("Object", value)  # the schema has held

"""What an assertion on side effects is about, from YAML."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import chain, product
from typing import TypeAlias, TypedDict, cast

from runwright.flow.assertions import EffectWord
from runwright.flow.effect_fields import STATE
from runwright.flow.matchers import Clause, Path, Test, Where
from runwright.flow.structured_where import matchers_of, where_of
from runwright.trace.model import JSON

Object: TypeAlias = Mapping[str, JSON]


class About(TypedDict):
    """What the assertions on effects that happened, and that did not, have in common."""

    kind: EffectWord
    target: str | None
    excepted: tuple[str, ...]
    where: Where


def effect_of(form: Object, place: str) -> About:
    """The kind, targets and clauses; those under keys of their own come first, and belong to each alternative."""
    own = tuple(chain.from_iterable(_own(form, place)))
    alternatives = where_of(form.get("where"), f"{place}.where") or ((),)
    where = tuple((*op, *own, *clauses) for op, clauses in product(_ops(form.get("op")), alternatives))
    return About(
        kind=cast("EffectWord", form["kind"]),
        target=cast("str | None", form.get("target")),
        excepted=tuple(cast("list[str]", form.get("except", []))),
        where=() if where == ((),) else where,
    )


def _ops(value: JSON) -> list[tuple[Clause, ...]]:
    """One alternative an op."""
    if value is None:
        return [()]
    ops = value if isinstance(value, list) else [value]
    return [(Clause(path=("op",), test=Test(op="equals", value=each)),) for each in ops]


def _own(form: Object, place: str) -> Iterator[Iterator[Clause]]:
    for key in ("before", "after"):
        fields = cast("Object", form.get(key, {}))
        for name in (each for each in STATE if each in fields):
            yield _clauses((key, name), fields[name], f"{place}.{key}.{name}")
    if "diff" in form:
        yield _clauses(("diff",), form["diff"], f"{place}.diff")
    for clauses in where_of(form.get("detail"), f"{place}.detail"):
        yield (Clause(path=("detail", *each.path), test=each.test) for each in clauses)


def _clauses(path: Path, value: JSON, place: str) -> Iterator[Clause]:
    return matchers_of(path, value if isinstance(value, dict) else {"equals": value}, place)

"""Values made for the clauses of assertions: arguments and results that a flow asks for."""

from __future__ import annotations

from collections.abc import Sequence

from runwright.flow.matchers import Clause, Path, Test, Where, satisfies
from runwright.trace.model import JSON


def value_for(where: Where, recorded: JSON) -> JSON | None:
    """A value of which the clauses hold: the recorded one if they do, else one made from it, else None."""
    if satisfies(where, recorded):
        return recorded
    made = (_made(clauses, start) for start in (recorded, {}) for clauses in where)
    return next((each for each in made if satisfies(where, each)), None)


def _made(clauses: Sequence[Clause], start: JSON) -> JSON:
    value = start
    for clause in clauses:
        value = _with(value, clause.path, clause.test)
    return value


def _with(value: JSON, path: Path, test: Test) -> JSON:
    """The value with one at the path for which the matcher holds."""
    if not path:
        return _wanted(test)
    step, rest = path[0], path[1:]
    if isinstance(value, list) and isinstance(step, int) and step < len(value):
        return [_with(each, rest, test) if at == step else each for at, each in enumerate(value)]
    members = value if isinstance(value, dict) else {}
    if test.negated and test.op == "exists" and not rest:
        return {name: each for name, each in members.items() if name != str(step)}
    return {**members, str(step): _with(members.get(str(step)), rest, test)}


def _wanted(test: Test) -> JSON:
    if test.negated:
        return "something else"
    number = test.value if isinstance(test.value, (int, float)) and not isinstance(test.value, bool) else 0
    if test.op == "exists":
        return True
    return {"greater_than": number + 1, "less_than": number - 1}.get(test.op, test.value)

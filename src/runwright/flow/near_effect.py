"""The side effect that an assertion most likely meant, and what of it differs."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from msgspec import UNSET, UnsetType

from runwright.flow.assertions import SideEffectMust
from runwright.flow.difference import FieldDifference
from runwright.flow.effect_fields import UNKNOWN, field, kinds_of, unmet
from runwright.flow.evidence import Effect
from runwright.flow.matchers import ABSENT, Clause, clause_text, path_text
from runwright.flow.targets import concerns, shown
from runwright.trace.model import JSON
from runwright.trace.shortened import shortened

LONG = 400
"""Characters of a text that are shown of one side."""
NOT_KEPT = "(not kept)"


class Near(NamedTuple):
    """An effect by its id and in words, and the fields in which it is not what was wanted."""

    nearest: str
    differences: tuple[FieldDifference, ...]


def nearest_effect(assertion: SideEffectMust, effects: Sequence[Effect]) -> Near | None:
    """Of the effects that share the kind or the target, the first of those with the fewest differences."""
    found = [
        (each, tuple(_differences(assertion, each)))
        for each in effects
        if each.effect.kind in kinds_of(assertion.kind)
        or (assertion.target is not None and concerns(assertion.target, assertion.excepted, each.effect))
    ]
    if not found:
        return None
    effect, differences = min(found, key=lambda each: len(each[1]))
    return Near(f"{effect.id} {shown(effect.effect)}", differences)


def _differences(assertion: SideEffectMust, seen: Effect) -> Iterator[FieldDifference]:
    effect = seen.effect
    if effect.kind not in kinds_of(assertion.kind):
        yield FieldDifference(path="kind", recorded=assertion.kind, live=effect.kind)
    if assertion.target is not None and not concerns(assertion.target, (), effect):
        yield FieldDifference(path="target", recorded=assertion.target, live=effect.target)
    elif not concerns(assertion.target, assertion.excepted, effect):
        yield FieldDifference(path="target", recorded=f"none of {', '.join(assertion.excepted)}", live=effect.target)
    for clause in unmet(assertion.where, effect):
        live = field(effect, clause.path)
        yield FieldDifference(path=path_text(clause.path) or "$", recorded=_wanted(clause), live=_seen(live))


def _wanted(clause: Clause) -> JSON:
    """The value where only that will do, else the matcher in words."""
    test = clause.test
    if test.op == "equals" and not test.negated:
        return short(test.value)
    return short(clause_text(Clause(path=(), test=test)))


def _seen(value: object) -> JSON | UnsetType:
    if value is ABSENT:
        return UNSET
    return NOT_KEPT if value is UNKNOWN else short(value)


def short(value: object) -> JSON:
    """A value whose text is not longer than a report shows."""
    if isinstance(value, str):
        return shortened(value, LONG)
    written = json.dumps(value, ensure_ascii=False)
    return json.loads(written) if len(written) <= LONG else shortened(written, LONG)

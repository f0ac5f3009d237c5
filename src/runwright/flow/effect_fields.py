"""The fields of a side effect that clauses are about: what each holds, and whether that is known at all."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from enum import Enum
from typing import Final, TypeAlias

from runwright.errors import FlowError
from runwright.flow.asked import parsed
from runwright.flow.assertions import EffectWord
from runwright.flow.matchers import ABSENT, Clause, Found, Path, Where, at_path, path_text
from runwright.trace.digests import digest_bytes
from runwright.trace.model import JSON, EffectKind, EffectState, SideEffect

FILES: Final[tuple[EffectKind, ...]] = ("fs_write", "fs_delete", "fs_rename", "fs_truncate")
STATE: Final = ("content", "digest", "size")
FIELDS: Final = ("op", "target", "before", "after", "diff", "detail", "caused_by")
OPS: Final[Mapping[EffectKind, tuple[str, ...]]] = {
    "fs_write": (
        "create", "append", "modify", "replace", "mkdir", "symlink", "mknod", "link", "chmod", "chown", "setxattr",
    ),
    "fs_delete": ("delete", "rmdir"),
    "fs_rename": ("move",),
    "fs_truncate": ("truncate",),
    "db_change": ("insert", "update", "delete", "truncate", "create", "alter", "drop"),
}  # fmt: skip
"""What observers call what was done; of requests it is the method, or `connect`."""
DETAILS: Final = (
    "to", "replaced", "led", "leads", "mode", "owner", "type", "attributes", "links", "operations",
)  # fmt: skip
"""Details of changed files: one that is not told did not change."""


class Unknown(Enum):
    """The type of UNKNOWN: there is something, and nobody wrote down what."""

    UNKNOWN = "unknown"


UNKNOWN = Unknown.UNKNOWN
Value: TypeAlias = Found | Unknown


def kinds_of(word: EffectWord) -> tuple[EffectKind, ...]:
    """The kinds that the word of an assertion stands for."""
    return FILES if word == "fs" else (word,)


def matched(where: Where, effect: SideEffect) -> bool | None:
    """Whether one of the alternatives holds of the effect; None where what is not known could decide that."""
    if not where:
        return True
    found = [_all(_held(each, effect) for each in clauses) for clauses in where]
    if True in found:
        return True
    return None if None in found else False


def unmet(where: Where, effect: SideEffect) -> tuple[Clause, ...]:
    """The clauses of the nearest alternative that do not hold, or may not."""
    missed = [tuple(each for each in clauses if _held(each, effect) is not True) for clauses in where]
    return min(missed, key=len, default=())


def field(effect: SideEffect, path: Path) -> Value:
    """What the effect holds at a path."""
    first, rest = (str(path[0]), path[1:]) if path else ("", ())
    if first in ("before", "after"):
        return _in_state(effect.before if first == "before" else effect.after, rest)
    if first == "detail":
        found = at_path(dict(effect.detail), rest)
        return UNKNOWN if found is ABSENT and effect.kind not in FILES else found
    if rest:
        return ABSENT
    told: Mapping[str, JSON] = {"op": effect.op, "target": effect.target, "caused_by": effect.caused_by}
    if first == "diff":
        return _diff(effect)
    value = told.get(first)
    return UNKNOWN if value is None else value


def require_fields(word: EffectWord, where: Where, place: str) -> None:
    """FlowError where a clause is about a field or an op that no such effect has: it could never hold."""
    for clause in (each for clauses in where for each in clauses):
        path = [str(step) for step in clause.path]
        known: Iterable[str] = FIELDS
        wrong = path[0] if path else "$"
        if path and path[0] in ("before", "after") and len(path) > 1:
            known, wrong = STATE, path[1]
        elif path and path[0] == "detail" and len(path) > 1 and kinds_of(word)[0] in FILES:
            known, wrong = DETAILS, path[1]
        if wrong not in known:
            raise FlowError(f"a {word} has no {path_text(clause.path) or '$'}", place=place, hint=_hint(wrong, known))
        if path == ["op"] and clause.test.op == "equals":
            _require_op(word, clause.test.value, place)


def _require_op(word: EffectWord, op: JSON, place: str) -> None:
    kinds = kinds_of(word)
    known = [each for kind in kinds for each in OPS.get(kind, ())]
    if kinds == ("http_request",) and isinstance(op, str) and op not in (op.upper(), "connect"):
        raise FlowError(f"{op!r} is no method", place=place, hint=f"did you mean {op.upper()!r}?")
    if known and op not in known:
        raise FlowError(f"{op!r} is not what is done in a {word}", place=place, hint=_hint(str(op), known))


def _hint(wrong: str, known: Iterable[str]) -> str:
    near = get_close_matches(wrong.lower(), list(known), n=1, cutoff=0.6)
    return f"did you mean {near[0]!r}?" if near else f"known: {', '.join(known)}"


def _all(found: Iterable[bool | None]) -> bool | None:
    each = tuple(found)
    if False in each:
        return False
    return None if None in each else True


def _held(clause: Clause, effect: SideEffect) -> bool | None:
    value = field(effect, clause.path)
    if value is not UNKNOWN:
        return clause.test.holds(value)
    if clause.path[0] == "detail" and clause.test.op == "exists":
        return clause.test.holds(ABSENT)
    return _by_digest(clause, effect)


def _by_digest(clause: Clause, effect: SideEffect) -> bool | None:
    """Whether a content that was not kept is a certain text: its digest tells."""
    if clause.path[1:] != ("content",) or clause.test.op != "equals" or not isinstance(clause.test.value, str):
        return None
    state = effect.before if clause.path[0] == "before" else effect.after
    if state is None or state.digest is None:
        return None
    same = state.digest == digest_bytes(clause.test.value.encode())
    return same is not clause.test.negated


def _in_state(state: EffectState | None, rest: Path) -> Value:
    if state is None:
        return ABSENT
    told: dict[str, JSON] = {"content": state.content, "digest": state.digest, "size": state.size}
    if not rest:
        return {key: value for key, value in told.items() if value is not None}
    value = told.get(str(rest[0]))
    if value is None:
        return UNKNOWN if str(rest[0]) in STATE else ABSENT
    return value if len(rest) == 1 else at_path(parsed(str(value)), rest[1:])


def _diff(effect: SideEffect) -> Value:
    """The diff; without one there is none to see only where nothing changed, or nothing that has content did."""
    if effect.diff is not None:
        return effect.diff
    states = [each for each in (effect.before, effect.after) if each is not None]
    same = len(states) == 2 and states[0].digest is not None and states[0].digest == states[1].digest
    return ABSENT if same or all(each.size == 0 for each in states) else UNKNOWN

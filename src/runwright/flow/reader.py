"""Reading prose clauses: a cursor over one line of text that knows paths, matchers and values."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import Final, NoReturn, TypeAlias

from runwright.errors import FlowError, UsageError
from runwright.flow.matchers import Clause, Op, Path, Test, Where, number
from runwright.trace.model import JSON
from runwright.trace.paths import parse_path
from runwright.trace.shortened import shortened

_PATH = re.compile(
    r"""\$(?:\.[^\s.\[\]]+ | \[\d+\] | \["(?:\\.|[^"\\])*"\] | \['(?:\\.|[^'\\])*'\])*
    | \w[\w-]*(?:\.[\w-]+ | \[\d+\])*""",
    re.VERBOSE,
)
_Words: TypeAlias = Sequence[tuple[re.Pattern[str], Op, bool]]


def _words(*words: tuple[str, Op, bool]) -> _Words:
    return [(re.compile(pattern + r"(?=\s|$)"), op, negated) for pattern, op, negated in words]


_WORDS: Final = _words(
    (r"(?:not\s+exists|does\s+not\s+exist|is\s+absent|is\s+missing)", "exists", True),
    (r"(?:exists|is\s+not\s+absent|is\s+not\s+missing)", "exists", False),
    (r"(?:not\s+equals|does\s+not\s+equal|is\s+not\s+equal\s+to)", "equals", True),
    (r"(?:not\s+contains|does\s+not\s+contain)", "contains", True),
    (r"(?:not\s+matches|does\s+not\s+match)", "matches", True),
    (r"(?:is\s+)?not\s+greater\s+than", "greater_than", True),
    (r"(?:is\s+)?not\s+less\s+than", "less_than", True),
    (r"(?:is\s+)?not\s+at\s+least", "at_least", True),
    (r"(?:is\s+)?not\s+at\s+most", "at_most", True),
    (r"(?:is\s+)?greater\s+than", "greater_than", False),
    (r"(?:is\s+)?less\s+than", "less_than", False),
    (r"(?:is\s+)?at\s+least", "at_least", False),
    (r"(?:is\s+)?at\s+most", "at_most", False),
    (r"(?:equals|is\s+equal\s+to)", "equals", False),
    (r">=", "at_least", False),
    (r"<=", "at_most", False),
    (r">", "greater_than", False),
    (r"<", "less_than", False),
    (r"==?", "equals", False),
    (r"!=", "equals", True),
    (r"contains", "contains", False),
    (r"matches", "matches", False),
    (r"is", "equals", False),
)
_AMBIGUOUS = re.compile(r"is\s+not(?=\s|$)")
_BREAK = re.compile(r"\s+(and|or|with\s+result)(?=\s|$)")
_QUOTED = re.compile(r"""\"(?:\\.|[^"\\])*\"|'[^']*'""")
_LITERALS: Final[dict[str, JSON]] = {"true": True, "false": False, "null": None}
MATCHERS = (
    "equals, contains, matches, exists, is absent, greater than, at least, less than, at most, >, >=, <, <=; "
    "not equals, does not contain, does not match"
)


class Reader:
    """A cursor over one assertion's text; `subject` is the word that clauses start with instead of a path."""

    def __init__(self, text: str, place: str, *, subject: str = "") -> None:
        self.text, self.place, self.subject, self.at = text, place, subject, 0

    def fail(self, message: str, hint: str = "") -> NoReturn:
        """Raise FlowError, marking where in the text the reading stopped."""
        raise FlowError(f"column {self.at + 1} of {self.text!r}: {message}", place=self.place, hint=hint)

    def take(self, pattern: re.Pattern[str]) -> re.Match[str] | None:
        """The pattern at the cursor, spaces aside; the cursor moves past it."""
        self.skip()
        found = pattern.match(self.text, self.at)
        if found:
            self.at = found.end()
        return found

    def skip(self) -> None:
        """Move past spaces."""
        while self.at < len(self.text) and self.text[self.at].isspace():
            self.at += 1

    def rest(self) -> str:
        """What is left, shortened for a message."""
        left = self.text[self.at :].strip()
        return repr(shortened(left, 40)) if left else "the end"

    def where(self, *, bare: bool = False) -> Where:
        """Clauses joined by `and` and `or`; `and` binds tighter. `bare` clauses may leave out the path."""
        alternatives: list[tuple[Clause, ...]] = []
        clauses = [self.clause(bare=bare)]
        while word := self.take(_JOIN):
            if word[0] == "or":
                alternatives.append(tuple(clauses))
                clauses = []
            clauses.append(self.clause(bare=bare))
        return (*alternatives, tuple(clauses))

    def clause(self, *, bare: bool) -> Clause:
        """One path, matcher and value."""
        path = self._path(bare=bare)
        before = self.at
        self.skip()
        if _AMBIGUOUS.match(self.text, self.at) and self._matcher() == ("equals", False):
            self.at = before
            self.skip()
            self.fail("'is not' could be a negation or a value", hint="write 'not equals VALUE', or quote the value")
        self.at = before
        matcher = self._matcher()
        if matcher is None:
            self.fail(f"expected a matcher, found {self.rest()}", hint=f"matchers are {MATCHERS}")
        op, negated = matcher
        if op == "exists":
            self._nothing()
            return Clause(path=path, test=Test(op=op, negated=negated))
        return Clause(path=path, test=Test(op=op, value=self._value(op), negated=negated))

    def _path(self, *, bare: bool) -> Path:
        if self.subject:
            if not self.take(re.compile(re.escape(self.subject) + r"(?=\s|$)")):
                self.fail(
                    f"expected {self.subject!r}, found {self.rest()}", hint=f"as in '{self.subject} contains done'"
                )
            return ()
        before = self.at
        if bare and self._matcher() is not None:
            self.at = before
            return ()
        self.at = before
        found = self.take(_PATH)
        if found is None:
            self.fail(f"expected a path, found {self.rest()}", hint=_QUOTE_HINT)
        return parsed_path(found[0], self.place)

    def _matcher(self) -> tuple[Op, bool] | None:
        for pattern, op, negated in _WORDS:
            if self.take(pattern):
                return op, negated
        return None

    def _nothing(self) -> None:
        left = self.text[self.at :]
        if left.strip() and not _BREAK.match(left):
            self.skip()
            self.fail(f"nothing can follow here but 'and' or 'or', found {self.rest()}", hint=_QUOTE_HINT)

    def _value(self, op: Op) -> JSON:
        self.skip()
        start = self.at
        raw = self._delimited()
        value = self._open() if raw is None else raw[0]
        shaped = shaped_value(op, value)
        if shaped is None and (value is not None or op != "equals"):
            self.at = start
            self.fail(f"{_NEEDS.get(op, 'a text')} is needed, found {json.dumps(value, ensure_ascii=False)}")
        return shaped

    def _delimited(self) -> tuple[JSON] | None:
        """A quoted text, or a JSON list or object, that ends where a clause can end."""
        opening = self.text[self.at : self.at + 1]
        if not opening or opening not in "\"'[{":
            return None
        if opening in "[{":
            try:
                value, end = json.JSONDecoder().raw_decode(self.text, self.at)
            except (ValueError, RecursionError):
                return None
            if self.text[end:].strip() and not _BREAK.match(self.text, end):
                return None
            self.at = end
            return (value,)
        found = _QUOTED.match(self.text, self.at)
        if found is None:
            self.fail("the quote is not closed", hint=f"close it with {opening}")
        self.at = found.end()
        self._nothing()
        return (self._unquoted(found[0]),)

    def _unquoted(self, quoted: str) -> str:
        if quoted[0] == "'":
            return quoted[1:-1]
        try:
            return str(json.loads(quoted, strict=False))
        except ValueError as error:
            self.fail(f"the quoted text is not valid: {error}", hint="escape as JSON does, or use single quotes")

    def _open(self) -> JSON:
        """An unquoted value: up to the word that starts something else."""
        end = next(
            (found.start() for found in _BREAK.finditer(self.text, self.at) if self._breaks(found)), len(self.text)
        )
        written = self.text[self.at : end].strip()
        if not written:
            self.fail("expected a value, found " + self.rest(), hint="quote it if it is empty or is such a word itself")
        self.at = end
        return literal(written)

    def _breaks(self, found: re.Match[str]) -> bool:
        """Whether a joining word ends the value before it; FlowError where that is anyone's guess."""
        word = found[1].split()[0]
        ahead = Reader(self.text, self.place, subject=self.subject)
        ahead.at = found.end()
        starts = ahead._starts_clause(bare=word == "with")
        if not starts and word != "with":
            ahead.at = found.end()
            ahead.fail(f"{word!r} joins whole clauses, and {ahead.rest()} is none", hint=_QUOTE_HINT)
        return starts and not (word == "with" and self.subject)

    def _starts_clause(self, *, bare: bool) -> bool:
        at = self.at
        if bare and self._matcher():
            return True
        self.at = at
        first = re.compile(re.escape(self.subject) + r"(?=\s)") if self.subject else _PATH
        return (
            self.take(first) is not None and self.text[self.at : self.at + 1].isspace() and self._matcher() is not None
        )


_JOIN = re.compile(r"(?:and|or)(?=\s|$)")
_QUOTE_HINT = "a clause is PATH MATCHER VALUE; a value that holds 'and' or 'or' goes in quotes"
_NEEDS: dict[Op, str] = {
    "greater_than": "a number",
    "at_least": "a number",
    "less_than": "a number",
    "at_most": "a number",
    "matches": "a regular expression",
}


def literal(written: str) -> JSON:
    """What an unquoted value is: a number or literal where its text is exactly JSON's shortest, else text."""
    if written in _LITERALS:
        return _LITERALS[written]
    value = number(written)
    return value if value is not None and json.dumps(value) == written else written


def shaped_value(op: Op, value: JSON) -> JSON:
    """The value in the form that the matcher takes, so that prose and structure agree; None where it cannot be."""
    if op == "equals":
        return value
    if op in ("contains", "matches"):
        if isinstance(value, (dict, list)) or value is None:
            return None
        written = value if isinstance(value, str) else json.dumps(value)
        return written if op == "contains" or _compiles(written) else None
    return number(value)


def _compiles(pattern: str) -> bool:
    try:
        re.compile(pattern)
    except (re.error, RecursionError, OverflowError):
        return False
    return True


def parsed_path(written: str, place: str) -> Path:
    """The steps of a dotted path or a JSONPath; FlowError where it is none."""
    try:
        parts = parse_path(written) if written.startswith("$") else parse_path("$." + written)
    except UsageError as error:
        raise FlowError(error.message, place=place, hint=error.hint) from error
    steps = [int(part) if isinstance(part, str) and _INDEX.fullmatch(part) else part for part in parts]
    path = tuple(step for step in steps if isinstance(step, (str, int)))
    if len(path) < len(steps):
        raise FlowError(f"{written!r} has a wildcard", place=place, hint="a clause is about one place; name it")
    return path


_INDEX = re.compile(r"0|[1-9][0-9]{0,8}", re.ASCII)

"""Regular expressions of Rust's `regex` crate, as flowproof reads them, said in Python's dialect.

The two share most of their syntax and differ where it hurts: `$` of Python also matches before a last newline, `a*+`
is a possessive quantifier there and a nested one here, `[[:alpha:]]` and `[a&&b]` are plain sets there. What both have
is translated; what only Rust has is refused by name; what Rust does not have is told apart, so that a caller can read
it otherwise. What counts as a word character or a space is each engine's own: a few rare characters differ.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache


class NotRust(ValueError):
    """Rust's engine refuses the pattern."""


class NotPython(ValueError):
    """Rust's engine reads the pattern, and Python's cannot say the same; `hint` is what can be done."""

    def __init__(self, message: str, hint: str) -> None:
        super().__init__(message)
        self.message, self.hint = message, hint


_SAME = frozenset("dDwWsSrntfva")
_CODE = re.compile(r"x\{([0-9A-Fa-f]{1,6})\}|u\{([0-9A-Fa-f]{1,6})\}|U\{([0-9A-Fa-f]{1,6})\}")
_DIGITS = re.compile(r"x[0-9A-Fa-f]{2}|u[0-9A-Fa-f]{4}|U[0-9A-Fa-f]{8}")
_REPEAT = re.compile(r"\{[0-9]+(?:,[0-9]*)?\}")
_NAMED = re.compile(r"\(\?P?<([^>]*)>")
_FLAGS = re.compile(r"\(\?([A-Za-z]*)(-[A-Za-z]*)?([:)])")
_OPERATORS = ("&&", "--", "~~")
_MULTILINE = "m"


@lru_cache(maxsize=256)
def python_pattern(pattern: str) -> str:
    """The pattern as Python's dialect says it; NotRust or NotPython where there is none."""
    said = "".join(_Translator(pattern).pieces())
    try:
        re.compile(said)
    except (re.error, RecursionError, OverflowError) as error:
        raise NotRust(f"it does not compile: {error}") from error
    return said


class _Translator:
    """A cursor over a pattern; `multiline` once the flag that stands in front of everything says so."""

    def __init__(self, pattern: str) -> None:
        self.pattern, self.at, self.multiline = pattern, 0, False

    def pieces(self) -> Iterator[str]:
        while self.at < len(self.pattern):
            char = self.pattern[self.at]
            if char == "\\":
                yield self._escape(in_class=False)
            elif char == "[":
                yield self._class()
            elif char == "(":
                yield self._open()
            elif char in "*+?{":
                yield self._repeat()
            else:
                self.at += 1
                yield self._plain(char)

    def _plain(self, char: str) -> str:
        if char == "$":
            return "$" if self.multiline else r"\Z"
        return char if char in "^.|)" else re.escape(char)

    def _escape(self, *, in_class: bool) -> str:
        char = self.pattern[self.at + 1 : self.at + 2]
        code = _CODE.match(self.pattern, self.at + 1)
        if code:
            self.at = code.end()
            return re.escape(_character(next(filter(None, code.groups()))))
        if digits := _DIGITS.match(self.pattern, self.at + 1):
            self.at = digits.end()
            return "\\" + digits[0]
        if not in_class and char in ("b", "B", "A", "z"):
            return self._place(char)
        if char in ("p", "P"):
            raise _unlike(f"\\{char}", "Python has no classes of Unicode properties; list the characters in [...]")
        if char in ("<", ">"):
            raise _unlike(f"\\{char}", "write \\b")
        self.at += 2
        if char in _SAME and char:
            return "\\" + char
        if not char or char.isalnum() or not char.isascii():
            raise NotRust(f"\\{char} is no escape")
        return re.escape(char)

    def _place(self, char: str) -> str:
        self.at += 2
        if char == "b" and self.pattern[self.at : self.at + 1] == "{":
            raise _unlike("\\b{...}", "write \\b")
        return r"\Z" if char == "z" else "\\" + char

    def _class(self) -> str:
        self.at += 1
        parts = ["["]
        if self.pattern[self.at : self.at + 1] == "^":
            self.at += 1
            parts.append("^")
        first = True
        while (char := self.pattern[self.at : self.at + 1]) != "]" or first:
            if not char:
                raise NotRust("a [ is not closed")
            parts.append(self._member(char))
            first = False
        self.at += 1
        return "".join((*parts, "]"))

    def _member(self, char: str) -> str:
        if char == "[":
            raise _unlike("[ within [...]", "list the characters, or escape it as \\[")
        if self.pattern.startswith(_OPERATORS, self.at):
            raise _unlike(f"{self.pattern[self.at : self.at + 2]} within [...]", "list the characters, or escape them")
        if char == "\\":
            return self._escape(in_class=True)
        self.at += 1
        return "\\" + char if char in "]&~|" else char

    def _open(self) -> str:
        if not self.pattern.startswith("(?", self.at):
            self.at += 1
            return "("
        if self.pattern.startswith(("(?<=", "(?<!"), self.at):
            raise NotRust("it has no look-around")
        if named := _NAMED.match(self.pattern, self.at):
            return self._named(named)
        flags = _FLAGS.match(self.pattern, self.at)
        if flags is None or set(f"{flags[1]}{flags[2] or ''}") - set("imsUuxR-"):
            raise NotRust("it has no look-around, no backreferences and no such groups")
        return self._flags(flags)

    def _named(self, named: re.Match[str]) -> str:
        if not named[1].isidentifier():
            raise _unlike(f"a group named {named[1]!r}", "name it with letters and digits")
        self.at = named.end()
        return f"(?P<{named[1]}>"

    def _flags(self, flags: re.Match[str]) -> str:
        on, off = set(flags[1]), set((flags[2] or "-")[1:])
        if (on | off) - set("imsu") or "u" in off or (flags[3] == ")" and (off or self.at)):
            hint = "flags can be i, s and m, in front of the whole expression, or i and s of a group as in (?i:...)"
            raise _unlike(flags[0], hint)
        if _MULTILINE in on | off and flags[3] == ":":
            raise _unlike(flags[0], "set (?m) in front of the whole expression")
        self.at = flags.end()
        self.multiline = self.multiline or _MULTILINE in on
        on.discard("u")
        written = "".join(sorted(on)) + ("-" + "".join(sorted(off)) if off else "")
        return f"(?{written}{flags[3]}" if written or flags[3] == ":" else ""

    def _repeat(self) -> str:
        found = _REPEAT.match(self.pattern, self.at)
        if self.pattern[self.at] == "{" and found is None:
            raise NotRust("a { begins no repetition")
        written = found[0] if found else self.pattern[self.at]
        self.at += len(written)
        if self.pattern[self.at : self.at + 1] == "?":
            self.at += 1
            written += "?"
        if self.pattern[self.at : self.at + 1] in ("*", "+", "?", "{"):
            raise _unlike("a repetition of a repetition", "put the inner one in (?:...)")
        return written


def _character(code: str) -> str:
    number = int(code, 16)
    if number > 0x10FFFF or 0xD800 <= number <= 0xDFFF:
        raise NotRust(f"{code} is no character")
    return chr(number)


def _unlike(what: str, hint: str) -> NotPython:
    return NotPython(f"{what} means something in flowproof's regular expressions that it does not mean here", hint)

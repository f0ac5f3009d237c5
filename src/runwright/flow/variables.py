"""`${VAR}` in a flow: the caller's environment, resolved where the flow is read."""

from __future__ import annotations

import re
import shlex
from collections.abc import Mapping

from runwright.errors import FlowError, UnsetVariable

_WORD = re.compile(r"""(?:"[^"]*"|[^\s"])+""")
_VARIABLE = re.compile(r"\$\{([A-Za-z_][A-Za-z0-9_]*)\}", re.ASCII)


def resolved(text: str, env: Mapping[str, str], place: str) -> str:
    """The text with each `${VAR}` replaced; other `${...}` stays as it is. UnsetVariable names what is not set.

    FlowError for a null character, which no path, word or variable of a process can hold.
    """

    def value(found: re.Match[str]) -> str:
        name = found[1]
        if name not in env:
            raise UnsetVariable(f"{found[0]} is not set", place=place, hint=f"set {name} in the environment")
        return env[name]

    told = _VARIABLE.sub(value, text)
    if "\0" in told:
        raise FlowError("a null character can be in no path, argument or variable", place=place)
    return told


def variable_name(text: str) -> str:
    """The name in `${NAME}`, or the text itself."""
    found = _VARIABLE.fullmatch(text)
    return found[1] if found else text


def variables_in(text: str) -> list[str]:
    """The names of the variables that the text mentions, each once."""
    return list(dict.fromkeys(found[1] for found in _VARIABLE.finditer(text)))


def as_written(text: str) -> dict[str, str]:
    """An environment in which every variable that the text mentions is itself."""
    return {found[1]: found[0] for found in _VARIABLE.finditer(text)}


def command_words(command: str, env: Mapping[str, str], place: str) -> tuple[str, ...]:
    """The words of a command line, as a POSIX shell splits them, without a shell.

    Variables are resolved after the split, so that a value with spaces is one word; a command that is one variable as
    a whole is split afterwards.
    """
    if _VARIABLE.fullmatch(command.strip()):
        return _split(resolved(command.strip(), env, place), place)
    return tuple(resolved(word, env, place) for word in _split(command, place))


def flowproof_words(command: str, env: Mapping[str, str], place: str) -> tuple[str, ...]:
    """The words of a command line as flowproof splits them: at white space outside double quotes, nothing else.

    Variables are resolved before the split, single quotes and backslashes are characters like others.
    """
    line = resolved(command, env, place)
    if line.count('"') % 2:
        raise FlowError(f"cannot split {command!r}: no closing quotation", place=place)
    words = tuple(word.replace('"', "") for word in _WORD.findall(line))
    if not words or not words[0]:
        raise FlowError(f"{command!r} names no program", place=place)
    return words


def _split(command: str, place: str) -> tuple[str, ...]:
    try:
        words = tuple(shlex.split(command))
    except ValueError as error:
        raise FlowError(f"cannot split {command!r}: {str(error).lower()}", place=place) from error
    if not words or not words[0]:
        raise FlowError(f"{command!r} names no program", place=place)
    return words

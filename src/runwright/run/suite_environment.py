"""The variables of a suite: the caller's, what `env_from` prints over them, and the suite's own `env` over both."""

from __future__ import annotations

import re
import threading
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from runwright.errors import HookError, UnsetVariable
from runwright.flow.variables import resolved
from runwright.run.discover import from_here
from runwright.run.known import known_secrets
from runwright.run.shell import CommandEnd, run_shell
from runwright.run.suite_file import SuiteFile
from runwright.secrets import clean_text

_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*", re.ASCII)
STDERR_SHOWN = 2000
"""Characters of a command's standard error in a message, from its end."""


@dataclass(frozen=True, kw_only=True)
class SuiteEnvironment:
    """`variables` is everything that commands and `${VAR}` see; `names` are the suite's own, which agents get too.

    `secrets` holds what `env_from` printed: any of it may be one.
    """

    variables: Mapping[str, str] = field(repr=False)
    names: tuple[str, ...] = ()
    secrets: Mapping[str, str] = field(default_factory=dict, repr=False)
    notes: tuple[str, ...] = ()


def suite_environment(
    suite: SuiteFile, caller: Mapping[str, str], stop: threading.Event | None = None
) -> SuiteEnvironment:
    """The suite's variables over the caller's.

    HookError where `env_from` fails in any way. UnsetVariable where a `${VAR}` of `env` is not set; in a flowproof
    suite file such an entry is left out with a note, as it is there, and a flow that wants it is refused.
    """
    printed, said = _printed(suite, caller, stop)
    variables, notes = {**caller, **printed}, list(said)
    for name, (written, place) in _in_order(suite):
        try:
            variables[name] = resolved(written, variables, place)
        except UnsetVariable as error:
            if suite.declared_by == "runwright":
                raise
            notes.append(f"{place}: {error.message}, so {name} was left out")
    names = (*printed, *(name for name in suite.env if name in variables))
    return SuiteEnvironment(
        variables=variables, names=tuple(dict.fromkeys(names)), secrets=printed, notes=(*suite.notes, *notes)
    )


def _in_order(suite: SuiteFile) -> Iterator[tuple[str, tuple[str, str]]]:
    """flowproof sets them in the order of their names, we as they are written."""
    yield from sorted(suite.env.items()) if suite.declared_by == "flowproof" else suite.env.items()


def _printed(
    suite: SuiteFile, caller: Mapping[str, str], stop: threading.Event | None
) -> tuple[dict[str, str], list[str]]:
    """What `env_from` prints, and a note with what it said on standard error."""
    if suite.env_from is None:
        return {}, []
    end = run_shell(suite.env_from, suite.folder, _for_the_command(suite, caller), suite.timeout, stop)
    place = f"{from_here(suite.path)}: $.env_from"
    if end.failure:
        raise HookError(f"env_from {end.failure}{said_by(end, _found(end.stdout))}", place=place)
    printed = _parsed(end, place)
    notes = [f"{place}: it printed no variable"] if not printed else []
    return printed, [*notes, *([f"env_from said{said_by(end, printed)}"] if end.stderr.strip() else [])]


def _for_the_command(suite: SuiteFile, caller: Mapping[str, str]) -> dict[str, str]:
    """The caller's variables, and those of `env` that need nothing else."""
    variables = dict(caller)
    for name, (written, place) in _in_order(suite):
        try:
            variables[name] = resolved(written, variables, place)
        except UnsetVariable:  # it may want what the command is about to print
            continue
    return variables


def _parsed(end: CommandEnd, place: str) -> dict[str, str]:
    """KEY=VALUE by line; blank lines and comments aside anything else is a HookError, which shows no line."""
    hint = "it prints KEY=VALUE lines, blank lines and lines that start with #"
    if end.stdout_cut:
        raise HookError("env_from printed more than a list of variables can be", place=place, hint=hint)
    printed: dict[str, str] = {}
    try:
        lines = end.stdout.decode().split("\n")
    except UnicodeDecodeError as error:
        raise HookError("env_from printed what is not UTF-8", place=place, hint=hint) from error
    for number, line in enumerate((each.removesuffix("\r") for each in lines), 1):
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        name, equals, value = line.partition("=")
        if not equals or not _NAME.fullmatch(name.strip()) or "\0" in value:
            raise HookError(f"line {number} of what env_from printed is no KEY=VALUE", place=place, hint=hint)
        printed[name.strip()] = value
    return printed


def _found(output: bytes) -> dict[str, str]:
    """Whatever the output of a command that failed may have given away."""
    lines = (line.partition("=") for line in output.decode("utf-8", "replace").splitlines())
    return {name: value for name, equals, value in lines if equals}


def said_by(end: CommandEnd, secrets: Mapping[str, str]) -> str:
    """`: ` and the end of what the command said on standard error, cleaned; nothing where it was silent."""
    said = clean_text(end.stderr.strip(), known=known_secrets(secrets))
    return f": {said[-STDERR_SHOWN:]}" if said else ""

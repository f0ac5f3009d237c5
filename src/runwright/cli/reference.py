"""The command-line reference as Markdown, from the commands' own signatures."""

from __future__ import annotations

import inspect
import types
import typing
from collections.abc import Callable, Iterator
from pathlib import Path

from typer.models import ArgumentInfo, OptionInfo

from runwright.cli.commands import COMMANDS

TYPE_NAMES: dict[type, str] = {Path: "PATH", str: "TEXT", int: "NUMBER", float: "NUMBER"}


def reference() -> str:
    """The page docs/reference/cli.md."""
    lines = [
        "# Command line",
        "",
        "Data goes to standard output, everything else to standard error. Exit codes are",
        "[one table](exit-codes.md) for all commands. `python -m runwright` is the same as `runwright`.",
    ]
    for name, function in COMMANDS.items():
        lines += ["", f"## runwright {name}", "", inspect.getdoc(function) or "", "", *_usage(name, function)]
    return "\n".join(lines) + "\n"


def _usage(name: str, function: Callable[..., int]) -> Iterator[str]:
    given = list(_parameters(function))
    arguments = [(each, kind) for each, kind, info in given if isinstance(info, ArgumentInfo)]
    shown = " ".join(f"{each.upper()}{'...' if _many(kind) else ''}" for each, kind in arguments)
    yield "    " + " ".join(part for part in ("runwright", name, shown, "[options]") if part)
    yield from ("", "| | |", "|---|---|")
    for each, kind, info in given:
        if isinstance(info, ArgumentInfo):
            yield f"| `{each.upper()}` | {info.help or ''} |"
        else:
            words = ", ".join(_words(each, info))
            yield f"| `{(words + ' ' + _value(kind, info)).strip()}` | {info.help or ''} |"


def _parameters(function: Callable[..., int]) -> Iterator[tuple[str, object, ArgumentInfo | OptionInfo]]:
    hints = typing.get_type_hints(function, include_extras=True)
    for name in inspect.signature(function).parameters:
        kind, info = typing.get_args(hints[name])
        yield name, kind, info


def _many(kind: object) -> bool:
    return any(typing.get_origin(each) is list for each in (kind, *typing.get_args(kind)))


def _words(name: str, info: OptionInfo) -> list[str]:
    """The option's words; typer takes the first of them for a default and sorts that out later."""
    first = [info.default] if isinstance(info.default, str) and info.default.startswith("-") else []
    return [*first, *(info.param_decls or ())] or [f"--{name.replace('_', '-')}"]


def _value(kind: object, info: OptionInfo) -> str:
    """What stands behind an option: nothing for a flag, else its metavar or the name of its type."""
    if info.metavar:
        return info.metavar
    union = typing.get_origin(kind) in (typing.Union, types.UnionType)
    for part in typing.get_args(kind) if union else (kind,):
        if typing.get_origin(part) is typing.Literal:
            return " or ".join(typing.get_args(part))
        if isinstance(part, type) and part in TYPE_NAMES:
            return TYPE_NAMES[part]
    return ""

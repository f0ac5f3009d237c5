"""Every place of the package that writes a file or prints, found in its syntax trees."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

NAMES = frozenset({"print", "input", "send", "warn"})
OURS = frozenset({"say", "say_json", "say_note", "say_report", "say_trace", "say_error", "write_file", "replace_bytes"})
FILES = frozenset({"write", "writelines", "write_text", "write_bytes", "writestr", "dump", "touch", "mkstemp"})
COPIES = frozenset({"copyfile", "copy2", "copytree", "symlink_to", "hardlink_to"})
SPEECH = frozenset({"print", "echo", "secho", "log", "warn", "exception", "critical", "add_report_section"})
METHODS = FILES | COPIES | SPEECH | {"send", "sendall"}
WRITING = frozenset("wax+")


def sinks(package: Path) -> Iterator[str]:
    """`file function callee` for each call that writes or prints, in order; one that is there twice comes twice."""
    for path in sorted(package.rglob("*.py")):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        for function, callee in _calls(tree, ()):
            yield f"{path.relative_to(package).as_posix()} {function} {callee}"


def _calls(node: ast.AST, within: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    for child in ast.iter_child_nodes(node):
        named = isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef))
        inner = (*within, child.name) if named else within  # type: ignore[attr-defined]
        if isinstance(child, ast.Call) and (callee := sink(child)):
            yield ".".join(within) or "<module>", callee
        yield from _calls(child, inner)


def sink(call: ast.Call) -> str | None:
    """How a call that writes or prints names what it calls; None for any other."""
    function = call.func
    name = function.id if isinstance(function, ast.Name) else getattr(function, "attr", "")
    known = OURS | (NAMES if isinstance(function, ast.Name) else METHODS)
    if name in known or (name in ("open", "fdopen") and _writes(call)):
        return ast.unparse(function)
    return None


def _writes(call: ast.Call) -> bool:
    given = (*call.args, *(each.value for each in call.keywords if each.arg == "mode"))
    modes = [each.value for each in given if isinstance(each, ast.Constant) and isinstance(each.value, str)]
    return any(len(mode) <= 3 and WRITING & set(mode) for mode in modes)


def cuts(package: Path) -> Iterator[str]:
    """`file expression` for each part of a text that is cut off within an f-string, which is how messages are made."""
    for path in sorted(package.rglob("*.py")):
        for message in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            for part in ast.walk(message) if isinstance(message, ast.FormattedValue) else ():
                if isinstance(part, ast.Subscript) and isinstance(part.slice, ast.Slice):
                    yield f"{path.relative_to(package).as_posix()} {ast.unparse(part)}"

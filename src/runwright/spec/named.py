"""The object that `module:attribute` names."""

from __future__ import annotations

import importlib
import linecache
import sys
import traceback
from pathlib import Path

from runwright.errors import AgentSpecError

HINT = "name it as module:attribute, from the current directory: agents.desk:spec"


def named(name: str) -> object:
    """The object; AgentSpecError where there is none, with whatever the module raised while it was imported."""
    module, mark, attribute = name.partition(":")
    if not mark or not module or not attribute or module.endswith(".py") or "/" in module:
        raise AgentSpecError(f"{name!r} names no attribute of a module", hint=HINT)
    here = str(Path.cwd())
    if here not in sys.path:
        sys.path.insert(0, here)
    found: object = importlib.import_module(module)
    for step in attribute.split("."):
        if not hasattr(found, step):
            raise AgentSpecError(f"{module} has no attribute {attribute!r}", place=name, hint=HINT)
        found = getattr(found, step)
    return found


def why(error: BaseException) -> AgentSpecError:
    """What an agent raised, as an error of ours with the place where it did."""
    if isinstance(error, AgentSpecError):
        return error
    if isinstance(error, SyntaxError):
        return AgentSpecError(
            f"it is no Python: {error.msg}", place=f"{_from_here(str(error.filename))}:{error.lineno}"
        )
    if isinstance(error, SystemExit):
        said = f"it ended the process with {error.code!r}"
    else:
        said = f"it raised {type(error).__name__}: {error}".rstrip(": ")
    return AgentSpecError(said, place=_where(error))


def _where(error: BaseException) -> str:
    """The innermost line below the current directory, else the innermost of all that is no import machinery."""
    frames = [each for each in traceback.extract_tb(error.__traceback__) if linecache.getline(each.filename, 1)]
    ours = str(Path(__file__).parent.parent)
    foreign = [each for each in frames if not each.filename.startswith(ours)]
    near = [each for each in foreign if each.filename.startswith(str(Path.cwd()))]
    last = (near or foreign)[-1:]
    return f"{_from_here(last[0].filename)}:{last[0].lineno}" if last else ""


def _from_here(file: str) -> str:
    return str(Path(file).relative_to(Path.cwd())) if Path(file).is_relative_to(Path.cwd()) else file

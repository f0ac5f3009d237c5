"""What a tool does, as a digest that a policy of the specification may hold."""

from __future__ import annotations

import ast
import inspect
import textwrap
from typing import Any

from runwright.errors import AgentSpecError
from runwright.trace import digest

_DOCUMENTED = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


def code_digest(*objects: Any) -> str:
    """A digest over the code of functions and classes, without comments, layout and docstrings.

    It covers what is written in them, not what they call; of another version of Python it may be another one.
    AgentSpecError where the source is not to be had.
    """
    return digest([_written(each) for each in objects])


def _written(value: Any) -> str:
    try:
        tree = ast.parse(textwrap.dedent(inspect.getsource(value)))
    except (OSError, TypeError, SyntaxError) as error:
        raise AgentSpecError(f"the source of {value!r} cannot be read: {error}") from error
    for node in ast.walk(tree):
        if isinstance(node, _DOCUMENTED) and ast.get_docstring(node, clean=False) is not None:
            node.body = node.body[1:] or [ast.Pass()]
    return ast.dump(tree)

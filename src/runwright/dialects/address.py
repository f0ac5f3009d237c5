"""What the URL of a call tells about it: the model, and whether its reply is streamed."""

from __future__ import annotations

import re
from urllib.parse import quote, unquote

from runwright.dialects.dialect import Body, Dialect

_NAME = "([^/?:]+)"
_DEPLOYMENT = re.compile(rf"/deployments/{_NAME}/")


def is_called_at(dialect: Dialect, path: str) -> bool:
    """Whether the API is called at this URL path, whatever its prefix."""
    return any(_pattern(suffix).search(path) for suffix in (dialect.path, dialect.stream_path) if suffix)


def addressed(dialect: Dialect, path: str, body: Body) -> Body:
    """The body with what its URL path tells in its place: `model` and `stream`.

    Azure's deployments stand in the path of any API; a model that the body names itself is kept. An API whose path
    always names the model has no such field in its body.
    """
    plain = path.partition("?")[0]
    if "{model}" in dialect.path:
        streamed = _pattern(dialect.stream_path).search(plain) if dialect.stream_path else None
        found = streamed or _pattern(dialect.path).search(plain)
        return body if found is None else {**body, "model": unquote(found[1]), "stream": streamed is not None}
    deployed = _DEPLOYMENT.search(plain)
    if deployed is None or body.get("model") is not None:
        return body
    return {**body, "model": unquote(deployed[1])}


def path_of(dialect: Dialect, model: str, *, streamed: bool) -> str:
    """The end of the URL path that this model is called at."""
    suffix = dialect.stream_path if streamed and dialect.stream_path else dialect.path
    return suffix.replace("{model}", quote(model, safe=""))


def _pattern(suffix: str) -> re.Pattern[str]:
    """The end of a path; compiled once, because `re` remembers patterns."""
    return re.compile(re.escape(suffix).replace(re.escape("{model}"), _NAME) + "$")

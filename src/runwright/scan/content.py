"""The content of a file as it stands there: decoded text, and the documents in it."""

from __future__ import annotations

import codecs
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import repeat
from typing import Literal

import orjson
import yaml

from runwright.readers.exact import holds_all
from runwright.trace.model import JSON

MARKS = (  # the longer first: UTF-32's begins as UTF-16's does
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
CONTROL = re.compile(r"[\x00-\x06\x0e-\x1a\x1c-\x1f]")
YAML_ENDINGS = (".yaml", ".yml", ".yaml.new", ".yml.new")
SHARE = 100
"""One character of so many may be a control character in text."""

Form = Literal["json", "json lines", "yaml", "text"]


@dataclass(frozen=True, slots=True)
class Text:
    """A file's text; `whole` is false where bytes of it had no meaning in its encoding."""

    text: str
    whole: bool


@dataclass(frozen=True, slots=True)
class Document:
    """A value in a file: the line where it stands on one, and a name where the file holds several."""

    value: JSON
    line: int | None = None
    name: str = ""


@dataclass(frozen=True, slots=True)
class Content:
    """A file's documents, and its text where that is more than them."""

    form: Form
    documents: tuple[Document, ...]
    text: str | None = None


def text_of(data: bytes) -> Text | None:
    """The text that bytes are, in UTF-8 or in what their byte order mark says; None where they are no text."""
    encoding = next((name for mark, name in MARKS if data.startswith(mark)), None)
    mark = next((mark for mark, _ in MARKS if data.startswith(mark)), b"")
    body = data[len(mark) :]
    try:
        found = Text(body.decode(encoding or "utf-8"), True)
    except UnicodeDecodeError:
        found = Text(body.decode(encoding or "utf-8", "replace"), False)
    if "\x00" in found.text or len(CONTROL.findall(found.text)) * SHARE > len(found.text):
        return None
    return found


def content_of(text: str, name: str) -> Content:
    """What a text holds: one JSON document, JSON lines, YAML, or neither. Nothing of the text is left out."""
    if text.lstrip()[:1] in ("{", "[", '"') and (document := parsed(text)):
        return Content("json", (document,))
    lines = tuple(_lines(text))
    if lines and len(lines) == sum(1 for line in text.split("\n") if line.strip()):
        return Content("json lines", lines)
    if name.endswith(YAML_ENDINGS) and (values := _yaml(text)) is not None:
        names = [f"document {number}" if len(values) > 1 else "" for number in range(1, len(values) + 1)]
        return Content("yaml", tuple(map(Document, values, repeat(None), names)), text)
    return Content("text", lines, text)


def _lines(text: str) -> Iterator[Document]:
    """The lines of a text that are JSON containers."""
    for number, line in enumerate(text.split("\n"), start=1):
        if line.lstrip()[:1] in ("{", "[") and line.rstrip()[-1:] in ("}", "]") and (found := parsed(line)):
            yield replace(found, line=number, name=f"line {number}")


def parsed(text: str) -> Document | None:
    """The JSON document that a text is. Of equal keys every value is kept: the last must not hide the others."""
    try:
        data = text.encode()
        value: JSON = orjson.loads(data)
        if holds_all(orjson.dumps(value), data):
            return Document(value)
    except (ValueError, orjson.JSONEncodeError, RecursionError):  # what orjson refuses is written all the same
        pass
    try:
        lenient: JSON = json.loads(text, strict=False, object_pairs_hook=_every)
    except (ValueError, RecursionError):
        return None
    return Document(lenient)


def _every(pairs: list[tuple[str, JSON]]) -> JSON:
    """An object; a key that is there several times has the list of its values."""
    found: dict[str, JSON] = {}
    times: dict[str, list[JSON]] = {}
    for key, value in pairs:
        times.setdefault(key, []).append(value)
        found[key] = value
    return {key: times[key] if len(times[key]) > 1 else value for key, value in found.items()}


def _yaml(text: str) -> list[JSON] | None:
    try:
        loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
        return [_plain(value, set()) for value in yaml.load_all(text, Loader=loader)]
    except (yaml.YAMLError, ValueError, RecursionError):
        return None


def _plain(value: object, met: set[int]) -> JSON:
    """A YAML value as JSON; what aliases repeat is there once, so that few bytes cannot become very many values."""
    if isinstance(value, (dict, list, set, tuple)):
        if id(value) in met:
            return None
        met.add(id(value))
        if isinstance(value, dict):
            return {str(key): _plain(each, met) for key, each in value.items()}
        return [_plain(each, met) for each in value]
    if isinstance(value, bytes):
        return value.decode("utf-8", "replace")
    return value if isinstance(value, (str, int, float, bool, type(None))) else str(value)

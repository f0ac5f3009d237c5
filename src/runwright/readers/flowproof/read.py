"""The one public function of this format, and how its two shapes are told apart."""

from __future__ import annotations

import re
from collections.abc import Sequence

from runwright.errors import DialectError, ReaderError
from runwright.readers.exact import NotJson, parse_json
from runwright.readers.flowproof.document import document_trace
from runwright.readers.flowproof.steps import FORMAT, steps_trace
from runwright.readers.input import Input, text_body
from runwright.readers.lines import file_name
from runwright.secrets.shortened import shortened
from runwright.trace.model import JSON, Trace

_DOCUMENT = re.compile(rb'\s*\{\s*"(?:app|mocks|cassette|mcp|egress|side_effects)"\s*:')
_TURNS = re.compile(rb'"cassette"\s*:\s*\{\s*"(?:turns|deliveries)"\s*:')
_AGENT = re.compile(rb'\s*\{\s*"app"\s*:\s*"[^"]*"\s*,\s*"mocks"\s*:\s*\{')
_STEPS = re.compile(rb'\s*\{[^\n]*"format"\s*:\s*"flowproof-[a-z-]*"')


def sniff_flowproof(head: bytes) -> int:
    """95 for a first line that names the format of steps, or for a document's own keys."""
    body = text_body(head)
    if _STEPS.match(body) or (_DOCUMENT.match(body) and (_TURNS.search(body) or _AGENT.match(body))):
        return 95
    return 0


def read_flowproof(inputs: Sequence[Input]) -> Trace:
    """The run that one trace of flowproof shows; what its shape does not store is unknown, what is dropped a loss.

    ReaderError where it is damaged, is of a version or an application that this reader does not know, or holds a
    value that would have to be changed to be kept.
    """
    if len(inputs) != 1:
        raise ReaderError(f"{len(inputs)} traces given: a trace is read by itself", place=inputs[1].name)
    source = inputs[0]
    name = file_name(source)
    try:
        return steps_trace(source) if _is_steps(source.data) else document_trace(source, _whole(source, name))
    except DialectError as error:
        raise ReaderError(error.message, place=f"{name}: {error.place}", hint=error.hint) from error


def _is_steps(data: bytes) -> bool:
    """The first line is a whole object that is no document: the shape of steps, whatever format it names."""
    first = text_body(data).lstrip().split(b"\n", 1)[0]
    try:
        value = parse_json(first, lambda _: None)
    except NotJson:
        return FORMAT.encode() in first
    return isinstance(value, dict) and "format" in value and not {"cassette", "mocks"} & value.keys()


def _whole(source: Input, name: str) -> JSON:
    """The document's value; one that had to be changed is not what was recorded."""
    changes: list[str] = []
    try:
        value = parse_json(text_body(source.data), changes.append)
    except NotJson as error:
        hint = "a document that was cut or merged by hand cannot be trusted: record it again"
        raise ReaderError(f"no JSON document: {shortened(str(error), 200)}", place=name, hint=hint) from error
    if changes:
        raise ReaderError(f"cannot be kept as it was: {changes[0]}", place=name)
    return value

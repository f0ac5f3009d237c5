"""The `steps` of a flow: what the user says, and the assertions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import TypeAlias, cast

from runwright.errors import FlowError
from runwright.flow.assertions import Assertion, NoToolCall, Reply, ToolCall
from runwright.flow.flowproof_prose import NotFlowproof, has_prose, read_flowproof
from runwright.flow.prose import prose
from runwright.flow.spec import Step
from runwright.flow.structured import assertion_of, is_assertion
from runwright.flow.variables import variables_in
from runwright.flow.yaml_tree import Document, Where
from runwright.trace.model import JSON

Object: TypeAlias = Mapping[str, JSON]
_Written: TypeAlias = tuple[Where, str, JSON]


def turns_of(document: Document) -> tuple[str, ...]:
    """What the user says, a text a delivery: prompts are one text, joined by newlines."""
    prompts = [str(value) for _, key, value in _entries(document) if key == "prompt"]
    talks = [(path, cast("list[Object]", value)) for path, key, value in _entries(document) if key == "conversation"]
    if talks and (prompts or len(talks) > 1):
        raise FlowError("a flow has prompts or one conversation", place=document.place(talks[-1][0]))
    if talks:
        return tuple(str(each["user"]) for each in talks[0][1])
    return ("\n".join(prompts),) if prompts else ()


def steps_of(document: Document, *, legacy: bool, notes: list[str]) -> tuple[Step, ...]:
    """The assertions, in order; those within a conversation know their delivery."""
    steps: list[Step] = []
    for path, key, value in _entries(document):
        if is_assertion(key):
            steps.append(Step(assertion=_assertion(document, (path, key, value), legacy=legacy, notes=notes)))
        elif key == "conversation":
            for turn, written in _delivered(path, cast("list[Object]", value)):
                steps.append(Step(assertion=_assertion(document, written, legacy=legacy, notes=notes), turn=turn))
    return tuple(steps)


def _entries(document: Document) -> Iterator[_Written]:
    """Each step's path, key and value; a bare text is a key without a value."""
    for n, step in enumerate(cast("list[JSON]", cast("Object", document.value)["steps"])):
        if isinstance(step, str):
            yield ("steps", n), step, None
        elif isinstance(step, dict):
            ((key, value),) = step.items()
            yield ("steps", n, key), key, value


def _delivered(path: Where, deliveries: list[Object]) -> Iterator[tuple[int, _Written]]:
    for turn, delivery in enumerate(deliveries):
        for key, value in delivery.items():
            if not is_assertion(key):
                continue
            if isinstance(value, list) and key != "assert_no_secret_leak":
                for n, each in enumerate(value):
                    yield turn, ((*path, turn, key, n), key, each)
            else:
                yield turn, ((*path, turn, key), key, value)


def _assertion(document: Document, written: _Written, *, legacy: bool, notes: list[str]) -> Assertion:
    """In a flowproof flow, prose means what it means there, and where it means nothing there what it means here."""
    path, key, value = written
    place = document.place(path)
    notes.extend(_unresolved(value, place) if key in _COMPARED else ())
    if not legacy or not isinstance(value, str) or not has_prose(key):
        return assertion_of(key, value, place)
    try:
        theirs = read_flowproof(key, value, place)
    except NotFlowproof as why:
        ours = assertion_of(key, value, place)
        notes.append(f"{place}: read as under 'flow: 1', as '{prose(ours)}'; flowproof refuses it: {why}")
        return ours
    notes.extend(_other_meaning(key, value, place, theirs))
    return theirs


def _other_meaning(key: str, value: str, place: str, theirs: Assertion) -> Iterator[str]:
    """A note where the same words would assert something else under `flow: 1`."""
    try:
        ours = assertion_of(key, value, place)
        if ours == _plain(theirs):
            return
        meant = prose(ours)
    except FlowError as error:
        meant = error.message
    yield f"{place}: read as flowproof does, as '{prose(theirs)}'; under 'flow: 1' it is: {meant}"


def _plain(assertion: Assertion) -> Assertion:
    """The assertion with values compared as they are here."""
    if not isinstance(assertion, (ToolCall, NoToolCall, Reply)):
        return assertion
    where = tuple(
        tuple(replace(each, test=replace(each.test, as_text=False)) for each in clauses) for clauses in assertion.where
    )
    return replace(assertion, where=where)


_COMPARED = ("assert", "assert_tool_call", "assert_no_tool_call")


def _unresolved(value: JSON, place: str) -> Iterator[str]:
    """A note for each `${VAR}` in what is compared: it looks as if its value were meant, and none is put in."""
    if isinstance(value, str):
        for name in variables_in(value):
            yield f"{place}: ${{{name}}} is compared as it is written; assert_no_secret_leak looks for its value"
    elif isinstance(value, (dict, list)):
        for each in value.values() if isinstance(value, dict) else value:
            yield from _unresolved(each, place)

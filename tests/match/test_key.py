"""The content key alone finds each exchange that may agree, and leaves the others aside."""

from __future__ import annotations

import pytest

from runwright.match.key import Index
from runwright.match.part import Workshop
from runwright.match.scope import Ignore, ignore_rules, scope_of
from runwright.trace.model import ModelRequest
from tests.match.build import A, B, answered, ask, asks, called, changed, exchange, said, tool

TURN = called(("call_1", "look", {}), ("call_2", "look", {}))
PLAIN = asks(
    said("system", "be brief"),
    TURN,
    answered("call_1", "one"),
    answered("call_2", "two"),
    parameters={"temperature": 0},
    tools=(tool("look"), tool("stock")),
)


def found(recorded: ModelRequest, live: ModelRequest, unknown: tuple[str, ...], ignores: tuple[Ignore, ...]) -> bool:
    rules = ignore_rules(ignores)
    workshop, index = Workshop(rules), Index(rules)
    record = exchange("m1", recorded, unknown=unknown)
    index.add(0, workshop.prepare(recorded, False), scope_of(record))
    return 0 in index.candidates(workshop.prepare(live, False))


def prompt(text: str) -> ModelRequest:
    return changed(PLAIN, messages=(said("system", text), *PLAIN.messages[1:]))


CASES: dict[str, tuple[ModelRequest, ModelRequest, tuple[str, ...], tuple[Ignore, ...]]] = {
    "results reordered": (
        PLAIN,
        changed(PLAIN, messages=(*PLAIN.messages[:2], PLAIN.messages[3], PLAIN.messages[2])),
        (),
        (),
    ),
    "volatile": (prompt(f"in {A}"), prompt(f"in {B}"), (), ()),
    "redacted message": (prompt("use [[redacted:r:1]]"), prompt("use it"), (), ()),
    "redacted tool": (
        changed(PLAIN, tools=(tool("look", "[[redacted:r:1]]"),)),
        changed(PLAIN, tools=(tool("look", "x"),)),
        (),
        (),
    ),
    "redacted parameter": (
        changed(PLAIN, parameters={"user": "[[redacted:r:1]]"}),
        changed(PLAIN, parameters={"user": "x"}),
        (),
        (),
    ),
    "unknown parameters": (
        PLAIN,
        changed(PLAIN, parameters={"temperature": 0, "seed": 1}),
        ("$.request.parameters.*",),
        (),
    ),
    "unknown tools": (PLAIN, changed(PLAIN, tools=()), ("$.request.tools",), ()),
    "unknown content": (prompt("x"), PLAIN, ("$.request.messages[0].content",), ()),
    "unknown messages": (ask("x"), PLAIN, ("$.request.messages", "$.request.tools", "$.request.parameters"), ()),
    "ignored text": (prompt("x"), PLAIN, (), (Ignore("model", "$.request.messages[0].content[0].text"),)),
    "ignored parameter": (
        PLAIN,
        changed(PLAIN, parameters={}),
        (),
        (Ignore("model", "$.request.parameters.temperature"),),
    ),
    "ignored messages": (
        changed(PLAIN, messages=(said("user", "x"),)),
        PLAIN,
        (),
        (Ignore("model", "$.request.messages"),),
    ),
    "ignored tool": (PLAIN, changed(PLAIN, tools=()), (), (Ignore("model", "$.request.tools"),)),
    "ignored model": (PLAIN, changed(PLAIN, model="x"), (), (Ignore("model", "$.request.model"),)),
}


@pytest.mark.parametrize(("recorded", "live", "unknown", "ignores"), CASES.values(), ids=CASES)
def test_what_may_agree_is_found(
    recorded: ModelRequest, live: ModelRequest, unknown: tuple[str, ...], ignores: tuple[Ignore, ...]
) -> None:
    assert found(recorded, live, unknown, ignores)


@pytest.mark.parametrize(("recorded", "live", "unknown", "ignores"), CASES.values(), ids=CASES)
def test_what_cannot_agree_is_left_aside(
    recorded: ModelRequest, live: ModelRequest, unknown: tuple[str, ...], ignores: tuple[Ignore, ...]
) -> None:
    assert not found(recorded, changed(live, api="anthropic.messages"), unknown, ignores)
    if "$.request.messages" not in (*unknown, *(each.path for each in ignores)):
        more = changed(live, messages=(*live.messages, said("user", "more")))
        other = changed(live, messages=(*live.messages[:1], said("user", "other"), *live.messages[2:]))
        assert not found(recorded, more, unknown, ignores)
        assert not found(recorded, other, unknown, ignores)

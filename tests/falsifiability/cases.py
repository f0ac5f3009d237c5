"""Runs that one assertion, or one rule of the verdict, must turn red."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from runwright.trace.model import (
    JSON,
    Message,
    ModelRecord,
    RefusalBlock,
)
from tests.falsifiability.effect_cases import EFFECTS, UNTOUCHED
from tests.falsifiability.stage import SAID, Asked, Case, asking, call, conversation, requests_of, result

LOOK = call("look_up", 1, order="A-4471", tags=["vip"])
FOUND: JSON = {"amount": 40, "state": "shipped"}
REFUND = call("refund", 2, order="A-4471", amount=40)
ORDINARY = conversation([(LOOK, FOUND)], [(REFUND, {"refunded": 40})])
TWICE = conversation([(REFUND, {})], [(replace(REFUND, id="call_3"), {})])
ONE = conversation([(LOOK, FOUND)])
PAIR = conversation([(LOOK, FOUND), (REFUND, {"refunded": 40})])


def _calls() -> Iterator[Case]:
    """Assertions that a tool was called, and that one was not."""
    kind = "assert_tool_call"
    yield Case(
        name="never called",
        check=kind,
        says="cancel was never called",
        recorded=ORDINARY,
        steps=[{kind: "cancel"}],
    )
    yield Case(
        name="called once, twice wanted",
        check=f"{kind}: at least",
        says="refund was called once",
        recorded=ORDINARY,
        steps=[{kind: {"tool": "refund", "at_least": 2}}],
    )
    yield Case(
        name="called twice, once wanted",
        check=f"{kind}: at most",
        says="refund was called twice",
        recorded=TWICE,
        steps=[{kind: {"tool": "refund", "times": 1}}],
    )
    yield Case(
        name="called with other arguments",
        check=f"{kind}: where",
        says="amount is 40, wanted: amount equals 50",
        recorded=ORDINARY,
        steps=[{kind: {"tool": "refund", "where": {"amount": 50}}}],
    )
    yield Case(
        name="answered otherwise",
        check=f"{kind}: result",
        says="the result's refunded is 40",
        recorded=ORDINARY,
        steps=[{kind: {"tool": "refund", "result": {"refunded": 0}}}],
    )
    yield Case(
        name="called in the other order",
        check=f"{kind}: in order",
        says="look_up was called only before what must precede it",
        recorded=ORDINARY,
        steps=[{kind: "refund"}, {kind: "look_up"}],
    )
    yield Case(
        name="requested and never answered",
        check=f"{kind}: answered, not only requested",
        says="but never answered or executed",
        recorded=ORDINARY[:1],
        steps=[{kind: "look_up"}],
    )
    forbidden = "assert_no_tool_call"
    yield Case(
        name="a forbidden call answered",
        check=forbidden,
        says="answered in m3",
        recorded=ORDINARY,
        steps=[{forbidden: "refund"}],
    )
    yield Case(
        name="a forbidden call only requested",
        check=forbidden,
        says="was requested in m1",
        recorded=ORDINARY[:1],
        steps=[{forbidden: "look_up"}],
    )
    yield Case(
        name="a forbidden call among parallel ones",
        check=forbidden,
        says="refund(",
        recorded=PAIR,
        steps=[{forbidden: {"tool": "refund", "where": {"amount": {"greater_than": 30}}}}],
    )
    yield Case(
        name="a call that nothing claims",
        check="strict",
        says="nothing claims look_up",
        recorded=ORDINARY,
        steps=[{kind: "refund"}],
        flow={"strict": True},
    )


MATCHERS: dict[str, tuple[tuple[str, JSON, JSON], ...]] = {
    "equals": (("order", "A-4472", "A-4471"), ("amount", 41, 40)),
    "contains": (("order", "B-", "A-"), ("order", "4472", "4471")),
    "matches": (("order", "^B-[0-9]+$", "^A-[0-9]+$"),),
    "greater_than": (("amount", 40, 39),),
    "at_least": (("amount", 41, 40),),
    "less_than": (("amount", 40, 41),),
    "at_most": (("amount", 39, 40),),
}
"""For each matcher: a path, a value that the recorded call does not satisfy, and one that it does."""


def _matchers() -> Iterator[Case]:
    """Each matcher on an argument, as it is and negated."""
    for op, examples in MATCHERS.items():
        for path, wrong, right in examples:
            for name, form in ((op, {op: wrong}), (f"not {op}", {"not": {op: right}})):
                yield Case(
                    name=f"{path} {name} {form}",
                    check=f"matcher: {op}",
                    says="nearest: refund(",
                    recorded=ORDINARY,
                    steps=[{"assert_tool_call": {"tool": "refund", "where": {path: form}}}],
                )
    for name, path, form in (("exists", "reason", {"exists": True}), ("absent", "amount", {"absent": True})):
        yield Case(
            name=f"{path} {name}",
            check="matcher: exists",
            says="nearest: refund(",
            recorded=ORDINARY,
            steps=[{"assert_tool_call": {"tool": "refund", "where": {path: form}}}],
        )


def _words() -> Iterator[Case]:
    """What the agent said, what it let out, and how the run ended."""
    yield Case(
        name="the reply says something else",
        check="assert: reply",
        says="the reply is 'Not possible.'",
        recorded=ORDINARY,
        say="Not possible.",
        steps=[{"assert": "reply contains Refunded"}],
    )
    yield Case(
        name="the reply says what it must not",
        check="assert: reply",
        says="the reply is",
        recorded=ORDINARY,
        steps=[{"assert": {"reply": {"not": {"matches": "[0-9]+"}}}}],
    )
    yield Case(
        name="nothing is said",
        check="assert: reply",
        says="the recorded reply is",
        recorded=ORDINARY,
        say="",
        steps=[{"assert": "reply contains Cancelled"}],
    )
    yield Case(
        name="a secret is printed",
        check="assert_no_secret_leak",
        says="ORDER_TOKEN is in the agent's output",
        recorded=ORDINARY,
        say="Refunded with {ORDER_TOKEN}.",
        steps=[{"assert_no_secret_leak": ["ORDER_TOKEN"]}],
        environment={"ORDER_TOKEN": "brass-otter-41"},
    )
    yield Case(
        name="another outcome",
        check="assert_outcome",
        says="the outcome is success",
        recorded=ORDINARY,
        steps=[{"assert_outcome": "tool_error"}],
    )
    refusal = replace(ORDINARY[-1].response, content=(RefusalBlock(text="No."),))  # type: ignore[type-var]
    yield Case(
        name="a refusal is no success",
        check="assert_outcome",
        says="the outcome is refused",
        recorded=(*ORDINARY[:-1], replace(ORDINARY[-1], response=refusal)),
        steps=[{"assert_outcome": "success"}, {"assert_tool_call": "refund"}],
    )


def _verdicts() -> Iterator[Case]:
    """What fails a flow whatever it asserts."""
    asked = requests_of(ORDINARY)
    yield Case(
        name="the agent exits with 3",
        check="the agent's exit code",
        says="the agent exited with 3",
        recorded=ORDINARY,
        status=3,
    )
    yield Case(
        name="the agent never ends",
        check="the time limit",
        says="the agent did not end within its time",
        recorded=ORDINARY,
        sleep=60,
        flow={"timeout": 1},
    )
    yield Case(
        name="the last exchange is never asked for",
        check="left-over exchanges",
        says="never asked for: m3",
        recorded=ORDINARY,
        live=asked[:-1],
    )
    more = Asked(request=asking((*ORDINARY[-1].request.messages, Message(role="user"))))
    yield Case(
        name="a request more, and the agent hides it",
        check="a miss",
        says="no recorded request agrees",
        recorded=ORDINARY,
        live=(*asked, more),
    )
    yield Case(
        name="the last request twice",
        check="a miss",
        says="was already served as often",
        recorded=ORDINARY,
        live=(*asked, asked[-1]),
    )
    yield Case(
        name="a request before what it follows from",
        check="a miss",
        says="which was not served yet",
        recorded=ORDINARY,
        live=(asked[0], asked[2], asked[1]),
    )
    yield Case(
        name="results that answer each other's calls",
        check="a miss",
        says="content",
        recorded=PAIR,
        live=(requests_of(PAIR)[0], _swapped(PAIR[-1])),
    )
    yield Case(
        name="a known failure that is fixed",
        check="expect: fail",
        says="drop 'expect: fail'",
        recorded=ORDINARY,
        steps=[{"assert_tool_call": "refund"}],
        flow={"expect": "fail"},
    )


def _swapped(record: ModelRecord) -> Asked:
    *before, first, second = record.request.messages
    look, refund = result(LOOK, {"refunded": 40}), result(REFUND, FOUND)
    assert (first, second) == (result(LOOK, FOUND), result(REFUND, {"refunded": 40}))
    return Asked(request=replace(record.request, messages=(*before, look, refund)))


CASES: tuple[Case, ...] = (*_calls(), *_matchers(), *_words(), *EFFECTS, *_verdicts())

GREEN: tuple[Case, ...] = (
    Case(name="on matching alone", check="", says="PASS, on matching alone", recorded=ORDINARY),
    Case(name="parallel calls", check="", says="PASS", recorded=PAIR, steps=[{"assert_tool_call": "refund"}]),
    Case(name="one call", check="", says="PASS", recorded=ONE, steps=[{"assert": f"reply contains {SAID}"}]),
    Case(
        name="a call twice",
        check="",
        says="PASS",
        recorded=TWICE,
        steps=[{"assert_tool_call": {"tool": "refund", "times": 2}}],
    ),
    Case(
        name="a secret kept",
        check="",
        says="PASS",
        recorded=ORDINARY,
        steps=[{"assert_no_secret_leak": ["ORDER_TOKEN"]}],
        environment={"ORDER_TOKEN": "brass-otter-41"},
    ),
    Case(
        name="a recording judged alone",
        check="",
        says="of its own recording only",
        recorded=ORDINARY,
        steps=[{"assert_no_side_effect": {"kind": "fs_write"}}],
        observation={"fs_write": "observed"},
        agent=False,
    ),
    *UNTOUCHED,
)
"""Runs of the same stage that must be green: what the cases change is what makes them red."""

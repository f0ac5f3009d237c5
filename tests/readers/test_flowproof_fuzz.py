"""No document and no step is a traceback: each is a trace that our format holds, or a typed error."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings, strategies as st

from runwright.errors import RunwrightError
from runwright.readers import Input, read_foreign
from runwright.trace import dumps_trace, loads_trace
from tests.readers.flowproof import CALL, REPLY, RESULT, SYSTEM, USER, document, header, read, step, steps, turn

FEW = settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
ODD = st.sampled_from([None, True, 0, -1, 2**63, 2**64, 10**40, 0.5, "", "x", "\ud800", "[", "/n", "tool", "anthropic"])
WORDS = (
    "protocol request response message messages tools role content tool_calls id name arguments tool_call_id calls "
    "events method params result after kind target at_ms url headers body status type action surface selectors "
    "payload user turn_count"
)
KEYS = st.sampled_from(WORDS.split())
JSON = st.recursive(
    ODD, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=4), max_leaves=12
)
MESSAGES = st.sampled_from(
    [SYSTEM, USER, CALL, RESULT, REPLY, {"role": "user"}, {"role": "tool", "tool_call_id": "c1"}]
)


def settled(text: str) -> bool:
    """Whether there is a trace; it is then one that our own format holds."""
    try:
        trace = read_foreign([Input("fuzz", text.encode())], "flowproof")
    except RunwrightError:
        return False
    assert loads_trace(dumps_trace(trace)).records == trace.records
    return True


@FEW
@given(value=JSON, part=st.sampled_from(["app", "mocks", "cassette", "mcp", "egress", "side_effects", "more"]))
def test_any_part(value: Any, part: str) -> None:
    settled(json.dumps({**document(), part: value}))
    settled(json.dumps({**document(), part: {"s": value}}))


@FEW
@given(value=JSON, at=st.sampled_from(["request", "response", "protocol", "delivery_index"]))
def test_any_turn(value: Any, at: str) -> None:
    settled(json.dumps(document(value)))
    settled(json.dumps(document({**turn(USER), at: value})))


@FEW
@given(messages=st.lists(MESSAGES, max_size=6), reply=MESSAGES, protocol=st.sampled_from(["openai", "anthropic"]))
def test_messages_in_any_order(messages: list[Any], reply: Any, protocol: str) -> None:
    settled(json.dumps(document(turn(*messages, reply=reply, protocol=protocol))))


@FEW
@given(
    value=JSON,
    kind=st.sampled_from(["launch", "assert", "click"]),
    adapter=st.sampled_from(["sap-com", "api", "web"]),
    first=JSON,
)
def test_any_step(value: Any, kind: str, adapter: str, first: Any) -> None:
    line = step(1, kind, {"kind": "api", "request": value, "url": value}, surface=value, artifacts=value)
    settled(steps(header(adapter, apps=value), line, json.dumps(value), step(2, "launch")))
    settled(steps(json.dumps(first), step(2, "launch")))
    settled(steps(header(adapter), {**step(1, kind), "selectors": value}, step(2, "launch")))


@pytest.mark.parametrize("deep", [50, 90, 96, 97, 500, 5_000, 200_000])
@pytest.mark.parametrize("where", ["mocks", "mcp", "line"])
def test_deep_nesting(deep: int, where: str) -> None:
    value = "[" * deep + "]" * deep
    if where == "line":
        done = settled(steps(header(), f'{{"action":{{"type":"launch","params":{{"x":{value}}}}}}}'))
    elif where == "mcp":
        calls = '[{"method": "m", "result": ' + value + "}]"
        done = settled(json.dumps(document())[:-1] + f', "mcp": {{"s": {{"calls": {calls}}}}}}}')
    else:
        done = settled(json.dumps(document(mocks={"x": 0})).replace('"x": 0', f'"x": {value}'))
    assert done == (deep <= 90)


@FEW
@given(
    turns=st.lists(
        st.tuples(st.lists(MESSAGES, max_size=5), st.sampled_from(["openai", "anthropic"])), min_size=1, max_size=5
    )
)
def test_a_turn_is_read_the_same_whatever_came_before_it(turns: list[tuple[list[Any], str]]) -> None:
    made = [turn(*messages, protocol=protocol) for messages, protocol in turns]
    try:
        alone = [read(document(each)).models[0] for each in made]
    except RunwrightError:
        return
    together = read(document(*made)).models
    assert [(each.request, each.unknown) for each in together] == [(each.request, each.unknown) for each in alone]

"""Bodies of requests: what comes again is one object, and all is read as the dialect reads it."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings

from runwright.dialects import DIALECTS
from runwright.errors import DialectError
from runwright.readers.bodies import decoded_request
from runwright.trace.model import JSON, Trace
from tests.writers.runs import runs

MESSAGES: list[dict[str, JSON]] = [
    {"role": "user", "content": "hi"},
    {"role": "assistant", "content": "What may I do?"},
    {"role": "user", "content": [{"type": "text", "text": "go"}]},
]
BODIES: dict[str, dict[str, JSON]] = {
    "openai.chat_completions": {"model": "m", "temperature": 0, "stream": True, "messages": [*MESSAGES]},
    "anthropic.messages": {"model": "m", "max_tokens": 9, "system": "be kind", "messages": [*MESSAGES]},
    "openai.responses": {"model": "m", "input": [*MESSAGES[:1]]},
}


@pytest.mark.parametrize("api", BODIES)
def test_a_body_is_read_as_its_dialect_reads_it(api: str) -> None:
    assert decoded_request(BODIES[api], DIALECTS[api]) == DIALECTS[api].decode_request(BODIES[api])


@given(trace=runs())
@settings(max_examples=60, deadline=None, suppress_health_check=(HealthCheck.too_slow, HealthCheck.data_too_large))
def test_every_body_is_read_as_its_dialect_reads_it(trace: Trace) -> None:
    for each in [one for one in trace.models if one.request.api in DIALECTS]:
        dialect = DIALECTS[each.request.api]
        try:
            body = dialect.encode_request(each.request, False)
        except DialectError:
            continue
        assert decoded_request(body, dialect) == dialect.decode_request(body)


@pytest.mark.parametrize("content", [[], "be kind"])
def test_a_system_message_that_comes_first_stands_beside_the_prompt_that_there_is_none_of(content: JSON) -> None:
    body: dict[str, JSON] = {"model": "m", "messages": [{"role": "system", "content": content}, *MESSAGES]}
    dialect = DIALECTS["anthropic.messages"]
    assert [each.role for each in decoded_request(body, dialect)[0].messages[:2]] == ["system", "system"]
    assert decoded_request(body, dialect) == dialect.decode_request(body)
    said = decoded_request(body, dialect, prompt_first=True)[0].messages
    assert [each.role for each in said] == ["system", "user", "assistant", "user"]


@pytest.mark.parametrize("api", ["openai.chat_completions", "anthropic.messages"])
def test_messages_that_come_again_are_one_object(api: str) -> None:
    body = BODIES[api]
    longer = {**body, "messages": [{**each} for each in MESSAGES] + [{"role": "user", "content": "more"}]}
    first, second = (decoded_request(each, DIALECTS[api])[0].messages for each in (body, longer))
    assert len(second) == len(first) + 1
    assert all(one is other for one, other in zip(first, second, strict=False))


@pytest.mark.parametrize("value", [1, 1.0, True])
def test_values_that_only_compare_equal_are_not_taken_for_one_another(value: JSON) -> None:
    mark: dict[str, JSON] = {"type": "text", "text": "x", "cache_control": {"n": value}}
    body: dict[str, JSON] = {"model": "m", "messages": [{"role": "user", "content": [mark]}]}
    found, _ = decoded_request(body, DIALECTS["openai.chat_completions"])
    assert repr(found.messages[0].content[0]).count(f"'n': {value!r}") == 1


def test_what_is_refused_is_refused_where_it_stands() -> None:
    body: dict[str, JSON] = {"model": "m", "messages": [*MESSAGES, {"role": "clown", "content": ""}]}
    with pytest.raises(DialectError) as refused:
        decoded_request(body, DIALECTS["openai.chat_completions"])
    assert refused.value.place == "$.messages[3].role"

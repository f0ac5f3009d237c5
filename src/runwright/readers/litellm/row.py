"""One logged call, whichever of LiteLLM's loggers wrote it, as the same few fields."""

from __future__ import annotations

import msgspec

from runwright.readers.assembled import seconds_of
from runwright.readers.exact import NotJson
from runwright.readers.lenient import a_list, a_text, an_object, objects
from runwright.readers.reading import Reading
from runwright.trace.model import JSON

Object = dict[str, JSON]
SETTING = "store_prompts_in_spend_logs"
REDACTED = "redacted-by-litellm"
CUT = "litellm_truncated"
TEXTS = ("messages", "response", "proxy_server_request", "metadata", "request_tags")
"""Columns of the table of spend that hold JSON, often as text."""

_KINDS = {
    "completion": "openai.chat_completions",
    "acompletion": "openai.chat_completions",
    "chat_completion": "openai.chat_completions",
    "responses": "openai.responses",
    "aresponses": "openai.responses",
    "anthropic_messages": "anthropic.messages",
    "generate_content": "gemini.generate_content",
    "agenerate_content": "gemini.generate_content",
    "generate_content_stream": "gemini.generate_content",
    "agenerate_content_stream": "gemini.generate_content",
}
MCP = "call_mcp_tool"


class Row(msgspec.Struct, frozen=True, kw_only=True):
    """A call. `asked` of None is a request whose messages were not stored; `whole` says that `asked` is the client's
    own body, so that what it does not have was not sent. `answer` of None was not stored.
    """

    kind: str
    api: str | None
    id: str
    run: str
    model: str
    provider: str | None
    asked: Object | None
    whole: bool
    answer: Object | None
    failed: Object | None
    streamed: bool | None
    began: float | None
    ended: float | None
    cost: JSON = None
    mcp: Object = {}
    cut: tuple[str, ...] = ()


def row_of(given: Object, reading: Reading, where: str) -> Row | None:
    """The call that a document is about; None where it is none."""
    if isinstance(given.get("kwargs"), dict) and isinstance(given.get("messages"), list):
        return _of_the_sdk(given)
    if "call_type" not in given or not ({"startTime", "start_time"} & given.keys()):
        return None
    opened = {name: _opened(value, name, reading, where) for name, value in given.items()}
    return _of_the_proxy(opened, [name for name in ("messages", "response") if _says(given.get(name), CUT)])


def _says(value: JSON, word: str) -> bool:
    """Whether one of the texts in a value holds the word."""
    waiting = [value]
    while waiting:
        each = waiting.pop()
        if isinstance(each, str):
            if word in each:
                return True
        elif isinstance(each, dict):
            waiting += each.values()
        elif isinstance(each, list):
            waiting += each
    return False


def _of_the_sdk(given: Object) -> Row:
    """What OpenHands' SDK logs; where tools were only told in the prompt, the raw reply is the one of the wire."""
    kwargs, raw = an_object(given["kwargs"]), _raw(given.get("raw_response"))
    answer = raw or an_object(given.get("response"))
    tags = a_list(an_object(an_object(kwargs.get("extra_body")).get("metadata")).get("tags"))
    model = next((tag[6:] for tag in tags if isinstance(tag, str) and tag.startswith("model:")), "")
    declared: Object = {} if raw else {"tools": given.get("tools")}
    ended = seconds_of(given.get("timestamp"))
    lasted = given.get("latency_sec")
    known = isinstance(lasted, (int, float)) and not isinstance(lasted, bool) and 0 <= lasted < 1e9
    return Row(
        kind="completion",
        api=_KINDS["completion"],
        id=a_text(answer.get("id")),
        run="",
        model=model,
        provider=None,
        asked={**kwargs, **declared, "messages": given["messages"]},
        whole=True,
        answer=answer or None,
        failed=None,
        streamed=kwargs.get("stream") is True,
        began=None if ended is None or not known or not isinstance(lasted, (int, float)) else ended - lasted,
        ended=ended,
        cost=given.get("cost"),
    )


def _raw(answer: JSON) -> Object:
    """The reply before the SDK read calls out of its text; none where its own calls were logged empty."""
    told = an_object(answer)
    messages = [an_object(choice.get("message")) for choice in objects(told.get("choices"))]
    return {} if any(not each for message in messages for each in objects(message.get("tool_calls"))) else told


def _of_the_proxy(given: Object, cut: list[str]) -> Row:
    kind, metadata = a_text(given["call_type"]), an_object(given.get("metadata"))
    client = an_object(given.get("proxy_server_request"))
    client = an_object(client.get("body")) or client
    failed = a_text(given.get("status") or metadata.get("status")) == "failure"
    parameters = an_object(given.get("model_parameters"))
    whole = any(name in client for name in ("messages", "input", "contents"))
    asked = client if whole else _asked(given.get("messages"), kind, parameters)
    streamed = given.get("stream", asked.get("stream") if asked else parameters.get("stream"))
    error = an_object(given.get("error_information") or metadata.get("error_information"))
    return Row(
        kind=kind,
        api=_KINDS.get(kind),
        id=a_text(given.get("id") or given.get("request_id")),
        run=a_text(given.get("trace_id") or given.get("session_id")),
        model=a_text(client.get("model")) or a_text(given.get("model_group")) or a_text(given.get("model")),
        provider=a_text(given.get("custom_llm_provider")) or None,
        asked=asked,
        whole=whole,
        answer=_stored(given.get("response")) if not failed else None,
        failed={"error_str": given.get("error_str"), **error} if failed else None,
        streamed=streamed if isinstance(streamed, bool) else None,
        began=seconds_of(given.get("startTime", given.get("start_time"))),
        ended=seconds_of(given.get("endTime", given.get("end_time"))),
        cost=given.get("response_cost", given.get("spend")),
        mcp=an_object(metadata.get("mcp_tool_call_metadata")),
        cut=tuple(cut),
    )


def _asked(messages: JSON, kind: str, parameters: Object) -> Object | None:
    """The request that was rebuilt from what was logged of it; None where its messages were not."""
    field = "input" if "responses" in kind else "contents" if "generate_content" in kind else "messages"
    if isinstance(messages, list) and messages and not _says(messages[0], REDACTED):
        return {**parameters, field: messages}
    if field == "input" and isinstance(messages, str) and messages and messages != REDACTED:
        return {**parameters, field: messages}
    return None


def _stored(response: JSON) -> Object | None:
    """The answer; an empty one was not stored, and a redacted one says nothing."""
    told = an_object(response)
    return told if told and REDACTED not in str(told)[:4000] else None


def _opened(value: JSON, name: str, reading: Reading, where: str) -> JSON:
    """A column's value; JSON in a text is opened."""
    if name not in TEXTS or not isinstance(value, str) or value[:1] not in ("{", "["):
        return value
    try:
        return reading.json(value, where)
    except NotJson:
        return value

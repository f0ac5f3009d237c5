"""One model call: what its span and its events show, as a record that says what it does not know."""

from __future__ import annotations

from collections.abc import Sequence

from runwright.readers.known import CHAT, CONTENT, MESSAGES, MODEL, PARAMETERS, RESPONSES, STOPS, TOOLS
from runwright.readers.reading import Reading
from runwright.readers.shape import calls_last
from runwright.readers.spans.captured import Captured
from runwright.readers.spans.classify import api_of, provider_of
from runwright.readers.spans.failure import model_error
from runwright.readers.spans.gen_ai import unplaced
from runwright.readers.spans.limits import REMEDY
from runwright.readers.spans.span import Span, ext_of
from runwright.readers.spans.vercel import OPERATION, REMEDY as AI_SDK
from runwright.trace.model import (
    JSON,
    Block,
    Fidelity,
    ModelError,
    ModelRecord,
    ModelRequest,
    ModelResponse,
    StopReason,
    TextBlock,
    ToolCallBlock,
    Usage,
)

SETTING = "OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT"
REMEDIES = (
    ("openinference", "unset OPENINFERENCE_HIDE_INPUTS and OPENINFERENCE_HIDE_OUTPUTS"),
    ("pydantic-ai", "use InstrumentationSettings(include_content=True)"),
    ("com.anthropic", "its spans never carry content: add an instrumentation that captures it"),
)


def exchange(span: Span, seen: Captured, reading: Reading) -> ModelRecord:
    """The record of a model call, without its id, place and agent, which depend on the others."""
    error = model_error(span)
    if error is not None and _speaks(seen.content or ()):
        seen_error, error = error, None
    else:
        seen_error = None
    unknown = _unknown(span, seen, error)
    if _is_silent(seen, error):
        reading.lose("not_captured", remedy(span), f"span {span.span_id}")
    for path in seen.cut:
        reading.lose("truncated", REMEDY, f"span {span.span_id}: {path}")
    if span.dropped:
        reading.lose("dropped", "the exporter dropped attributes or events of a model call", f"span {span.span_id}")
    response, made = (None, ()) if error is not None else _response(seen, api_of(span))
    return ModelRecord(
        id="",
        request=ModelRequest(
            api=api_of(span),
            model=seen.model or "",
            provider=provider_of(span) or None,
            parameters=seen.parameters or {},
            messages=seen.messages or (),
            tools=seen.tools or (),
        ),
        response=response,
        error=error,
        streamed=seen.streamed,
        fidelity=_fidelity(span, seen, error),
        unknown=unknown,
        reconstructed=seen.made + made,
        ext=_ext(span, seen_error),
    )


def _speaks(content: Sequence[Block]) -> bool:
    """Something was said; an empty text beside a failure is how some write that nothing was."""
    return any(not isinstance(block, TextBlock) or block.text for block in content)


def _is_silent(seen: Captured, error: ModelError | None) -> bool:
    """Words are missing that no length limit took."""
    asked = seen.messages is not None or MESSAGES in seen.cut
    return not asked or (error is None and seen.content is None and CONTENT not in seen.cut)


def remedy(span: Span) -> str:
    """What turns content on, for the instrumentation that drew the span."""
    if span.remedy:
        return span.remedy
    if span.text(OPERATION):
        return AI_SDK
    name = span.scope.name or "the instrumentation"
    special = next((f"{told}; " for part, told in REMEDIES if part in name), "")
    return (
        f"message content was not captured by {name}: {special}set {SETTING}=true (newer ones: SPAN_AND_EVENT) "
        "and record again; if the content went to log records, give their file too"
    )


def _ext(span: Span, error: ModelError | None) -> dict[str, JSON]:
    ext = ext_of(span)
    if error is not None:
        ext["error"] = error.message
    if rest := unplaced(span):
        ext["request_attributes"] = rest
    return ext


def _fidelity(span: Span, seen: Captured, error: ModelError | None) -> Fidelity:
    """`none`: nobody's words are there. `partial`: some are, and some that were said are not."""
    answered = seen.content is not None or error is not None
    if seen.messages is None and seen.content is None and not {MESSAGES, CONTENT}.intersection(seen.cut):
        return "none"
    broken = any(path.startswith((MESSAGES, CONTENT)) for path in seen.cut + seen.unknown)
    whole = seen.messages is not None and answered and not broken and not span.dropped
    return "reconstructed" if whole else "partial"


def _unknown(span: Span, seen: Captured, error: ModelError | None) -> tuple[str, ...]:
    found = [
        MESSAGES if seen.messages is None else "",
        TOOLS if seen.tools is None else "",
        "" if seen.complete else f"{PARAMETERS}.*",
        MODEL if not seen.model else "",
        "$.streamed" if seen.streamed is None else "",
        CONTENT if seen.content is None and error is None else "",
        f"{MESSAGES}[*].name" if seen.messages and not seen.complete and not _named(seen) else "",
        f"{MESSAGES}[*].content[*].extra" if api_of(span) == RESPONSES and not seen.complete else "",
        "$.error.body" if error is not None and error.body is None else "",
        *seen.unknown,
        *seen.cut,
        *((MESSAGES, CONTENT) if span.dropped and not seen.complete else ()),
    ]
    roots = [path for path in dict.fromkeys(found) if path]
    below = tuple([f"{root}{mark}" for root in roots for mark in ".["])
    return tuple([path for path in roots if not path.startswith(below)])


def _named(seen: Captured) -> bool:
    return any(message.name for message in seen.messages or ())


def _response(seen: Captured, api: str) -> tuple[ModelResponse, tuple[str, ...]]:
    """The reply; a stop reason that was not recorded follows from its content, usage is then zero."""
    content = calls_last(seen.content or ()) if api == CHAT else seen.content or ()
    calls = any(isinstance(block, ToolCallBlock) for block in content)
    follows: StopReason = "tool_calls" if calls else "end_turn"
    told = STOPS.get((seen.stop or "").lower())
    stop = told or (follows if seen.content is not None else None)
    made: tuple[str, ...] = ("$.response.stop_reason",) if told is None and stop is not None else ()
    made += ("$.response.usage",) if seen.usage is None else ()
    response = ModelResponse(
        content=content,
        stop_reason=stop,
        usage=seen.usage or Usage(),
        id=seen.response_id,
        model=seen.response_model,
        extra=seen.extra,
    )
    return response, made

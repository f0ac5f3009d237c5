"""How a run ended, decided by what is known of its last exchange and of the whole of it; see `outcome`."""

from __future__ import annotations

TYPE_CHECKING = False  # the module typing takes longer to load than a small trace to read
if TYPE_CHECKING:
    from collections.abc import Collection
    from typing import Literal, TypeAlias

    Failure: TypeAlias = Literal["timeout", "model_error"]
    Close: TypeAlias = Literal["refused", "success", "unknown"]
    OutcomeClass: TypeAlias = Literal[
        "truncated", "interrupted", "timeout", "model_error", "denied", "tool_error", "refused", "success", "unknown"
    ]

OUTCOMES: tuple[OutcomeClass, ...] = (
    "truncated",
    "interrupted",
    "timeout",
    "model_error",
    "denied",
    "tool_error",
    "refused",
    "success",
    "unknown",
)
"""The outcomes of a run; the first that applies is its own."""

TIMEOUT_STATUSES = (408, 504)


def decided(
    *, faults: Collection[str], complete: bool, cut: bool, failure: Failure | None, denied: bool, failed: bool,
    close: Close,
) -> OutcomeClass:  # fmt: skip
    """The first outcome that applies to a run with these faults, whose last exchange ends so.

    `denied` and `failed` say whether anything was denied in it, and whether any tool failed.
    """
    if "truncation" in faults or "dropped_spans" in faults or cut:
        return "truncated"
    if "interruption" in faults or not complete:
        return "interrupted"
    if failure is not None:
        return failure
    if denied:
        return "denied"
    return "tool_error" if failed else close


def is_cut(stop_reason: str | None) -> bool:
    """Whether an answer that stops so stops at a limit."""
    return stop_reason == "length"


def failure_of(status: int | None, kind: str | None) -> Failure:
    """What an error of this HTTP status and kind is."""
    return "timeout" if status in TIMEOUT_STATUSES or "timeout" in (kind or "").lower() else "model_error"


def close_of(kinds: Collection[str], stop_reason: str | None) -> Close:
    """How an exchange ended whose answer has blocks of these kinds: with words, with a refusal, or asking for tools."""
    if "tool_call" in kinds:
        return "unknown"
    if stop_reason in ("refusal", "content_filter") or "refusal" in kinds:
        return "refused"
    return "success" if kinds else "unknown"


def mcp_failed(method: str, error: object, result: object) -> bool:
    """Whether a call over MCP failed; MCP tells of a tool's own failure inside a result."""
    told = isinstance(result, dict) and result.get("isError") is True
    return method == "tools/call" and (error is not None or told)

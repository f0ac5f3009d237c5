"""Whether two records that do not differ were compared in what they say, or only in what is around it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from runwright.trace.model import (
    Block,
    FaultRecord,
    ModelRecord,
    Record,
    TextBlock,
    ThinkingBlock,
    ToolCallBlock,
    ToolResultBlock,
)
from runwright.trace.paths import covers


def tells(left: Record, right: Record) -> bool:
    """Whether both sides know something of what the record says.

    An exchange says its messages, its answer or its error; a fault says nothing of the run. Any other record is
    compared by its name, role or target at least.
    """
    if isinstance(left, FaultRecord) or isinstance(right, FaultRecord):
        return False
    if not isinstance(left, ModelRecord) or not isinstance(right, ModelRecord):
        return True
    unknown = (*left.unknown, *right.unknown)
    return not unknown or any(_known(path, unknown) for path in _said(left))


def _known(path: str, unknown: Sequence[str]) -> bool:
    return not any(covers(pattern, path) for pattern in unknown)


def _said(exchange: ModelRecord) -> Iterator[str]:
    """The paths of what an exchange says, the shortest that hold all of it."""
    if exchange.error is not None:
        yield "$.error"
    elif exchange.response is None or not exchange.response.content:
        yield "$.response.content"
    else:
        yield from _blocks("$.response.content", exchange.response.content)
    if not exchange.request.messages:
        yield "$.request.messages"
    for at, message in enumerate(exchange.request.messages):
        place = f"$.request.messages[{at}].content"
        yield from _blocks(place, message.content) if message.content else [place]


def _blocks(place: str, blocks: Sequence[Block]) -> Iterator[str]:
    for at, block in enumerate(blocks):
        yield f"{place}[{at}]{_word(block)}"


def _word(block: Block) -> str:
    match block:
        case TextBlock() | ThinkingBlock():
            return ".text"
        case ToolCallBlock():
            return ".name"
        case ToolResultBlock():
            return ".content"
    return ""

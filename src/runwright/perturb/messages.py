"""A request's messages with one thing changed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from runwright.perturb.blocks import is_empty, other_blocks
from runwright.perturb.mutant import Kind, Mutant, Request
from runwright.perturb.side import Sent
from runwright.perturb.values import MARK, Steps
from runwright.trace import format_path
from runwright.trace.model import Block, Message, TextBlock, ToolCallBlock, ToolResultBlock

_ROLES = ("user", "assistant", "system", "tool")
ADDED = Message(role="user", content=(TextBlock(text=f"One thing more.{MARK}"),))


def message_mutants(sent: Sent, new: Sequence[int]) -> Iterator[Mutant]:
    """Mutants of the messages at the indices `new`, of their order, and of how many there are."""
    messages = sent.request.messages
    for index in new:
        yield from _of_message(sent, index)
        yield _listed(sent, "message", index, "left out", (*messages[:index], *messages[index + 1 :]))
        if index and not _no_order(messages[index - 1], messages[index]):
            pair = (messages[index], messages[index - 1])
            swapped = (*messages[: index - 1], *pair, *messages[index + 1 :])
            yield _listed(sent, "message", index, "said before the one before it", swapped)
    yield _listed(sent, "message", len(messages), "added", (*messages, ADDED))


def history_mutants(sent: Sent, repeated: Sequence[int]) -> Iterator[Mutant]:
    """A changed history: the first, the middle and the last of the messages that an earlier request had already."""
    picked = dict.fromkeys((repeated[0], repeated[len(repeated) // 2], repeated[-1]) if repeated else ())
    for index in picked:
        message = sent.request.messages[index]
        first = next((each for each in _changed_blocks(message) if each[0] != "value"), None)
        if first is not None:
            _, where, what, made, _ = first
            yield _replaced(sent, "history", index, where, f"{what} from here on", made)


def _of_message(sent: Sent, index: int) -> Iterator[Mutant]:
    message = sent.request.messages[index]
    role = next(each for each in _ROLES if each != message.role)
    yield _replaced(sent, "role", index, ("role",), f"{role}, not {message.role}", replace(message, role=role))
    name = f"{message.name or 'someone'}{MARK}"
    what = "added" if message.name is None else "changed"
    yield _replaced(sent, "message", index, ("name",), what, replace(message, name=name))
    for kind, where, what, made, swapped in _changed_blocks(message):
        yield _replaced(sent, kind, index, where, what, made, swapped)


def _changed_blocks(message: Message) -> Iterator[tuple[Kind, Steps, str, Message, str]]:
    """The message with one thing changed in one of its blocks, with a block left out, or two exchanged."""
    content = message.content
    for at, block in enumerate(content):
        for other in other_blocks(block):
            made = _with(message, at, 1, other.block)
            yield other.kind, ("content", at, *other.where), other.what, made, other.swapped
        if not is_empty(block):
            yield "block", ("content", at), "left out", _with(message, at, 1), ""
        before = content[at - 1] if at else block
        if at and before != block and not _unordered(before) and not _unordered(block):
            yield "block", ("content", at), "put before the one before it", _with(message, at - 1, 2, block, before), ""
    extra = TextBlock(text=MARK)
    yield "block", ("content", len(content)), "added", replace(message, content=(*content, extra)), ""


def _with(message: Message, at: int, gone: int, *blocks: Block) -> Message:
    return replace(message, content=(*message.content[:at], *blocks, *message.content[at + gone :]))


def _unordered(block: Block) -> bool:
    """Parallel calls and their results may come in any order; an empty text has no place."""
    return isinstance(block, (ToolCallBlock, ToolResultBlock)) or is_empty(block)


def _no_order(one: Message, other: Message) -> bool:
    """Whether it does not matter which of two neighbours comes first."""
    return one == other or all(
        bool(each.content) and all(isinstance(block, ToolResultBlock) for block in each.content)
        for each in (one, other)
    )


def _replaced(sent: Sent, kind: Kind, index: int, where: Steps, what: str, made: Message, swapped: str = "") -> Mutant:
    messages = sent.request.messages
    request = replace(sent.request, messages=(*messages[:index], made, *messages[index + 1 :]))
    path = format_path(("request", "messages", index, *where))
    change = Request(request, sent.streamed, (index, messages[index], made))
    return Mutant(kind=kind, what=what, change=change, exchange=sent.of, path=path, swapped=swapped)


def _listed(sent: Sent, kind: Kind, index: int, what: str, messages: tuple[Message, ...]) -> Mutant:
    path = format_path(("request", "messages", index))
    change = Request(replace(sent.request, messages=messages), sent.streamed)
    return Mutant(kind=kind, what=what, change=change, exchange=sent.of, path=path)

"""Messages as the wire of their API has them: other tools move tool results between roles."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

import msgspec

from runwright.readers.known import CHAT, MESSAGES_API, RESPONSES
from runwright.trace.model import Block, Message, ThinkingBlock, ToolCallBlock, ToolResultBlock


class Said(msgspec.Struct, frozen=True):
    """A message; `unknown` where some of its content is not shown, `made` where some follows from what is."""

    message: Message
    unknown: bool = False
    made: bool = False


def shaped(items: Sequence[Said], api: str) -> list[Said]:
    """The messages under the roles of their API, so that they compare equal to a live request's."""
    if api == MESSAGES_API:
        return list(_results_together(items))
    if api not in (CHAT, RESPONSES):
        return list(items)
    found: list[Said] = []
    for item in items:
        if _is_one_piece(item.message):
            found.append(item)
        elif api == RESPONSES:
            found += [_as(message, item) for message in _items(item.message)]
        elif _holds_results(item.message):
            found += [_as(message, item) for message in _results_apart(item.message)]
        else:
            found.append(_as(_calls_behind(item.message), item))
    return found


def _as(message: Message, item: Said) -> Said:
    return item if message is item.message else Said(message, item.unknown, item.made)


def _is_one_piece(message: Message) -> bool:
    """Nothing to move: as most are, also a result in a message of its own."""
    if len(message.content) != 1:
        return False
    return type(message.content[0]) is not ToolResultBlock or (message.role == "tool" and message.name is None)


def _results_apart(message: Message) -> Iterator[Message]:
    """Chat Completions: each tool result is a message of the role `tool`."""
    others: list[Block] = []
    for block in message.content:
        if isinstance(block, ToolResultBlock):
            yield Message(role="tool", content=(block,))
        else:
            others.append(block)
    if others:
        yield msgspec.structs.replace(message, content=tuple(others))


def _calls_behind(message: Message) -> Message:
    content = calls_last(message.content)
    return message if content is message.content else msgspec.structs.replace(message, content=content)


def calls_last(blocks: tuple[Block, ...]) -> tuple[Block, ...]:
    """Chat Completions: calls stand beside what was said, and are read behind it; some tools write them before it."""
    calls = [isinstance(block, ToolCallBlock) for block in blocks]
    if not any(calls) or calls == sorted(calls):
        return blocks
    return tuple(sorted(blocks, key=lambda block: isinstance(block, ToolCallBlock)))


def _items(message: Message) -> Iterator[Message]:
    """Responses: each call, result and reasoning is an item of its own, and so are the texts between them."""
    if len(message.content) < 2:
        yield _as_item(message, message.content)
        return
    for kind, group in groupby(message.content, _own):
        blocks = tuple(group)
        alone = kind in (ToolCallBlock, ToolResultBlock)
        yield from (_as_item(message, each) for each in ([(block,) for block in blocks] if alone else [blocks]))


def _own(block: Block) -> type[Block] | None:
    """The type of a block that is no part of a message."""
    return type(block) if isinstance(block, ThinkingBlock | ToolCallBlock | ToolResultBlock) else None


def _as_item(message: Message, content: tuple[Block, ...]) -> Message:
    told = any(isinstance(block, ToolResultBlock) for block in content)
    if content is message.content and (not told or message.role == "tool"):
        return message
    return msgspec.structs.replace(message, role="tool" if told else message.role, content=content)


def _results_together(items: Sequence[Said]) -> Iterator[Said]:
    """Messages: the results that answer one turn stand in one message of the role `user`, before what the user adds."""
    for is_users, group in groupby(items, lambda item: item.message.role in ("tool", "user")):
        turn = list(group)
        if is_users and any(_answers(item.message) for item in turn):
            yield _as_one(sorted(turn, key=lambda item: not _answers(item.message)))
        else:
            yield from turn


def _answers(message: Message) -> bool:
    return message.role == "tool" or _holds_results(message)


def _holds_results(message: Message) -> bool:
    return ToolResultBlock in map(type, message.content)


def _as_one(turn: Sequence[Said]) -> Said:
    content = tuple(block for each in turn for block in each.message.content)
    message = Message(role="user", content=content)
    return Said(message, any(each.unknown for each in turn), any(each.made for each in turn))


def answering(items: Sequence[Said]) -> list[Said]:
    """The messages with results that name no call of the conversation under the names of those that wait for one.

    Traceloop names the calls of the Responses API by their items' ids, and their results by the calls' own. As many
    results as there are calls unanswered, in the same order, are theirs; otherwise nothing is guessed.
    """
    if not _holds_strange(items):
        return list(items)
    found: list[Said] = []
    known: set[str] = set()
    waiting: list[str] = []
    for told, group in groupby(items, lambda item: _holds_results(item.message)):
        turn = list(group)
        if told:
            names = _names([block.call_id for block in _results(turn)], known, waiting)
            found += [_renamed(item, names) for item in turn] if names else turn
            waiting = []
            continue
        calls = [block.id for item in turn for block in item.message.content if isinstance(block, ToolCallBlock)]
        known.update(calls)
        waiting += calls
        found += turn
    return found


def _holds_strange(items: Sequence[Said]) -> bool:
    """Whether a result may name no call of the messages before it."""
    known: set[str] = set()
    for item in items:
        kinds = {*map(type, item.message.content)}
        if ToolResultBlock in kinds:
            if not known.issuperset([block.call_id for block in _results([item])]):
                return True
        elif ToolCallBlock in kinds:
            known.update([block.id for block in item.message.content if isinstance(block, ToolCallBlock)])
    return False


def _results(turn: Sequence[Said]) -> Iterator[ToolResultBlock]:
    return (block for item in turn for block in item.message.content if isinstance(block, ToolResultBlock))


def _names(told: Sequence[str], known: set[str], waiting: Sequence[str]) -> dict[str, str]:
    strange = [name for name in told if name not in known]
    unanswered = [name for name in waiting if name not in told]
    alike = len(strange) == len(unanswered) and len({*strange}) == len({*unanswered}) == len(strange)
    return dict(zip(strange, unanswered, strict=True)) if alike else {}


def _renamed(item: Said, names: dict[str, str]) -> Said:
    if not any(block.call_id in names for block in _results([item])):
        return item
    blocks = tuple(
        msgspec.structs.replace(block, call_id=names[block.call_id])
        if isinstance(block, ToolResultBlock) and block.call_id in names
        else block
        for block in item.message.content
    )
    return Said(msgspec.structs.replace(item.message, content=blocks), item.unknown, made=True)


def with_instructions(items: Sequence[Said], instructions: Sequence[Block]) -> list[Said]:
    """The messages with separately given instructions after the system messages that lead them."""
    if not instructions:
        return list(items)
    roles = [each.message.role for each in items]
    lead = next((at for at, role in enumerate(roles) if role not in ("system", "developer")), len(roles))
    said = Said(Message(role="system", content=tuple(instructions)))
    return [*items[:lead], said, *items[lead:]]

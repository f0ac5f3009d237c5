"""Text whose borders a recording did not keep: compared as one text."""

from __future__ import annotations

from itertools import groupby

import msgspec

from runwright.trace.model import Block, ModelRequest, TextBlock, ToolResultBlock


def with_joined_text(request: ModelRequest) -> ModelRequest:
    """The request with adjacent text blocks made one, in messages and in tool results; cache marks do not part them."""
    messages = tuple(msgspec.structs.replace(message, content=_joined(message.content)) for message in request.messages)
    return msgspec.structs.replace(request, messages=messages)


def _joined(blocks: tuple[Block, ...]) -> tuple[Block, ...]:
    done: list[Block] = []
    for plain, group in groupby(blocks, lambda block: isinstance(block, TextBlock) and not block.extra):
        if plain:
            done.append(TextBlock(text="".join(block.text for block in group if isinstance(block, TextBlock))))
        else:
            done += [_within(block) for block in group]
    return tuple(done)


def _within(block: Block) -> Block:
    if not isinstance(block, ToolResultBlock):
        return block
    return msgspec.structs.replace(block, content=_joined(block.content))

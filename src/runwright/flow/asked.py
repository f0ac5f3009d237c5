"""Calls and answers in content blocks: of tools, and of what a provider has beside them."""

from __future__ import annotations

import json
from typing import NamedTuple

from runwright.flow.evidence import Call
from runwright.trace.model import JSON, Block, OtherBlock, ToolCallBlock, ToolResultBlock, text_of

CALLED = ("_call", "_tool_use")
ANSWERED = "_output"
BY_THE_AGENT = ("local_shell_call", "shell_call", "apply_patch_call", "computer_call")
"""Calls of the provider's own kinds that the agent runs and answers; the others ran within the reply."""
NOT_ARGUMENTS = ("id", "call_id", "name", "status", "server_label", "server_name", "output", "result", "caller")


class Answer(NamedTuple):
    """The text that answers a call."""

    call_id: str
    text: str


def call_in(block: Block) -> Call | None:
    """The call that a block is; None where it is none."""
    if isinstance(block, ToolCallBlock):
        return Call(tool=block.name, arguments=_arguments(block), call_id=block.id)
    if not isinstance(block, OtherBlock) or not block.kind.endswith(CALLED):
        return None
    named = block.extra.get("name")
    stem = block.kind.removesuffix("_call").removesuffix("_tool_use")
    identity = block.extra.get("call_id") or block.extra.get("id")
    return Call(
        tool=named if isinstance(named, str) and named else stem,
        arguments=_given(block),
        call_id=identity if isinstance(identity, str) else None,
        provided=block.kind not in BY_THE_AGENT,
    )


def answer_in(block: Block) -> Answer | None:
    """The answer that a block is; None where it is none."""
    if isinstance(block, ToolResultBlock):
        return Answer(block.call_id, text_of(block.content))
    if not isinstance(block, OtherBlock) or not block.kind.endswith(ANSWERED):
        return None
    identity, output = block.extra.get("call_id") or block.extra.get("id"), block.extra.get("output")
    text = output if isinstance(output, str) else json.dumps(output, ensure_ascii=False)
    return Answer(identity, text) if isinstance(identity, str) else None


def parsed(text: str) -> JSON:
    """The JSON value that a text is, else the text."""
    try:
        value: JSON = json.loads(text, parse_constant=_no_constant)
    except (ValueError, RecursionError):
        return text
    return value


def _arguments(block: ToolCallBlock) -> JSON:
    whole = block.arguments is None and block.arguments_text is not None
    return parsed(block.arguments_text or "") if whole else block.arguments


def _given(block: OtherBlock) -> JSON:
    for key in ("input", "arguments", "action", "operation"):
        given = block.extra.get(key)
        if given is not None:
            return parsed(given) if isinstance(given, str) else given
    return {key: value for key, value in block.extra.items() if key not in NOT_ARGUMENTS}


def _no_constant(written: str) -> JSON:
    raise ValueError(f"{written} is no JSON")

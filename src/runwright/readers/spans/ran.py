"""A tool call that ran, as frameworks record it: attributes that a tool's span has."""

from __future__ import annotations

from functools import lru_cache

from runwright.readers.chat import message_of
from runwright.readers.lenient import an_object
from runwright.readers.reading import Reading
from runwright.readers.spans.asked import opened
from runwright.trace.model import JSON, ToolResultBlock, text_of


def tool_message(answer: JSON) -> ToolResultBlock | None:
    """The result inside a tool message of LangChain, where the output is one."""
    return _told(answer) if isinstance(answer, str) else _message(answer)


@lru_cache(maxsize=64)
def _told(answer: str) -> ToolResultBlock | None:
    """Of the same text several ask."""
    return _message(opened(answer, Reading(), ""))


def _message(answer: JSON) -> ToolResultBlock | None:
    held = an_object(answer)
    inner = an_object(held.get("output")) if "output" in held and set(held) <= {"output", "kwargs"} else held
    path = inner.get("id")
    named = str(path[-1]) if isinstance(path, list) and path else inner.get("type")
    if named not in ("ToolMessage", "tool") or not {"kwargs", "content", "data"} & inner.keys():
        return None
    block = next(iter(message_of(inner).message.content), None)
    return block if isinstance(block, ToolResultBlock) else None


def tool_attributes(name: str, given: JSON, answer: JSON) -> dict[str, JSON]:
    """What the input and the output of a tool's run tell of it, under the names that a span's attributes have."""
    found: dict[str, JSON] = {"gen_ai.tool.name": name}
    if given is not None:
        found["gen_ai.tool.call.arguments"] = given
    result = tool_message(answer)
    if result is not None:
        found["gen_ai.tool.call.result"] = text_of(result.content)
        found["gen_ai.tool.call.id"] = result.call_id
    elif answer is not None:
        found["gen_ai.tool.call.result"] = answer
    return found

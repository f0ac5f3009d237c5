"""What messages are made of: content blocks, and the base of every model value."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, Union

import msgspec

if TYPE_CHECKING:
    JSON: TypeAlias = Union[None, bool, int, float, str, list["JSON"], dict[str, "JSON"]]
else:
    JSON = Any  # msgspec cannot resolve a recursive alias


class Value(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, kw_only=True):
    """Base of every model value: frozen, strict, and written without its defaults."""


def intern(value: msgspec.Struct, *fields: str) -> None:
    """msgspec leaves a default out by identity, not equality: equal strings must be one object."""
    for field in fields:
        msgspec.structs.force_setattr(value, field, sys.intern(getattr(value, field)))


class Source(Value, frozen=True, kw_only=True):
    """Where binary or linked content is: `data` is base64, a URL, a provider's file id or plain text."""

    kind: Literal["base64", "url", "file_id", "text"]
    data: str
    media_type: str | None = None


class TextBlock(Value, tag_field="type", tag="text", frozen=True, kw_only=True):
    text: str
    cache: JSON = None
    extra: dict[str, JSON] = {}


class ImageBlock(Value, tag_field="type", tag="image", frozen=True, kw_only=True):
    source: Source
    detail: str | None = None
    cache: JSON = None
    extra: dict[str, JSON] = {}


class AudioBlock(Value, tag_field="type", tag="audio", frozen=True, kw_only=True):
    source: Source
    format: str | None = None
    cache: JSON = None


class FileBlock(Value, tag_field="type", tag="file", frozen=True, kw_only=True):
    source: Source
    name: str | None = None
    cache: JSON = None
    extra: dict[str, JSON] = {}


class ThinkingBlock(Value, tag_field="type", tag="thinking", frozen=True, kw_only=True):
    """Reasoning text; `redacted` means `text` is the provider's opaque payload."""

    text: str
    signature: str | None = None
    redacted: bool = False
    extra: dict[str, JSON] = {}


class RefusalBlock(Value, tag_field="type", tag="refusal", frozen=True, kw_only=True):
    text: str
    extra: dict[str, JSON] = {}


class ToolCallBlock(Value, tag_field="type", tag="tool_call", frozen=True, kw_only=True):
    """A tool call that a model reply asks for.

    `arguments` is the parsed value. `arguments_text` is present only where the wire text is not the compact
    JSON rendering of `arguments` (other spacing, or not JSON at all: then `arguments` is null).
    """

    id: str
    name: str
    arguments: JSON = None
    arguments_text: str | None = None
    kind: str = "function"
    cache: JSON = None
    extra: dict[str, JSON] = {}

    def __post_init__(self) -> None:
        intern(self, "kind")


class ToolResultBlock(Value, tag_field="type", tag="tool_result", frozen=True, kw_only=True):
    call_id: str
    content: tuple[Block, ...] = ()
    is_error: bool | None = None
    cache: JSON = None
    extra: dict[str, JSON] = {}


class OtherBlock(Value, tag_field="type", tag="other", frozen=True, kw_only=True):
    """A block of the provider's own, such as a search that it ran itself; `extra` holds its fields as they came."""

    kind: str
    cache: JSON = None
    extra: dict[str, JSON] = {}


Block: TypeAlias = Union[
    TextBlock,
    ImageBlock,
    AudioBlock,
    FileBlock,
    ThinkingBlock,
    RefusalBlock,
    ToolCallBlock,
    ToolResultBlock,
    OtherBlock,
]


class Message(Value, frozen=True, kw_only=True):
    """One message of a model request, in the order the model saw it. Roles are the wire's own words."""

    role: str
    content: tuple[Block, ...] = ()
    name: str | None = None


def text_of(blocks: Iterable[Block]) -> str:
    """The text of the text blocks, joined; other blocks are passed over."""
    return "".join([block.text for block in blocks if isinstance(block, TextBlock)])


def calls_of(blocks: Iterable[Block]) -> list[ToolCallBlock]:
    """The tool calls among the blocks, in order."""
    return [block for block in blocks if isinstance(block, ToolCallBlock)]


def is_said(message: Message) -> bool:
    """Whether a message is a turn of the user's.

    One that hands tool results back is none, under whatever role: words beside the results are the harness's own.
    """
    return message.role == "user" and bool(message.content) and not _answers(message)


def _answers(message: Message) -> bool:
    return any(isinstance(block, ToolResultBlock) for block in message.content)

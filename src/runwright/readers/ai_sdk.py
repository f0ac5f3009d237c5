"""Parts of messages as the AI SDK writes them."""

from __future__ import annotations

from runwright.readers.blocks import call, linked, result
from runwright.readers.lenient import a_text
from runwright.trace.model import JSON, Block, FileBlock, ImageBlock, Source, ToolResultBlock


def ai_sdk_piece(piece: dict[str, JSON], kind: str) -> Block | None:
    """The block of a part of this kind; None where it is none of the SDK's."""
    if kind == "tool-call":
        given = piece.get("input", piece.get("args"))
        return call(a_text(piece.get("toolCallId")), a_text(piece.get("toolName")), given)
    if kind == "tool-result":
        return _result(piece)
    held = piece.get("data", piece.get("image", piece.get("url")))
    if kind not in ("file", "image") or not isinstance(held, str):
        return None
    media = a_text(piece.get("mediaType")) or a_text(piece.get("mimeType")) or None
    is_url = held.startswith(("http:", "https:", "data:"))
    source = linked(held) if is_url else Source(kind="base64", data=held, media_type=media)
    is_image = kind == "image" or (media or "").startswith("image/")
    return ImageBlock(source=source) if is_image else FileBlock(source=source)


def _result(piece: dict[str, JSON]) -> ToolResultBlock:
    """A result: a typed output, or in older versions the value itself."""
    identity, output = a_text(piece.get("toolCallId")), piece.get("output")
    if isinstance(output, dict) and isinstance(output.get("type"), str):
        value, error = output.get("value", output.get("reason", "")), str(output["type"]).startswith("error")
    else:
        value, error = piece.get("result", output), piece.get("isError") is True
    block, _ = result(identity, value)
    return ToolResultBlock(call_id=identity, content=block.content, is_error=True if error else None)

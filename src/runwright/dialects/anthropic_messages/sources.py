"""Images, documents and what else refers to content: their sources."""

from __future__ import annotations

from runwright.dialects.anthropic_messages.marks import MARK, marked, said
from runwright.dialects.fields import list_at, object_at, only, optional_text_at, refuse, rest, text_at
from runwright.trace.model import JSON, FileBlock, ImageBlock, Source

KIND = "type"
CONTENT = "content"
"""Names in `FileBlock.extra`: the wire's type where it is no document; the blocks of a content source."""

_FILE, _BASE64, _URL, _TEXT = "file", "base64", "url", "text"


def decode_image(block: dict[str, JSON], path: str) -> ImageBlock:
    """An image."""
    source = object_at(block.get("source"), f"{path}.source")
    extra = said(block, ("type", "source", MARK))
    return ImageBlock(
        source=_source(source, (_BASE64, _URL, _FILE), f"{path}.source"), cache=block.get(MARK), extra=extra
    )


def encode_image(block: ImageBlock, path: str) -> dict[str, JSON]:
    """The wire form of an image."""
    if block.detail is not None:
        raise refuse(f"{path}.detail", f"detail {block.detail!r} has no form on this API")
    return marked({"type": "image", "source": _wire_source(block.source, path), **block.extra}, block.cache)


def decode_document(block: dict[str, JSON], path: str) -> FileBlock:
    """A document; a source of content blocks is kept beside an empty text."""
    extra = said(block, ("type", "source", "title", MARK))
    if CONTENT in extra:
        raise refuse(f"{path}.{CONTENT}", "field of a document cannot be represented")
    wire = object_at(block.get("source"), f"{path}.source")
    if wire.get("type") == "content":
        only(wire, ("type", "content"), f"{path}.source")
        source, extra = Source(kind="text", data=""), {**extra, CONTENT: _content(wire, f"{path}.source")}
    else:
        source = _source(wire, (_BASE64, _TEXT, _URL, _FILE), f"{path}.source")
    title = optional_text_at(block.get("title"), f"{path}.title")
    return FileBlock(source=source, name=title, cache=block.get(MARK), extra=extra)


def decode_search_result(block: dict[str, JSON], path: str) -> FileBlock:
    """A search result: what it was found at, its title, and its texts."""
    source = Source(kind="url", data=text_at(block.get("source"), f"{path}.source"))
    extra = said(block, ("type", "source", "title", MARK))
    extra[CONTENT] = list_at(block.get("content"), f"{path}.content")
    title = optional_text_at(block.get("title"), f"{path}.title")
    return FileBlock(source=source, name=title, cache=block.get(MARK), extra={KIND: "search_result", **extra})


def decode_upload(block: dict[str, JSON], path: str) -> FileBlock:
    """A file that the container is given."""
    only(block, ("type", "file_id", MARK), path)
    source = Source(kind="file_id", data=text_at(block.get("file_id"), f"{path}.file_id"))
    return FileBlock(source=source, cache=block.get(MARK), extra={KIND: "container_upload"})


def encode_file(block: FileBlock, path: str) -> dict[str, JSON]:
    """The wire form of a document, a search result or a file for the container."""
    kind, extra = block.extra.get(KIND), rest(block.extra, (KIND,))
    title: dict[str, JSON] = {} if block.name is None else {"title": block.name}
    if kind == "search_result" and block.source.kind == "url":
        return marked({"type": kind, "source": block.source.data, **title, **extra}, block.cache)
    if kind == "container_upload" and block.source.kind == "file_id" and block.name is None and not extra:
        return marked({"type": kind, "file_id": block.source.data}, block.cache)
    if kind is not None:
        raise refuse(path, f"a file of the kind {kind!r} has no such form on this API")
    source = _document_source(block, path)
    return marked({"type": "document", "source": source, **title, **rest(extra, (CONTENT,))}, block.cache)


def _content(wire: dict[str, JSON], path: str) -> list[JSON]:
    """The blocks of a content source: a string is one text block."""
    content = wire.get("content")
    if isinstance(content, str):
        return [{"type": "text", "text": content}]
    if not isinstance(content, list):
        raise refuse(f"{path}.content", "expected a string or a list of blocks")
    return content


def _document_source(block: FileBlock, path: str) -> JSON:
    if CONTENT not in block.extra:
        return _wire_source(block.source, path)
    if block.source != Source(kind="text", data=""):
        raise refuse(f"{path}.source", "a document has a source or content blocks, not both")
    return {"type": "content", "content": block.extra[CONTENT]}


def _source(source: dict[str, JSON], kinds: tuple[str, ...], path: str) -> Source:
    kind = text_at(source.get("type"), f"{path}.type")
    if kind not in kinds:
        raise refuse(f"{path}.type", f"unknown source type {kind!r}")
    if kind == _URL:
        only(source, ("type", "url"), path)
        return Source(kind="url", data=text_at(source.get("url"), f"{path}.url"))
    if kind == _FILE:
        only(source, ("type", "file_id"), path)
        return Source(kind="file_id", data=text_at(source.get("file_id"), f"{path}.file_id"))
    only(source, ("type", "data", "media_type"), path)
    media = optional_text_at(source.get("media_type"), f"{path}.media_type")
    data = text_at(source.get("data"), f"{path}.data")
    return Source(kind="text" if kind == _TEXT else "base64", data=data, media_type=media)


def _wire_source(source: Source, path: str) -> JSON:
    if source.kind in ("url", "file_id") and source.media_type is not None:
        raise refuse(f"{path}.source", f"a {source.kind} source with a media type has no form on this API")
    if source.kind == "url":
        return {"type": _URL, "url": source.data}
    if source.kind == "file_id":
        return {"type": _FILE, "file_id": source.data}
    media: dict[str, JSON] = {} if source.media_type is None else {"media_type": source.media_type}
    return {"type": source.kind, **media, "data": source.data}

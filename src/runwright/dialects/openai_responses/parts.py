"""The parts of a message, both ways."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import msgspec

from runwright.dialects.data_url import inline, source_of_data, source_of_url
from runwright.dialects.fields import object_at, only, optional_text_at, refuse, rest, text_at, wrong_kind
from runwright.dialects.openai_responses.marks import BREAKPOINT, ITEM, cache_of, marked, said
from runwright.trace.model import (
    JSON,
    AudioBlock,
    Block,
    FileBlock,
    ImageBlock,
    OtherBlock,
    RefusalBlock,
    Source,
    TextBlock,
)

KIND = "type"
"""Name in a text's `extra`: the wire's type where it is not the one of the message's role."""

INPUT, OUTPUT = "input_text", "output_text"
Part = dict[str, JSON]


def decode_content(content: JSON, role: str, path: str) -> tuple[Block, ...]:
    """The blocks of a `content` field: a string is one text block."""
    if isinstance(content, str):
        return (TextBlock(text=content),)
    if not isinstance(content, list):
        raise wrong_kind(path, "a string or a list of parts", content)
    return tuple(decode_part(each, role, f"{path}[{index}]") for index, each in enumerate(content))


def encode_content(blocks: Sequence[Block], role: str, path: str) -> JSON:
    """The `content` field for these blocks: a string for one plain text block, else a list of parts."""
    if len(blocks) == 1 and isinstance(blocks[0], TextBlock) and blocks[0] == TextBlock(text=blocks[0].text):
        return blocks[0].text
    return [encode_part(block, role, f"{path}[{index}]") for index, block in enumerate(blocks)]


def text_kind(role: str) -> str:
    """The type of a text in a message of this role."""
    return OUTPUT if role == "assistant" else INPUT


def decode_part(value: JSON, role: str, path: str) -> Block:
    """One part; a type that the model has no block for is kept as it came."""
    part = object_at(value, path)
    kind = text_at(part.get("type"), f"{path}.type")
    if kind in (INPUT, OUTPUT):
        return _decode_text(part, kind, role, path)
    if kind in _DECODERS:
        return _DECODERS[kind](part, path)
    if ITEM in part:
        raise refuse(f"{path}.{ITEM}", "field cannot be represented")
    return OtherBlock(kind=kind, extra={**rest(part, ("type",)), ITEM: None})


def encode_part(block: Block, role: str, path: str) -> Part:
    """The wire form of one part."""
    if isinstance(block, TextBlock):
        kind = block.extra.get(KIND, text_kind(role))
        return marked({"type": kind, "text": block.text, **rest(block.extra, (KIND, ITEM))}, block.cache, path)
    if isinstance(block, RefusalBlock):
        return {"type": "refusal", "refusal": block.text, **rest(block.extra, (ITEM,))}
    if isinstance(block, ImageBlock):
        return _encode_image(block, path)
    if isinstance(block, FileBlock):
        return _encode_file(block, path)
    if isinstance(block, AudioBlock):
        return _encode_audio(block, path)
    if isinstance(block, OtherBlock) and ITEM in block.extra:
        return {"type": block.kind, **rest(block.extra, (ITEM,))}
    raise refuse(path, f"a {type(block).__name__} has no form within a message on this API")


def is_part(block: Block) -> bool:
    """Whether the block is part of a message, and no item of its own."""
    if isinstance(block, OtherBlock):
        return ITEM in block.extra
    return isinstance(block, TextBlock | RefusalBlock | ImageBlock | FileBlock | AudioBlock)


def with_item(blocks: tuple[Block, ...], item: JSON, path: str) -> tuple[Block, ...]:
    """The blocks of a message whose first one tells the message's own fields."""
    first = blocks[0]
    if isinstance(first, AudioBlock):
        raise refuse(path, "fields of a message that begins with audio cannot be represented")
    extra: dict[str, JSON] = {**first.extra, ITEM: item}
    return (msgspec.structs.replace(first, extra=extra), *blocks[1:])


def _decode_text(part: Part, kind: str, role: str, path: str) -> Block:
    extra = said(part, ("type", "text", BREAKPOINT), path)
    text = text_at(part.get("text"), f"{path}.text")
    other: dict[str, JSON] = {} if kind == text_kind(role) else {KIND: kind}
    return TextBlock(text=text, cache=cache_of(part), extra=other | extra)


def _decode_refusal(part: Part, path: str) -> Block:
    text = text_at(part.get("refusal"), f"{path}.refusal")
    return RefusalBlock(text=text, extra=said(part, ("type", "refusal"), path))


def _decode_image(part: Part, path: str) -> Block:
    url = optional_text_at(part.get("image_url"), f"{path}.image_url")
    file_id = optional_text_at(part.get("file_id"), f"{path}.file_id")
    if url is not None and file_id is not None:
        raise refuse(path, "expected exactly one of image_url and file_id")
    source = Source(kind="file_id", data=text_at(file_id, f"{path}.image_url")) if url is None else source_of_url(url)
    return ImageBlock(
        source=source,
        detail=optional_text_at(part.get("detail"), f"{path}.detail"),
        cache=cache_of(part),
        extra=said(part, ("type", "image_url", "file_id", "detail", BREAKPOINT), path),
    )


def _decode_file(part: Part, path: str) -> Block:
    given = [name for name in _FILES if part.get(name) is not None]
    if len(given) != 1:
        raise refuse(path, f"expected exactly one of {', '.join(_FILES)}")
    text = text_at(part[given[0]], f"{path}.{given[0]}")
    return FileBlock(
        source=_FILES[given[0]](text),
        name=optional_text_at(part.get("filename"), f"{path}.filename"),
        cache=cache_of(part),
        extra=said(part, ("type", "filename", BREAKPOINT, *_FILES), path),
    )


_FILES: dict[str, Callable[[str], Source]] = {
    "file_data": source_of_data,
    "file_id": lambda text: Source(kind="file_id", data=text),
    "file_url": lambda text: Source(kind="url", data=text),
}


def _decode_audio(part: Part, path: str) -> Block:
    only(part, ("type", "input_audio"), path)
    audio = object_at(part.get("input_audio"), f"{path}.input_audio")
    only(audio, ("data", "format"), f"{path}.input_audio")
    source = Source(kind="base64", data=text_at(audio.get("data"), f"{path}.input_audio.data"))
    return AudioBlock(source=source, format=optional_text_at(audio.get("format"), f"{path}.input_audio.format"))


_DECODERS: dict[str, Callable[[Part, str], Block]] = {
    "refusal": _decode_refusal,
    "input_image": _decode_image,
    "input_file": _decode_file,
    "input_audio": _decode_audio,
}


def _encode_image(block: ImageBlock, path: str) -> Part:
    source, part = block.source, Part(type="input_image")
    if source.kind == "file_id":
        part["file_id"] = _bare(source, path)
    elif source.kind == "url":
        part["image_url"] = _bare(source, path)
    elif source.kind == "base64" and source.media_type is not None:
        part["image_url"] = inline(source)
    else:
        raise refuse(path, f"an image from a {source.kind} source without a media type has no form on this API")
    if block.detail is not None:
        part["detail"] = block.detail
    return marked({**part, **rest(block.extra, (ITEM,))}, block.cache, path)


def _encode_file(block: FileBlock, path: str) -> Part:
    source, part = block.source, Part(type="input_file")
    name = {"url": "file_url", "file_id": "file_id", "base64": "file_data"}.get(source.kind)
    if name is None:
        raise refuse(path, f"a file from a {source.kind} source has no form on this API")
    part[name] = inline(source) if source.kind == "base64" else _bare(source, path)
    if block.name is not None:
        part["filename"] = block.name
    return marked({**part, **rest(block.extra, (ITEM,))}, block.cache, path)


def _encode_audio(block: AudioBlock, path: str) -> Part:
    if block.source.kind != "base64" or block.source.media_type is not None or block.cache is not None:
        raise refuse(path, f"such audio from a {block.source.kind} source has no form on this API")
    audio: Part = {"data": block.source.data}
    if block.format is not None:
        audio["format"] = block.format
    return {"type": "input_audio", "input_audio": audio}


def _bare(source: Source, path: str) -> str:
    if source.media_type is not None:
        raise refuse(f"{path}.source", f"a {source.kind} source with a media type has no form on this API")
    return source.data

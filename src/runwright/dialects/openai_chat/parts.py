"""Content parts: the forms that a message's `content` can take."""

from __future__ import annotations

from collections.abc import Iterable

from runwright.dialects.data_url import inline, source_of_data, source_of_url
from runwright.dialects.fields import (
    object_at,
    only,
    optional_text_at,
    refuse,
    rest,
    text_at,
    unsaid,
    wrong_kind,
)
from runwright.trace.model import (
    JSON,
    AudioBlock,
    Block,
    FileBlock,
    ImageBlock,
    RefusalBlock,
    Source,
    TextBlock,
)

MARK = "cache_control"
BREAKPOINT = "prompt_cache_breakpoint"
ANNOTATIONS = "annotations"


def decode_content(content: JSON, path: str) -> tuple[Block, ...]:
    """The blocks of a `content` field: a string is one text block; null, absent and the empty list are none."""
    if content is None:
        return ()
    if isinstance(content, str):
        return (TextBlock(text=content),)
    if not isinstance(content, list):
        raise wrong_kind(path, "a string or a list of parts", content)
    return tuple(_decode_part(part, f"{path}[{index}]") for index, part in enumerate(content))


def encode_content(blocks: Iterable[Block], path: str) -> JSON:
    """The `content` field for these blocks: a string for one plain text block, else a list of parts."""
    parts = list(blocks)
    if len(parts) == 1 and isinstance(parts[0], TextBlock) and parts[0] == TextBlock(text=parts[0].text):
        return parts[0].text
    return [_encode_part(part, f"{path}[{index}]") for index, part in enumerate(parts)]


def cache_of(part: dict[str, JSON], path: str) -> JSON:
    """The part's cache mark: the value of `cache_control`, or `prompt_cache_breakpoint` under its name."""
    mark, breakpoint_ = part.get(MARK), part.get(BREAKPOINT)
    if mark is not None and breakpoint_ is not None:
        raise refuse(f"{path}.{BREAKPOINT}", f"two cache marks on one part, beside {MARK}")
    if isinstance(mark, dict) and BREAKPOINT in mark:
        raise refuse(f"{path}.{MARK}.{BREAKPOINT}", "unknown cache mark")
    return mark if breakpoint_ is None else {BREAKPOINT: breakpoint_}


def cache_fields(cache: JSON) -> dict[str, JSON]:
    """The wire fields of a cache mark."""
    if cache is None:
        return {}
    return cache if isinstance(cache, dict) and set(cache) == {BREAKPOINT} else {MARK: cache}


def _decode_part(value: JSON, path: str) -> Block:
    part = object_at(value, path)
    cache = cache_of(part, path)
    kind = text_at(part.get("type"), f"{path}.type")
    if kind == "text":
        return _decode_text(part, cache, path)
    if kind == "refusal":
        only(part, ("type", "refusal"), path)
        return RefusalBlock(text=text_at(part.get("refusal"), f"{path}.refusal"))
    if kind not in _DECODERS:
        raise refuse(f"{path}.type", f"unknown content part type {kind!r}")
    only(part, ("type", kind, MARK, BREAKPOINT), path)
    return _DECODERS[kind](object_at(part.get(kind), f"{path}.{kind}"), cache, f"{path}.{kind}")


def _decode_text(part: dict[str, JSON], cache: JSON, path: str) -> Block:
    if ANNOTATIONS in part:
        raise refuse(f"{path}.{ANNOTATIONS}", "annotations belong to a message, not to a part")
    extra = rest(part, ("type", "text", MARK, BREAKPOINT))
    return TextBlock(text=text_at(part.get("text"), f"{path}.text"), cache=cache, extra=extra)


def _decode_image(image: dict[str, JSON], cache: JSON, path: str) -> Block:
    only(image, ("url", "detail"), path)
    detail = optional_text_at(image.get("detail"), f"{path}.detail")
    return ImageBlock(source=source_of_url(text_at(image.get("url"), f"{path}.url")), detail=detail, cache=cache)


def _decode_audio(audio: dict[str, JSON], cache: JSON, path: str) -> Block:
    only(audio, ("data", "format"), path)
    source = Source(kind="base64", data=text_at(audio.get("data"), f"{path}.data"))
    return AudioBlock(source=source, format=optional_text_at(audio.get("format"), f"{path}.format"), cache=cache)


def _decode_file(file: dict[str, JSON], cache: JSON, path: str) -> Block:
    name = optional_text_at(file.get("filename"), f"{path}.filename")
    data = optional_text_at(file.get("file_data"), f"{path}.file_data")
    file_id = optional_text_at(file.get("file_id"), f"{path}.file_id")
    extra = rest(file, ("filename", "file_data", "file_id"))
    if (data is None) == (file_id is None):
        raise refuse(path, "expected exactly one of file_data and file_id")
    source = Source(kind="file_id", data=file_id) if data is None and file_id is not None else source_of_data(data)
    return FileBlock(source=source, name=name, cache=cache, extra=extra)


_DECODERS = {"image_url": _decode_image, "input_audio": _decode_audio, "file": _decode_file}


def _encode_part(block: Block, path: str) -> JSON:
    if isinstance(block, TextBlock):
        return {"type": "text", "text": block.text, **cache_fields(block.cache), **block.extra}
    if isinstance(block, RefusalBlock):
        unsaid(block.extra, path)
        return {"type": "refusal", "refusal": block.text}
    if isinstance(block, ImageBlock):
        unsaid(block.extra, path)
        image = _present(url=_url_of(block.source, path), detail=block.detail)
        return {"type": "image_url", "image_url": image, **cache_fields(block.cache)}
    if isinstance(block, AudioBlock):
        if block.source.kind != "base64" or block.source.media_type is not None:
            raise refuse(path, f"audio from a {block.source.kind} source has no form on this API")
        audio = _present(data=block.source.data, format=block.format)
        return {"type": "input_audio", "input_audio": audio, **cache_fields(block.cache)}
    if isinstance(block, FileBlock):
        return {"type": "file", "file": _encode_file(block, path), **cache_fields(block.cache)}
    raise refuse(path, f"a {type(block).__name__} has no form as a content part on this API")


def _present(**fields: str | None) -> dict[str, JSON]:
    return {key: value for key, value in fields.items() if value is not None}


def _encode_file(block: FileBlock, path: str) -> dict[str, JSON]:
    name = _present(filename=block.name)
    if block.source.kind == "file_id":
        return {**name, "file_id": block.source.data, **block.extra}
    if block.source.kind != "base64":
        raise refuse(path, f"a file from a {block.source.kind} source has no form on this API")
    return {**name, "file_data": inline(block.source), **block.extra}


def _url_of(source: Source, path: str) -> str:
    if source.kind == "url":
        return source.data
    if source.kind != "base64" or source.media_type is None:
        raise refuse(path, f"an image from a {source.kind} source without a media type has no form on this API")
    return inline(source)

"""The parts of a content, both ways."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import orjson

from runwright.dialects.exact import exact_loads
from runwright.dialects.fields import object_at, optional_text_at, refuse, rest, text_at
from runwright.dialects.gemini.names import spelled
from runwright.trace.model import (
    JSON,
    AudioBlock,
    Block,
    FileBlock,
    ImageBlock,
    OtherBlock,
    Source,
    TextBlock,
    ThinkingBlock,
    ToolCallBlock,
    ToolResultBlock,
)

CALL, RESULT, INLINE, LINKED = "functionCall", "functionResponse", "inlineData", "fileData"
SIGNATURE, NAME, ID = "thoughtSignature", "name", "id"
"""Names in a block's `extra`: the part's signature; the name in a result; a null where the wire has no id."""

_BESIDE = ("thought", SIGNATURE, "videoMetadata", "mediaResolution", "partMetadata")
_KNOWN = ("text", CALL, RESULT, INLINE, LINKED, *_BESIDE)
Part = dict[str, JSON]


@dataclass
class Numbering:
    """Ids for calls and results that have none on the wire: the function's name, and a number from the second on."""

    used: dict[tuple[str, str], int] = field(default_factory=dict)

    def next(self, kind: str, name: str) -> str:
        """The id of the next call of this function, or of the next result."""
        count = self.used[kind, name] = self.used.get((kind, name), 0) + 1
        return name if count == 1 else f"{name}#{count}"


def decode_parts(value: JSON, path: str, ids: Numbering) -> tuple[Block, ...]:
    """The blocks of a list of parts; null is the empty list."""
    parts = [] if value is None else value
    if not isinstance(parts, list):
        raise refuse(path, "expected a list of parts")
    return tuple(decode_part(each, f"{path}[{index}]", ids) for index, each in enumerate(parts))


def encode_parts(blocks: Sequence[Block], path: str, ids: Numbering) -> list[JSON]:
    """The parts of these blocks."""
    return [encode_part(block, f"{path}[{index}]", ids) for index, block in enumerate(blocks)]


def decode_part(value: JSON, path: str, ids: Numbering) -> Block:
    """One part; a kind that the model has no block for is kept as it came."""
    part = spelled(object_at(value, path), _KNOWN, path)
    kinds = [name for name in part if name not in _BESIDE]
    if len(kinds) > 1:
        raise refuse(f"{path}.{kinds[1]}", f"a part with {kinds[0]} beside it cannot be represented")
    [kind] = kinds or ["part"]
    extra = rest(part, (kind,))
    if kind == "text":
        return _decode_text(text_at(part["text"], f"{path}.text"), extra, path)
    if kind in _DECODERS:
        return _DECODERS[kind](object_at(part[kind], f"{path}.{kind}"), extra, f"{path}.{kind}", ids)
    return OtherBlock(kind=kind, extra=part)


def encode_part(block: Block, path: str, ids: Numbering) -> Part:
    """The wire form of one block."""
    if getattr(block, "cache", None) is not None:
        raise refuse(f"{path}.cache", "a cache mark has no form on this API")
    if isinstance(block, TextBlock):
        if block.extra.get("thought") is True:
            raise refuse(f"{path}.thought", "a thought that is no thinking has no form on this API")
        return {"text": block.text, **block.extra}
    if isinstance(block, ThinkingBlock):
        return _encode_thinking(block, path)
    if isinstance(block, ToolCallBlock):
        return _encode_call(block, path, ids)
    if isinstance(block, ToolResultBlock):
        return _encode_result(block, path, ids)
    if isinstance(block, ImageBlock | AudioBlock | FileBlock):
        return _encode_data(block, path)
    if isinstance(block, OtherBlock):
        return _encode_other(block, path)
    raise refuse(path, f"a {type(block).__name__} has no form on this API")


def _decode_text(text: str, extra: Part, path: str) -> Block:
    if extra.get("thought") not in (None, True, False):
        raise refuse(f"{path}.thought", "expected a boolean")
    if extra.get("thought") is not True:
        return TextBlock(text=text, extra=rest(extra, ("thought",)))
    signature = optional_text_at(extra.get(SIGNATURE), f"{path}.{SIGNATURE}")
    return ThinkingBlock(text=text, signature=signature, extra=rest(extra, ("thought", SIGNATURE)))


def _encode_thinking(block: ThinkingBlock, path: str) -> Part:
    if block.redacted:
        raise refuse(path, "redacted thinking has no form on this API")
    signature: Part = {} if block.signature is None else {SIGNATURE: block.signature}
    return {"text": block.text, "thought": True, **signature, **block.extra}


# --- calls and results --------------------------------------------------------------------------


def _identified(fields: Part, kind: str, extra: Part, path: str, ids: Numbering) -> tuple[str, str, Part]:
    """Id, name and further fields; an id that is not on the wire is made of the name, and told."""
    name = text_at(fields.get("name"), f"{path}.name")
    given = optional_text_at(fields.get("id"), f"{path}.id")
    if given is not None:
        return given, name, extra
    return ids.next(kind, name), name, {**extra, ID: None}


def _decode_call(call: Part, extra: Part, path: str, ids: Numbering) -> Block:
    for name in ("partialArgs", "willContinue"):
        if call.get(name):
            raise refuse(f"{path}.{name}", "a call whose arguments come in several events cannot be represented")
    further = rest(call, ("name", "args", "id", "partialArgs", "willContinue"))
    id_, name, extra = _identified(call, CALL, {**extra, **({CALL: further} if further else {})}, path, ids)
    args = call.get("args")
    return ToolCallBlock(
        id=id_, name=name, arguments={} if args is None else object_at(args, f"{path}.args"), extra=extra
    )


def _encode_call(block: ToolCallBlock, path: str, ids: Numbering) -> Part:
    if block.kind != "function":
        raise refuse(path, f"a call of the kind {block.kind!r} has no form on this API")
    call = {
        **_id(block.id, block.extra, CALL, block.name, path, ids),
        "name": block.name,
        "args": object_at(block.arguments, f"{path}.args"),
        **object_at(block.extra.get(CALL, {}), path),
    }
    return {CALL: call, **rest(block.extra, (ID, CALL))}


def _decode_result(result: Part, extra: Part, path: str, ids: Numbering) -> Block:
    further = rest(result, ("name", "response", "id"))
    id_, name, extra = _identified(result, RESULT, {**extra, **({RESULT: further} if further else {})}, path, ids)
    response = result.get("response")
    given = object_at({} if response is None else response, f"{path}.response")
    said = orjson.dumps(given, option=orjson.OPT_SORT_KEYS).decode()  # the order of keys is no part of what is said
    return ToolResultBlock(call_id=id_, content=(TextBlock(text=said),), extra={**extra, NAME: name})


def _encode_result(block: ToolResultBlock, path: str, ids: Numbering) -> Part:
    if block.is_error is not None:
        raise refuse(f"{path}.is_error", "a result cannot say on this API whether it is an error")
    name = text_at(block.extra.get(NAME), f"{path}.name")
    result = {
        **_id(block.call_id, block.extra, RESULT, name, path, ids),
        "name": name,
        "response": _object_of(block.content, path),
        **object_at(block.extra.get(RESULT, {}), path),
    }
    return {RESULT: result, **rest(block.extra, (ID, NAME, RESULT))}


def _id(id_: str, extra: Part, kind: str, name: str, path: str, ids: Numbering) -> Part:
    if ID not in extra:
        return {"id": id_}
    if extra[ID] is not None or ids.next(kind, name) != id_:
        raise refuse(f"{path}.id", f"id {id_!r} is not the one that stands for none")
    return {}


def _object_of(content: Sequence[Block], path: str) -> Part:
    """The object that a result's text is the JSON of."""
    block = content[0] if len(content) == 1 else None
    if not isinstance(block, TextBlock) or block != TextBlock(text=block.text):
        raise refuse(f"{path}.response", "a result other than one plain text has no form on this API")
    try:
        return object_at(exact_loads(block.text), f"{path}.response")
    except ValueError as error:
        raise refuse(f"{path}.response", "a result whose text is no JSON object has no form on this API") from error


# --- data ---------------------------------------------------------------------------------------


def _decode_data(kind: str, data: str) -> Callable[[Part, Part, str, Numbering], Block]:
    def decode(blob: Part, extra: Part, path: str, _: Numbering) -> Block:
        blob = spelled(blob, ("data", "mimeType", "fileUri", "displayName"), path)
        type_ = optional_text_at(blob.get("mimeType"), f"{path}.mimeType")
        source = Source(
            kind="url" if data == "fileUri" else "base64",
            data=text_at(blob.get(data), f"{path}.{data}"),
            media_type=type_,
        )
        name = optional_text_at(blob.get("displayName"), f"{path}.displayName")
        further = rest(blob, (data, "mimeType", "displayName"))
        extra = {**extra, **({kind: further} if further else {})}
        family = (type_ or "").partition("/")[0]
        if family == "audio" and not extra and name is None:
            return AudioBlock(source=source)
        if family == "image" and name is None:
            return ImageBlock(source=source, extra=extra)
        return FileBlock(source=source, name=name, extra=extra)

    return decode


_DECODERS: dict[str, Callable[[Part, Part, str, Numbering], Block]] = {
    CALL: _decode_call,
    RESULT: _decode_result,
    INLINE: _decode_data(INLINE, "data"),
    LINKED: _decode_data(LINKED, "fileUri"),
}


def _encode_data(block: ImageBlock | AudioBlock | FileBlock, path: str) -> Part:
    extra: Part = {} if isinstance(block, AudioBlock) else block.extra
    kind, data = {"base64": (INLINE, "data"), "url": (LINKED, "fileUri")}.get(block.source.kind, ("", ""))
    odd = block.detail if isinstance(block, ImageBlock) else block.format if isinstance(block, AudioBlock) else None
    if not kind or odd is not None:
        raise refuse(path, f"such a {type(block).__name__} from a {block.source.kind} source has no form on this API")
    blob: Part = {data: block.source.data}
    if block.source.media_type is not None:
        blob["mimeType"] = block.source.media_type
    if isinstance(block, FileBlock) and block.name is not None:
        blob["displayName"] = block.name
    part: Part = {kind: {**blob, **object_at(extra.get(kind, {}), path)}, **rest(extra, (kind,))}
    if type(decode_part(part, path, Numbering())) is not type(block):
        raise refuse(path, f"a {type(block).__name__} of {block.source.media_type!r} has no form on this API")
    return part


def _encode_other(block: OtherBlock, path: str) -> Part:
    if decode_part(block.extra, path, Numbering()) != block:
        raise refuse(path, f"a block of the kind {block.kind!r} has no such form on this API")
    return block.extra

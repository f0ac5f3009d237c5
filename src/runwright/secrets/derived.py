"""What a record says about its own content (digests, sizes, chunk boundaries), made true again after redaction."""

from __future__ import annotations

import json
from collections.abc import Mapping
from itertools import pairwise
from typing import TypeVar

import msgspec

from runwright.secrets.digests import Digests
from runwright.secrets.finding import part_at
from runwright.secrets.leaves import leaves
from runwright.secrets.located import Place
from runwright.secrets.rewrite import rewritten
from runwright.trace import digest_bytes
from runwright.trace.model import (
    JSON,
    BlobRecord,
    Block,
    EffectState,
    Header,
    HttpBody,
    HttpRecord,
    HttpRequest,
    HttpResponse,
    ModelRecord,
    Record,
    RefusalBlock,
    SideEffect,
    SideEffectRecord,
    Specification,
    TextBlock,
    ThinkingBlock,
    ToolCallBlock,
    Trace,
)

SPELT_OUT: Mapping[str, JSON] = {"bytes": None, "top_logprobs": []}
M = TypeVar("M", HttpRequest, HttpResponse)
H = TypeVar("H", Header, Record)


def digest_of(text: str) -> str:
    """The digest that the format stores for a text."""
    return digest_bytes(text.encode("utf-8", "surrogatepass"))


def with_spelt_out(value: JSON, edits: Mapping[Place, str]) -> dict[Place, JSON]:
    """The edits, and what goes with an edited token of a reply's probabilities: its bytes and its alternatives."""
    more: dict[Place, JSON] = dict(edits)
    for parts, key in edits:
        holder = part_at(value, parts[:-1]) if parts and parts[-1] == "token" and not key else None
        if isinstance(holder, dict):
            more |= {((*parts[:-1], name), False): empty for name, empty in SPELT_OUT.items() if holder.get(name)}
    return more


def recomputed(old: Record, new: Record) -> Record:
    """The redacted record with everything true that it says about its content."""
    if new is old:
        return new
    if isinstance(new, SideEffectRecord) and isinstance(old, SideEffectRecord):
        return msgspec.structs.replace(new, side_effect=_effect(old.side_effect, new.side_effect))
    if isinstance(new, BlobRecord):
        return msgspec.structs.replace(new, digest=digest_of(new.text), size=len(new.text.encode()))
    if isinstance(new, HttpRecord) and isinstance(old, HttpRecord):
        request = _message(old.request, new.request)
        response = _message(old.response, new.response) if old.response and new.response else new.response
        return msgspec.structs.replace(new, request=request, response=response)
    if isinstance(new, ModelRecord) and isinstance(old, ModelRecord) and new.chunks and old.response and new.response:
        return msgspec.structs.replace(new, chunks=_chunks(new.chunks, old.response.content, new.response.content))
    return new


def _effect(old: SideEffect, new: SideEffect) -> SideEffect:
    return msgspec.structs.replace(new, before=_state(old.before, new.before), after=_state(old.after, new.after))


def _state(old: EffectState | None, new: EffectState | None) -> EffectState | None:
    """The state of redacted content; without content, a digest and a size would let a short secret be guessed."""
    if old is None or new is None:
        return new
    if new.content is None:
        return None
    if new.content == old.content:
        return new
    return EffectState(digest=digest_of(new.content), size=len(new.content.encode()), content=new.content)


def _message(old: M, new: M) -> M:
    """An HTTP message whose body, and the length it announces, are the redacted ones."""
    body = _body(old.body, new.body)
    if body is None or body == old.body:
        return new
    length = str(len((body.text or body.base64 or "").encode()))
    headers = tuple((key, length if key.lower() == "content-length" else value) for key, value in new.headers)
    return msgspec.structs.replace(new, body=body, headers=headers)


def _body(old: HttpBody | None, new: HttpBody | None) -> HttpBody | None:
    """Base64 that held a secret is left out and its token kept as text."""
    if old is None or new is None or new.base64 == old.base64:
        return new
    return msgspec.structs.replace(new, text=new.base64, base64=None)


def _chunks(
    chunks: tuple[tuple[int, int], ...], old: tuple[Block, ...], new: tuple[Block, ...]
) -> tuple[tuple[int, int], ...]:
    """The streamed pieces, cut where they were before; a token is in one piece."""
    moved: dict[int, list[int]] = {}
    for block in {block for block, _ in chunks if block < min(len(old), len(new))}:
        counts = [count for at, count in chunks if at == block]
        moved[block] = refitted(counts, streamed_text(old[block]), streamed_text(new[block]))
    fresh = ((block, moved[block].pop(0) if block in moved else count) for block, count in chunks)
    return tuple((block, count) for block, count in fresh if count > 0)


def refitted(counts: list[int], old: str, new: str) -> list[int]:
    """The pieces of the old text as pieces of the new: cuts outside the part that changed stay where they were."""
    if old == new or sum(counts) != len(old):
        return counts if old == new else [len(new), *[0] * (len(counts) - 1)]
    head = next((at for at, (a, b) in enumerate(zip(old, new, strict=False)) if a != b), min(len(old), len(new)))
    most = min(len(old), len(new)) - head
    tail = next((at for at in range(most) if old[-1 - at] != new[-1 - at]), most)
    cuts, at = [0], 0
    for count in counts:
        at += count
        cuts.append(at if at <= head else max(at + len(new) - len(old), len(new) - tail))
    return [after - before for before, after in pairwise(cuts)]


def streamed_text(block: Block) -> str:
    """What a content block is streamed as."""
    if isinstance(block, (TextBlock, ThinkingBlock, RefusalBlock)):
        return block.text
    if isinstance(block, ToolCallBlock):
        if block.arguments_text is not None:
            return block.arguments_text
        return json.dumps(block.arguments, ensure_ascii=False, separators=(",", ":"))
    return ""


def forgetful(trace: Trace) -> Trace:
    """The trace whose header holds no digest over words that are no longer there.

    Nor an id that follows from them: that of an imported run is a digest of the file it was in. It now follows from
    what is left, so that it is the same in every conversion of the same run.
    """
    header = trace.header
    told = header.specification
    policies = Specification(policies=told.policies) if told and told.policies else None
    header = msgspec.structs.replace(header, specification=policies)
    if header.source is not None:
        identity = digest_bytes(msgspec.json.encode(trace.records)).removeprefix("blake3:")[:32]
        source = msgspec.structs.replace(header.source, digest=None)
        header = msgspec.structs.replace(header, source=source, trace_id=identity)
    return msgspec.structs.replace(trace, header=header)


def with_digests(trace: Trace, digests: Digests) -> Trace:
    """The trace in which no digest of replaced content is left, whoever referred to it."""
    header = _referring(trace.header, digests)
    records = tuple(_referring(record, digests) for record in trace.records)
    return msgspec.structs.replace(trace, header=header, records=records)


def _referring(holder: H, digests: Digests) -> H:
    value = msgspec.to_builtins(holder)
    edits: dict[Place, JSON] = {}
    for leaf in leaves(value):
        text = digests.moved(leaf.text) if leaf.kind != "number" else leaf.text
        if text != leaf.text:
            edits[leaf.parts, leaf.kind == "key"] = text
    return msgspec.convert(rewritten(value, edits), type(holder)) if edits else holder

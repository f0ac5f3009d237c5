"""Planted secrets: every kind, twenty values of it, in ten positions of a trace."""

from __future__ import annotations

import base64
import json
import random
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple
from urllib.parse import quote

from scripts.gate.kinds import NAMED, TYPED, Named, Planted

VALUES = 20
DEEP = 3
PROSE = (
    "I tried it with {} and it still fails, see the log.",
    "Use {}. Nothing else is needed",
    "the old one ({}) was rotated yesterday",
    "Zuerst {}, dann läuft es — 完了",
)


class Item(NamedTuple):
    """A record's part that holds one secret: its kind, its position, and the text that must not be left in it."""

    kind: str
    typed: bool
    position: str
    value: dict[str, Any]
    core: str


def items(values: int = VALUES) -> Iterator[Item]:
    """Every kind in every position, the same in every run."""
    for kind, make in TYPED.items():
        for number in range(values):
            planted = make(random.Random(f"{kind} {number}"))
            for position, place in POSITIONS.items():
                yield Item(kind, True, position, place(planted, number), planted.core)
    for kind, name in NAMED.items():
        for number in range(values):
            named = name(random.Random(f"{kind} {number}"))
            for position, put in NAMED_POSITIONS.items():
                yield Item(kind, False, position, put(named, number), named.value)


def _nested(value: object, depth: int) -> str:
    text = json.dumps(value)
    for level in range(depth - 1):
        text = json.dumps({"type": "text", "text": text} if level % 2 else {"rows": [text], "n": level})
    return text


def _encoded(text: str, number: int) -> str:
    """Base64 in its four spellings."""
    encode = base64.urlsafe_b64encode if number % 2 else base64.b64encode
    run = encode(text.encode()).decode()
    return run.rstrip("=") if number % 4 > 1 else run


def _pieces(text: str, number: int) -> list[str]:
    """The text as a model streams it: tokens of one to nine characters."""
    chance = random.Random(number)
    pieces, at = [], 0
    while at < len(text):
        size = chance.randrange(1, 10)
        pieces.append(text[at : at + size])
        at += size
    return pieces


def _event(piece: str, style: int) -> dict[str, Any]:
    delta: dict[str, Any]
    if style == 0:
        return {"id": "chatcmpl-1", "choices": [{"index": 0, "delta": {"content": piece}, "finish_reason": None}]}
    if style == 1:
        call = {"index": 0, "function": {"arguments": piece}}
        return {"id": "chatcmpl-1", "choices": [{"index": 0, "delta": {"tool_calls": [call]}}]}
    if style == 2:
        delta = {"type": "text_delta", "text": piece}
        return {"type": "content_block_delta", "index": 0, "delta": delta}
    if style == 3:
        delta = {"type": "input_json_delta", "partial_json": piece}
        return {"type": "content_block_delta", "index": 1, "delta": delta}
    if style == 4:
        return {"type": "response.output_text.delta", "item_id": "msg_1", "output_index": 0, "delta": piece}
    return {"candidates": [{"content": {"role": "model", "parts": [{"text": piece}]}, "index": 0}]}


def _streamed(text: str, number: int) -> dict[str, Any]:
    """A streamed reply, as the body that came over the wire or as the list of its chunks."""
    events = [_event(piece, number % 6) for piece in _pieces(text, number)]
    if number % 3 == 2:
        return {"chunks": events}
    lines = "".join(f"data: {json.dumps(event)}\n\n" for event in events)
    return {"body": {"text": lines + "data: [DONE]\n\n"}}


def _cut(value: object, number: int) -> str:
    """JSON with its quotes escaped, and cut off."""
    text = json.dumps({"note": value, "more": ["a", "b"]} if not isinstance(value, dict) else value | {"more": "b"})
    for _ in range(1 + number % 2):
        text = json.dumps(text)[1:-1]
    return "output was: " + text[:-5]


def _header(name: str, value: str, number: int) -> dict[str, Any]:
    forms: tuple[dict[str, Any], ...] = (
        {"headers": [["Accept", "*/*"], [name, value]]},
        {"headers": [{"name": "Accept", "value": "*/*"}, {"name": name, "value": value}]},
        {"headers": {"accept": "*/*", name: value}},
        {"text": f"> GET /v1 HTTP/1.1\r\n> Accept: */*\r\n> {name}: {value}\r\n"},
    )
    return forms[number % len(forms)]


POSITIONS: dict[str, Callable[[Planted, int], dict[str, Any]]] = {
    "only value": lambda planted, _: {"value": planted.text},
    "prose": lambda planted, n: {"text": PROSE[n % len(PROSE)].format(planted.text)},
    "after an id": lambda planted, n: {
        "call_id": f"call_{n}",
        "note": f"run_id=4f{n}, message_id: m{n} {planted.text}",
    },
    "escaped": lambda planted, n: {"text": _cut(planted.text, n)},
    "nested JSON": lambda planted, _: {"result": _nested({"items": [{"note": planted.text}]}, DEEP)},
    "base64": lambda planted, n: {"blob": _encoded(f"# note\n{planted.text}\n", n)},
    "URL": lambda planted, n: {
        "url": f"https://api.example.com/v1/x?mode={n}&data={quote(planted.text, safe='')}" + "#top" * (n % 2)
    },
    "header": lambda planted, n: _header("X-Note", planted.text, n),
    "split stream": lambda planted, n: _streamed(f"It is {planted.text} indeed", n),
    "dict key": lambda planted, n: {"seen": {planted.text: n}},
}

NAMED_POSITIONS: dict[str, Callable[[Named, int], dict[str, Any]]] = {
    "only value": lambda it, n: {it.name: int(it.value) if it.value.isdigit() and n % 2 else it.value},
    "prose": lambda it, n: {"text": PROSE[n % len(PROSE)].format(_said(it, n))},
    "after an id": lambda it, n: (
        {"call_id": f"call_{n}", "arguments": {"user_id": "bob", it.name: it.value}}
        if n % 2
        else {"text": f"run_id=4f{n} {it.name}={it.value} mode=1"}
    ),
    "escaped": lambda it, n: {"text": _cut({it.name: it.value}, n)},
    "nested JSON": lambda it, _: {"result": _nested({"items": [{it.name: it.value}]}, DEEP)},
    "base64": lambda it, n: {
        "blob": _encoded(json.dumps({it.name: it.value}) if n % 2 else f"{it.name}={it.value}\n", n)
    },
    "URL": lambda it, n: {
        "url": f"https://api.example.com/v1/x?mode={n}&{it.name}={quote(it.value, safe='')}" + "#top" * (n % 2)
    },
    "header": lambda it, n: _header(it.name, it.value, n),
    "split stream": lambda it, n: _streamed(json.dumps({"user": "bob", it.name: it.value}), n),
    "dict key": lambda it, n: {"seen": {f"{it.name}={it.value}": n}},
}


def _said(it: Named, number: int) -> str:
    """How a person or a model writes it down."""
    option = f"--{it.name.lower().replace('_', '-').replace('.', '-')}"
    return (
        f'{it.name}="{it.value}"',
        f"{it.name}={it.value}",
        f"{it.name}: '{it.value}'",
        f"run {option} {it.value}",
        f"the {it.name} is `{it.value}`",
    )[number % 5]

"""Traces to measure on: of mixed lanes and contents, four kilobytes a line; or of conversations with long plain texts.

    python scripts/bench/corpus.py FILE [--records N | --megabytes N] [--plain]

The same arguments give the same bytes. Mixed: conversations of up to forty turns whose texts are between two hundred
characters and twenty thousand, in several scripts, with code and escapes in them; tools with arguments of every JSON
type; HTTP exchanges and side effects beside them. Words are ordinary, and ids are counted up or random.
"""

from __future__ import annotations

import argparse
import math
import random
import uuid
from collections.abc import Iterator
from functools import cache
from itertools import count
from pathlib import Path

from runwright.trace import (
    JSON,
    EffectState,
    Header,
    HttpBody,
    HttpRecord,
    HttpRequest,
    HttpResponse,
    Message,
    ModelRecord,
    ModelRequest,
    ModelResponse,
    Record,
    SideEffect,
    SideEffectRecord,
    TextBlock,
    ToolCallBlock,
    ToolRecord,
    ToolResultBlock,
    ToolSpec,
    TraceWriter,
    Usage,
)

WORDS = (
    "the", "order", "was", "shipped", "late", "and", "customer", "asks", "for", "refund", "invoice", "total", "teapot",
    "broken", "handle", "delivery", "address", "please", "check", "status", "of", "parcel", "before", "noon", "return",
    "label", "amount", "paid", "twice", "account", "statement", "street", "warehouse",
)  # fmt: skip
ELSEWHERE = ("naïve", "Zürich", "東京", "データ", "привет", "مرحبا", "ångström", "한국어", "→", "…", "✅", "“so”")
CODE = (
    "def total(items):\n    return sum(each.price for each in items)\n",
    'if (a < b && c != d) {\n\treturn "ok";\n}\n',
    "SELECT id, name FROM orders WHERE id = 42;\n",
    "src/shop/orders.py:123: ",
    "https://shop.example/api/v1/items?page=2&limit=50 ",
    '{"name": "teapot", "count": 3}\n',
    "C:\\Users\\shop\\orders\\",
)
TOOLS = ("lookup_order", "refund", "send_mail", "read_file", "search", "list_orders", "get_weather", "run_query")
KEYS = (
    "path",
    "query",
    "limit",
    "offset",
    "options",
    "filters",
    "folder",
    "timeout",
    "flags",
    "ids",
    "ratio",
    "nested",
)
ENDS = (". ", ".\n", ".\n\n", ", ")
TURNS = 40
SYSTEM = "You answer the customers of a shop that sells teapots. Look up the order before you promise anything."


def main() -> None:
    """Write one trace."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", type=Path)
    parser.add_argument("--records", type=int, default=10**9, metavar="N")
    parser.add_argument("--megabytes", type=int, default=100, metavar="N")
    parser.add_argument("--plain", action="store_true", help="long texts of plain words")
    given = parser.parse_args()
    print(write(given.file, records=given.records, size=given.megabytes << 20, plain=given.plain), "records")


def write(path: Path, *, records: int = 10**9, size: int = 1 << 60, plain: bool = False, longest: int = 20_000) -> int:
    """Write a trace of so many records or bytes, whichever it reaches first; how many records it has.

    No text is much longer than `longest` characters.
    """
    chance = random.Random(7)
    made = plain_records(chance) if plain else mixed_records(chance, longest)
    with path.open("wb", buffering=1 << 20) as stream:
        writer = TraceWriter(stream, Header(kind="run", trace_id="bench"))
        for number, record in enumerate(made):
            if number >= records or stream.tell() >= size:
                writer.close()
                return number
            writer.write(record)
    raise AssertionError("a trace without end")


def mixed_records(chance: random.Random, longest: int) -> Iterator[Record]:
    """Records without end, conversation after conversation."""
    ids = {letter: map(f"{letter}{{}}".format, count(1)) for letter in "mthe"}
    while True:
        messages = [
            Message(role="system", content=(TextBlock(text=SYSTEM),)),
            Message(role="user", content=(TextBlock(text=text(chance, longest)),)),
        ]
        before: tuple[str, ...] = ()
        for turn in range(chance.randint(2, TURNS)):
            calls = tuple(call(chance) for _ in range(chance.choice((0, 1, 1, 1, 2))))
            said = (TextBlock(text=text(chance, longest)),) if chance.random() < 0.5 or not calls else ()
            mine = next(ids["m"])
            yield exchange(mine, before, messages, (*said, *calls), turn, chance)
            messages.append(Message(role="assistant", content=(*said, *calls)))
            before = (mine,)
            for each in calls:
                ran = next(ids["t"])
                result = text(chance, min(longest, 8_000)) if chance.random() < 0.6 else arguments(chance)
                yield ToolRecord(
                    id=ran, after=(mine,), name=each.name, arguments=each.arguments, result=result, call_id=each.id,
                    outcome="ok" if chance.random() < 0.93 else "error", fidelity="raw",
                )  # fmt: skip
                answer = ToolResultBlock(call_id=each.id, content=(TextBlock(text=str(result)),))
                messages.append(Message(role="tool", content=(answer,)))
                if chance.random() < 0.3:
                    yield http(next(ids["h"]), ran, min(longest, 4_000), chance)
                if chance.random() < 0.2:
                    yield effect(next(ids["e"]), ran, chance)
            if not calls:
                messages.append(Message(role="user", content=(TextBlock(text=text(chance, longest)),)))


def exchange(
    id: str, after: tuple[str, ...], messages: list[Message], content: tuple[TextBlock | ToolCallBlock, ...], turn: int,
    chance: random.Random,
) -> ModelRecord:  # fmt: skip
    """One turn of a conversation."""
    asks = any(isinstance(each, ToolCallBlock) for each in content)
    return ModelRecord(
        id=id,
        after=after,
        t=round(turn + chance.random(), 6),
        duration=round(chance.random() * 9, 6),
        request=ModelRequest(
            api="openai.chat_completions", provider="openai", model="gpt-4o-mini", messages=tuple(messages),
            parameters={"temperature": 0.2, "max_tokens": 4096, "top_p": 0.95}, tools=tools(),
        ),
        response=ModelResponse(
            content=content, stop_reason="tool_calls" if asks else "end_turn", id=str(unique(chance)),
            usage=Usage(input_tokens=chance.randint(100, 90_000), output_tokens=chance.randint(1, 4096)),
        ),
        streamed=False,
        fidelity="raw",
    )  # fmt: skip


@cache
def tools() -> tuple[ToolSpec, ...]:
    """The tools that every request declares."""
    schema: JSON = {"type": "object", "properties": {"query": {"type": "string"}, "limit": {"type": "integer"}}}
    return tuple(ToolSpec(name=each, description=f"Does {each}.", parameters=schema) for each in TOOLS)


def call(chance: random.Random) -> ToolCallBlock:
    """A call of some tool."""
    return ToolCallBlock(id=f"call_{unique(chance).hex[:24]}", name=chance.choice(TOOLS), arguments=arguments(chance))


def arguments(chance: random.Random, depth: int = 0) -> dict[str, JSON]:
    """Arguments of every JSON type, nested up to three deep."""
    return {chance.choice(KEYS): value(chance, depth) for _ in range(chance.randint(1, 5))}


def value(chance: random.Random, depth: int) -> JSON:
    """One of them."""
    kind = chance.random()
    if kind < 0.2 and depth < 3:
        return dict(arguments(chance, depth + 1))
    if kind < 0.5:
        return " ".join(chance.choices(WORDS, k=chance.randint(1, 12)))
    if kind < 0.7:
        return chance.choice((chance.randint(0, 10**6), round(chance.random() * 1000, 4), True, False, None))
    if kind < 0.85:
        return [chance.randint(0, 999) for _ in range(chance.randint(0, 12))]
    return f"src/{'/'.join(chance.choices(WORDS, k=3))}.py"


def http(id: str, parent: str, longest: int, chance: random.Random) -> HttpRecord:
    """A request that a tool made."""
    url = f"https://shop.example/v1/{chance.choice(WORDS)}/{chance.randint(1, 10**6)}?page={chance.randint(1, 99)}"
    body = HttpBody(text=text(chance, longest))
    return HttpRecord(
        id=id,
        parent=parent,
        after=(parent,),
        request=HttpRequest(method=chance.choice(("GET", "POST")), url=url, headers=(("accept", "application/json"),)),
        response=HttpResponse(status=chance.choice((200, 200, 404)), headers=(("etag", f'W/"{id}"'),), body=body),
        fidelity="raw",
    )


def effect(id: str, parent: str, chance: random.Random) -> SideEffectRecord:
    """A file that a tool wrote."""
    target = f"src/{'/'.join(chance.choices(WORDS, k=3))}.py"
    after = EffectState(digest=f"blake3:{chance.getrandbits(256):064x}", size=chance.randint(0, 10**7))
    return SideEffectRecord(
        id=id, after=(parent,), side_effect=SideEffect(kind="fs_write", target=target, after=after, caused_by=parent)
    )


def unique(chance: random.Random) -> uuid.UUID:
    """A random id."""
    return uuid.UUID(int=chance.getrandbits(128), version=4)


@cache
def paragraphs() -> tuple[str, ...]:
    """What texts are put together from."""
    chance = random.Random(1)
    found = []
    for _ in range(4_000):
        words = chance.choices(WORDS, k=chance.randint(4, 30))
        if chance.random() < 0.35:
            words[chance.randrange(len(words))] = chance.choice(ELSEWHERE)
        code = f"\n{chance.choice(CODE)}" if chance.random() < 0.25 else ""
        found.append(f"{' '.join(words)}{code}{chance.choice(ENDS)}")
    return tuple(found)


def text(chance: random.Random, longest: int) -> str:
    """A text whose length is as often of one magnitude as of another, from a hundredth of the longest on."""
    wanted = int(math.exp(chance.uniform(math.log(longest / 100), math.log(longest))))
    parts: list[str] = []
    while wanted > 0:
        parts.append(chance.choice(paragraphs()))
        wanted -= len(parts[-1])
    return "".join(parts)


def plain_records(chance: random.Random) -> Iterator[Record]:
    """Conversations of twenty turns, each with a tool call and a result of three hundred plain words."""
    for number in count():
        messages = [Message(role="user", content=(TextBlock(text=words(chance, 60)),))]
        before: tuple[str, ...] = ()
        for turn in range(number * 20 + 1, number * 20 + 21):
            mine, ran, call_id = f"m{turn}", f"t{turn}", f"call_{turn}"
            asks = ToolCallBlock(id=call_id, name="lookup", arguments={"query": words(chance, 12), "amount": turn % 20})
            yield ModelRecord(
                id=mine,
                after=before,
                request=ModelRequest(
                    api="openai.chat_completions", model="m", parameters={"temperature": 0}, messages=tuple(messages)
                ),
                response=ModelResponse(
                    content=(asks,), stop_reason="tool_calls", usage=Usage(input_tokens=turn, output_tokens=9)
                ),
                streamed=False,
                fidelity="raw",
            )
            result = words(chance, 300)
            yield ToolRecord(
                id=ran, after=(mine,), name="lookup", arguments={"amount": turn % 20}, result=result, outcome="ok",
                call_id=call_id, fidelity="raw",
            )  # fmt: skip
            before = (ran,)
            messages.append(Message(role="assistant", content=(asks,)))
            answer = ToolResultBlock(call_id=call_id, content=(TextBlock(text=result),))
            messages.append(Message(role="tool", content=(answer,)))


def words(chance: random.Random, number: int) -> str:
    """Some words."""
    return " ".join(chance.choices(WORDS, k=number))


if __name__ == "__main__":
    main()

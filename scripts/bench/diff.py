"""Comparing two traces against parsing their lines.

    python scripts/bench/diff.py [--records N ...] [--sizes N ...] [--unlike N] [--deepdiff] [--json]

Prints ratios within this run, by processor time of the least of some rounds. The bare limit is `orjson.loads` of the
lines of both files; what is measured is `diff` of the two traces once they are in memory. The edits are 64 changed,
39 deleted and 48 inserted records for each 2,000. Two shapes: `mixed` has long texts and every lane, `conversations`
has growing conversations of 20 turns, which the format stores in short lines.

`--sizes` gives the time against the size, with the exponent that fits it; `--unlike` compares traces that have nothing
in common, of twelve kinds of records, and shuffled, with the memory that each takes, a process each; `--deepdiff` puts
DeepDiff alone beside it: of the whole lists by position, and of the pairs of records that differ, beside our own walk.
"""

from __future__ import annotations

import argparse
import gc
import json
import math
import os
import random
import resource
import statistics
import time
from collections.abc import Callable, Iterator

import orjson
from msgspec.structs import replace

from runwright.diff import diff
from runwright.trace import (
    JSON,
    Block,
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
    Trace,
    Usage,
    dumps_trace,
    loads_trace,
    plain as plain_record,
)

WORDS = ("order", "customer", "refund", "invoice", "shipped", "broken", "teapot", "amount", "naïve", "東京", "delivery")
TARGETS = {2_000: 1.3, 10_000: 1.5}
ROUNDS = 5
TURNS = 20
MIXED_MOST = 20_000
"""Records of the shape `mixed`, at 10 KB each, in the rows of the time against the size."""


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--records", type=int, nargs="+", default=[2_000, 10_000])
    parser.add_argument("--sizes", type=int, nargs="+", default=[])
    parser.add_argument("--unlike", type=int, default=0)
    parser.add_argument("--deepdiff", action="store_true")
    parser.add_argument("--json", action="store_true", help="the ratios to parsing, as JSON")
    options = parser.parse_args()
    sizes = options.records
    diff(read([]), read([]))  # imports and caches
    if options.unlike:
        unlike(options.unlike)
    elif options.sizes:
        growth(options.sizes)
    elif options.deepdiff:
        beside(sizes)
    else:
        tell = (lambda _: None) if options.json else print
        tell("shape          records  bytes a line  parse    diff   ratio  target  changes")
        found: dict[str, dict[int, float]] = {}
        for shape, make in (("mixed", mixed), ("conversations", conversations)):
            found[shape] = {size: measure(shape, make, size, tell) for size in sizes}
        if options.json:
            print(json.dumps(found, indent=2))


def measure(
    shape: str, make: Callable[[int, random.Random], list[Record]], size: int, tell: Callable[[str], object]
) -> float:
    """The ratio; one line of the table is told."""
    chance = random.Random(7)
    before = make(size, chance)
    after, expected = edited(before, chance)
    files = [dumps_trace(Trace(header=Header(kind="run", trace_id="bench"), records=tuple(r))) for r in (before, after)]
    lines = [line for data in files for line in data.splitlines()]
    left, right = (loads_trace(data, "bench") for data in files)
    bare = best(lambda: [orjson.loads(line) for line in lines])
    took = best(lambda: diff(left, right))
    found = len(diff(left, right).changes)
    target = TARGETS.get(size, 0)
    tell(
        f"{shape:<14} {size:>7}  {sum(map(len, lines)) // len(lines):>12}  {bare * 1e3:>4.0f} ms  {took * 1e3:>4.0f} ms"
        f"  {took / bare:>5.2f}  {target or '':>6}  {found} of {expected}"
    )
    return took / bare


# --- more rows ----------------------------------------------------------------------------------


def growth(sizes: list[int]) -> None:
    """The time against the number of records, and the exponent of the line that fits it."""
    for shape, make in (("mixed", mixed), ("conversations", conversations)):
        points = []
        for size in (size for size in sizes if make is not mixed or size <= MIXED_MOST):
            chance = random.Random(7)
            before = make(size, chance)
            after, _ = edited(before, chance)
            left, right = read(before), read(after)
            del before, after
            took = best(lambda left=left, right=right: diff(left, right), 3 if size < 50_000 else 1)  # type: ignore[misc]
            points.append((math.log(size), math.log(took)))
            print(f"{shape:<14} {size:>7}  {took * 1e3:>8.1f} ms  {took / size * 1e6:>6.1f} us a record")
        print(f"{shape:<14} exponent {slope(points):.2f}")


def slope(points: list[tuple[float, float]]) -> float:
    """The slope of the line that fits these points best."""
    x, y = (statistics.fmean(each) for each in zip(*points, strict=True))
    return sum((a - x) * (b - y) for a, b in points) / sum((a - x) ** 2 for a, _ in points)


def unlike(size: int) -> None:
    """Traces without a record in common, of twelve kinds of records alone, and in another order, a process each."""
    print(f"{size} records  edges      parse      diff   memory  the traces' own   coarser in")
    for shape in ("disjoint", "repeats", "shuffled"):
        for edges in ("none", "chain"):
            child = os.fork()
            if not child:
                one_unlike(shape, edges, size)
                os._exit(0)
            os.waitpid(child, 0)


def one_unlike(shape: str, edges: str, size: int) -> None:
    """One line of that table."""
    data = [dumps_trace(Trace(header=Header(kind="run", trace_id="x"), records=tuple(rows(shape, size, side, edges))))
            for side in (1, 2)]  # fmt: skip
    bare = best(lambda: [orjson.loads(line) for each in data for line in each.splitlines()], 1)
    left, right = (loads_trace(each, "bench") for each in data)
    own = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    began = time.process_time()
    found = diff(left, right)
    took = time.process_time() - began
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    print(
        f"{shape:<14} {edges:<6} {bare:>8.2f} s {took:>7.1f} s {most:>5} MB {own:>13} MB   {', '.join(found.coarse)}",
        flush=True,
    )


def rows(shape: str, size: int, side: int, edges: str) -> Iterator[Record]:
    """Tools that ran, as the shape has them."""
    chance = random.Random(side)
    order = list(range(size))
    if shape == "shuffled" and side == 2:
        chance.shuffle(order)
    for at, number in enumerate(order):
        said: JSON = {"disjoint": f"{side} {text(chance, 20)} {at}", "repeats": chance.randrange(12)}.get(shape, number)
        name = f"tool{said % 4 if isinstance(said, int) else chance.randrange(12)}"
        after = (f"r{at - 1}",) if at and edges == "chain" else ()
        yield ToolRecord(id=f"r{at}", name=name, arguments={"q": said}, outcome="ok", fidelity="raw", after=after)


def beside(sizes: list[int]) -> None:
    """DeepDiff alone on the plain records, and on the pairs that differ beside our own walk."""
    from deepdiff import DeepDiff

    from runwright.diff.fields import differences
    from runwright.diff.view import views

    print("shape          records     diff   changes   DeepDiff   entries   pairs: DeepDiff   own walk")
    for shape, make in (("mixed", mixed), ("conversations", conversations)):
        for size in sizes:
            chance = random.Random(7)
            before = make(size, chance)
            after, _ = edited(before, chance)
            left, right = read(before), read(after)
            took = best(lambda left=left, right=right: diff(left, right), 3)  # type: ignore[misc]
            found = diff(left, right).changes
            pairs = [views(each.left, each.right) for each in found if each.left and each.right]
            plain = [[plain_record(each) for each in side.records] for side in (left, right)]
            began = time.process_time()
            entries = sum(len(each) for each in DeepDiff(*plain, view="tree").values())
            alone = time.process_time() - began
            deep = best(lambda pairs=pairs: [DeepDiff(*pair, view="tree") for pair in pairs], 1)  # type: ignore[misc]
            own = best(lambda pairs=pairs: [differences(*pair, deep=False) for pair in pairs], 3)  # type: ignore[misc]
            print(
                f"{shape:<14} {size:>7} {took * 1e3:>5.0f} ms {len(found):>9} {alone * 1e3:>7.0f} ms {entries:>9}"
                f" {deep * 1e3:>14.1f} ms {own * 1e3:>7.1f} ms",
                flush=True,
            )


# --- the traces ---------------------------------------------------------------------------------


def read(records: list[Record]) -> Trace:
    """The records as a trace that was read from a file."""
    return loads_trace(dumps_trace(Trace(header=Header(kind="run", trace_id="x"), records=tuple(records))), "bench")


def edited(records: list[Record], chance: random.Random) -> tuple[list[Record], int]:
    """The records under other ids, with edits; and how many edits these are."""
    share = len(records) / 2000
    changed, deleted, inserted = (round(count * share) for count in (64, 39, 48))
    places = chance.sample(range(len(records)), changed + deleted)
    edits, gone = set(places[:changed]), set(places[changed:])
    more = set(chance.sample(range(len(records)), inserted))
    made: list[Record] = []
    for at, record in enumerate(records):
        if at in more:
            made.append(tool(f"new{at}", chance))
        if at not in gone:
            other = replace(record, id=f"x{at}", after=(), t=chance.random())
            made.append(changed_record(other, chance) if at in edits else other)
    return made, changed + deleted + inserted


def changed_record(record: Record, chance: random.Random) -> Record:
    """The record with one other field."""
    match record:
        case ToolRecord():
            return replace(record, result=text(chance, 60))
        case ModelRecord(response=ModelResponse() as response):
            return replace(record, response=replace(response, usage=Usage(input_tokens=chance.randrange(10**6))))
        case HttpRecord():
            return replace(record, request=replace(record.request, url=f"https://example.com/{chance.random()}"))
        case SideEffectRecord():
            return replace(record, side_effect=replace(record.side_effect, diff=text(chance, 20)))
        case _:
            raise TypeError(record)


def mixed(size: int, chance: random.Random) -> list[Record]:
    """Records of every kind with texts of 0.2 to 20 KB."""
    makers = ((40, exchange), (40, tool), (12, http), (8, effect))
    names = chance.choices([make for _, make in makers], [weight for weight, _ in makers], k=size)
    return [make(f"r{at}", chance) for at, make in enumerate(names)]


def exchange(id: str, chance: random.Random) -> ModelRecord:
    """A model exchange that no other one goes on from."""
    messages = tuple(
        Message(role=role, content=(TextBlock(text=long_text(chance)),)) for role in ("user", "assistant", "user")
    )
    content: list[Block] = [TextBlock(text=long_text(chance))]
    if chance.random() < 0.5:
        content.append(ToolCallBlock(id=f"call_{id}", name=chance.choice(WORDS), arguments=arguments(chance)))
    return ModelRecord(
        id=id,
        request=ModelRequest(api="openai.chat_completions", model="m", parameters={"top_p": 0.9}, messages=messages),
        response=ModelResponse(content=tuple(content), usage=Usage(input_tokens=chance.randrange(10**5))),
        streamed=False,
        fidelity="raw",
    )


def tool(id: str, chance: random.Random) -> ToolRecord:
    """A tool that ran."""
    result: JSON = long_text(chance) if chance.random() < 0.6 else arguments(chance)
    return ToolRecord(
        id=id, name=chance.choice(WORDS), arguments=arguments(chance), result=result, outcome="ok", fidelity="raw"
    )


def http(id: str, chance: random.Random) -> HttpRecord:
    """A request and its answer."""
    headers = (("content-type", "application/json"), ("x-request-id", f"{chance.random()}"), ("etag", "w"))
    return HttpRecord(
        id=id,
        request=HttpRequest(method="GET", url=f"https://example.com/{chance.choice(WORDS)}?page={chance.random()}"),
        response=HttpResponse(status=200, headers=headers, body=HttpBody(text=long_text(chance))),
        fidelity="raw",
    )


def effect(id: str, chance: random.Random) -> SideEffectRecord:
    """A file that was written."""
    effect = SideEffect(kind="fs_write", target=f"src/{chance.random()}.py", detail={"a": arguments(chance)})
    return SideEffectRecord(id=id, side_effect=effect)


def conversations(size: int, chance: random.Random) -> list[Record]:
    """Growing conversations: half of the records are exchanges, half are tools."""
    records = (record for number in range(size) for record in conversation(number, chance))
    return [record for record, _ in zip(records, range(size), strict=False)]


def conversation(number: int, chance: random.Random) -> Iterator[Record]:
    """The records of one conversation."""
    messages = [Message(role="user", content=(TextBlock(text=text(chance, 60)),))]
    for turn in range(TURNS):
        id, call = f"{number}_{turn}", f"call_{number}_{turn}"
        asks = ToolCallBlock(id=call, name="lookup", arguments={"query": text(chance, 12), "amount": turn})
        yield ModelRecord(
            id=f"m{id}",
            request=ModelRequest(
                api="openai.chat_completions", model="m", parameters={"temperature": 0}, messages=tuple(messages)
            ),
            response=ModelResponse(content=(asks,), stop_reason="tool_calls", usage=Usage(input_tokens=turn)),
            streamed=False,
            fidelity="raw",
        )
        result = text(chance, 300)
        yield ToolRecord(
            id=f"t{id}", name="lookup", arguments={"n": turn}, result=result, outcome="ok", call_id=call, fidelity="raw"
        )
        messages.append(Message(role="assistant", content=(asks,)))
        messages.append(
            Message(role="tool", content=(ToolResultBlock(call_id=call, content=(TextBlock(text=result),)),))
        )


def arguments(chance: random.Random) -> JSON:
    """The arguments of a call."""
    return {
        chance.choice(WORDS): text(chance, 5),
        "limit": chance.randrange(10**6),
        "ids": [chance.random(), None, True],
    }


def long_text(chance: random.Random) -> str:
    """0.2 to 20 KB."""
    return text(chance, int(30 * 100 ** chance.random()))


def text(chance: random.Random, words: int) -> str:
    """Some words."""
    return " ".join(chance.choices(WORDS, k=words))


def best(work: Callable[[], object], rounds: int = ROUNDS) -> float:
    """The least seconds of some rounds."""
    times = []
    for _ in range(rounds):
        gc.collect()
        begun = time.process_time()
        work()
        times.append(time.process_time() - begun)
    return min(times)


if __name__ == "__main__":
    main()

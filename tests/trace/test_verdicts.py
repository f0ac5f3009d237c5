"""Every way of deciding a record gives the verdict of jsonschema by itself, and no way of reading changes a value."""

from __future__ import annotations

import json
import os
import random
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from copy import deepcopy
from functools import cache
from pathlib import Path
from typing import Any

import jsonschema
import orjson
import pytest

from runwright.trace import problems, schema
from runwright.trace.exact import InexactJson, parse_exact
from runwright.trace.holds import Holds, NotSure, trace_schema
from runwright.trace.jsonl import _plainly_right
from runwright.trace.references import References
from runwright.trace.schemas import DECIDERS, _trace_part
from runwright.trace.small import _exact
from tests.samples import ROOT
from tests.trace.test_vectors import FILES, head_and_data

COUNT = 10_000 if os.environ.get("RUNWRIGHT_FUZZ") else 400
ODD: tuple[Any, ...] = (
    None, True, False, 0, -1, 1, 1.0, 1.5, -0.0, 200.0, 2**53, 2**64 - 1, "", "x", "$.a", "a\n", "ok", "raw", "model",
    "text", f"blake3:{'0' * 64}", "2026-11-30T00:00:00Z", [], {}, [[]], [1, 2], [1, 2, 3],
    ["a"], [["a", "b"]], {"a": 1}, {"type": "text", "text": "x"}, {"role": "user", "content": []},
    {"response_of": "m1"},
)  # fmt: skip
MEMBERS = (
    "ext", "extra", "more", "t", "blob", "text", "extends", "splices", "content", "error", "unknown", "type", "lane",
)  # fmt: skip


@cache
def lines() -> tuple[dict[str, Any], ...]:
    """Lines of every lane, with every block, headers and seals."""
    found = [raw for path in (ROOT / "tests" / "vectors" / "fingerprints").glob("*.jsonl") for raw in split(path)]
    valid = [data for path in FILES for head, data in [head_and_data(path)] if head["expect"] == "valid"]
    found += [raw for data in valid for raw in data.splitlines()]
    return tuple(orjson.loads(raw) for raw in sorted(set(found)))


def split(path: Path) -> list[bytes]:
    return path.read_bytes().splitlines()


def mutated(chance: random.Random) -> dict[str, Any]:
    """A line with up to three changes in places of any depth; one in eight is left as it is."""
    value = deepcopy(chance.choice(lines()))
    for _ in range(chance.choice((0, 1, 1, 1, 1, 2, 2, 3))):
        change(value, chance)
    return value


def change(value: dict[str, Any], chance: random.Random) -> None:
    holder, key = chance.choice(list(places(value)) or [(value, "x")])
    kind = chance.random()
    if kind < 0.2 and isinstance(holder, dict):
        holder.pop(key, None)
    elif kind < 0.4 and isinstance(holder, dict):
        holder[chance.choice(MEMBERS)] = deepcopy(chance.choice(ODD))
    elif kind < 0.5 and isinstance(holder, list):
        holder.insert(key, holder[key])
    elif kind < 0.6:
        holder[key] = deepcopy(chance.choice(lines()))
    else:
        holder[key] = deepcopy(chance.choice(ODD))


def places(value: Any) -> Iterator[tuple[Any, Any]]:
    waiting = [value]
    while waiting:
        node = waiting.pop()
        keys = list(node) if isinstance(node, dict) else range(len(node)) if isinstance(node, list) else ()
        for key in keys:
            yield node, key
            waiting.append(node[key])


@cache
def alone(part: str) -> jsonschema.Draft202012Validator:
    """jsonschema by itself, for one kind of line."""
    whole = schema("trace-v1")
    return jsonschema.Draft202012Validator({"$defs": whole["$defs"], "$ref": f"#/$defs/{part}"})


def test_all_ways_decide_as_jsonschema_does() -> None:
    chance = random.Random(COUNT)
    holds = Holds(trace_schema())
    seen: Counter[tuple[bool, str]] = Counter()
    for _ in range(COUNT):
        value = mutated(chance)
        part = _trace_part(value)
        if part is None:
            assert problems("trace-v1", value)
            continue
        verdict = alone(part).is_valid(value)
        assert (not problems("trace-v1", value)) is verdict, value
        if part not in ("header", "seal"):
            assert DECIDERS[part](value) is verdict, value
        try:
            assert holds(value, part) is verdict, value
            seen[verdict, "sure"] += 1
        except NotSure:
            seen[verdict, "not sure"] += 1
    assert seen[True, "sure"] > COUNT / 10
    assert seen[False, "sure"] > COUNT / 5
    assert seen.total() > COUNT / 2
    assert seen[True, "not sure"] + seen[False, "not sure"] < COUNT / 10


def test_a_digest_with_a_line_end_behind_it_is_none() -> None:
    """The one verdict that differs from jsonschema's: where the schema says `$`, Python's patterns take a line end."""
    seal = {"seal": f"blake3:{'0' * 64}\n", "records": {}}
    assert alone("seal").is_valid(seal)
    assert problems("trace-v1", seal) == [("$", "does not fit the schema")]
    with pytest.raises(NotSure):
        Holds(trace_schema())(seal, "seal")


def test_the_root_decides_as_its_parts_do() -> None:
    """A line is dispatched by what it is; the schema as a whole says the same of it."""
    whole = jsonschema.Draft202012Validator(schema("trace-v1"))
    chance = random.Random(5)
    for _ in range(COUNT // 20):
        value = mutated(chance)
        assert whole.is_valid(value) is (not problems("trace-v1", value)), value


NUMBERS = (
    b"1e400", b"1e-400", b"18446744073709551616", b"-9223372036854775809", b"1E5", b"0.10", b"-0", b"NaN", b"1e22",
    b"123456789012345678901234567890.5", b'"\\ud800"', b'"\\u0041"', b"[" * 300,
)  # fmt: skip


def respelled(raw: bytes, chance: random.Random) -> bytes:
    """A line in other bytes: other numbers, spaces, keys twice, escapes, or a byte that is another."""
    kind, at = chance.randrange(7), chance.randrange(len(raw))
    if kind == 0:
        return raw[:at] + bytes([chance.randrange(256)]) + raw[at + 1 :]
    if kind == 1:
        return raw.replace(b",", b" ,\t", 1)
    if kind == 2:
        return raw[:-1] + b',"id":"m1"}'
    return raw[:-1] + b',"ext":{"n":' + chance.choice(NUMBERS) + b"}}"


def after_all_but(id: object) -> References:
    """What stands before a line: all that any line of ours comes after, but the line itself."""
    references = References()
    for each in {each for line in lines() for name in ("after", "after_inferred") for each in line.get(name, ())}:
        if each != id:
            references._ids.add(each)
    return references


def test_no_way_of_reading_takes_what_the_exact_one_refuses() -> None:
    """Nor for another value. Lines that stand at their usual place and are taken at once are right in every way."""
    chance = random.Random(3)
    taken = refused = 0
    for at in range(COUNT):
        made = mutated(chance)
        raw = respelled(orjson.dumps(made), chance) if at % 2 else orjson.dumps(made)
        found = _plainly_right(2, raw + b"\n", after_all_but(made.get("id")))
        small = None
        with suppress(NotSure):
            small = _exact(raw)
        try:
            value = parse_exact(raw)
        except InexactJson:
            assert found is None, raw
            assert small is None, raw
            refused += 1
            continue
        if found is not None:
            assert same(found, value), raw
            assert not problems("trace-v1", value), raw
            taken += 1
        assert small is None or same(small, value), raw
    assert taken > COUNT / 10
    assert refused > COUNT / 10


def same(one: object, other: object) -> bool:
    """Equal, numbers of one type included."""
    return json.dumps(one) == json.dumps(other)


@pytest.mark.parametrize("keyword", ["maximum", "contains", "if", "$dynamicRef", "unevaluatedProperties"])
def test_a_keyword_that_the_schema_of_traces_does_not_use_is_left_to_others(keyword: str) -> None:
    holds = Holds({"$defs": {"x": {"type": "object", keyword: 1}}})
    with pytest.raises(NotSure):
        holds({}, "x")
    assert not holds([], "x")


REQUEST = {"api": "a", "model": "m"}


@pytest.mark.parametrize(
    ("part", "value", "verdict"),
    [
        ("request", REQUEST, True),
        ("request", {**REQUEST, "splices": []}, False),
        ("request", {**REQUEST, "extends": "m1"}, False),
        ("request", {"extends": "m1", "splices": []}, True),
        ("request", {"extends": "m1", "tools": []}, False),
        ("usage", {"input_tokens": 1}, True),
        ("usage", {"input_tokens": 1.0}, None),
        ("usage", {"input_tokens": 1.5}, False),
        ("usage", {"input_tokens": True}, False),
        ("splice", {"path": ["a"], "del": 0, "put": []}, True),
        ("splice", {"path": ["a"], "del": -1, "put": []}, False),
        ("splice", {"path": ["a"], "put": []}, False),
        ("splice", {"path": []}, False),
        ("text_block", {"type": "text", "text": "x"}, True),
        ("text_block", {"type": "text", "text": "x", "blob": f"blake3:{'0' * 64}"}, False),
        ("block", {"type": "text", "text": "x"}, True),
        ("block", {"type": "audio", "text": "x"}, False),
        ("headers", [["a", "b"]], True),
        ("headers", [["a"]], False),
        ("headers", [["a", "b", "c"]], False),
        ("headers", [["a", 1]], False),
    ],
)
def test_what_chance_seldom_meets(part: str, value: Any, verdict: bool | None) -> None:
    """None where JSON Schema and the model differ: 1.0 is an integer to the one only."""
    holds = Holds(trace_schema())
    if verdict is None:
        assert alone(part).is_valid(value)
        with pytest.raises(NotSure):
            holds(value, part)
    else:
        assert alone(part).is_valid(value) is verdict
        assert holds(value, part) is verdict

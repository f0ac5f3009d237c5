"""For every format: no mutation of a good file is a traceback, a hang or a trace that our own format cannot hold."""

from __future__ import annotations

import copy
import gzip
import json
import os
import random
from collections.abc import Callable
from typing import Any

import pytest

from runwright.errors import RunwrightError
from runwright.readers import READERS, Input, runs_of
from runwright.trace import dumps_trace, loads_trace
from tests.readers.exports import call, export, fixture
from tests.readers.test_captures import archive, cassette, entry, flow, interaction
from tests.readers.test_litellm import payload, spend
from tests.readers.test_other_logs import ASK, HEADER, LLM, NOTE, RAN, SAMPLE, TELL, lines, log
from tests.readers.test_phoenix import spans as phoenix_spans
from tests.readers.test_trajectories import ATIF, CHAT, HANDS, SWE
from tests.readers.test_wire import ANSWER, STREAM
from tests.samples import ROOT

MUTATIONS = 10_000 if os.environ.get("RUNWRIGHT_FUZZ") else 120
ODD: list[Any] = [None, True, 0, -1, 2**63, 10**40, 0.5, "", "x", "\ud800", [], {}, [[]], {"": None}, "1e400", "NaN"]

SEEDS: dict[str, bytes] = {
    "phoenix": "\n".join(json.dumps(each) for each in phoenix_spans("langgraph-openinference.traces.json")).encode(),
    "otlp": json.dumps(export(call(1))).encode(),
    "model_log": fixture("orders.jsonl", folder="model_log")[0].data,
    "flowproof": (ROOT / "tests" / "fixtures" / "flowproof" / "order-status.trace.jsonl").read_bytes(),
    "vcr": cassette(interaction({"string": json.dumps(ANSWER)}), interaction({"string": STREAM})).encode(),
    "har": archive(entry({"text": json.dumps(ANSWER)}), entry({"text": STREAM})).encode(),
    "mitmproxy": flow(json.dumps(ANSWER).encode()) + flow(STREAM.encode()),
    "atif": json.dumps(ATIF).encode(),
    "chat_list": json.dumps([{"task_id": 1, "traj": CHAT}]).encode(),
    "openhands": json.dumps(HANDS).encode(),
    "swe_agent": json.dumps(SWE).encode(),
    "inspect_ai": log(SAMPLE),
    "mcp_log": lines(NOTE, ASK, TELL),
    "fixtura": lines(HEADER, LLM, RAN),
    "litellm": "\n".join(map(json.dumps, (payload(), spend(2), payload(3, status="failure", error_str="x")))).encode(),
    "langsmith": (ROOT / "tests" / "fixtures" / "langsmith" / "runs.jsonl").read_bytes(),
    "openai_agents": (ROOT / "tests" / "fixtures" / "openai_agents" / "trace.jsonl").read_bytes(),
    "mlflow": (ROOT / "tests" / "fixtures" / "mlflow" / "trace.json").read_bytes(),
    "langfuse": (ROOT / "tests" / "fixtures" / "langfuse" / "trace.json").read_bytes(),
}


def truncated(data: bytes, luck: random.Random) -> bytes:
    return data[: luck.randrange(len(data))]


def flipped(data: bytes, luck: random.Random) -> bytes:
    bytes_ = bytearray(data)
    for _ in range(luck.randrange(1, 9)):
        bytes_[luck.randrange(len(bytes_))] = luck.randrange(256)
    return bytes(bytes_)


def spliced(data: bytes, luck: random.Random) -> bytes:
    at, end = sorted((luck.randrange(len(data)), luck.randrange(len(data))))
    return data[:at] + data[end:] if luck.random() < 0.5 else data[:end] + data[at:]


def reordered(data: bytes, luck: random.Random) -> bytes:
    lines = data.split(b"\n")
    luck.shuffle(lines)
    return b"\n".join(lines[: luck.randrange(1, len(lines) + 1)] + lines[:1])


def deepened(data: bytes, luck: random.Random) -> bytes:
    at = luck.randrange(len(data))
    return data[:at] + b"[" * 5000 + data[at:]


def changed(data: bytes, luck: random.Random) -> bytes:
    """A value somewhere in the first JSON document replaced or dropped; other bytes are flipped."""
    line, *rest = data.split(b"\n", 1)
    try:
        value = json.loads(data if not rest or not line.endswith(b"}") else line)
    except ValueError:
        return flipped(data, luck)
    whole = copy.deepcopy(value)
    parent, key = luck.choice(list(_places(whole)))
    if luck.random() < 0.3:
        del parent[key]
    else:
        parent[key] = luck.choice(ODD)
    return json.dumps(whole).encode("utf-8", "surrogatepass")


def _places(value: Any) -> list[tuple[Any, Any]]:
    items = (
        list(value.items()) if isinstance(value, dict) else list(enumerate(value)) if isinstance(value, list) else []
    )
    return [place for key, each in items for place in [(value, key), *_places(each)]]


KINDS: tuple[Callable[[bytes, random.Random], bytes], ...] = (
    truncated, flipped, spliced, reordered, deepened, changed, changed, changed, changed,
)  # fmt: skip


@pytest.mark.parametrize("format", SEEDS)
def test_mutations_of_a_good_file(format: str) -> None:
    luck = random.Random(format)
    whole = runs_of([Input("seed", SEEDS[format])], format)
    assert whole
    read = 0
    for number in range(MUTATIONS):
        data = luck.choice(KINDS)(SEEDS[format], luck)
        try:
            runs = runs_of([Input("fuzz", data)], format)
        except RunwrightError:
            continue
        read += 1
        for run in runs:
            written = dumps_trace(run.trace)
            assert loads_trace(written) == run.trace, number
    assert read > 0


@pytest.mark.parametrize("format", SEEDS)
def test_the_seed_is_of_its_format_alone(format: str) -> None:
    scores = {name: reader.sniff(SEEDS[format][:65536]) for name, reader in READERS.items()}
    assert max(scores, key=lambda name: scores[name]) == format
    assert [name for name, score in scores.items() if score == scores[format]] == [format]


@pytest.mark.parametrize(
    "data",
    [b"", b"\0" * 1000, b"{" * 100_000, gzip.compress(b"x")[:9], "é".encode("latin-1")],
    ids=["nothing", "zeros", "brackets", "cut gzip", "no UTF-8"],
)
@pytest.mark.parametrize("format", SEEDS)
def test_what_is_of_no_format_is_refused(format: str, data: bytes) -> None:
    with pytest.raises(RunwrightError):
        runs_of([Input("x", data)], format)

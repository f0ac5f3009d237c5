"""Input that means harm: whatever it is, a trace or a refusal, within stated memory and time.

What a file takes in memory is a stated multiple of its size, whatever it claims about itself: 10 times for texts,
`MANY` times for values of a byte or two. Children are limited to it, so that what takes more fails here.
"""

from __future__ import annotations

import gzip
import io
import json
import struct
import subprocess
import sys
import textwrap
import time
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow
import pyarrow.parquet
import pytest
import zstandard

from runwright.errors import RunwrightError
from runwright.readers import Input, runs_of
from runwright.readers.conversation import MOST
from runwright.readers.many import Group, file_name
from runwright.readers.packed import RATIO, SMALL, unpacked
from runwright.readers.table import READERS
from runwright.trace import dumps_trace, loads_trace
from tests.readers.test_fuzz_formats import SEEDS

MB = 1024 * 1024
BARE = 160 * MB
"""What Python and the readers take before they read anything."""
MANY = 40
SLOWEST = 20.0
"""Seconds of processor time that one of these inputs may take on the slowest machine."""

NAMES = [name for name in READERS if name != "runwright"]


def outcome(data: bytes, format: str | None) -> str:
    """How it ended; whatever is no refusal gets through. What was read is written and read back."""
    try:
        runs = runs_of([Input("x", data)], format)
    except RunwrightError as error:
        assert len(str(error)) < 2000  # noqa: PT017  both ways of ending are right
        return "refused"
    for run in runs[:3]:
        assert loads_trace(dumps_trace(run.trace)) == run.trace
    return "read"


CHAT = b'{"messages": [{"role": "user", "content": %s}, {"role": "assistant", "content": "x"}]}'
HOSTILE: dict[str, bytes] = {
    "lists within lists": b"[" * 100_000,
    "lists within lists, closed": b"[" * 100_000 + b"]" * 100_000,
    "objects within objects": b'{"a":' * 100_000 + b"1" + b"}" * 100_000,
    "a number of a million digits": b'{"messages": ' + b"9" * 1_000_000 + b"}",
    "a fraction of a million digits": b'{"messages": [0.' + b"9" * 1_000_000 + b"]}",
    "many long numbers": b"[" + b",".join([b"1" * 5000] * 200) + b"]",
    "an exponent beyond all range": b'{"messages": [1e999999999]}',
    "equal keys": b'{"messages": 1, "messages": 2, "role": 3, "role": 4}',
    "lone surrogates": CHAT % b'"\\ud800 \\udfff"',
    "lone surrogates in keys": b'{"messages": [{"role": "user", "\\ud800": 1}]}',
    "a byte order mark": b"\xef\xbb\xbf" + CHAT % b'"hi"',
    "two byte order marks": b"\xef\xbb\xbf" * 2 + CHAT % b'"hi"',
    "UTF-16": (CHAT % b'"hi"').decode().encode("utf-16"),
    "UTF-32": (CHAT % b'"hi"').decode().encode("utf-32"),
    "Latin-1": CHAT % b'"\xe9"',
    "zero bytes": b"\x00" * 100_000,
    "line ends": b"\n" * 200_000,
    "blanks": b" " * 200_000,
    "brackets that never meet": b"[{" * 50_000,
    "a text that never ends": b'{"messages": "' + b"x" * 200_000,
    "escapes that never end": b'{"messages": "' + b"\\" * 99_999,
    "thousands of lines of nothing": b"{}\n" * 20_000,
    "thousands of lines that are none": b"{\n" * 20_000,
}


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_file_is_read_or_refused_by_every_reader(name: str) -> None:
    began = time.process_time()
    assert {outcome(HOSTILE[name], format) for format in (None, *NAMES)} <= {"read", "refused"}
    assert time.process_time() - began < SLOWEST


def test_marks_and_surrogates_do_not_keep_a_conversation_from_being_read() -> None:
    for name in ("a byte order mark", "lone surrogates"):
        assert outcome(HOSTILE[name], None) == "read"


# --- names ---------------------------------------------------------------------------------------

BAD_NAMES = ["../../etc/passwd", "/etc/passwd", "a\x00b", "a\nb\x1b[31m", "..", ".", "", "C:\\x", "x" * 10_000_000, "é"]


@pytest.mark.parametrize("bad", BAD_NAMES, ids=range(len(BAD_NAMES)))
def test_an_id_never_reaches_a_file_name(bad: str) -> None:
    line = {"task_id": bad, "messages": [{"role": "user", "content": "q"}, {"role": "assistant", "content": "x"}]}
    data = "\n".join([json.dumps(line)] * 2).encode()
    runs = runs_of([Input("x", data)], "chat_list")
    name = file_name(Group((Path("some") / "x.jsonl",), runs), runs[0])
    assert len(name) <= 120
    assert set(name).isdisjoint("/\\\0\n\x1b:")
    assert not name.startswith(".")


def test_ids_of_every_format_may_be_anything() -> None:
    for format, seed in SEEDS.items():
        for bad in ("../../etc/passwd", "a\\u0000b", "x" * 100_000):
            data = seed.replace(b'"c1"', json.dumps(bad).encode()).replace(b'"s-1"', json.dumps(bad).encode())
            assert outcome(data, format) in ("read", "refused")


# --- archives ------------------------------------------------------------------------------------

SAMPLE = json.dumps(
    {"id": 1, "epoch": 1, "messages": [{"role": "user", "content": "q"}, {"role": "assistant", "content": "x"}]}
)


def archive(*members: tuple[str, bytes], **how: Any) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED, **how) as written:
        written.writestr("_journal/start.json", "{}")
        for name, data in members:
            written.writestr(name, data)
    return stream.getvalue()


def test_members_of_an_archive_are_named_as_they_like_and_go_nowhere(tmp_path: Path, monkeypatch: Any) -> None:
    monkeypatch.chdir(tmp_path)
    names = ["samples/../../../x", "samples//etc/passwd", "samples/" + "y" * 60_000, "../samples/1.json"]
    data = archive(*((name, SAMPLE.encode()) for name in names))
    assert len(runs_of([Input("x.eval", data)])) == 3  # the last is none of the log's samples
    assert list(tmp_path.iterdir()) == []


def places(raw: bytearray, mark: bytes) -> list[int]:
    return [at for at in range(len(raw)) if raw[at : at + 4] == mark]


def damaged(data: bytes, what: str) -> bytes:
    """An archive whose parts lie."""
    raw = bytearray(data)
    if what == "encrypted":
        for mark, flag in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
            for at in places(raw, mark):
                raw[at + flag] |= 1
    elif what == "a method of nobody":
        for mark, method in ((b"PK\x03\x04", 8), (b"PK\x01\x02", 10)):
            for at in places(raw, mark):
                struct.pack_into("<H", raw, at + method, 99)
    elif what == "absurd sizes":
        for at in places(raw, b"PK\x01\x02"):
            struct.pack_into("<II", raw, at + 20, 0xFFFFFFF0, 0xFFFFFFF0)
    elif what == "another name within":
        raw[raw.index(b"samples/") : raw.index(b"samples/") + 7] = b"SAMPLES"
    elif what == "a broken stream":
        start = raw.index(b"samples/1.json") + 14
        raw[start : start + 8] = b"\xff" * 8
    elif what == "no end":
        del raw[-30:]
    return bytes(raw)


@pytest.mark.parametrize(
    "what",
    ["encrypted", "a method of nobody", "absurd sizes", "another name within", "a broken stream", "no end"],
)
def test_an_archive_that_lies_is_refused(what: str) -> None:
    data = archive(("samples/1.json", SAMPLE.encode() * 1))
    assert outcome(data, "inspect_ai") == "read"
    assert outcome(damaged(data, what), "inspect_ai") == "refused"


def test_an_archive_within_an_archive_is_not_opened() -> None:
    inner = archive(("samples/1.json", SAMPLE.encode()))
    assert outcome(archive(("samples/1.json", inner)), "inspect_ai") == "refused"
    assert outcome(archive(("x.eval", inner)), "inspect_ai") == "refused"


@pytest.mark.parametrize("pack", [gzip.compress, zstandard.compress], ids=["gzip", "zstd"])
def test_what_is_compressed_twice_is_expanded_once(pack: Callable[[bytes], bytes]) -> None:
    assert unpacked(pack(pack(b"{}")), "x") == pack(b"{}")


# --- memory, in children that may have no more ---------------------------------------------------

CHILD = """
import resource, sys, time
resource.setrlimit(resource.RLIMIT_AS, (int(sys.argv[1]), int(sys.argv[1])))
from pathlib import Path
from runwright.errors import RunwrightError
from runwright.readers import runs_of
began = time.process_time()
try:
    runs = runs_of([Path(sys.argv[3])], sys.argv[2] or None)
    said = f"read {len(runs)}"
except RunwrightError as error:
    said = f"refused {error.message[:200]}"
(most,) = [line.split()[1] for line in open("/proc/self/status") if line.startswith("VmHWM")]
print(int(most) * 1024, time.process_time() - began, said)
"""


def in_a_child(path: Path, format: str = "", most: int = BARE) -> tuple[int, str]:
    """The most memory that reading a file took, and how it ended; a child that fails or is slow fails the test."""
    # address space is more than memory: libraries map much that they never touch
    limit = [sys.executable, "-c", textwrap.dedent(CHILD), str(most + 1024 * MB), format, str(path)]
    done = subprocess.run(limit, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    memory, taken, said = done.stdout.split(" ", 2)
    assert float(taken) < SLOWEST
    assert int(memory) < most
    return int(memory), said.strip()


@pytest.mark.parametrize("format", ["chat_list", "vcr", "mitmproxy", "model_log"])
def test_a_text_of_a_hundred_megabytes(format: str, tmp_path: Path) -> None:
    path, text = tmp_path / "x", "x" * (100 * MB)
    asked = f'{{"model": "m", "messages": [{{"role": "user", "content": "{text}"}}]}}'
    answer = '{"id": "i", "choices": [{"index": 0, "message": {"role": "assistant", "content": "x"}}]}'
    if format == "chat_list":
        path.write_bytes(CHAT % f'"{text}"'.encode())
    elif format == "model_log":
        path.write_text(f'{{"request": {asked}, "response": {answer}}}\n')
    elif format == "vcr":
        uri = "uri: 'https://api.openai.com/v1/chat/completions'"
        path.write_text(
            f"interactions:\n- request: {{method: POST, {uri}, headers: {{}}, body: '{asked}'}}\n"
            f"  response: {{status: {{code: 200}}, headers: {{}}, body: {{string: '{answer}'}}}}\nversion: 1\n"
        )
    else:
        from tests.readers.test_captures import netstring

        request = {"host": "api.openai.com", "method": b"POST", "path": b"/v1/chat/completions", "content": b""}
        flow = {"type": "http", "version": 20, "request": {**request, "content": asked.encode()}, "response": {}}
        path.write_bytes(netstring(flow))
    _, said = in_a_child(path, format, BARE + 10 * 100 * MB)
    assert said == "read 1"


@pytest.mark.parametrize(
    "body",
    [b"[],", b"{},", b"0,", b'"",', b'{"a":0},', b"\\u0041"],
    ids=["lists", "objects", "numbers", "texts", "x", "e"],
)
def test_values_of_a_few_bytes_take_a_stated_multiple(body: bytes, tmp_path: Path) -> None:
    size = 2 * MB
    many = body * (size // len(body))
    inner = b'"' + many + b'"' if body.startswith(b"\\") else b"[" + many + b"0]"
    path = tmp_path / "x"
    path.write_bytes(b'{"extra": ' + inner + b', "messages": [{"role": "user", "content": "q"}, '
                     b'{"role": "assistant", "content": "x"}]}')  # fmt: skip
    in_a_child(path, "chat_list", BARE + MANY * size)


@pytest.mark.parametrize("body", ["[],", "{},", "0,", "a: {b: [c]},"])
def test_small_values_of_yaml_take_no_more(body: str, tmp_path: Path) -> None:
    size = MB // 2
    inner = (
        f"{{{''.join(f'k{n}: [],' for n in range(size // 12))}}}" if body.startswith("a") else f"[{body * (size // 3)}]"
    )
    path = tmp_path / "x"
    path.write_text(
        f"interactions:\n- request: {{uri: 'https://x/y', method: GET, headers: {{}}, parsed_body: {inner}}}\n"
        "  response: {status: {code: 200}, headers: {}}\nversion: 1\n"
    )
    in_a_child(path, "vcr", BARE + MANY * size)


@pytest.mark.parametrize("pack", [gzip.compress, zstandard.compress], ids=["gzip", "zstd"])
def test_a_bomb_is_refused_before_it_expands(pack: Callable[[bytes], bytes], tmp_path: Path) -> None:
    bomb = pack(pack(b"\0" * (SMALL + MB)))
    inner = unpacked(bomb, "x")
    (tmp_path / "x").write_bytes(inner + inner)  # members and frames that follow one another count together
    _, said = in_a_child(tmp_path / "x", "", BARE + 3 * SMALL)
    assert said == f"refused expands to more than {RATIO} times its size"


def test_an_archive_of_many_small_bombs_is_refused(tmp_path: Path) -> None:
    (tmp_path / "x.eval").write_bytes(archive(*((f"samples/{n}.json", b" " * (8 * MB)) for n in range(12))))
    _, said = in_a_child(tmp_path / "x.eval", "", BARE + 2 * SMALL)
    assert said == f"refused expands to more than {RATIO} times its size"


@pytest.mark.parametrize(
    "data",
    [b"999999999999:x,", b"99999999999:" + b"1:a," * 10, b"12:" * 100_000, b"1:" + b"9" * 10_000_000, b"0:~" * 500_000],
)
def test_netstrings_of_absurd_lengths(data: bytes, tmp_path: Path) -> None:
    (tmp_path / "x").write_bytes(data)
    _, said = in_a_child(tmp_path / "x", "mitmproxy", BARE + MANY * len(data))
    assert said.startswith("refused")


def test_a_conversation_is_refused_before_its_requests_fill_the_memory(tmp_path: Path) -> None:
    turns = int((2 * MOST) ** 0.5) + 1000
    said = [{"role": "assistant" if n % 2 else "user", "content": "x"} for n in range(2 * turns)]
    (tmp_path / "x").write_text(json.dumps({"messages": said}))
    _, said_of_it = in_a_child(tmp_path / "x", "chat_list", BARE + MOST * 8 + 300 * MB)
    assert said_of_it.startswith("refused a conversation of")


# --- parquet -------------------------------------------------------------------------------------


def table(**columns: Any) -> bytes:
    target = io.BytesIO()
    pyarrow.parquet.write_table(pyarrow.table(columns), target)
    return target.getvalue()


ROW = {"id": ["o"], "trace_id": ["t"], "parent_observation_id": [""], "type": ["GENERATION"], "input": ["hi"]}


def test_a_dictionary_that_stands_for_gigabytes_is_refused(tmp_path: Path) -> None:
    long = pyarrow.DictionaryArray.from_arrays(pyarrow.array([0] * 50_000, pyarrow.int32()), ["x" * 10_000])
    data = table(trace_id=long, parent_observation_id=long, type=long)
    assert len(data) < MB
    (tmp_path / "x.parquet").write_bytes(data)
    _, said = in_a_child(tmp_path / "x.parquet", "langfuse", BARE + 500 * MB)
    assert said == f"refused expands to more than {RATIO} times its size"


@pytest.mark.parametrize("at", [-5, -8, -9, -40, 4, 60])
def test_a_footer_that_lies_is_refused(at: int) -> None:
    raw = bytearray(table(**ROW))
    for more in range(4):
        raw[at + more if at >= 0 else len(raw) + at - more] ^= 0xFF
    for format in ("langfuse", "langsmith"):
        assert outcome(bytes(raw), format) in ("read", "refused")  # not all that it says matters


def test_cut_tables_are_refused() -> None:
    whole = table(**ROW)
    for end in range(4, len(whole), 97):
        assert outcome(whole[:end], "langfuse") == "refused"

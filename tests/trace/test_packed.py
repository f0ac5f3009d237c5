"""A trace kept compressed is the same trace; one that was cut is incomplete, and a bomb is refused."""

import sys
import tracemalloc
from pathlib import Path

import pytest
import zstandard

from runwright.errors import IncompleteTrace, ReaderError, TraceError
from runwright.readers import read_foreign
from runwright.run.cassette import read_cassette
from runwright.trace import (
    FaultRecord,
    Header,
    MessageRecord,
    TextBlock,
    TraceWriter,
    dumps_trace,
    packed_for,
    read_trace,
    seal_trace,
    validate_trace,
)
from runwright.trace.packed import RATIO, SMALL
from tests.vectors.generate import every_lane

DATA = dumps_trace(every_lane())


@pytest.fixture
def packed(tmp_path: Path) -> Path:
    path = tmp_path / "run.jsonl.zst"
    path.write_bytes(packed_for(path, DATA))
    return path


def test_it_reads_as_what_was_packed(packed: Path) -> None:
    assert packed.stat().st_size < len(DATA)
    plain = packed.with_name("run.jsonl")
    plain.write_bytes(packed_for(plain, DATA))
    assert plain.read_bytes() == DATA
    assert read_trace(packed) == read_trace(plain) == read_foreign([packed]) == read_cassette(packed)
    assert validate_trace(packed).records == validate_trace(plain).records
    assert validate_trace(packed).problems == ()


def test_several_frames_are_one_trace(packed: Path) -> None:
    middle = len(DATA) // 2
    packed.write_bytes(zstandard.compress(DATA[:middle]) + zstandard.compress(DATA[middle:]))
    assert read_trace(packed) == every_lane()


def test_the_name_decides_and_the_bytes_must_agree(packed: Path) -> None:
    packed.write_bytes(DATA)
    with pytest.raises(TraceError, match="cannot be expanded"):
        read_trace(packed)
    (found,) = validate_trace(packed).problems
    assert "cannot be expanded" in found


def test_sealing_keeps_it_packed(packed: Path) -> None:
    lines = DATA.splitlines(keepends=True)
    packed.write_bytes(packed_for(packed, b"".join(lines[:-1])))
    assert validate_trace(packed).problems
    seal_trace(packed)
    assert zstandard.decompress(packed.read_bytes(), max_output_size=2 * len(DATA)) == DATA
    assert validate_trace(packed).problems == ()
    assert [each.name for each in packed.parent.iterdir()] == [packed.name]


@pytest.mark.parametrize("lost", [1, 2, 4, 5, 40, 400])
def test_a_cut_frame_is_an_incomplete_trace(packed: Path, lost: int) -> None:
    packed.write_bytes(packed.read_bytes()[:-lost])
    with pytest.raises(IncompleteTrace):
        read_trace(packed)
    assert any("within a frame" in each for each in validate_trace(packed).problems)
    with pytest.raises(IncompleteTrace):
        seal_trace(packed)


def test_what_a_cut_frame_holds_can_be_shown(packed: Path) -> None:
    packed.write_bytes(packed.read_bytes()[:-1])
    found = read_trace(packed, allow_incomplete=True)
    shown = read_foreign([packed])
    assert not found.complete
    assert not shown.complete
    assert isinstance(found.records[-1], FaultRecord)
    assert found.records[-1].kind == "interruption"
    assert found.records[:-1] == every_lane().records


def test_every_cut_is_told(packed: Path) -> None:
    whole = packed.read_bytes()
    for size in range(len(whole)):
        packed.write_bytes(whole[:size])
        with pytest.raises(TraceError):
            read_trace(packed)
        assert validate_trace(packed).problems


def test_flipped_bytes_are_told(packed: Path) -> None:
    whole = packed.read_bytes()
    for at in range(len(whole)):
        packed.write_bytes(whole[:at] + bytes([whole[at] ^ 0x55]) + whole[at + 1 :])
        try:
            found = read_trace(packed)
        except TraceError:
            continue
        assert found == every_lane()  # a flag of the frame that says nothing about its content


def test_a_bomb_is_refused(packed: Path) -> None:
    with packed.open("wb") as out, zstandard.ZstdCompressor().stream_writer(out) as stream:
        writer = TraceWriter(stream, Header(kind="run", trace_id="bomb"))
        for number in range(9):
            writer.write(MessageRecord(id=f"u{number}", role="user", content=(TextBlock(text="a" * (SMALL // 8)),)))
        writer.close()
    assert f"{RATIO} times" in validate_trace(packed).problems[0]
    with pytest.raises(TraceError, match=f"{RATIO} times"):
        read_trace(packed)


def test_memory_does_not_grow_with_the_file(tmp_path: Path) -> None:
    path = tmp_path / "long.jsonl.zst"
    said = TextBlock(text="word " * 2000)
    compressor = zstandard.ZstdCompressor()
    with path.open("wb") as out, compressor.stream_writer(out) as stream:
        writer = TraceWriter(stream, Header(kind="run", trace_id="long"))
        for number in range(4000):
            text = f"{number} {said.text}"
            writer.write(MessageRecord(id=f"u{number}", role="user", content=(TextBlock(text=text),)))
        writer.close()
    tracemalloc.start()
    checked = validate_trace(path)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert checked.records == {"message": 4000}
    assert checked.problems == ()
    assert peak < 8 * 1024 * 1024


def test_the_missing_library_is_named(packed: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "zstandard", None)
    with pytest.raises(TraceError, match="needs a library") as caught:
        read_trace(packed)
    assert caught.value.hint == "pip install 'runwright[zstd]'"
    with pytest.raises(TraceError, match="needs a library"):
        packed_for(packed, DATA)
    assert "needs a library" in validate_trace(packed).problems[0]
    with pytest.raises(ReaderError) as foreign:
        read_foreign([packed])
    assert foreign.value.hint == "pip install 'runwright[zstd]'"


def test_other_files_that_end_within_a_frame_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl.zst"
    path.write_bytes(zstandard.compress(b'{"a": 1}\n' * 50)[:-2])
    with pytest.raises(ReaderError, match="within a frame"):
        read_foreign([path])


def test_an_empty_trace_is_told(packed: Path) -> None:
    packed.write_bytes(packed_for(packed, b""))
    with pytest.raises(TraceError, match="empty"):
        read_trace(packed)

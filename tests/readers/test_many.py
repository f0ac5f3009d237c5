"""Many files at once, compressed ones, and files that hold several runs."""

from __future__ import annotations

import gzip
import json
import os
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
import zstandard

from runwright.errors import ReaderError, UsageError
from runwright.readers import Input, Run
from runwright.readers.input import read_inputs
from runwright.readers.many import Group, file_name, files_of, is_many, read_many
from runwright.readers.packed import RATIO, SMALL, unpacked
from runwright.readers.table import READERS
from tests.readers.exports import call, export, fixture, forbid

LOG = fixture("orders.jsonl", folder="model_log")[0].data
SPANS = json.dumps(export(call(1))).encode()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "deep" / "er").mkdir(parents=True)
    (tmp_path / ".hidden").mkdir()
    (tmp_path / ".hidden" / "log.jsonl").write_bytes(LOG)
    (tmp_path / "deep" / "log.jsonl").write_bytes(LOG)
    (tmp_path / "deep" / "er" / "spans.json").write_bytes(SPANS)
    (tmp_path / "poem.txt").write_text("no format at all")
    return tmp_path


def test_a_folder_is_all_its_files_and_a_bad_one_does_not_stop_the_rest(folder: Path) -> None:
    files = files_of([folder])
    assert [path.name for path in files] == ["spans.json", "log.jsonl", "poem.txt"]
    found = {group.files[0].name: group for group in read_many(files)}
    assert found["poem.txt"].error is not None
    assert found["poem.txt"].error.slug == "unknown-format"
    assert [len(found[name].runs) for name in ("spans.json", "log.jsonl")] == [1, 1]


def test_patterns_and_files(folder: Path) -> None:
    assert [path.name for path in files_of([folder / "**" / "*.jsonl"])] == ["log.jsonl"]
    assert files_of([folder / "poem.txt", folder]).count(folder / "poem.txt") == 1
    for none in (folder / "*.xml", folder / "none.json"):
        with pytest.raises(UsageError, match="no file"):
            files_of([none])
    assert is_many([folder])
    assert is_many([folder / "*.json"])
    assert not is_many([folder / "poem.txt"])


@pytest.mark.parametrize(
    ("names", "groups"),
    [
        (["a/run.traces.json", "a/run.logs.json"], [["a/run.traces.json", "a/run.logs.json"]]),
        (["otel_logs.jsonl", "otel_spans.jsonl"], [["otel_spans.jsonl", "otel_logs.jsonl"]]),
        (["Logs.pb", "Traces.pb"], [["Traces.pb", "Logs.pb"]]),
        (["a/traces.json", "b/logs.json"], [["a/traces.json"], ["b/logs.json"]]),
        (["traces.json", "spans.json", "logs.json"], [["traces.json"], ["spans.json"], ["logs.json"]]),
        (["x.traces.json", "y.logs.json"], [["x.traces.json"], ["y.logs.json"]]),
        (["blogs.json", "btraces.json"], [["blogs.json"], ["btraces.json"]]),
        (["one.json", "two.json"], [["one.json"], ["two.json"]]),
    ],
)
def test_spans_and_their_log_records_are_read_together(names: list[str], groups: list[list[str]]) -> None:
    together = READERS["otlp"].together
    assert together is not None
    assert [list(group) for group in together(names)] == groups


def test_the_content_in_a_file_of_logs_is_in_the_run_of_its_spans(tmp_path: Path) -> None:
    for name in ("openai-v2.logs.json", "openai-v2.traces.json"):
        (tmp_path / name).write_bytes(fixture(name)[0].data)
    (group,) = read_many(files_of([tmp_path]))
    assert all(each.request.messages for each in group.runs[0].trace.models)


@pytest.mark.parametrize("pack", [gzip.compress, zstandard.compress], ids=["gzip", "zstd"])
def test_compressed_files_are_seen_through(pack, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    (tmp_path / "log.jsonl").write_bytes(LOG)
    (tmp_path / "log.jsonl.gz").write_bytes(pack(LOG))
    plain, packed = (group.runs[0].trace for group in read_many(files_of([tmp_path])))
    assert plain == packed


def test_frames_one_after_the_other_are_one_file() -> None:
    frames = zstandard.compress(b"one\n") + zstandard.compress(b"two\n")
    assert unpacked(frames, "x") == b"one\ntwo\n"
    assert unpacked(gzip.compress(b"one\n") + gzip.compress(b"two\n"), "x") == b"one\ntwo\n"


@pytest.mark.parametrize("pack", [gzip.compress, zstandard.compress], ids=["gzip", "zstd"])
def test_broken_and_absurd_files_are_refused(pack) -> None:  # type: ignore[no-untyped-def]
    whole = pack(LOG)
    for broken in (whole[:-3], whole[:12], whole[:20] + b"\0\0\0\0" + whole[24:]):
        with pytest.raises(ReaderError, match="cannot be expanded"):
            unpacked(broken, "x")
    with pytest.raises(ReaderError, match=f"{RATIO} times"):
        unpacked(pack(b"\0" * (SMALL + 1)), "x")
    assert len(unpacked(pack(b"\0" * SMALL), "x")) == SMALL


def test_names_hold_no_path() -> None:
    (group,) = read_many([Path("tests/fixtures/model_log/orders.jsonl")])
    assert file_name(group, group.runs[0]) == "orders"
    trace = group.runs[0].trace
    two = Group((Path("a/b.jsonl"),), (Run("../../etc/passwd", trace), Run("", trace)))
    assert [file_name(two, run) for run in two.runs] == ["b-..-..-etc-passwd", "b"]
    assert "/" not in file_name(Group((Path("..jsonl"),), (Run("", trace),)), Run("", trace))


def test_a_file_of_several_runs_is_no_single_run(monkeypatch: pytest.MonkeyPatch) -> None:
    from runwright.readers import foreign, read_foreign
    from runwright.readers.reader import Reader

    (run,) = foreign.runs_of([Input("log.jsonl", LOG)])
    two = Reader(
        name="two",
        sniff=lambda head: 1,
        read=lambda inputs: (Run("a", run.trace), Run("b", run.trace)),
        recognised="",
        kept="",
        lost="",
        versions="",
    )
    monkeypatch.setitem(foreign.READERS, "two", two)
    with pytest.raises(ReaderError, match="2 runs in it: a, b"):
        read_foreign([Input("x", b"")], "two")
    assert read_foreign([Input("x", b"")], "two", trace_id="b") == run.trace
    with pytest.raises(UsageError, match="no run 'c'"):
        read_foreign([Input("x", b"")], "two", trace_id="c")


def test_a_link_to_nowhere_is_told_and_a_pipe_in_a_folder_is_never_waited_for(tmp_path: Path) -> None:
    (tmp_path / "log.jsonl").write_bytes(LOG)
    (tmp_path / "gone.jsonl").symlink_to(tmp_path / "nowhere")
    os.mkfifo(tmp_path / "pipe.jsonl")
    found = {group.files[0].name: group.error for group in read_many(files_of([tmp_path]))}
    assert found.pop("log.jsonl") is None
    assert list(found) == ["gone.jsonl"]
    assert isinstance(found["gone.jsonl"], ReaderError)


def test_a_folder_that_cannot_be_listed_is_told_and_links_are_followed_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "aside").mkdir()
    (tmp_path / "aside" / "log.jsonl").write_bytes(LOG)
    (tmp_path / "in" / "more").symlink_to(tmp_path / "aside")
    (tmp_path / "in" / "around").symlink_to(tmp_path / "in")
    forbid(str(tmp_path / "in" / "shut"), monkeypatch)
    found = {group.files[0].name: group.error for group in read_many(files_of([tmp_path / "in"]))}
    assert list(found) == ["log.jsonl", "shut"]
    assert found["log.jsonl"] is None
    assert isinstance(found["shut"], ReaderError)


def test_a_file_whose_name_looks_like_a_pattern_is_itself(tmp_path: Path) -> None:
    for name in ("run[1].jsonl", "run1.jsonl"):
        (tmp_path / name).write_bytes(LOG)
    assert files_of([tmp_path / "run[1].jsonl"]) == [tmp_path / "run[1].jsonl"]


def test_a_pipe_that_is_named_is_read(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe.jsonl"
    os.mkfifo(pipe)
    with ThreadPoolExecutor() as pool:
        pool.submit(pipe.write_bytes, LOG)
        assert read_inputs([pipe])[0].data == LOG

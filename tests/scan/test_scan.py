"""What a scan looks at, what it says of it, and that what could not be read is never clean."""

from __future__ import annotations

import gzip
import json
import os
from pathlib import Path

import pytest

from runwright.cli.app import main
from runwright.errors import UsageError
from runwright.readers import Input
from runwright.scan import scan_input, scan_paths
from runwright.scan.content import content_of, text_of
from runwright.secrets import Allowlist, Entry
from runwright.trace import dumps_trace
from runwright.trace.model import Header, MessageRecord, TextBlock, Trace
from tests.samples import ROOT
from tests.secrets.planted import TYPED

NAMED = "secret-named-key"
KEY, OTHER = TYPED["github classic"][1], TYPED["github server"][1]
STORY = ROOT / "tests" / "fixtures" / "story"


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def scan(data: bytes | str, name: str = "a.txt", *allowed: Entry):
    return scan_input(Input(name, data if isinstance(data, bytes) else data.encode()), Allowlist(allowed))


def places(data: bytes | str, name: str = "a.txt") -> list[tuple[str, str, int | None]]:
    return [(hit.rule, hit.place, hit.line) for hit in scan(data, name).hits]


def trace(*words: str) -> bytes:
    records = [
        MessageRecord(id=f"u{n}", role="user", content=(TextBlock(text=each),)) for n, each in enumerate(words, 1)
    ]
    return dumps_trace(Trace(header=Header(kind="run", trace_id="t"), records=tuple(records)))


# --- one file ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "data", "read_as", "found"),
    [
        ("t.jsonl", trace("hello", f"use {KEY}"), "runwright", [("github-token", "u2 $.content[0].text", 3)]),
        ("a.json", json.dumps({"a": [1, {"k": KEY}]}, indent=1), "json", [("github-token", "$.a[1].k", 5)]),
        ("a.jsonl", f'{{"a": 1}}\n\n{{"k": "{KEY}"}}\n', "json lines", [("github-token", "line 3 $.k", 3)]),
        ("a.yaml", 'a: {"API_\\x4BEY": "swordfish"}\n', "yaml", [("secret-named-key", "$.a.API_KEY", None)]),
        ("a.flow.yaml", f"steps:\n  - prompt: use {KEY}\n", "yaml", [("github-token", "$.steps[0].prompt", 2)]),
        ("a.log", f"at 12:00\nuse {KEY}\n", "text", [("github-token", "", 2)]),
        (".env", "MODE=test\nDB_PASSWORD=hunter2x\n", "text", [("secret-named-key", "", 2)]),
        ("mixed.log", f'start\n{{"k": "\\u0067{KEY[1:]}"}}\n', "text", [("github-token", "line 2 $.k", 2)]),
    ],
)
def test_where(name: str, data: str, read_as: str, found: list) -> None:
    done = scan(data, name)
    assert (done.state, done.read_as) == ("found", read_as)
    assert places(data, name) == found


def test_a_foreign_log_is_read_as_what_it_is_and_what_its_reader_leaves_out_is_looked_at_too() -> None:
    [span, *_] = (STORY / "spans.jsonl").read_text().splitlines()
    value = json.loads(span)
    value["resourceSpans"][0]["extra"] = {"note": KEY}
    done = scan(json.dumps(value) + "\n", "spans.jsonl")
    assert done.read_as == "otlp"
    assert [(hit.rule, hit.place) for hit in done.hits] == [("github-token", "$.resourceSpans[0].extra.note")]


def test_a_key_that_a_stream_split_is_found_in_the_reply_that_its_pieces_make() -> None:
    pieces = [KEY[:11], KEY[11:25], KEY[25:]]
    events = [
        {"id": "c", "object": "chat.completion.chunk", "choices": [{"index": 0, "delta": {"content": each}}]}
        for each in pieces
    ]
    events.append(
        {"id": "c", "object": "chat.completion.chunk", "choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]}
    )
    sse = "".join(f"data: {json.dumps(each)}\n\n" for each in events) + "data: [DONE]\n\n"
    request = {"model": "gpt-4o", "stream": True, "messages": [{"role": "user", "content": "hi"}]}
    done = scan(json.dumps({"request": request, "sse": sse}) + "\n", "log.jsonl")
    assert done.read_as == "model_log"
    assert ("github-token", "m1 $.response.content[0].text") in [(hit.rule, hit.place) for hit in done.hits]


def test_the_same_secret_is_told_once_with_the_number_of_its_places() -> None:
    [hit] = scan(json.dumps({"a": KEY, "b": [KEY, f"and {KEY}"]}), "a.json").hits
    assert hit.places == 3
    assert len(scan(json.dumps({"a": KEY, "b": OTHER}), "a.json").hits) == 2


@pytest.mark.parametrize(
    "second",
    ['"k": "x"', '"k" : "x"', '"k"\n:"x"', '"k":"x\\":"', '"k" :"x", "n": "a\\":b"'],
)
def test_of_equal_keys_every_value_is_looked_at_however_they_are_written(second: str) -> None:
    assert places(f'{{"k":"{KEY}",{second}}}', "a.json")[0][0] == "github-token"
    assert places(f'{{"k":"{KEY}",{second.replace(chr(10), "")}}}\n{{"b":2}}\n', "a.jsonl")[0][0] == "github-token"
    assert places(f'{{"password":"hunter2x",{second.replace("k", "password", 1)}}}', "a.json")[0][0] == NAMED


def test_compressed_files_are_seen_through() -> None:
    Path("t.jsonl.gz").write_bytes(gzip.compress(trace(f"use {KEY}")))
    [done] = scan_paths([Path("t.jsonl.gz")]).files
    assert (done.state, done.read_as) == ("found", "runwright")


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be", "utf-32", "utf-8-sig"])
def test_encodings_with_a_byte_order_mark(encoding: str) -> None:
    mark = {"utf-16-le": b"\xff\xfe", "utf-16-be": b"\xfe\xff"}.get(encoding, b"")
    assert places(mark + f"use {KEY}".encode(encoding)) == [("github-token", "", 1)]


def test_few_bytes_of_yaml_do_not_become_very_many_values() -> None:
    lines = ["a0: &a0 [x, x]"] + [f"a{n}: &a{n} [*a{n - 1}, *a{n - 1}]" for n in range(1, 60)]
    assert scan("\n".join([*lines, f"k: {KEY}"]), "a.yaml").state == "found"


@pytest.mark.parametrize("data", ["[" * 100_000, '{"a":' * 50_000, "a: [" * 3_000, "{" * 2_000 + "\n"])
def test_absurd_nesting_is_text(data: str) -> None:
    for name in ("a.json", "a.yaml"):
        assert scan(data, name).state == "clean"
        assert scan(f"{data}\n{KEY}", name).state == "found"


# --- what cannot be read -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR", "it is no text"),
        (bytes(range(1, 256)) * 4, "it is no text"),
        (f"use {KEY}".encode("utf-16-le"), "it is no text"),
        (b"PAR1" + b"\x00" * 40 + b"PAR1", "it is no text"),
        (trace(f"use {KEY}").replace(b'"lane"', b'"LANE"', 1), "not read as runwright"),
        (b'{"log": {"version": "1.2", "creator": {"name": "x"}, "entries": [{"request": {', "not read as har"),
    ],
)
def test_what_cannot_be_read_is_never_clean(data: bytes, reason: str) -> None:
    done = scan(data, "a.bin")
    assert done.state == "unread"
    assert reason in (done.reason or "")


def test_what_is_found_in_a_broken_trace_is_told_all_the_same() -> None:
    done = scan(trace(f"use {KEY}").replace(b'"lane"', b'"LANE"', 1), "t.jsonl")
    assert (done.state, [hit.rule for hit in done.hits]) == ("unread", ["github-token"])


def test_a_trace_that_was_cut_off_is_looked_at_as_far_as_it_goes() -> None:
    assert scan(trace(f"use {KEY}", "bye")[:-40], "t.jsonl").state == "found"


def test_a_log_that_is_whole_and_holds_no_run_is_looked_at_and_that_is_told() -> None:
    done = scan((STORY / "logs.jsonl").read_bytes(), "logs.jsonl")
    assert (done.state, done.read_as) == ("clean", "json lines")
    assert "not read as otlp" in done.notes[0]


def test_a_folder_that_cannot_be_listed(monkeypatch: pytest.MonkeyPatch) -> None:
    Path("a/closed").mkdir(parents=True)
    Path("a/x.txt").write_text("hello")
    listed = os.scandir

    def scandir(path: str) -> object:  # closing a folder would not keep root out
        if Path(path).name == "closed":
            raise PermissionError(13, "Permission denied", path)
        return listed(path)

    monkeypatch.setattr(os, "scandir", scandir)
    done = scan_paths([Path("a")])
    assert [(each.file, each.state, each.reason) for each in done.files] == [
        ("a/closed", "unread", "cannot be listed: Permission denied"),
        ("a/x.txt", "clean", None),
    ]


# --- which files ---------------------------------------------------------------------------------


def test_folders_are_looked_at_as_a_whole_and_what_is_not_is_told() -> None:
    for name in ("a/x.txt", "a/.env", "a/.hidden/y.json", "a/.git/config", "a/b/skip.lock", "elsewhere/z.txt"):
        Path(name).parent.mkdir(parents=True, exist_ok=True)
        Path(name).write_text("{}")
    Path("a/link").symlink_to(Path("elsewhere").absolute())
    os.mkfifo("a/pipe")
    done = scan_paths([Path("a")], skip=["*.lock"])
    assert [each.file for each in done.files] == ["a/.env", "a/x.txt", "a/.hidden/y.json"]
    assert sorted(done.skipped) == [
        "a/.git: version control",
        "a/b/skip.lock: --skip *.lock",
        "a/link: a link to a folder",
        "a/pipe: no regular file",
    ]
    assert done.state == "clean"


def test_a_file_that_is_not_there_is_not_read() -> None:
    Path("x.txt").write_text("hello")
    done = scan_paths([Path("x.txt"), Path("y.txt")])
    assert done.state == "unread"
    assert [each.state for each in done.files] == ["clean", "unread"]


@pytest.mark.parametrize("path", ["empty", "*.none"])
def test_nothing_is_not_clean(path: str) -> None:
    Path("empty").mkdir()
    with pytest.raises(UsageError, match="no file"):
        scan_paths([Path(path)])


def test_only_skipped_files_are_not_clean() -> None:
    Path("x.lock").write_text("hello")
    assert scan_paths([Path("x.lock")], skip=["*.lock"]).state == "unread"


def test_unread_beats_found() -> None:
    Path("x.txt").write_text(f"use {KEY}")
    Path("y.bin").write_bytes(b"\x00")
    assert scan_paths([Path()]).exit == 2
    assert scan_paths([Path("x.txt")]).exit == 1


# --- the allowlist -------------------------------------------------------------------------------


def entry(place: str, file: str = "*") -> Entry:
    return Entry("github-token", place, "made up", "kim", file)


def test_an_entry_lets_pass_what_it_names_and_nothing_else() -> None:
    data = json.dumps({"a": KEY, "b": OTHER})
    assert [hit.place for hit in scan(data, "a.json", entry("$.a")).hits] == ["$.b"]
    assert len(scan(data, "a.json", entry("$.a", "b.json")).hits) == 2


def test_a_secret_is_let_pass_only_where_an_entry_says_so() -> None:
    [hit] = scan(json.dumps({"a": KEY, "b": f"also {KEY}"}), "a.json", entry("$.a")).hits
    assert hit.rule == "github-token"


def test_unused_entries_about_the_files_are_told() -> None:
    Path("a.json").write_text(json.dumps({"a": KEY}))
    used, unused, elsewhere = entry("$.a"), entry("$.c"), entry("$.a", "other/*")
    done = scan_paths([Path("a.json")], Allowlist((used, unused, elsewhere)))
    assert (done.state, done.unused) == ("clean", (unused,))


# --- content -------------------------------------------------------------------------------------


def test_text() -> None:
    assert text_of(b"caf\xe9 und so weiter").whole is False
    assert text_of(b"\x1b[31mred\x1b[0m and\tblue\r\n").whole
    assert text_of(b"") is not None


def test_content_leaves_nothing_out() -> None:
    assert content_of("1\n", "a").form == "text"
    assert content_of('{"a": 1}\nb\n', "a").text is not None
    assert content_of('{"a": 1}\n{"b": 2}\n', "a").text is None
    assert content_of("a: 1\n---\nb: 2\n", "a.yaml").documents[1].name == "document 2"


# --- the command ---------------------------------------------------------------------------------


def test_no_output_shows_the_secret(capsys: pytest.CaptureFixture[str]) -> None:
    Path(f"{KEY}.txt").write_text(f"use {KEY}")
    Path("a.json").write_text(json.dumps({KEY: {"password": "hunter2x"}}))
    for words in ([], ["--json"]):
        assert main(["scan", ".", "--sarif", "../out.sarif", *words]) == 1
        printed = "".join(capsys.readouterr()) + Path("../out.sarif").read_text()
        assert KEY not in printed
        assert "hunter2x" not in printed
        assert "github-token" in printed


def test_a_lone_surrogate_in_a_key_can_be_printed(capsys: pytest.CaptureFixture[str]) -> None:
    Path("a.json").write_text(f'{{"\\ud800\\u001b": "{KEY}"}}')
    for words in ([], ["--json"]):
        assert main(["scan", "a.json", "--sarif", "a.sarif", *words]) == 1
        assert "\x1b" not in "".join(capsys.readouterr())


@pytest.mark.parametrize("name", ["a.txt", "a.json", "a.jsonl"])
def test_very_many_secrets_do_not_take_very_long(name: str) -> None:
    """Where each of so many counted its lines from the first one, this or looked for by itself, would take minutes."""
    values = [f"{KEY[:-5]}{n:05}" for n in range(2_000)]
    text = {
        "a.txt": "\n".join(values),
        "a.json": json.dumps(values, indent=0),
        "a.jsonl": "\n".join(json.dumps({"k": each}) for each in values),
    }[name]
    hits = scan(text, name).hits
    assert len(hits) == 2_000
    assert hits[-1].line == {"a.txt": 2_000, "a.json": 2_001, "a.jsonl": 2_000}[name]

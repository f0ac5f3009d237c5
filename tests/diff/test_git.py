"""git shows what changed in a run; whatever is no run it shows line by line, and no change is ever hidden."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import example, given, strategies as st
from msgspec.structs import replace

from runwright.cli.app import main
from runwright.reports.diff import Version, git_diff, laid_out, unmerged
from runwright.reports.diff.lines import counted, unified
from runwright.trace import dumps_trace
from tests.diff.made import everywhere, renamed, run
from tests.secrets.planted import TYPED

PAGE = (Path(__file__).parents[2] / "docs" / "how-to" / "diff-in-git.md").read_text(encoding="utf-8")
SETUP = re.findall(r"^    \$ (.+)$", PAGE, re.MULTILINE)
KEY, OTHER = TYPED["github classic"][1], TYPED["gitlab"][1]
BEFORE = dumps_trace(run(3))
AFTER = dumps_trace(renamed(everywhere(run(3), "order 7", "order 8")))
FOLDED = dumps_trace(renamed(run(3)))
PATH = "$.request.messages[1].content[0].text"

Git = Callable[..., str]


@pytest.fixture
def git(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Git:
    """Runs git in a repository that was set up as the page says, with the trace `t.jsonl` in its first commit."""
    program = tmp_path / "bin" / "runwright"
    program.parent.mkdir()
    program.write_text(f'#!/bin/sh\nexec {sys.executable} -m runwright "$@"\n')
    program.chmod(0o755)
    folder = tmp_path / "project"
    folder.mkdir()
    monkeypatch.chdir(folder)
    names = {f"GIT_{who}_{what}": "x@example.com" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}
    known = {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1", "GIT_PAGER": "cat", **names}
    for name, value in {**known, "PATH": f"{program.parent}{os.pathsep}{os.environ['PATH']}"}.items():
        monkeypatch.setenv(name, value)

    def call(*words: str, status: int = 0) -> str:
        done = subprocess.run(["git", *words], capture_output=True, check=False)
        assert done.returncode == status, done.stderr.decode()
        return done.stdout.decode()

    call("init", "-q", "-b", "main", ".")
    for line in SETUP:
        subprocess.run(["sh", "-c", line], check=True)
    Path("t.jsonl").write_bytes(BEFORE)
    call("add", "-A")
    call("commit", "-qm", "first")
    return call


def test_the_page_has_three_lines_of_set_up() -> None:
    assert len(SETUP) == 3


def test_what_changed_in_the_run_is_shown_in_the_tree_and_in_commits(git: Git) -> None:
    Path("t.jsonl").write_bytes(AFTER)
    Path("t.jsonl").chmod(0o755)
    shown = git("diff")
    assert shown.startswith(
        "diff --runwright a/t.jsonl b/t.jsonl\nold mode 100644\nnew mode 100755\n--- a/t.jsonl  one  (7 records)\n"
    )
    assert f'    {PATH}: "Where is order 7?" -> "Where is order 8?"\n' in shown
    assert "MISMATCH: 1 changed" in shown
    assert shown.splitlines()[-1] == (
        "in the file itself: 9 lines removed, 9 added; git diff --no-ext-diff --no-textconv shows them, "
        "with ids, times and whatever else is not compared"
    )
    git("commit", "-qam", "second")
    laid = git("show")
    assert '-            "text": "Where is order 7?"\n+            "text": "Where is order 8?"\n' in laid
    whole = git("log", "-p", "--ext-diff")
    assert shown in whole
    added = whole.split("new file mode 100644\n--- /dev/null  one  (0 records)\n")[1].split("MISMATCH: 7 inserted")[0]
    assert "not compared" not in added


def test_other_ids_and_times_are_folded_and_counted(git: Git) -> None:
    Path("t.jsonl").write_bytes(FOLDED)
    shown = git("diff")
    assert "SAME: no difference; 7 records the same\nin the file itself: 9 lines removed, 9 added;" in shown
    Path("t.jsonl").write_bytes(BEFORE)
    assert git("diff") == ""


def test_a_file_that_is_renamed_and_one_that_is_gone(git: Git) -> None:
    Path("more").mkdir()
    git("mv", "t.jsonl", "more/u.jsonl")
    Path("more/u.jsonl").write_bytes(BEFORE.replace(b"order 7", b"order 8"))
    git("add", "-A")
    shown = git("diff", "--cached", "-M30")
    assert re.match(
        r"diff --runwright a/t.jsonl b/more/u.jsonl\nsimilarity index \d\d%\n"
        r"rename from t.jsonl\nrename to more/u.jsonl\n",
        shown,
    )
    assert "1 changed" in shown
    shown = git("diff", "--cached", "--no-renames", "--", "t.jsonl")
    assert "deleted file mode 100644\n--- a/t.jsonl  one  (7 records)\n+++ /dev/null  one  (0 records)\n" in shown
    assert "7 deleted" in shown


def test_what_cannot_be_read_is_shown_by_its_lines(git: Git) -> None:
    broken = b'{"lane": "broken", "password": "' + KEY.encode() + b'"'
    Path("t.jsonl").write_bytes(b"<<<<<<< ours\n" + BEFORE + broken)
    shown = git("diff")
    assert "\nno trace: b/t.jsonl: " in shown
    assert "\n+<<<<<<< ours\n" in shown
    assert '\n+{"lane": "broken", "password": "[[redacted:github-token:1]]"\n\\ No newline at end of file\n' in shown
    Path("t.jsonl").write_bytes(b"\0\1")
    assert "binary files differ: " in git("diff")


def test_a_path_that_is_unmerged_is_named(git: Git) -> None:
    git("checkout", "-qb", "side")
    Path("t.jsonl").write_bytes(b"theirs")
    git("commit", "-qam", "theirs")
    git("checkout", "-q", "main")
    Path("t.jsonl").write_bytes(b"ours")
    git("commit", "-qam", "ours")
    git("merge", "-q", "side", status=1)
    assert git("diff", "--cached") == "unmerged t.jsonl\n"


@pytest.mark.parametrize("count", [2, 6, 8, 10])
def test_other_arguments_are_refused(count: int, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["git-diff", *["x"] * count]) == 2
    assert f"git gives an external diff 7 or 9 arguments, not {count} [usage]" in capsys.readouterr().err


# --- no change is hidden ------------------------------------------------------------------------


def shown(old: bytes | None, new: bytes | None) -> str:
    sides = (Version(name, data, data and "100644") for name, data in (("a/x", old), ("b/x", new)))
    return git_diff(*sides)  # type: ignore[arg-type]


FILES = st.one_of(
    st.none(),
    st.binary(max_size=40),
    st.text(alphabet='ab\r\n\0\x1b\x85\u2028{}"', max_size=20).map(lambda text: text.encode()),
    st.sampled_from([BEFORE, AFTER, FOLDED, BEFORE[:-1], BEFORE + b"\n", BEFORE.replace(b":", b": "), b"", b"\n"]),
    st.sampled_from([f"key = {each}\n".encode() for each in (KEY, OTHER)]),
)


@given(FILES, FILES)
@example(f"key = {KEY}\n".encode(), f"key = {OTHER}\n".encode())
@example(b"a\x1b", b"a\x07")
@example(b"a\r\n", b"a\n")
@example(b"a\xff", b"a\xfe")
@example(b"a\\xff", b"a\xff")
def test_files_that_differ_are_seen_to_differ(old: bytes | None, new: bytes | None) -> None:
    if old is None and new is None:
        return
    body = shown(old, new).split("\n", 1)[1]
    seen = re.search(
        r"^([-+](?![-+]{2} )|binary files differ|no line that may|in the file itself: )", body, re.MULTILINE
    )
    assert (seen is not None) is (old != new)
    assert KEY not in body
    for each in (old, new):
        assert each is None or KEY not in laid_out("x", each)
    if old is not None and new is not None:
        assert (laid_out("x", old) == laid_out("x", new)) is (old == new)


def test_a_name_forges_no_line_and_shows_no_secret() -> None:
    forged = "SAME: no difference"
    name, plain = f"a/{KEY}\n{forged}\x1b[2J.jsonl", b"no trace"
    for old, new in ((BEFORE, AFTER), (plain, b"another"), (None, plain), (plain, None)):
        sides = [Version(name, each, None if each is None else "100644") for each in (old, new)]
        for message in ("", f"rename from {name}"):
            text = git_diff(sides[0], sides[1], message, colour=False)
            assert KEY not in text
            assert "\x1b" not in text
            assert forged not in [line for line in text.splitlines() if line.startswith("SAME")]
            assert text.startswith("diff --runwright a/")
            assert text.endswith("\n")
            assert "\n\n\n" not in text
    assert unmerged(name).count("\n") == 1
    assert KEY not in unmerged(name)


def test_what_a_line_cannot_show_is_shown_otherwise() -> None:
    """Another secret of a kind is another token, other bytes that are no text are others still."""
    turned = KEY[:4] + KEY[:3:-1]
    assert turned != KEY
    found = shown(f"key = {KEY}\n".encode(), f"key = {turned}\n".encode())
    assert found.splitlines()[-2:] == ["-key = [[redacted:github-token:1]]", "+key = [[redacted:github-token:2]]"]
    assert shown(b"a\xff\n", b"a\xfe\n").splitlines()[-2:] == ["-a\\xff", "+a\\xfe"]
    assert shown(None, b"x\n").splitlines()[-2:] == ["@@ -0,0 +1,1 @@", "+x"]


LINES = st.lists(st.sampled_from(["a", "b", "c", "-", "+x", "@@ -1,1 +1,1 @@"]), max_size=30)


@given(LINES, LINES)
def test_hunks_hold_every_line_that_differs_and_say_where(left: list[str], right: list[str]) -> None:
    hunks: list[tuple[list[int], list[str]]] = []
    lines = list(unified(left, right))
    while lines:
        a, many, b, more = places = [int(each) for each in re.findall(r"\d+", lines.pop(0))]
        body: list[str] = []
        while (sum(line[0] != "+" for line in body), sum(line[0] != "-" for line in body)) != (many, more):
            body.append(lines.pop(0))
        assert [line[1:] for line in body if line[0] != "+"] == left[a - 1 if many else a :][:many]
        assert [line[1:] for line in body if line[0] != "-"] == right[b - 1 if more else b :][:more]
        hunks.append((places, body))
    gone, come = counted(left, right)
    assert sum(line[0] == "-" for _, body in hunks for line in body) == gone
    assert sum(line[0] == "+" for _, body in hunks for line in body) == come
    at = 0
    made: list[str] = []
    for (a, many, _, _), body in hunks:
        start = a - 1 if many else a
        made += left[at:start] + [line[1:] for line in body if line[0] != "-"]
        at = start + many
    assert made + left[at:] == right


def test_replacing_the_trace_keeps_the_rest_of_it() -> None:
    """A side that has no file is no trace that says nothing of its agent."""
    trace = replace(run(1), header=replace(run(1).header, specification=None))
    assert "header" not in shown(None, dumps_trace(trace))

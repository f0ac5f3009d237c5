"""Databases of an observed command: their rows in the place of their files, whatever wrote them."""

from __future__ import annotations

import shutil
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from runwright.errors import UsageError
from runwright.record.command import observe
from runwright.record.database import address_of
from runwright.record.database.joined import written
from runwright.record.observe import Observed, cannot_observe
from runwright.record.observe.names import readable
from runwright.trace import FaultRecord, dumps_trace, loads_trace
from tests.record.database.look import script

UNABLE = cannot_observe()
needs_observing = pytest.mark.skipif(bool(UNABLE), reason=UNABLE)
THREE = "CREATE TABLE t(id INTEGER PRIMARY KEY, v); INSERT INTO t VALUES (1, 'a'), (2, 'b'), (3, 'c');"
WRITE = "import sqlite3, sys\nc = sqlite3.connect(sys.argv[1])\nc.executescript(sys.argv[2])\nc.close()"


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    workspace = tmp_path / "workspace"
    workspace.mkdir()
    monkeypatch.chdir(workspace)
    script(workspace / "a.db", THREE)
    return workspace


def told(found: Observed) -> list[str]:
    return [f"{each.side_effect.op} {each.side_effect.target}" for each in found.trace.effects]


def faults(found: Observed) -> list[FaultRecord]:
    return [each for each in found.trace.records if isinstance(each, FaultRecord)]


def act(statements: str, name: str = "a.db", **options: bool) -> Observed:
    return observe([sys.executable, "-c", WRITE, name, statements], **options)  # type: ignore[arg-type]


@needs_observing
def test_rows_stand_in_the_place_of_files(here: Path) -> None:
    found = act("PRAGMA journal_mode = WAL; UPDATE t SET v = 'x' WHERE id = 2; CREATE TABLE u(x)")
    assert told(found) == ["create a.db/u", "update a.db/t/2"]
    assert found.filtered["database file"] == 1
    assert found.trace.header.observation["db_change"] == "observed"
    assert found.trace.header.ext["observe"] == {"status": 0, "unchanged": [], "filtered": found.filtered}
    assert [each.id for each in found.trace.effects] == ["e1", "e2"]
    assert all(each.t is not None and each.t > 0 for each in found.trace.effects)
    assert loads_trace(dumps_trace(found.trace)) == found.trace


@needs_observing
def test_all_leaves_out_no_file(here: Path) -> None:
    found = act("DELETE FROM t WHERE id = 1", everything=True)
    assert told(found) == ["modify a.db", "delete a.db/t/1"]
    assert "database file" not in found.filtered


@needs_observing
def test_a_rewrite_of_the_file_with_the_same_rows_is_no_effect(here: Path) -> None:
    found = act("PRAGMA page_size = 8192; VACUUM")
    assert (told(found), found.filtered["database file"]) == ([], 1)


@needs_observing
def test_what_is_done_to_the_file_itself_is_told(here: Path) -> None:
    script(here / "b.db", THREE)
    found = observe(["sh", "-c", "chmod 600 a.db; rm b.db; echo text >note.db"])
    assert told(found) == [
        "chmod a.db", "delete b.db", "create note.db", "drop b.db", "drop b.db/t",
        "delete b.db/t/1", "delete b.db/t/2", "delete b.db/t/3",
    ]  # fmt: skip


@needs_observing
def test_a_database_that_is_renamed_and_changed(here: Path) -> None:
    (here / "sub").mkdir()
    script(here / "sub" / "b.db", THREE)
    found = observe(
        [
            "sh",
            "-c",
            f'mv a.db "n w\\\\.db"; mv sub moved; "{sys.executable}" -c "$0" "n w\\\\.db" "DELETE FROM t WHERE id = 1";'
            f'"{sys.executable}" -c "$0" moved/b.db "DELETE FROM t WHERE id = 2"',
            WRITE,
        ]
    )
    assert told(found) == [
        "move a.db", "move sub", "delete moved/b.db/t/2", r"delete n w\\.db/t/1",
    ]  # fmt: skip


@needs_observing
def test_a_database_whose_rows_cannot_be_told_is_told_as_a_file_and_a_fault(here: Path) -> None:
    found = observe(["sh", "-c", "head -c 8192 /dev/urandom >a.db"])
    assert told(found) == ["modify a.db"] or told(found) == ["append a.db"]
    (fault,) = faults(found)
    assert fault.detail.startswith("a.db: it is no SQLite database any more")
    assert fault.hides == ("db_change",)


@needs_observing
def test_a_database_outside_is_a_fault(here: Path) -> None:
    script(here.parent / "odd \\x41 é.db", THREE)
    found = act("DELETE FROM t", str(here.parent / "odd \\x41 é.db"))
    (fault,) = faults(found)
    (token,) = (each.side_effect.target for each in found.trace.effects)
    assert fault.detail.startswith(f"{token}: a database outside of the workspace was written to")


@needs_observing
def test_a_database_outside_that_is_named(here: Path) -> None:
    script(here.parent / "out.db", THREE)
    command = [sys.executable, "-c", WRITE, "../out.db", "DELETE FROM t WHERE id = 1"]
    found = observe(command, databases=["../out.db", "a.db"])
    assert (told(found), faults(found), found.filtered["database file"]) == (["delete ../out.db/t/1"], [], 1)
    (fault,) = faults(observe(["true"], databases=["a.db", "none.db"]))
    assert fault.detail == "none.db: it is named as a database, and there is none"


@needs_observing
def test_what_may_hide_files_may_hide_databases(here: Path) -> None:
    found = observe(["sh", "-c", "sleep 30 & true"], wait=0.1)
    assert {each.hides[-1] for each in faults(found)} == {"db_change"}


@needs_observing
def test_in_a_world_that_is_thrown_away_rows_are_told_and_stay_as_they_are(here: Path) -> None:
    try:
        found = act("DELETE FROM t WHERE id = 3; CREATE TABLE u(x)", dry=True)
    except Exception as error:
        if "thrown away" in str(error) or "layer" in str(error):
            pytest.skip(str(error))
        raise
    assert told(found) == ["create a.db/u", "delete a.db/t/3"]
    with sqlite3.connect(here / "a.db") as connection:
        assert connection.execute("SELECT count(*) FROM t").fetchone() == (3,)
    connection.close()


C = r"""
#include <stdio.h>
int sqlite3_open(const char *, void **); int sqlite3_exec(void *, const char *, void *, void *, void *);
int main(void) {
    void *db;
    return sqlite3_open("a.db", &db) || sqlite3_exec(db, "UPDATE t SET v = 'c' WHERE id = 1", 0, 0, 0);
}
"""
PERL = 'use DBI; DBI->connect("dbi:SQLite:a.db")->do("UPDATE t SET v = \'c\' WHERE id = 1")'
NODE = "new (require('node:sqlite').DatabaseSync)('a.db').exec(\"UPDATE t SET v = 'c' WHERE id = 1\")"
LANGUAGES = {
    "shell": ["sqlite3", "a.db", "UPDATE t SET v = 'c' WHERE id = 1"],
    "perl": ["perl", "-e", PERL],
    "node": ["node", "-e", NODE],
    "c": ["./writer"],
}


@needs_observing
@pytest.mark.parametrize("language", LANGUAGES)
def test_whatever_language_wrote_it(here: Path, language: str) -> None:
    command = LANGUAGES[language]
    if language == "c":
        library = next(iter(Path("/usr/lib").glob("*/libsqlite3.so.0")), None)
        if library is None or shutil.which("gcc") is None:
            pytest.skip("there is no gcc, or no library of SQLite")
        (here.parent / "writer.c").write_text(C)
        subprocess.run(["gcc", "-o", "writer", "../writer.c", str(library)], check=True)
    elif shutil.which(command[0]) is None:
        pytest.skip(f"there is no {command[0]}")
    found = observe(command)
    if found.status:
        pytest.skip(f"{command[0]} has no SQLite")
    assert told(found) == ["update a.db/t/1"]


@pytest.mark.parametrize(
    "name", [b"a", b"a\\b\n\x85", b"\xff\xfe", "é\u202e\U000e0001\u0085".encode(), b"\\x41", b"\\\\x"]
)
def test_readable_names_are_read_back(name: bytes) -> None:
    assert written(readable(name)) == name


def test_an_address_in_a_variable() -> None:
    environment = {"DSN": "postgresql://u:p@h/n", "EMPTY": "", "FILE": "shop.sqlite"}
    for given in ("$DSN", "${DSN}", "postgresql://u:p@h/n"):
        assert address_of(given, environment) == "postgresql://u:p@h/n"
    for missing in ("$NONE", "${EMPTY}", "$FILE", "shop.sqlite"):
        with pytest.raises(UsageError):
            address_of(missing, environment)


def test_without_psycopg_it_says_what_to_install(tmp_path: Path) -> None:
    script = (
        "import sys; sys.modules['psycopg'] = None\n"
        "from runwright.errors import CapabilityError\nfrom runwright.record.database import Databases\n"
        "try:\n    Databases(None, ['host=x']).__enter__()\nexcept CapabilityError as error:\n    print(error.hint)"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True, cwd=tmp_path)
    assert done.stdout == "pip install 'runwright[postgres]'\n"

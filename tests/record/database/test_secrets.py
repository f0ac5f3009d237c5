"""Secrets in rows: the gate reaches into them, and nothing lets one be guessed back."""

from __future__ import annotations

from pathlib import Path

from blake3 import blake3

from runwright.record.database import DatabaseChanges
from runwright.secrets import gate_trace, scan_trace
from runwright.trace import Header, Trace, dumps_trace
from tests.record.database.look import changes
from tests.secrets.planted import TYPED

KEY = TYPED["github classic"][1]
WEAK = "hunter2!"


def written(found: DatabaseChanges) -> str:
    """The trace as the gate lets it be written."""
    trace = Trace(header=Header(kind="run", trace_id="0" * 32), records=found.records())
    redacted = gate_trace(trace, redact=True, name="t")
    assert scan_trace(redacted) == []
    return dumps_trace(redacted).decode()


def test_a_row_s_secrets_become_tokens_and_its_digest_that_of_the_rest(tmp_path: Path) -> None:
    made = "CREATE TABLE users(id INTEGER PRIMARY KEY, password TEXT, note TEXT)"
    found = changes(
        tmp_path, made, f"INSERT INTO users VALUES (1, '{WEAK}', 'uses {KEY}'), (2, 'other', 'knows {WEAK}')"
    )
    for effect in found.effects:
        assert effect.after is not None
    text = written(found)
    assert "[[redacted:" in text
    for secret in (KEY, WEAK, *(effect.after.digest for effect in found.effects if effect.after)):
        assert str(secret) not in text


def test_a_secret_that_is_the_key(tmp_path: Path) -> None:
    made = "CREATE TABLE tokens(password TEXT PRIMARY KEY, v)"
    text = written(changes(tmp_path, made, f"INSERT INTO tokens VALUES ('{WEAK}', 1), ('{KEY}', 2)"))
    assert WEAK not in text
    assert KEY not in text


def test_a_secret_that_is_the_key_in_another_spelling(tmp_path: Path) -> None:
    made = [f"CREATE TABLE {each} PRIMARY KEY);" for each in ("a(password TEXT", "b(password BLOB", "c(k")]
    rows = ("a VALUES ('hun/ter2!')", "b VALUES (CAST('hunter3!' AS BLOB))", "c VALUES ('a/b'), (x'01')")
    text = written(changes(tmp_path, "".join(made), "".join(f"INSERT INTO {each};" for each in rows)))
    for each in ("hun/ter2!", "hun%2Fter2!", "hunter3!", b"hunter3!".hex()):
        assert each not in text
    assert "a.db/c/a%2Fb" in text
    assert "a.db/c/x'01'" in text


def test_a_secret_that_is_the_key_of_a_row_too_long_to_be_shown(tmp_path: Path) -> None:
    columns = ", ".join(f"c{n}" for n in range(12))
    long = ", ".join("printf('%.4000c', 'x')" for _ in range(12))
    made = f"CREATE TABLE tokens(password TEXT PRIMARY KEY, {columns})"
    text = written(changes(tmp_path, made, f"INSERT INTO tokens VALUES ('{WEAK}', {long})"))
    assert '"key"' in text
    assert WEAK not in text


def test_no_digest_of_what_would_be_taken_out(tmp_path: Path) -> None:
    made = "CREATE TABLE users(id INTEGER PRIMARY KEY, password BLOB, page TEXT, key TEXT, plain BLOB)"
    page = f"{'word ' * 1000}password={WEAK}"
    found = changes(
        tmp_path,
        made,
        f"INSERT INTO users VALUES (1, CAST('{WEAK}' AS BLOB), '{page}', '{'x ' * 3000}{KEY}', CAST('plain' AS BLOB))",
    )
    text = written(found)
    digests = [blake3(each.encode()).hexdigest() for each in (WEAK, page, f"{'x ' * 3000}{KEY}")]
    assert not [each for each in digests if each in text]
    assert text.count("withheld") == 3
    assert blake3(b"plain").hexdigest() in text


def test_a_raw_password_is_no_digest(tmp_path: Path) -> None:
    made = "CREATE TABLE users(id INTEGER PRIMARY KEY, password BLOB)"
    found = changes(tmp_path, made, "INSERT INTO users VALUES (1, x'01ff02fe')")
    assert blake3(b"\x01\xff\x02\xfe").hexdigest() not in written(found)


def test_secrets_in_definitions(tmp_path: Path) -> None:
    found = changes(
        tmp_path, "CREATE TABLE s(x)", f"CREATE TABLE t(x DEFAULT '{KEY}'); CREATE VIEW v AS SELECT '{KEY}'"
    )
    assert KEY not in written(found)
